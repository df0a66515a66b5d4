// B.SUBVIEW and B.ASSEMBLE: what the commands note, what a block does with it.
#include <gtest/gtest.h>

#include "exec/step.h"
#include "exec/trap.h"
#include "tile_block.h"

namespace pto::test {
namespace {

constexpr Word start_tadd_fp16 = 0x20019181;
constexpr Word bind_two_sources = 0x0818ce13;  // B.IOT t#2, t#3, mask=1111, last, ->t<128B>
constexpr Word view_source0 = 0x000000d3;      // CELL 0, 128 bytes
constexpr Word view_source1 = 0x800000d3;
constexpr Word assemble_whole = 0x800018d3;  // INIT, LAST, CELL 0, 128 bytes
constexpr Word bind_nobody = bind_two_sources & ~Word{7u << 9};

constexpr Word assemble(bool init, bool last, Word reg, Word addend, Word size) {
  return 0x00001053 | Word{init} << 31 | addend << 20 | reg << 15 | Word{last} << 11 | size << 7;
}
constexpr Word subview(Word select, Word reg, Word addend, Word size) {
  return 0x00000053 | select << 31 | addend << 20 | reg << 15 | size << 7;
}
constexpr Word bind_shared(Word id, Word size) { return 0x00001013 | id << 20 | size << 15 | Word{7} << 9; }

class RangeModifiers : public ::testing::Test {
 protected:
  state::Machine machine;
  exec::Config config;

  Fault run(Word word) {
    exec::Context context{machine, config};
    const exec::StepResult step = exec::execute_command(context, word, 32);
    return step.status == exec::StepStatus::Rejected ? step.rejection.fault : Fault::None;
  }
  void run_all(std::initializer_list<Word> words) {
    for (const Word word : words) ASSERT_EQ(run(word), Fault::None) << std::hex << word;
  }
  const state::TileBinding& bound() const { return machine.block.tile_bindings[0]; }
  // The sources of the published cases: one row of four FP16 numbers in one CELL.
  void make_sources(std::uint32_t columns = 4, std::uint32_t capacity = 128) {
    for (unsigned index = 1; index <= 8; ++index) {
      Tile& tile = machine.tiles[index];
      const state::CubeGeometry geometry =
          state::cube_geometry(TileLayout::CUBE_M16, 1, columns, ElementType::FP16, config.release);
      tile = Tile();
      tile.allocated = true;
      tile.allocation_mask = 0xf;
      tile.location = state::TileLocation::Matrix;
      tile.layout = TileLayout::CUBE_M16;
      tile.data_type = ElementType::FP16;
      tile.capacity_bytes = capacity;
      tile.rows = geometry.rows;
      tile.columns = geometry.columns;
      tile.valid_rows = 1;
      tile.valid_columns = columns;
      tile.cube_k_repeat = geometry.k_repeat;
      tile.cube_n_repeat = geometry.n_repeat;
      tile.cube_cell_count = geometry.cells;
      tile.cube_storage_bytes = geometry.bytes;
      tile.fresh_storage();
      for (std::uint32_t column = 0; column < columns; ++column)
        tile.set_element(state::storage_index(tile, 0, column), 0x3c00 + index * 16 + column);
      tile.defined_valid_elements = columns;
      tile.contents_defined = true;
    }
  }
  // TADD FP16 over four valid columns of one row, its header up to the binding.
  void open_tadd() { run_all({start_tadd_fp16, 0x00400043, 0x00101043, 0x00402043, bind_two_sources}); }
  exec::Completion complete() {
    exec::Context context{machine, config};
    return exec::complete_tile_operation(context);
  }
  unsigned allocated() const {
    unsigned count = 0;
    for (const Tile& tile : machine.tiles) count += tile.allocated ? 1 : 0;
    return count;
  }
};

TEST_F(RangeModifiers, NotesFieldsAndOffset) {
  for (const Word reg : {0u, 23u}) {
    for (const Word size : {1u, 12u}) {
      machine = state::Machine();
      machine.write_gpr(static_cast<unsigned>(reg), 0x1200 + reg);
      run_all({start_tadd_fp16, bind_two_sources, subview(1, reg, 2047, size)});
      const state::RangeModifier& noted = bound().source1_subview;
      EXPECT_TRUE(noted.valid);
      EXPECT_EQ(noted.reg_src, reg);
      EXPECT_EQ(noted.uimm11, 2047);
      EXPECT_EQ(noted.size_code, size);
      EXPECT_EQ(noted.offset, (reg == 0 ? 0 : 0x1200 + reg) + 2047);
      EXPECT_FALSE(bound().source0_subview.valid);
    }
  }
}

TEST_F(RangeModifiers, OffsetWraps) {
  machine.write_gpr(2, ~Word{0});
  run_all({start_tadd_fp16, bind_two_sources, subview(0, 2, 3, 1)});
  EXPECT_EQ(bound().source0_subview.offset, 2u);
}

TEST_F(RangeModifiers, EveryControlOfAnAssembly) {
  struct Case {
    bool init, last;
    Word size;
  };
  for (const Case& c :
       {Case{true, false, 1}, Case{false, false, 0}, Case{false, true, 0}, Case{true, true, 10}}) {
    machine = state::Machine();
    run_all({start_tadd_fp16, bind_two_sources, assemble(c.init, c.last, 0, 7, c.size)});
    const state::RangeModifier& noted = bound().destination_assemble;
    EXPECT_TRUE(noted.valid);
    EXPECT_EQ(noted.init, c.init);
    EXPECT_EQ(noted.last, c.last);
    EXPECT_EQ(noted.size_code, c.size);
    EXPECT_EQ(noted.offset, 7u);
  }
  for (const Word word : {assemble(true, false, 0, 0, 0), assemble(false, false, 0, 0, 1)}) {
    machine = state::Machine();
    run_all({start_tadd_fp16, bind_two_sources});
    const Word pc = machine.pc;
    EXPECT_EQ(run(word), Fault::BundleControl);
    EXPECT_FALSE(bound().destination_assemble.valid);
    EXPECT_EQ(machine.fault_address, pc);
  }
}

TEST_F(RangeModifiers, ReservedFieldsAreIllegalAndLeaveTheGroupOpen) {
  for (Word reg = 24; reg < 32; ++reg) {
    machine = state::Machine();
    run_all({start_tadd_fp16, bind_two_sources});
    EXPECT_EQ(run(assemble(true, false, reg, 0, 1)), Fault::IllegalInstruction);
    EXPECT_EQ(run(subview(0, reg, 0, 1)), Fault::IllegalInstruction);
    EXPECT_TRUE(machine.block.range_group.open);
    EXPECT_FALSE(machine.block.range_group.destination_seen);
  }
  for (Word size = 13; size < 16; ++size) {
    machine = state::Machine();
    run_all({start_tadd_fp16, bind_two_sources});
    EXPECT_EQ(run(assemble(true, false, 0, 0, size)), Fault::IllegalInstruction);
    EXPECT_EQ(run(subview(0, 0, 0, size)), Fault::IllegalInstruction);
    EXPECT_EQ(run(subview(0, 0, 0, 0)), Fault::IllegalInstruction);
    EXPECT_TRUE(machine.block.range_group.open);
  }
}

TEST_F(RangeModifiers, SharedBindersOfferOneRole) {
  run_all({start_tadd_fp16, bind_shared(9, 0), subview(0, 0, 5, 12)});
  EXPECT_TRUE(machine.block.shared_bindings[0].source0_subview.valid);
  EXPECT_EQ(machine.block.shared_bindings[0].source0_subview.offset, 5u);
  machine = state::Machine();
  run_all({start_tadd_fp16, bind_shared(9, 0)});
  EXPECT_EQ(run(subview(1, 0, 0, 1)), Fault::BundleControl);
  machine = state::Machine();
  run_all({start_tadd_fp16, bind_shared(9, 12), assemble(true, true, 0, 2047, 12)});
  EXPECT_EQ(machine.block.shared_bindings[0].destination_assemble.size_code, 12);
  machine = state::Machine();
  run_all({start_tadd_fp16, bind_shared(9, 1)});
  EXPECT_EQ(run(subview(0, 0, 0, 1)), Fault::BundleControl) << "a destination has no source 0";
}

TEST_F(RangeModifiers, OrderAndPlace) {
  EXPECT_EQ(run(view_source0), Fault::BundleControl) << "no block";
  struct Case {
    std::vector<Word> words;
    Fault last;
  };
  for (const Case& c :
       {Case{{start_tadd_fp16, view_source0}, Fault::BundleControl},
        Case{{start_tadd_fp16, bind_two_sources, view_source0, view_source0}, Fault::BundleControl},
        Case{{start_tadd_fp16, bind_two_sources, view_source1, view_source0}, Fault::BundleControl},
        Case{{start_tadd_fp16, bind_two_sources, assemble_whole, view_source1}, Fault::BundleControl},
        Case{{start_tadd_fp16, bind_two_sources, 0x00400043, view_source0}, Fault::BundleControl},
        Case{{start_tadd_fp16, bind_two_sources, view_source0, assemble_whole}, Fault::None},
        Case{{start_tadd_fp16, bind_nobody, assemble_whole, view_source1, view_source0}, Fault::None},
        Case{{start_tadd_fp16, bind_nobody, subview(0, 24, 0, 1)}, Fault::IllegalInstruction}}) {
    machine = state::Machine();
    Fault fault{};
    for (const Word word : c.words) fault = run(word);
    EXPECT_EQ(fault, c.last) << std::hex << c.words.back();
  }
}

TEST_F(RangeModifiers, ModifiersOfNobodyAreDiscarded) {
  run_all({start_tadd_fp16, bind_nobody, view_source0, assemble_whole});
  for (const state::TileBinding& binding : machine.block.tile_bindings) {
    EXPECT_FALSE(binding.valid);
    EXPECT_FALSE(binding.source0_subview.valid);
  }
  EXPECT_TRUE(machine.block.zero_participation_seen);
}

TEST_F(RangeModifiers, ViewsFeedAnAddition) {
  make_sources();
  open_tadd();
  run_all({view_source0, view_source1, assemble_whole});
  const exec::Completion done = complete();
  ASSERT_EQ(done.status, exec::CompletionStatus::Executed) << done.rejection.values;
  EXPECT_EQ(allocated(), 9u) << "the views are gone";
  // The views took t#1 and t#10 while the block completed.
  const Tile& result = machine.tiles[10];
  EXPECT_TRUE(result.allocated);
  EXPECT_TRUE(result.contents_defined);
  EXPECT_EQ(result.layout, TileLayout::RowMajor);
  EXPECT_EQ(bound().source0, 1);
  EXPECT_EQ(bound().source1, 2);
}

TEST_F(RangeModifiers, AViewStartsAtItsCell) {
  make_sources(8, 256);  // CELLs 0 and 1
  run_all({start_tadd_fp16, 0x00400043, 0x00101043, 0x00402043, bind_two_sources, subview(0, 0, 1, 1),
           subview(1, 0, 0, 1)});
  const exec::Completion done = complete();
  ASSERT_EQ(done.status, exec::CompletionStatus::Executed) << done.rejection.values;
  // pto-v0 adds the carriers.
  const Tile& result = machine.tiles[10];
  for (Word column = 0; column < 4; ++column)
    EXPECT_EQ(result.element(column), (0x3c10 + 4 + column + 0x3c20 + column) & 0xffff) << column;
}

TEST_F(RangeModifiers, AViewNeedsARegisterOfItsHand) {
  make_sources();
  for (unsigned index = 0; index < 16; ++index) machine.tiles[index].allocated = true;
  open_tadd();
  run_all({view_source0});
  const exec::Completion done = complete();
  ASSERT_EQ(done.status, exec::CompletionStatus::Rejected);
  EXPECT_EQ(done.rejection.fault, Fault::TileAllocation);
}

TEST_F(RangeModifiers, AViewCountsAgainstCapacity) {
  make_sources();
  machine.system_registers.tile_capacity = 8 * 128;
  open_tadd();
  run_all({view_source0});
  const exec::Completion done = complete();
  ASSERT_EQ(done.status, exec::CompletionStatus::Rejected);
  EXPECT_EQ(done.rejection.fault, Fault::TileAllocation);
  EXPECT_EQ(allocated(), 8u);
}

TEST_F(RangeModifiers, ViewsOfN8GoDownAColumnOfCells) {
  // 16 rows by 16 columns of FP16: two CELLs down, two across. A view of two CELLs from CELL 1 on stops
  // there.
  Tile& parent = machine.tiles[1];
  const state::CubeGeometry geometry =
      state::cube_geometry(TileLayout::CUBE_N8, 16, 16, ElementType::FP16, config.release);
  ASSERT_EQ(geometry.k_repeat, 2u);
  parent.allocated = true;
  parent.allocation_mask = 0xf;
  parent.location = state::TileLocation::Matrix;
  parent.layout = TileLayout::CUBE_N8;
  parent.data_type = ElementType::FP16;
  parent.capacity_bytes = 512;
  parent.rows = parent.valid_rows = 16;
  parent.columns = parent.valid_columns = 16;
  parent.cube_k_repeat = geometry.k_repeat;
  parent.cube_n_repeat = geometry.n_repeat;
  parent.cube_cell_count = geometry.cells;
  parent.cube_storage_bytes = geometry.bytes;
  parent.fresh_storage();
  for (std::uint32_t row = 0; row < 16; ++row)
    for (std::uint32_t column = 0; column < 16; ++column)
      parent.set_element(state::storage_index(parent, row, column), row * 256 + column);
  parent.defined_valid_elements = 256;
  parent.contents_defined = true;
  machine.tiles[2] = parent;
  // TADD U16 over 8 rows by 8 columns.
  const Word start_tadd_u16 = (start_tadd_fp16 & ~Word{31u << 27}) | Word{row_of(ElementType::U16).code}
                                                                         << 27;
  for (Tile* tile : {&machine.tiles[1], &machine.tiles[2]}) tile->data_type = ElementType::U16;
  run_all({start_tadd_u16, 0x00800043, 0x00801043, 0x00802043, bind_two_sources, subview(0, 0, 1, 2),
           subview(1, 0, 3, 1)});
  const exec::Completion done = complete();
  ASSERT_EQ(done.status, exec::CompletionStatus::Executed) << done.rejection.values;
  const Tile* result = nullptr;
  for (const Tile& tile : machine.tiles) {
    if (tile.allocated && tile.layout == TileLayout::RowMajor) result = &tile;
  }
  ASSERT_NE(result, nullptr);
  // Rows 8 to 15; columns 0 to 7 of the first view, 8 to 15 of the second.
  EXPECT_EQ(result->element(0), 2u * 8 * 256 + 8);
  EXPECT_EQ(result->element(7 * 8 + 7), 2u * 15 * 256 + 7 + 15);
}

TEST_F(RangeModifiers, AnAssemblyMustBeginAndFit) {
  struct Case {
    Word word;
    Fault fault;
    std::string_view rule;
    bool restarts;
  };
  for (const Case& c :
       {Case{assemble(false, true, 0, 0, 0), Fault::BundleControl, "assemble.open", false},
        Case{assemble(true, false, 0, 1, 1), Fault::TileLegality, "assemble.range", true},
        Case{assemble(true, false, 0, 2047, 1), Fault::TileLegality, "assemble.range", true},
        Case{assemble(true, true, 0, 0, 2), Fault::TileLegality, "assemble.coverage", true}}) {
    machine = state::Machine();
    make_sources();
    machine.pc = 0x4000;
    open_tadd();
    run_all({view_source0, view_source1, c.word});
    const exec::Completion done = complete();
    ASSERT_EQ(done.status, exec::CompletionStatus::Rejected);
    EXPECT_EQ(done.rejection.fault, c.fault);
    EXPECT_EQ(done.rejection.rule->name, c.rule);
    EXPECT_EQ(done.rejection.restarts_block, c.restarts);
    EXPECT_EQ(allocated(), 8u);
  }
}

TEST_F(RangeModifiers, AFaultOfAFirstWriterSavesTheStartOfItsBlock) {
  make_sources();
  machine.pc = 0x4000;
  machine.current_acr = 2;
  open_tadd();
  run_all({assemble(true, true, 0, 0, 2)});
  exec::Context context{machine, config};
  const exec::StepResult step = exec::complete_bundle(context, machine.pc);
  ASSERT_EQ(step.status, exec::StepStatus::Rejected);
  EXPECT_EQ(machine.trap_contexts[1].tpc, 0x4000u);
  EXPECT_EQ(machine.trap_contexts[1].bpc, 0x4000u);
}

TEST_F(RangeModifiers, RecoveryBringsTheGroupBack) {
  machine.current_acr = 2;
  run_all({start_tadd_fp16, bind_two_sources, view_source0});
  exec::raise_fault(machine, Fault::DataPage, 0);
  EXPECT_TRUE(machine.trap_contexts[1].range_group.source0_seen);
  EXPECT_TRUE(machine.trap_contexts[1].tile_bindings[0].source0_subview.valid);
}

TEST_F(RangeModifiers, ThereAreNoneIn0583) {
  config.release = Release::v0_58_3;
  run_all({start_tadd_fp16, bind_two_sources});
  EXPECT_EQ(run(view_source0), Fault::IllegalInstruction);
}

}  // namespace
}  // namespace pto::test
