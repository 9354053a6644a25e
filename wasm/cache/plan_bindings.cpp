#include <optional>
#include <string>

#include "core/serving_plan.h"
#include "wasm/function.h"

namespace attn::wasm {
namespace {

std::optional<ValueFormat> format_named(const std::string& name) { return value_format(name); }

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(serving_plan) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;

  value_object<ServingRequest> request("ServingRequest");
  request.field("memory", &ServingRequest::memory)
      .field("weights", &ServingRequest::weights)
      .field("engine", &ServingRequest::engine)
      .field("format", &ServingRequest::format);
  number_field<&ServingRequest::cards>(request, "cards");
  number_field<&ServingRequest::prefix>(request, "prefix");

  value_object<Reservation> reservation("Reservation");
  reservation.field("total", &Reservation::total);
  number_field<&Reservation::block>(reservation, "block");
  value_object<Budget>("Budget")
      .field("memory", &Budget::memory)
      .field("weights", &Budget::weights)
      .field("reserve", &Budget::reserve)
      .field("available", &Budget::available)
      .field("sequences", &Budget::sequences)
      .field("longest", &Budget::longest);
  value_object<ServingPlan>("ServingPlan")
      .field("card", &ServingPlan::card)
      .field("saved", &ServingPlan::saved)
      .field("reserved", &ServingPlan::reserved)
      .field("budget", &ServingPlan::budget)
      .field("log", &ServingPlan::log);

  bind<&plan_serving>("planServing");
  bind<&sequences_that_fit>("sequencesThatFit");
  bind<&format_named>("valueFormat");
  bind<&weight_bytes>("weightBytes");
}
