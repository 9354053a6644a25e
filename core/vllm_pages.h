// vLLM's pool of pages, from which layers of every kind take their blocks.
#pragma once

#include "core/reservation.h"

namespace attn {

/// `reserve` for vLLM.
Reservation reserve_pages(const CacheLayout& layout, const CacheQuery& query);

}  // namespace attn
