// What `explain` and the reference say of every row: examples are legal, reasons are complete.

#include "cli/descriptions.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/explain.h"
#include "exec/rule.h"
#include "text/assembler.h"

namespace pto::cli {
namespace {

TEST(Descriptions, EveryFormHasAnExampleThatAssemblesToTheForm) {
  for (const isa::Form* form : isa::all_forms()) {
    const Release release = form->until;
    const std::string example = example_of(*form, release);
    ASSERT_FALSE(example.empty()) << form->id;
    const text::Assembled assembled =
        text::assemble(example + "\n", "example.s",
                       {.release = release, .text_address = 0x10000, .read_file = {}, .limits = {}});
    ASSERT_TRUE(assembled.ok()) << form->id << ": " << assembled.errors[0].render();
  }
}

TEST(Descriptions, EveryExampleBlockOfAnOperationAssembles) {
  for (const isa::TileOperation& row : isa::tile_operations()) {
    std::string source;
    for (const std::string& line : example_of(row)) source += line + "\n";
    const text::Assembled assembled = text::assemble(
        source, "example.s", {.release = row.until, .text_address = 0x10000, .read_file = {}, .limits = {}});
    EXPECT_TRUE(source.empty() || assembled.ok()) << row.name << ": " << assembled.errors[0].render();
  }
}

TEST(Descriptions, RulesHaveNamesOfTheirOwnAndOneSentence) {
  std::set<std::string_view> names;
  for (const exec::Rule* rule : exec::all_rules()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name << " names two rules";
    EXPECT_TRUE(rule->clause.starts_with("PTO-")) << rule->name;
    EXPECT_TRUE(rule->sentence.ends_with('.')) << rule->name;
  }
}

TEST(Descriptions, EveryReasonIsExplainedByItsName) {
  for (const std::string_view name : reason_names()) EXPECT_TRUE(explain_reason(name)) << name;
  EXPECT_FALSE(explain_reason("no-such-rule"));
}

}  // namespace
}  // namespace pto::cli
