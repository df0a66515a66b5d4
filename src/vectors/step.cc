#include "vectors/step.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/json_error.h"
#include "exec/step.h"
#include "isa/decode.h"
#include "isa/tile/operations.h"
#include "vectors/tile_input.h"

namespace pto::vectors {

namespace {

namespace dom = simdjson::dom;
using exec::StepResult;
using exec::StepStatus;

enum class Entry : std::uint8_t { Instruction, Command, Scalar, CompleteTileOperation, CompleteBundle, Tile };

struct EntryName {
  std::string_view name;
  Entry entry;
};
constexpr EntryName entry_names[] = {
    {"instruction", Entry::Instruction},
    {"command", Entry::Command},
    {"scalar", Entry::Scalar},
    {"complete-tile-operation", Entry::CompleteTileOperation},
    {"complete-bundle", Entry::CompleteBundle},
    {"tile", Entry::Tile},
};

// A step as its line says it; views point into the parsed document.
struct Step {
  std::string_view id;
  Release release{};
  Entry entry{};
  std::string_view status;
  Word word = 0;
  unsigned bits = 0;
  Word continuation = 0;
  std::string_view operation;
  TileCall call;
  std::string_view result;  // what a `tile` step returned beside its status; empty: nothing
  dom::object pre;
  dom::object post;
};

constexpr const char* vector_file_hint = "a vector file holds one pto-step/1 object a line";

Error malformed(std::string message) {
  return {.message = std::move(message), .place = {}, .hint = vector_file_hint, .excerpt = {}};
}

// A member that stands there more than once; empty: there is none.
std::string_view named_twice(const dom::object& object) {
  std::vector<std::string_view> names;
  for (const dom::key_value_pair member : object) names.push_back(member.key);
  std::ranges::sort(names);
  const auto twin = std::ranges::adjacent_find(names);
  return twin == names.end() ? std::string_view() : *twin;
}

Result<Word> hex_member(const dom::object& object, const char* name) {
  std::string_view text;
  if (object[name].get(text) || !text.starts_with("0x"))
    return malformed(fmt::format("input.{}: expected \"0x..\"", name));
  Word word = 0;
  const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), word, 16);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) {
    return malformed(fmt::format("input.{}: '{}' is not a word", name, text));
  }
  return word;
}

Result<void> read_tile_input(const dom::object& input, Step& step) {
  if (input["operation"].get(step.operation)) return malformed("input.operation: expected a name");
  Result<TileCall> call = read_tile_call(input, step.release);
  if (!call.ok()) return call.error();
  step.call = *call;
  return {};
}

Result<void> read_input(const dom::object& input, Step& step) {
  switch (step.entry) {
    case Entry::Instruction:
    case Entry::Command:
    case Entry::Scalar: {
      std::uint64_t bits = 0;
      if (input["bits"].get(bits) || bits % 16 != 0 || bits == 0 || bits > 64) {
        return malformed("input.bits: expected 16, 32, 48 or 64");
      }
      step.bits = static_cast<unsigned>(bits);
      const Result<Word> word = hex_member(input, "word");
      if (!word.ok()) return word.error();
      if ((*word & ~mask_of(step.bits)) != 0) return malformed("input.word: wider than input.bits");
      step.word = *word;
      return {};
    }
    case Entry::CompleteBundle: {
      const Result<Word> word = hex_member(input, "continuation");
      if (!word.ok()) return word.error();
      step.continuation = *word;
      return {};
    }
    case Entry::Tile: return read_tile_input(input, step);
    case Entry::CompleteTileOperation: break;
  }
  return {};
}

Result<Step> read_step(const dom::element& document) {
  dom::object object;
  std::string_view format;
  std::string_view isa;
  std::string_view entry;
  dom::object input;
  Step step;
  if (document.get(object)) return malformed("expected a JSON object");
  if (object["format"].get(format) || format != "pto-step/1")
    return malformed("format: expected \"pto-step/1\"");
  if (const std::string_view twin = named_twice(object); !twin.empty())
    return malformed(fmt::format("{}: stands there twice", twin));
  if (object["id"].get(step.id)) return malformed("id: expected a string");
  if (object["isa"].get(isa)) return malformed("isa: expected a string");
  const std::optional<Release> release = release_of_name(isa);
  if (!release) return malformed(fmt::format("isa: '{}' is not a release ptosim follows", isa));
  step.release = *release;
  if (object["entry"].get(entry)) return malformed("entry: expected a string");
  const auto* known = std::find_if(std::begin(entry_names), std::end(entry_names),
                                   [&](const EntryName& row) { return row.name == entry; });
  if (known == std::end(entry_names))
    return malformed(fmt::format("entry: '{}' is not an entry point", entry));
  step.entry = known->entry;
  if (object["status"].get(step.status)) return malformed("status: expected a string");
  if (object["input"].get(input)) return malformed("input: expected an object");
  if (const std::string_view twin = named_twice(input); !twin.empty())
    return malformed(fmt::format("input.{}: stands there twice", twin));
  if (object["pre"].get(step.pre)) return malformed("pre: expected an object");
  if (object["post"].get(step.post)) return malformed("post: expected an object");
  if (step.entry == Entry::Tile && object["result"].get(step.result) == simdjson::INCORRECT_TYPE)
    return malformed("result: expected \"0x..\"");
  const Result<void> read = read_input(input, step);
  if (!read.ok()) return read.error();
  return step;
}

const isa::TileOperation* open_operation(const state::Machine& machine, Release release) {
  const state::Operation& operation = machine.block.operation;
  if (!machine.bundle_active || !operation.valid || !operation.selector_valid) return nullptr;
  switch (operation.operation_class) {
    case state::OperationClass::TileElement:
      return isa::find_tile_operation(isa::TileFamily::TEPL, operation.selector, release);
    case state::OperationClass::TileMemory:
      return isa::find_tile_operation(isa::TileFamily::TLSU, operation.selector, release);
    case state::OperationClass::TileMatrix:
      return isa::find_tile_operation(isa::TileFamily::CUBE, operation.selector, release);
    default: return nullptr;
  }
}

// What the step is about: the operation a block completes, or the mnemonic.
std::string instruction_name(const Step& step, const state::Machine& before) {
  const isa::TileOperation* operation = open_operation(before, step.release);
  switch (step.entry) {
    case Entry::Tile: return std::string(step.operation);
    case Entry::CompleteTileOperation:
    case Entry::CompleteBundle: return operation ? std::string(operation->name) : "complete-bundle";
    default: break;
  }
  const isa::Decoded decoded =
      step.entry == Entry::Command  ? isa::decode_command(step.word, step.bits, step.release)
      : step.entry == Entry::Scalar ? isa::decode_scalar(step.word, step.bits, step.release)
                                    : isa::decode(step.word, step.bits, step.release);
  if (decoded.form == nullptr) return "(no form)";
  const bool completes = decoded.form->does == isa::Behaviour::BlockStart ||
                         decoded.form->does == isa::Behaviour::BlockStop ||
                         decoded.form->does == isa::Behaviour::HintTrace;
  return std::string(completes && operation ? operation->name : decoded.form->name);
}

// What a call did, and the word for it.
struct Performed {
  StepResult step;
  std::string_view status;
};

Performed perform_tile_call(const Step& step, exec::Context& context) {
  if (const auto* call = std::get_if<exec::PlainCall>(&step.call)) {
    exec::PlainOutcome outcome = exec::execute_plain_call(context, *call);
    return {std::move(outcome.step), outcome.accepted ? "none" : "rejected"};
  }
  StepResult result = exec::execute_decoded_call(context, std::get<exec::DecodedCall>(step.call));
  const bool executed = result.status == StepStatus::Executed;
  return {std::move(result), executed ? "executed" : "rejected"};
}

StepResult perform_step(const Step& step, exec::Context& context) {
  switch (step.entry) {
    case Entry::Instruction: return exec::execute_instruction(context, step.word, step.bits);
    case Entry::Command: return exec::execute_command(context, step.word, step.bits);
    case Entry::Scalar: return exec::execute_scalar(context, step.word, step.bits);
    case Entry::CompleteTileOperation: return exec::complete_tile_block(context);
    case Entry::CompleteBundle: return exec::complete_bundle(context, step.continuation);
    case Entry::Tile: break;
  }
  return {};
}

Performed perform(const Step& step, exec::Context& context) {
  if (step.entry == Entry::Tile) return perform_tile_call(step, context);
  StepResult result = perform_step(step, context);
  const bool executed = result.status == StepStatus::Executed;
  const bool completion = step.entry == Entry::CompleteTileOperation || step.entry == Entry::CompleteBundle;
  if (completion) return {std::move(result), executed ? "true" : "false"};
  return {std::move(result), executed ? "executed" : "rejected"};
}

std::string describe_status(const Step& step, const Performed& performed) {
  std::string text = fmt::format("expected {}, got {}", step.status, performed.status);
  if (performed.step.status == StepStatus::Rejected) {
    const exec::Rejection& why = performed.step.rejection;
    text += fmt::format(" ({}: {})", why.rule ? why.rule->name : "-", why.values);
  }
  return text;
}

// No operation returns anything but zero beside its status.
constexpr std::string_view returned_word = "0x0";

// How the returned status and word differ from the recorded ones; empty: they agree.
std::string status_difference(const Step& step, const Performed& performed) {
  if (performed.status != step.status) return describe_status(step, performed);
  if (step.result.empty() || step.result == returned_word) return {};
  return fmt::format("expected the result {}, got {}", step.result, returned_word);
}

Error in_member(const char* member, const Error& error) {
  return malformed(fmt::format("{}: {}", member, error.message));
}

}  // namespace

Result<StepOutcome> check_step(simdjson::dom::parser& parser, const char* line, std::size_t length,
                               const Options& options) {
  dom::element document;
  if (const auto code = parser.parse(line, length, false).get(document)) {
    Error error = json_syntax_error({line, length}, simdjson::error_message(code), {});
    error.hint = vector_file_hint;
    return error;
  }
  const Result<Step> read = read_step(document);
  if (!read.ok()) return read.error();
  const Step& step = *read;
  StepOutcome outcome;
  if (!options.only.empty() && step.id.find(options.only) == std::string_view::npos) {
    outcome.verdict = Verdict::Skipped;
    return outcome;
  }
  state::Machine machine = state::Machine::conformance();
  if (const Result<void> loaded = state::read_state(step.pre, machine); !loaded.ok()) {
    return in_member("pre", loaded.error());
  }
  state::Machine expected = state::Machine::conformance();
  if (const Result<void> loaded = state::read_state(step.post, expected); !loaded.ok()) {
    return in_member("post", loaded.error());
  }
  outcome.instruction = instruction_name(step, machine);

  const exec::Config config{.release = step.release, .errata = exec::Errata::none()};
  exec::Context context{machine, config};
  const Performed performed = perform(step, context);
  const StepResult& result = performed.step;
  if (result.status == StepStatus::Unsupported || result.status == StepStatus::Unspecified) {
    outcome.verdict = Verdict::Unsupported;
    outcome.unsupported = result.unsupported;
    return outcome;
  }
  outcome.rejected = result.status == StepStatus::Rejected;
  if (outcome.rejected && result.rejection.rule != nullptr) outcome.rule = result.rejection.rule->name;
  std::string status = status_difference(step, performed);
  std::vector<state::Difference> differences =
      state::compare_states(expected, machine, std::max<std::size_t>(options.difference_limit, 1));
  if (status.empty() && differences.empty()) return outcome;
  outcome.verdict = Verdict::Failed;
  outcome.failure = {.file = {},
                     .line = 0,
                     .id = std::string(step.id),
                     .instruction = outcome.instruction,
                     .status = std::move(status),
                     .differences = std::move(differences)};
  return outcome;
}

}  // namespace pto::vectors
