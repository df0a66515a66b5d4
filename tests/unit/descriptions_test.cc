// What `explain` and the reference say of every row: examples are legal, reasons are complete.

#include "cli/descriptions.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/explain.h"
#include "cli/explain_names.h"
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
    EXPECT_FALSE(source.empty()) << row.name;
    EXPECT_TRUE(assembled.ok()) << row.name << ": " << assembled.errors[0].render();
    EXPECT_FALSE(block_schema_of(row).empty()) << row.name;
  }
}

TEST(Descriptions, EveryFieldHasAMeaningAndEveryFormSaysWhatItRaises) {
  for (const isa::Form* form : isa::all_forms()) {
    EXPECT_FALSE(faults_of(*form).empty()) << form->id;
    for (const isa::FieldSpec& spec : form->fields()) {
      if (is_fixed(*form, spec)) continue;
      EXPECT_FALSE(meaning_of(*form, spec.field).empty()) << form->id << " " << isa::name_of(spec.field);
    }
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

TEST(Descriptions, EveryNameOfAnOperandIsExplained) {
  for (const std::string_view name : operand_names()) EXPECT_TRUE(explain_operand_name(name)) << name;
  for (const std::string_view name :
       {"a0",      "zero", "sp",   "ra",   "x3",        "r31",       "t#4",  "u#16",  "m#1",   "t",
        "n",       "S3",   "s3",   "S255", "mask=0000", "MASK=1110", "128B", "<1KB>", "256kb", "CUBE_M16",
        "cube_n8", ".org", ".IRP", "norm", "ND2M32",    "e4m3",      "lb2",  "TTBR0"})
    EXPECT_TRUE(explain_operand_name(name)) << name;
  for (const std::string_view name :
       {"t#0", "t#17", "q#1", "S256", "mask=0011", "3KB", "512KB", "", "a9", "CUBE"})
    EXPECT_FALSE(explain_operand_name(name)) << name;
}

TEST(Descriptions, EveryReasonIsExplainedByItsName) {
  for (const std::string_view name : reason_names()) EXPECT_TRUE(explain_reason(name)) << name;
  EXPECT_FALSE(explain_reason("no-such-rule"));
}

}  // namespace
}  // namespace pto::cli
