// Conformance steps checked a second, on one core, whole path: decompress, parse, load, execute, compare.

#include <benchmark/benchmark.h>

#include <string>

#include "vectors/check.h"

namespace {

void CheckSteps(benchmark::State& bench, const std::string& name) {
  const std::string file = PTOSIM_SOURCE_DIR "/tests/vectors/" + name + ".jsonl.zst";
  std::int64_t steps = 0;
  for (auto _ : bench) {
    pto::vectors::Options options;
    options.threads = 1;
    const pto::Result<pto::vectors::Report> report = pto::vectors::check_files({file}, options);
    if (!report.ok() || report->totals.failed != 0) {
      bench.SkipWithError(report.ok() ? "a step failed" : report.error().message.c_str());
      return;
    }
    steps += static_cast<std::int64_t>(report->totals.total());
  }
  bench.SetItemsProcessed(steps);
}
BENCHMARK_CAPTURE(CheckSteps, scalar, "fuzz-scalar")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(CheckSteps, blocks, "fuzz-block")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(CheckSteps, cells, "fuzz-cell")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(CheckSteps, tiles, "fuzz-tile")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
