#include "wasm/buffer.h"

#include <cxxabi.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include "core/check.h"

namespace attn::wasm {
namespace {

std::vector<double> input_values, output_values;
std::string error_message;
bool refused = false;

/// Position in HEAPF64.
int index_of(const std::vector<double>& values) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(values.data()) / sizeof(double));
}

/// Keeps what the exception that is being handled says. It is asked for its type: a catch clause
/// for each type would pull in all that matches types, a twentieth of the module.
void keep_error() {
  const auto* exception =
      static_cast<const std::exception*>(abi::__cxa_current_primary_exception());
  refused = *abi::__cxa_current_exception_type() == typeid(std::invalid_argument);
  error_message = exception->what();
  abi::__cxa_decrement_exception_refcount(const_cast<std::exception*>(exception));
}

/// What `run` returns, or −1.
template <class Run>
int kept(Run&& run) {
  try {
    return run();
  } catch (...) {
    keep_error();
    return -1;
  }
}

}  // namespace

double Input::number() { return take(1)[0]; }

int Input::integer(std::string_view name, int lowest, int highest) {
  return static_cast<int>(whole(name, lowest, highest));
}

std::uint64_t Input::seed() { return static_cast<std::uint64_t>(whole("seed", 0, 0xffffffff)); }

double Input::whole(std::string_view name, double lowest, double highest) {
  const double value = number();
  if (!(value >= lowest && value <= highest) || value != std::floor(value)) {
    refuse(name, "a whole number, " + text_of(lowest) + " to " + text_of(highest), text_of(value));
  }
  return value;
}

std::span<const double> Input::numbers() { return take(number()); }

std::vector<int> Input::integers(std::string_view name, int lowest, int highest) {
  std::vector<int> integers(static_cast<std::size_t>(number()));
  for (std::size_t i = 0; i < integers.size(); ++i) {
    integers[i] = integer(item_of(name, i), lowest, highest);
  }
  return integers;
}

Matrix Input::matrix(std::string_view name) {
  constexpr int kMost = 1 << 20;
  const std::string prefix = std::string(name) + ".";
  const Eigen::Index rows = integer(prefix + "rows", 0, kMost);
  const Eigen::Index cols = integer(prefix + "cols", 0, kMost);
  const std::span<const double> data = numbers();
  const double size = static_cast<double>(rows) * static_cast<double>(cols);
  if (static_cast<double>(data.size()) != size) {
    refuse(prefix + "data", text_of(size) + " numbers", text_of(static_cast<double>(data.size())));
  }
  return Eigen::Map<const Matrix>(data.data(), rows, cols);
}

std::span<const double> Input::take(double count) {
  if (!(count <= static_cast<double>(rest_.size()))) {
    throw std::logic_error("web/core.ts and the bindings disagree about the arguments");
  }
  const auto size = static_cast<std::size_t>(count);
  const std::span<const double> taken = rest_.first(size);
  rest_ = rest_.subspan(size);
  return taken;
}

Output& Output::operator<<(double value) {
  values_.push_back(value);
  return *this;
}

Output& operator<<(Output& out, std::optional<double> value) {
  return out << value.value_or(std::numeric_limits<double>::quiet_NaN());
}

Output& operator<<(Output& out, const Matrix& matrix) {
  out << static_cast<double>(matrix.rows()) << static_cast<double>(matrix.cols())
      << static_cast<double>(matrix.size());
  for (Eigen::Index i = 0; i < matrix.size(); ++i) out << matrix.data()[i];
  return out;
}

int guarded(Call call) {
  output_values.clear();
  return kept([call] {
    Input in(input_values);
    Output out(output_values);
    call(in, out);
    return 0;
  });
}

}  // namespace attn::wasm

extern "C" {

[[gnu::used]] int input(unsigned length) {
  return attn::wasm::kept([length] {
    // A new one: a large call holds no memory for good.
    attn::wasm::input_values = std::vector<double>(length);
    return attn::wasm::index_of(attn::wasm::input_values);
  });
}

[[gnu::used]] int output() { return attn::wasm::index_of(attn::wasm::output_values); }

[[gnu::used]] int refused() { return attn::wasm::refused; }

[[gnu::used]] const char* errorMessage() { return attn::wasm::error_message.c_str(); }

}  // extern "C"
