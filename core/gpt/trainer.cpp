#include "core/gpt/trainer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/gpt/byte_stream.h"
#include "core/rng.h"

namespace attn {
namespace {

constexpr std::uint64_t kBatchStream = 1000;                // and one more for each step
constexpr std::uint64_t kValidationStream = 1000000000000;  // and one more for each pass
constexpr int kValidationWindows = 8;  // in a pass; few, since a pass keeps all activations

constexpr std::uint32_t kMagic = 0x31475441;  // "ATG1"

void require_text(const char* name, std::span<const int> text, const GptConfig& config) {
  if (text.size() < static_cast<std::size_t>(config.block_size) + 1) {
    refuse(name, "at least " + std::to_string(config.block_size + 1) + " tokens",
           std::to_string(text.size()));
  }
  if (text.size() > (1u << 28)) refuse(name, "at most 2^28 tokens", std::to_string(text.size()));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 0 || text[i] >= config.vocab_size) {
      refuse(name + std::string("[") + std::to_string(i) + "]",
             "0 to " + std::to_string(config.vocab_size - 1), std::to_string(text[i]));
    }
  }
}

void require_rate(double peak) {
  if (!(peak >= 0 && std::isfinite(peak))) {
    refuse("learning_rate", "a finite number, 0 or more", text_of(peak));
  }
}

const TrainingOptions& checked(const TrainingOptions& options) {
  require_config(options.config);
  const auto whole = [](const char* name, int value, int lowest, int highest) {
    if (value < lowest || value > highest) {
      refuse(name, std::to_string(lowest) + " to " + std::to_string(highest),
             std::to_string(value));
    }
  };
  const auto part = [](const char* name, double value, double highest) {
    if (!(value >= 0 && value < highest)) {
      refuse(name, "0 or more, below " + text_of(highest), text_of(value));
    }
  };
  whole("batch_size", options.batch_size, 1, 4096);
  whole("warmup_steps", options.schedule.warmup_steps, 0, 1000000000);
  whole("total_steps", options.schedule.total_steps, 1, 1000000000);
  require_rate(options.schedule.peak);
  part("beta1", options.adamw.beta1, 1);
  part("beta2", options.adamw.beta2, 1);
  part("lowest", options.schedule.lowest, 1e6);
  part("weight_decay", options.adamw.weight_decay, 1e6);
  if (!(options.adamw.epsilon > 0)) refuse("epsilon", "above 0", text_of(options.adamw.epsilon));
  if (!(options.clip > 0)) refuse("clip", "above 0", text_of(options.clip));
  return options;
}

/// base^exponent by squaring, so that the result does not depend on interruptions of the run.
double power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

struct Header {
  std::uint32_t magic, scalar_bytes;
  std::int32_t vocab_size, block_size, n_layers, n_heads, d_model, d_ff, kind, batch_size;
  std::uint64_t seed;
  bool operator==(const Header&) const = default;
};

/// 0 for the model and recipe of the course; otherwise a number of its own for each set of changes.
std::int32_t changes_of(const TrainingOptions& options) {
  const GptParts& parts = options.config.parts;
  std::int32_t changes = 0, bit = 1 << 8;
  for (const bool changed :
       {!parts.residual, !parts.layer_norm, !parts.tied_output, !parts.positions,
        !parts.residual_start, !parts.zero_biases, options.decay_all}) {
    if (changed) changes += bit;
    bit *= 2;
  }
  return changes;
}

Header header_of(const TrainingOptions& options, std::size_t scalar_bytes) {
  const GptConfig& c = options.config;
  return {kMagic,
          static_cast<std::uint32_t>(scalar_bytes),
          c.vocab_size,
          c.block_size,
          c.n_layers,
          c.n_heads,
          c.d_model,
          c.d_ff,
          static_cast<std::int32_t>(c.attention) + changes_of(options),
          options.batch_size,
          options.seed};
}

}  // namespace

Split split_by_lines(std::span<const int> tokens, int line_break) {
  const auto lines = std::count(tokens.begin(), tokens.end(), line_break);
  std::size_t cut = tokens.size() * 9 / 10;
  if (lines > 0) {
    const auto wanted = lines * 9 / 10;
    std::ptrdiff_t seen = 0;
    cut = 0;
    while (seen < wanted) seen += tokens[cut++] == line_break;
  }
  return {tokens.first(cut), tokens.subspan(cut)};
}

template <class T>
Trainer<T>::Trainer(const TrainingOptions& options, std::span<const int> training,
                    std::span<const int> validation)
    : options_(checked(options)),
      workers_(options.threads),
      model_(options.config, options.seed),
      training_(training.begin(), training.end()),
      validation_(validation.begin(), validation.end()),
      activations_(options.config, options.batch_size, options.config.block_size),
      scratch_(options.config, activations_),
      gradient_(model_.parameters().size()),
      first_(gradient_.size()),
      second_(gradient_.size()) {
  require_text("training", training_, options.config);
  if (!validation_.empty()) require_text("validation", validation_, options.config);
}

template <class T>
void Trainer<T>::draw(std::span<const int> text, int windows, std::uint64_t stream) {
  const auto block = static_cast<std::size_t>(options_.config.block_size);
  const auto starts = static_cast<std::uint32_t>(text.size() - block);
  Rng rng(options_.seed, stream);
  inputs_.clear();
  targets_.clear();
  for (int i = 0; i < windows; ++i) {
    const auto window = text.subspan(rng.below(starts), block + 1);
    inputs_.insert(inputs_.end(), window.begin(), window.end() - 1);
    targets_.insert(targets_.end(), window.begin() + 1, window.end());
  }
}

template <class T>
StepResult Trainer<T>::step() {
  draw(training_, options_.batch_size, kBatchStream + static_cast<std::uint64_t>(steps_));
  StepResult result{steps_, 0, 0, attn::learning_rate(options_.schedule, steps_)};
  model_.forward(inputs_, activations_, workers_);
  result.loss = model_.loss(targets_, activations_, workers_, true);
  if (!std::isfinite(result.loss)) {
    diverged_ = true;
    return result;
  }
  model_.backward(inputs_, activations_, scratch_, gradient_, workers_);
  double squares = 0;
  for (const Tensor& tensor : model_.layout().tensors()) {
    squares += sum_of_squares(static_cast<int>(tensor.size()), gradient_.data() + tensor.offset);
  }
  result.gradient_norm = std::sqrt(squares);
  if (!std::isfinite(result.gradient_norm)) {
    diverged_ = true;
    return result;
  }
  const double norm = result.gradient_norm;
  const AdamWStep update{result.learning_rate, norm > options_.clip ? options_.clip / norm : 1,
                         1 - power(options_.adamw.beta1, steps_ + 1),
                         1 - power(options_.adamw.beta2, steps_ + 1)};
  for (const Tensor& tensor : model_.layout().tensors()) {
    workers_.split(static_cast<int>(tensor.size()), [&](int begin, int end) {
      const std::size_t at = tensor.offset + static_cast<std::size_t>(begin);
      adamw(end - begin, model_.parameters().data() + at, gradient_.data() + at, first_.data() + at,
            second_.data() + at, options_.adamw, update, tensor.decays || options_.decay_all);
    });
  }
  diverged_ = false;
  ++steps_;
  return result;
}

template <class T>
void Trainer<T>::set_learning_rate(double peak) {
  require_rate(peak);
  options_.schedule.peak = peak;
}

template <class T>
double Trainer<T>::validation_loss(int passes) {
  if (validation_.empty()) refuse("validation", "a text", "none");
  if (passes < 1) refuse("passes", "at least 1", std::to_string(passes));
  if (validation_activations_.empty()) {
    validation_activations_.emplace_back(options_.config, kValidationWindows,
                                         options_.config.block_size);
  }
  Activations<T>& a = validation_activations_.front();
  double sum = 0;
  for (int i = 0; i < passes; ++i) {
    draw(validation_, kValidationWindows, kValidationStream + static_cast<std::uint64_t>(i));
    model_.forward(inputs_, a, workers_);
    sum += model_.loss(targets_, a, workers_, false);
  }
  return sum / passes;
}

template <class T>
double Trainer<T>::validation_loss_without(int layer, int head, int passes) {
  const std::vector<T> kept(model_.parameters().begin(), model_.parameters().end());
  model_.ablate_head(layer, head);
  const auto restore = [&] { std::copy(kept.begin(), kept.end(), model_.parameters().begin()); };
  try {
    const double loss = validation_loss(passes);
    restore();
    return loss;
  } catch (...) {
    restore();
    throw;
  }
}

template <class T>
std::vector<std::uint8_t> Trainer<T>::save() const {
  ByteWriter writer;
  // Repeated growth would take three times the memory, and WebAssembly never returns it.
  writer.out.reserve(sizeof(Header) + 4 * sizeof(std::int32_t) + sizeof(double) +
                     3 * gradient_.size() * sizeof(T));
  writer.put(header_of(options_, sizeof(T)));
  writer.put(std::int32_t{steps_});
  writer.put(std::int32_t{diverged_});
  writer.put(std::int32_t{options_.schedule.warmup_steps});
  writer.put(std::int32_t{options_.schedule.total_steps});
  writer.put(options_.schedule.peak);
  writer.put_all(model_.parameters());
  writer.put_all(std::span<const T>(first_));
  writer.put_all(std::span<const T>(second_));
  return std::move(writer.out);
}

template <class T>
void Trainer<T>::load(std::span<const std::uint8_t> bytes) {
  ByteReader reader(bytes, "state", "a saved run");
  if (reader.get<Header>() != header_of(options_, sizeof(T))) {
    refuse("state", "a run with the same config, seed and batch size", "another");
  }
  const auto steps = reader.get<std::int32_t>(), diverged = reader.get<std::int32_t>();
  Schedule schedule;
  schedule.warmup_steps = reader.get<std::int32_t>();
  schedule.total_steps = reader.get<std::int32_t>();
  schedule.peak = reader.get<double>();
  const std::size_t wanted = 3 * gradient_.size() * sizeof(T);
  if (reader.left() != wanted || steps < 0) {
    refuse("state", std::to_string(wanted) + " bytes of numbers", std::to_string(reader.left()));
  }
  reader.get_all(model_.parameters());
  reader.get_all(std::span<T>(first_));
  reader.get_all(std::span<T>(second_));
  steps_ = steps;
  diverged_ = diverged != 0;
  options_.schedule = schedule;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace attn
