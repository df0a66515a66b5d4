// Checking in parallel: one thread reads batches of lines, workers take them, and each batch's report is
// merged in file order, so that the result does not depend on timing.

#include "vectors/check.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "base/line_source.h"
#include "vectors/step.h"

namespace pto::vectors {

namespace {

constexpr std::size_t batch_bytes = std::size_t{1} << 20;
constexpr std::size_t batches_waiting = 4;

struct Task {
  std::size_t number = 0;
  std::string file;
  LineBatch batch;
};

struct Done {
  Report report;
  std::optional<Error> error;
};

void add_totals(Totals& to, const Totals& from) {
  to.passed += from.passed;
  to.rejected += from.rejected;
  to.failed += from.failed;
  to.unsupported += from.unsupported;
}

void merge(Report& to, Report&& from, std::size_t failure_limit) {
  add_totals(to.totals, from.totals);
  for (const auto& [name, totals] : from.by_instruction) add_totals(to.by_instruction[name], totals);
  for (const auto& [name, count] : from.unsupported) to.unsupported[name] += count;
  for (const auto& [name, count] : from.rules) to.rules[name] += count;
  for (Failure& failure : from.failures) {
    if (to.failures.size() < failure_limit) to.failures.push_back(std::move(failure));
  }
}

void count(Report& report, StepOutcome&& outcome, const Options& options) {
  if (outcome.verdict == Verdict::Skipped) return;
  Totals& totals = report.by_instruction[outcome.instruction];
  switch (outcome.verdict) {
    case Verdict::Passed:
      ++totals.passed;
      ++report.totals.passed;
      if (!outcome.rejected) break;
      ++totals.rejected;
      ++report.totals.rejected;
      ++report.rules[std::string(outcome.rule)];
      break;
    case Verdict::Failed:
      ++totals.failed;
      ++report.totals.failed;
      if (report.failures.size() < options.failure_limit)
        report.failures.push_back(std::move(outcome.failure));
      break;
    case Verdict::Unsupported:
      ++totals.unsupported;
      ++report.totals.unsupported;
      ++report.unsupported[outcome.unsupported];
      break;
    case Verdict::Skipped: break;
  }
}

Done check_batch(simdjson::dom::parser& parser, Task&& task, const Options& options) {
  Done done;
  std::string& text = task.batch.text;
  text.append(simdjson::SIMDJSON_PADDING, '\0');  // every line may then be parsed where it is
  const std::size_t end = text.size() - simdjson::SIMDJSON_PADDING;
  std::size_t line = task.batch.first_line;
  for (std::size_t begin = 0; begin < end; ++line) {
    std::size_t newline = text.find('\n', begin);
    if (newline == std::string::npos || newline > end) newline = end;
    const std::size_t length = newline - begin;
    if (length != 0) {
      Result<StepOutcome> outcome = check_step(parser, text.data() + begin, length, options);
      if (!outcome.ok()) {
        done.error = outcome.error();
        done.error->place = {task.file, line, done.error->place.column};
        return done;
      }
      outcome->failure.file = task.file;
      outcome->failure.line = line;
      count(done.report, std::move(*outcome), options);
    }
    begin = newline + 1;
  }
  return done;
}

// Batches on their way to the workers, and their reports on the way back.
class Exchange {
 public:
  explicit Exchange(std::size_t failure_limit) : failure_limit_(failure_limit) {}

  // False: a worker met an error, reading on is pointless.
  bool offer(Task&& task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.size() < batches_waiting || error_.has_value(); });
    if (error_) return false;
    tasks_.push_back(std::move(task));
    changed_.notify_all();
    return true;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  std::optional<Task> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !tasks_.empty() || closed_; });
    if (tasks_.empty()) return std::nullopt;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    changed_.notify_all();
    return task;
  }
  void deliver(std::size_t number, Done&& done) {
    const std::lock_guard lock(mutex_);
    if (done.error && (!error_ || number < error_number_)) {
      error_ = std::move(done.error);
      error_number_ = number;
      changed_.notify_all();
    }
    waiting_[number] = std::move(done.report);
    // Merge in order, so that reports do not pile up.
    while (!waiting_.empty() && waiting_.begin()->first == merged_) {
      merge(report_, std::move(waiting_.begin()->second), failure_limit_);
      waiting_.erase(waiting_.begin());
      ++merged_;
    }
  }
  std::size_t steps_done() {
    const std::lock_guard lock(mutex_);
    return report_.totals.total();
  }
  Result<Report> finish() {
    if (error_) return *error_;
    return std::move(report_);
  }

 private:
  std::size_t failure_limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool closed_ = false;
  std::map<std::size_t, Report> waiting_;
  std::size_t merged_ = 0;
  Report report_;
  std::optional<Error> error_;
  std::size_t error_number_ = 0;
};

Result<void> read_file(const std::string& path, Exchange& exchange, std::size_t& number,
                       const Options& options) {
  Result<LineSource> source = LineSource::open(path);
  if (!source.ok()) return source.error();
  while (true) {
    Result<LineBatch> batch = source->next(batch_bytes);
    if (!batch.ok()) return batch.error();
    if (batch->text.empty()) return {};
    if (!exchange.offer({number++, source->name(), std::move(*batch)})) return {};
    if (options.progress) options.progress(exchange.steps_done());
  }
}

void work(Exchange& exchange, const Options& options) {
  simdjson::dom::parser parser;
  while (std::optional<Task> task = exchange.take()) {
    const std::size_t number = task->number;
    exchange.deliver(number, check_batch(parser, std::move(*task), options));
  }
}

}  // namespace

Result<Report> check_files(const std::vector<std::string>& files, const Options& options) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  Exchange exchange(options.failure_limit);
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back([&] { work(exchange, options); });

  Result<void> read;
  std::size_t number = 0;
  for (const std::string& file : files) {
    read = read_file(file, exchange, number, options);
    if (!read.ok()) break;
  }
  exchange.close();
  for (std::thread& worker : workers) worker.join();
  if (!read.ok()) return read.error();
  return exchange.finish();
}

}  // namespace pto::vectors
