// Speed of training, relative to Eigen's product measured at the same time.
#pragma once

#include <string>

namespace attn {

/// JSON: GFLOP/s of Eigen's product and of ours (2048 × 128 × 384), seconds of a step of the small
/// and the large case on one thread, the small case's rate counted at 5.3 GFLOP a step, and its
/// ratio to Eigen's. All are measured in turn, `rounds` times, and the best time of each counts,
/// since the machine may be under other load.
std::string measure_training(int rounds);

}  // namespace attn
