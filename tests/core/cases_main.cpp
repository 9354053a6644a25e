// Prints calls of the core with their native results as JSON, every number with all its digits.
// tests/web/core-cases.ts replays them through the module and compares bit for bit.
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/attention.h"
#include "core/cosine.h"
#include "core/init_sweep.h"
#include "core/jacobian.h"
#include "core/log_slope.h"
#include "core/mask.h"
#include "core/masked_weights.h"
#include "core/math.h"
#include "core/multi_head.h"
#include "core/normal_matrix.h"
#include "core/product.h"
#include "core/product_walk.h"
#include "core/rng.h"
#include "core/row_weights.h"
#include "core/scaling.h"
#include "core/softmax.h"
#include "core/variance.h"

namespace attn {
namespace {

using nlohmann::json;

json json_of(std::optional<double> number) { return number ? json(*number) : json(nullptr); }

/// JSON has no −∞. JavaScript's Number() reads the text "-Infinity".
json json_of(const Matrix& m) {
  json data = json::array();
  for (Eigen::Index i = 0; i < m.size(); ++i) {
    data.push_back(m.data()[i] == kHidden ? json("-Infinity") : json(m.data()[i]));
  }
  return {{"data", data}, {"rows", m.rows()}, {"cols", m.cols()}};
}

json json_of(const Entry& entry) {
  return {{"value", entry.value}, {"status", name(entry.status)}};
}

json json_of(const std::vector<Entry>& entries) {
  json list = json::array();
  for (const Entry& entry : entries) list.push_back(json_of(entry));
  return list;
}

json json_of(const WeighTrace& trace) {
  return {{"scores", json_of(trace.scores)},
          {"shift", json_of(trace.shift)},
          {"shifted", json_of(trace.shifted)},
          {"parts", json_of(trace.parts)},
          {"sum", json_of(trace.sum)},
          {"weights", json_of(trace.weights)},
          {"defined", trace.defined},
          {"valid", trace.valid},
          {"entropy", json_of(trace.entropy)},
          {"maxWeight", json_of(trace.max_weight)},
          {"jacobianNorm", json_of(trace.jacobian_norm)}};
}

json json_of(const AttentionTrace& trace) {
  return {{"scores", json_of(trace.scores)},
          {"weights", json_of(trace.weights)},
          {"output", json_of(trace.output)},
          {"entropy", trace.entropy}};
}

json json_of(const Spread& s) {
  return {{"std", s.std},
          {"maxWeight", s.max_weight},
          {"entropy", s.entropy},
          {"jacobianNorm", s.jacobian_norm},
          {"jacobianNormMedian", s.jacobian_norm_median},
          {"gapAbove10", s.gap_above_10},
          {"gapAbove20", s.gap_above_20},
          {"histogram",
           {{"lo", s.histogram.lo},
            {"hi", s.histogram.hi},
            {"counts", s.histogram.counts},
            {"below", s.histogram.below},
            {"above", s.histogram.above}}}};
}

class Cases {
 public:
  void add(const char* call, json args, json result) {
    cases_.push_back({{"call", call}, {"args", std::move(args)}, {"result", std::move(result)}});
  }

  void weigh_in_all_ways(const std::vector<double>& scores) {
    for (int method = 0; method < 3; ++method) {
      for (int precision = 0; precision < 2; ++precision) {
        for (const bool stable : {true, false}) {
          const WeighOptions options{static_cast<Method>(method), 0.7, -1.5,
                                     static_cast<Precision>(precision), stable};
          add("weigh",
              {scores,
               {{"method", name(options.method)},
                {"temperature", options.temperature},
                {"offset", options.offset},
                {"precision", name(options.precision)},
                {"stable", stable}}},
              json_of(weigh(scores, options)));
        }
      }
    }
  }

  const json& all() const { return cases_; }

 private:
  json cases_ = json::array();
};

void add_rows(Cases& cases) {
  for (const double x : {-800.0, -745.1, -1.0, 0.0, 1e-9, 1.0, 88.8, 709.7}) {
    cases.add("exp", {x}, exp(x));
  }
  for (const double x : {5e-324, 1e-300, 0.1, 1.0, 2.0, 1e300}) cases.add("log", {x}, log(x));
  for (const std::vector<double>& scores :
       {std::vector<double>{8, 7, 9}, {10, 3, -4}, {1000, -1000, 0}, {88.8, 100, 102}, {-3}}) {
    cases.weigh_in_all_ways(scores);
  }
  const std::vector<double> row = {8, 3, -2, 0.5};
  json divisors = json::array();
  for (const auto& r : compare_divisors(row, 64)) {
    divisors.push_back({{"divisor", r.divisor},
                        {"weights", r.weights},
                        {"maxWeight", r.max_weight},
                        {"entropy", r.entropy},
                        {"std", r.std}});
  }
  cases.add("divisors", {row, 64}, divisors);
  for (const std::vector<double>& p :
       {std::vector<double>{0.25, 0.25, 0.5}, {1, 0}, {0.9999, 0.0001}}) {
    const Jacobian jacobian = softmax_jacobian(p);
    cases.add("jacobian", {p},
              {{"matrix", json_of(jacobian.matrix)},
               {"rowSums", jacobian.row_sums},
               {"norm", jacobian.norm}});
  }
}

void add_matrices(Cases& cases) {
  Rng rng(2);
  const Matrix x = normal_matrix(5, 7, 1, rng), w = normal_matrix(7, 4, 1, rng);
  const Matrix q = product(x, w), k = product(x, normal_matrix(7, 4, 1, rng));
  const Matrix v = product(x, normal_matrix(7, 6, 1, rng));
  cases.add("product", {json_of(x), json_of(w)}, json_of(q));
  const std::vector<double> a(q.data(), q.data() + 4), b(k.data(), k.data() + 4);
  cases.add("cosine", {a, b}, cosine(a, b));
  const std::pair<const char*, Matrix> masks[] = {
      {"none", no_mask(5, 5)}, {"causal", causal_mask(5)}, {"self", self_mask(5)}};
  for (const auto& [name, mask] : masks) {
    for (const bool scaled : {true, false}) {
      cases.add("attention",
                {json_of(q), json_of(k), json_of(v), {{"scaled", scaled}, {"mask", name}}},
                json_of(attention(q, k, v, mask, scaled)));
    }
  }
  const MultiHeadTrace trace = multi_head_attention(q, k, v, causal_mask(5), 2, true);
  cases.add(
      "multiHead",
      {json_of(q), json_of(k), json_of(v), {{"heads", 2}, {"scaled", true}, {"mask", "causal"}}},
      {{"heads", {json_of(trace.heads[0]), json_of(trace.heads[1])}},
       {"output", json_of(trace.output)}});
}

void add_masks(Cases& cases) {
  Rng rng(3);
  const PastRules rules{{kPadding, 0, 0, 1, 1}, 4, true, true, false};
  const Matrix mask = past_mask(rules);
  cases.add("pastMask",
            json::array({{{"sequence", rules.sequence},
                          {"window", rules.window},
                          {"insideSequence", rules.inside_sequence},
                          {"paddingAsks", rules.padding_asks},
                          {"inverted", rules.inverted}}}),
            json_of(mask));
  const Matrix scores = normal_matrix(5, 5, 1, rng);
  for (int way = 0; way < 5; ++way) {
    for (int convention = 0; convention < 3; ++convention) {
      const MaskedTrace trace = masked_weights(scores, mask, static_cast<Masking>(way),
                                               static_cast<EmptyRow>(convention));
      json rows = json::array();
      for (const MaskedRow& row : trace.rows) {
        rows.push_back({{"visible", row.visible},
                        {"defined", row.defined},
                        {"sum", row.sum},
                        {"hiddenShare", row.hidden_share}});
      }
      cases.add(
          "maskedWeights",
          {json_of(scores),
           json_of(mask),
           {{"masking", names<Masking>[static_cast<std::size_t>(way)]},
            {"emptyRow", names<EmptyRow>[static_cast<std::size_t>(convention)]}}},
          {{"scores", json_of(trace.scores)}, {"weights", json_of(trace.weights)}, {"rows", rows}});
    }
  }
}

void add_experiments(Cases& cases) {
  json rows = json::array();
  for (const auto& row : variance_experiment(std::vector{4, 64, 256}, 20261014, 2000, 5)) {
    rows.push_back({{"d", row.d}, {"raw", json_of(row.raw)}, {"scaled", json_of(row.scaled)}});
  }
  cases.add(
      "variance",
      json::array({{{"dims", {4, 64, 256}}, {"seed", 20261014}, {"samples", 2000}, {"keys", 5}}}),
      rows);
  const std::vector stops{1, 16, 256};
  cases.add("productWalks", json::array({{{"stops", stops}, {"seed", 20261014}, {"keys", 5}}}),
            json_of(product_walks(stops, 20261014, 5)));
  cases.add("productBins",
            json::array({{{"d", 16}, {"seed", 20261014}, {"count", 40}, {"keys", 5}}}),
            product_bins(16, 20261014, 40, 5));
  json sweep = json::array();
  for (const auto& row : init_sweep(std::vector{32, 64, 128}, 0.02, 7)) {
    sweep.push_back({{"d", row.d},
                     {"std", row.std},
                     {"predicted", row.predicted},
                     {"unitVariance", row.unit_variance},
                     {"entropy", row.entropy},
                     {"jacobianNorm", row.jacobian_norm}});
  }
  cases.add("initSweep", json::array({{{"dims", {32, 64, 128}}, {"sigma", 0.02}, {"seed", 7}}}),
            sweep);
  const std::vector<double> products{400, 150, -100};
  for (const std::string_view kind : names<AttentionKind>) {
    json weights = json::array();
    for (const auto weight : row_weights(products, *named<AttentionKind>(kind), 16)) {
      weights.push_back(json_of(weight));
    }
    cases.add("rowWeights", {json(products), json(kind), json(16)}, weights);
  }
  cases.add("logSlope", {json(32.0), json(0.113), json(256.0), json(1.638)},
            log_slope(32, 0.113, 256, 1.638));
}

}  // namespace
}  // namespace attn

int main() {
  attn::Cases cases;
  attn::add_rows(cases);
  attn::add_matrices(cases);
  attn::add_masks(cases);
  attn::add_experiments(cases);
  std::cout << cases.all() << '\n';
}
