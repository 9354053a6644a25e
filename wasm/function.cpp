#include "wasm/function.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace attn::wasm {
namespace {

val failure(const char* code, const char* message) {
  val error = val::object();
  error.set("code", code);
  error.set("message", message);
  val result = val::object();
  result.set("error", error);
  return result;
}

}  // namespace

val current_error() noexcept {
  try {
    throw;
  } catch (const std::invalid_argument& exception) {
    return failure("invalid_argument", exception.what());
  } catch (const std::exception& exception) {
    return failure("internal", exception.what());
  }
}

}  // namespace attn::wasm
