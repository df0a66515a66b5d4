// Direct calls of tile operations: what they write, what they leave alone, and how they end.
#include "exec/tile/direct.h"

#include "tile_block.h"

namespace pto::test {

using exec::StepStatus;

namespace {

// Tiles t#1 and t#2 hold 2x2 numbers; t#3 has their shape and holds 9 everywhere.
struct Direct : TileBlock {
  Direct() : TileBlock(Release::v0_58_3) {
    row_major(t, ElementType::U32, 128, 2, 2, 2, {1, 2, 3, 4});
    row_major(t + 1, ElementType::U32, 128, 2, 2, 2, {10, 20, 30, 40});
    row_major(t + 2, ElementType::U32, 128, 2, 2, 2, {9, 9, 9, 9});
    machine.pc = 0x1000;
  }
  exec::CallOperands operands(std::uint8_t destination, std::initializer_list<std::uint8_t> sources) const {
    exec::CallOperands result;
    result.destinations[0] = destination;
    std::copy(sources.begin(), sources.end(), result.sources.begin());
    return result;
  }
  exec::StepResult decoded(const exec::DecodedCall& call) {
    exec::Context context{machine, config};
    return exec::execute_decoded_call(context, call);
  }
  exec::StepResult decoded(unsigned code, const exec::CallOperands& with) {
    return decoded({.family = isa::TileFamily::TEPL, .code = code, .operands = with, .rules = {}});
  }
  exec::PlainOutcome plain(std::string_view operation, const exec::CallOperands& with) {
    exec::Context context{machine, config};
    return exec::execute_plain_call(context, {isa::find_tile_operation(operation, config.release), with});
  }
  static std::string rule_of(const exec::StepResult& result) {
    return result.status == StepStatus::Rejected ? std::string(result.rejection.rule->name) : "";
  }
};

TEST(DirectCall, WritesTheDestinationItNames) {
  Direct call;
  EXPECT_EQ(call.decoded(0, call.operands(t + 2, {t, t + 1})).status, StepStatus::Executed);
  EXPECT_EQ(call.valid(t + 2), (std::vector<Word>{11, 22, 33, 44}));
  EXPECT_EQ(call.machine.system_registers.cycle, 1u);
}

// Since 0.58.5 the elementwise operations work on CELLs; only a direct call can name such a result.
TEST(DirectCall, ElementwiseOperationsWorkOnCells) {
  constexpr unsigned tadd = 0;
  for (const TileLayout layout : {TileLayout::CUBE_M16, TileLayout::CUBE_M32}) {
    Direct call;
    call.config.release = Release::v0_58_5;
    // Three of a CELL's columns, so that some of its elements stay undefined.
    call.cube(t, layout, ElementType::U8, 2, 3, {1, 2, 3, 4, 5, 255});
    call.cube(t + 1, layout, ElementType::U8, 2, 3, {10, 20, 30, 40, 50, 60});
    call.cube(t + 2, layout, ElementType::U8, 2, 3, {9, 9, 9, 9, 9, 9});
    const exec::StepResult result = call.decoded(tadd, call.operands(t + 2, {t, t + 1}));
    ASSERT_EQ(result.status, StepStatus::Executed) << Direct::rule_of(result);
    EXPECT_EQ(call.valid(t + 2), (std::vector<Word>{11, 22, 33, 44, 55, 59}));
  }
}

TEST(DirectCall, ElementwiseOperationsDoNotMixLayoutsOrTakeN8) {
  constexpr unsigned tadd = 0;
  Direct call;
  call.config.release = Release::v0_58_5;
  call.cube(t, TileLayout::CUBE_M16, ElementType::U8, 2, 3, {1, 2, 3, 4, 5, 6});
  call.cube(t + 1, TileLayout::CUBE_M32, ElementType::U8, 2, 3, {1, 2, 3, 4, 5, 6});
  call.cube(t + 2, TileLayout::CUBE_M16, ElementType::U8, 2, 3, {9, 9, 9, 9, 9, 9});
  EXPECT_EQ(Direct::rule_of(call.decoded(tadd, call.operands(t + 2, {t, t + 1}))), "tile.layout");
  for (const unsigned index : {t, t + 1, t + 2})
    call.cube(index, TileLayout::CUBE_N8, ElementType::U8, 2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(call.decoded(tadd, call.operands(t + 2, {t, t + 1})).status, StepStatus::Rejected);
}

TEST(DirectCall, CellsAreNoElementwiseOperandsBefore) {
  constexpr unsigned tadd = 0;
  Direct call;  // 0.58.3
  for (const unsigned index : {t, t + 1, t + 2})
    call.cube(index, TileLayout::CUBE_M16, ElementType::U8, 2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(call.decoded(tadd, call.operands(t + 2, {t, t + 1})).status, StepStatus::Rejected);
}

TEST(DirectCall, ADestinationMayBeASource) {
  Direct call;
  EXPECT_EQ(call.decoded(0, call.operands(t, {t, t + 1})).status, StepStatus::Executed);
  EXPECT_EQ(call.valid(t), (std::vector<Word>{11, 22, 33, 44}));
}

TEST(DirectCall, ARejectedCallKeepsItsDestination) {
  Direct call;
  call.row_major(t + 1, ElementType::U16, 128, 2, 2, 2, {1, 2, 3, 4});
  const exec::StepResult result = call.decoded(0, call.operands(t + 2, {t, t + 1}));
  EXPECT_EQ(Direct::rule_of(result), "tile.shape");
  EXPECT_EQ(call.machine.last_fault, Fault::TileLegality);
  EXPECT_EQ(call.valid(t + 2), (std::vector<Word>{9, 9, 9, 9}));
}

TEST(DirectCall, AnUnassignedCodeIsIllegal) {
  Direct call;
  const exec::StepResult result = call.decoded(0x3e0, call.operands(t + 2, {t, t + 1}));
  EXPECT_EQ(Direct::rule_of(result), "tile.operation-assigned");
  EXPECT_EQ(call.machine.last_fault, Fault::IllegalInstruction);
  EXPECT_EQ(call.machine.system_registers.cycle, 1u);
}

TEST(DirectCall, APlainCallAdvancesNoTimeAndKeepsTheLastFault) {
  Direct call;
  call.machine.last_fault = Fault::TileLegality;
  const exec::PlainOutcome outcome = call.plain("TADD", call.operands(t + 2, {t, t + 1}));
  EXPECT_TRUE(outcome.accepted);
  EXPECT_EQ(outcome.step.status, StepStatus::Executed);
  EXPECT_EQ(call.machine.system_registers.cycle, 0u);
  EXPECT_EQ(call.machine.last_fault, Fault::TileLegality);
}

TEST(DirectCall, APlainCallOutsideItsPreconditionChangesNothing) {
  Direct call;
  call.machine.tiles[t + 1].valid_rows = 60000;
  const exec::PlainOutcome outcome = call.plain("TADD", call.operands(t + 2, {t, t + 1}));
  EXPECT_FALSE(outcome.accepted);
  EXPECT_EQ(call.machine.last_fault, Fault::None);
  EXPECT_EQ(call.valid(t + 2), (std::vector<Word>{9, 9, 9, 9}));
}

TEST(DirectCall, WithoutAnAttemptAnEarlierFaultRejects) {
  Direct call;
  call.machine.last_fault = Fault::DataPage;
  const exec::StepResult result = call.decoded({.family = isa::TileFamily::TEPL,
                                                .code = 0,
                                                .operands = call.operands(t + 2, {t, t + 1}),
                                                .rules = {},
                                                .attempt = false});
  EXPECT_EQ(Direct::rule_of(result), "tile.earlier-fault");
  EXPECT_EQ(call.valid(t + 2), (std::vector<Word>{11, 22, 33, 44})) << "the operation has run";
  EXPECT_EQ(call.machine.last_fault, Fault::DataPage);
  EXPECT_EQ(call.machine.pc, 0x1000u) << "no trap";
}

TEST(DirectCall, ApplicabilityRulesExcludeMicroscaledProducts) {
  Direct call;
  exec::DecodedCall product{.family = isa::TileFamily::CUBE,
                            .code = 4,
                            .operands = call.operands(t + 2, {t, t, t, t}),
                            .rules = exec::Applicability::A2A3MxRejection,
                            .attempt = false};
  EXPECT_EQ(Direct::rule_of(call.decoded(product)), "tile.operation-applicable");
  EXPECT_EQ(call.machine.last_fault, Fault::IllegalInstruction);
  product.code = 0;
  EXPECT_NE(Direct::rule_of(call.decoded(product)), "tile.operation-applicable");
}

TEST(DirectCall, ScatteringTwiceToOnePlaceIsRefused) {
  Direct call;
  call.row_major(t + 1, ElementType::U32, 128, 2, 2, 2, {0, 1, 0, 0});
  EXPECT_EQ(Direct::rule_of(call.decoded(0x70, call.operands(t + 2, {t, t + 1}))), "tscatter.row-unique");
}

TEST(DirectCall, ImageToColumnNeedsAFeatureMap) {
  Direct call;
  call.machine.tiles[t].location = call.machine.tiles[t + 2].location = state::TileLocation::Matrix;
  const exec::CallOperands operands = call.operands(t + 2, {t});
  EXPECT_EQ(Direct::rule_of(call.decoded(0x64, operands)), "timg2col.feature-map");
  // A 2x2 image of one channel and a filter of 1x1: four rows of one column.
  state::FeatureMap& map = call.machine.tile_feature_maps.at(t);
  map.valid = true;
  map.height = map.width = 2;
  call.row_major(t + 2, ElementType::U32, 128, 4, 1, 1, {});
  call.machine.tiles[t + 2].location = state::TileLocation::Matrix;
  EXPECT_EQ(call.decoded(0x64, operands).status, StepStatus::Executed);
  EXPECT_EQ(call.valid(t + 2), (std::vector<Word>{1, 2, 3, 4}));
}

TEST(DirectCall, ALoadKeepsWhatItDoesNotCover) {
  Direct call;
  call.machine = state::Machine::conformance();
  Tile& tile = call.row_major(t, ElementType::U32, 128, 1, 1, 4, {7});
  tile.set_element(1, 8);
  call.machine.memory.store(0x40, 4, 5);
  exec::CallOperands operands = call.operands(t, {});
  operands.address = 0x40;
  EXPECT_TRUE(call.plain("TLOAD", operands).accepted);
  EXPECT_EQ(call.machine.tiles[t].element(0), 5u);
  EXPECT_TRUE(call.machine.tiles[t].defined(1));
  EXPECT_EQ(call.machine.tiles[t].element(1), 8u);
  EXPECT_EQ(call.decoded(0, call.operands(t, {t, t})).status, StepStatus::Executed);
  EXPECT_FALSE(call.machine.tiles[t].defined(1)) << "arithmetic leaves no padding";
}

}  // namespace
}  // namespace pto::test
