// How fast training is, as ratios to Eigen's product measured in the same minute.
#pragma once

#include <string>

namespace attn {

/// JSON: GFLOP/s of Eigen's product and of ours (2048 × 128 × 384), seconds of a step of the small
/// and the large case on one thread, the small case's rate counted at 5.3 GFLOP a step, and its
/// ratio to Eigen's. Everything in turn, `rounds` times; the best of each counts, since the machine
/// may be busy with something else.
std::string measure_training(int rounds);

}  // namespace attn
