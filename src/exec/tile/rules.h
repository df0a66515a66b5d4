// The rules of tile operations: every reason for which a tile block is refused.
//
// The fault of a rule is what the common path raises; a path of its own may raise another for the same reason
// and says so where it does.
#pragma once

#include <span>

#include "exec/rule.h"

namespace pto::exec {

std::span<const Rule* const> tile_rules();

namespace rules {

using state::Fault;

// --- Ranges of tiles (B.SUBVIEW, B.ASSEMBLE) ---
inline constexpr Rule view_parent{
    "view.parent", "PTO-B-SUBVIEW-DESCRIPTOR-001", Fault::TileLegality,
    "A view shows a Local source that is allocated, has a CUBE layout at Matrix location and is not empty."};
inline constexpr Rule view_range{
    "view.range", "PTO-B-SUBVIEW-DESCRIPTOR-001", Fault::TileLegality,
    "A view begins at a CELL of its parent within the valid region, and what it shows fits its size."};
inline constexpr Rule view_shape{
    "view.shape", "PTO-B-SUBVIEW-DESCRIPTOR-001", Fault::TileLegality,
    "Read row by row, a view must make whole rows of a power of two of columns."};
inline constexpr Rule assemble_effects{
    "assemble.effects", "PTO-B-ASSEMBLE-PRODUCER-EFFECT-ELIGIBILITY-001", Fault::TileLegality,
    "An operation whose effects cannot be taken back does not write an assembled tile."};
inline constexpr Rule assemble_open{"assemble.open", "PTO-B-ASSEMBLE-LOCAL-GENERATION-001",
                                    Fault::BundleControl,
                                    "A writer without INIT continues an assembly that is open."};
inline constexpr Rule assemble_shared_open{"assemble.shared-open", "PTO-B-ASSEMBLE-SHARED-GENERATION-001",
                                           Fault::TileLegality,
                                           "A writer without INIT continues an assembly that is open."};
inline constexpr Rule assemble_range{"assemble.range", "PTO-B-ASSEMBLE-LOCAL-GENERATION-001",
                                     Fault::TileLegality, "The range of a writer lies within the parent."};
inline constexpr Rule assemble_coverage{"assemble.coverage", "PTO-B-ASSEMBLE-LOCAL-GENERATION-001",
                                        Fault::TileLegality,
                                        "With the last writer every CELL of the parent has been written."};

// --- The block as a whole ---
inline constexpr Rule operation_assigned{
    "tile.operation-assigned", "PTO-BLOCK-MODEL-DISPATCH-TILE-EXECUTION", Fault::IllegalInstruction,
    "The selector of the block start must name an operation of the release."};
inline constexpr Rule operation_applicable{
    "tile.operation-applicable", "PTO-ARCH-DATA-TYPES-ROUNDING", Fault::IllegalInstruction,
    "The numeric applicability rules in force must not exclude the operation."};
inline constexpr Rule earlier_fault{"tile.earlier-fault", "PTO-TILE-MODEL-DISPATCH-TOP-LEVEL", Fault::None,
                                    "A fault that was there before a direct call makes it a rejection."};
inline constexpr Rule fpatr_matrix_only{"tile.fpatr-matrix-only", "PTO-BLOCK-B-FPATR", Fault::BundleControl,
                                        "B.FPATR belongs to matrix operations only."};
inline constexpr Rule fpatr_required{"tile.fpatr-required", "PTO-BLOCK-B-FPATR", Fault::BundleControl,
                                     "A matrix operation needs a B.FPATR."};
inline constexpr Rule matrix_types{"tile.matrix-types", "PTO-TILE-MODEL-LEGALITY-MATRIX-SHAPE",
                                   Fault::TileLegality,
                                   "The operands of a product must have types it accepts, of one class."};
inline constexpr Rule matrix_shared{
    "tile.matrix-shared", "PTO-CUBE-SHARED-TRANSPOSE-001", Fault::TileLegality,
    "Shared operands must be complete groups of published row-major matrices of the right shape."};
inline constexpr Rule matrix_parameter{"tile.matrix-parameter", "PTO-B-FPATR-MATRIX-POSTPROCESS-001",
                                       Fault::TileLegality,
                                       "What B.FPATR reads must suit its mode and the sums."};
inline constexpr Rule source_count{"tile.source-count", "PTO-BLOCK-MODEL-DISPATCH-DESCRIPTOR-LEGALITY",
                                   Fault::BundleControl,
                                   "B.IOT must bind exactly the operation's source tiles."};
inline constexpr Rule destination_count{"tile.destination-count",
                                        "PTO-BLOCK-MODEL-DISPATCH-DESCRIPTOR-LEGALITY", Fault::BundleControl,
                                        "B.IOT must bind exactly the operation's destination tiles."};
inline constexpr Rule stream_terminated{"tile.stream-terminated", "PTO-BLOCK-MODEL-DISPATCH-TILE-SCHEMA",
                                        Fault::BundleControl,
                                        "The last B.IOT, and no other, must carry the last mark."};
inline constexpr Rule scalar_surplus{"tile.scalar-surplus", "PTO-BLOCK-MODEL-DISPATCH-SCALAR-SCHEMA",
                                     Fault::BundleControl,
                                     "B.IOR fields that the operation does not use must be zero."};
inline constexpr Rule scalar_value{"tile.scalar-value", "PTO-BLOCK-MODEL-DISPATCH-SCALAR-SCHEMA",
                                   Fault::TileLegality,
                                   "A control read through B.IOR must lie in its domain."};
inline constexpr Rule datr_field{"tile.datr-field", "PTO-BLOCK-B-DATR", Fault::TileLegality,
                                 "B.DATR fields that the operation does not use must be zero."};
inline constexpr Rule masks_equal{"tile.masks-equal", "PTO-TILE-MODEL-LEGALITY-PE-MASK", Fault::TileLegality,
                                  "All B.IOT of a block must name the same PEs."};
inline constexpr Rule shared_count{"tile.shared-count", "PTO-BLOCK-MODEL-DISPATCH-SHARED-TLSU",
                                   Fault::TileLegality, "A move of a Shared tile binds exactly one."};
inline constexpr Rule shared_unused{"tile.shared-unused", "PTO-BLOCK-B-IOS", Fault::TileLegality,
                                    "The operation takes no Shared tiles."};

// --- The shape of the header an operation wants ---
inline constexpr Rule binding_pattern{
    "tile.binding-pattern", "PTO-BLOCK-B-IOT", Fault::TileLegality,
    "Each B.IOT must have the sources and the destination the operation wants."};
inline constexpr Rule size_code{"tile.size-code", "PTO-BLOCK-B-IOT", Fault::TileLegality,
                                "A destination's size code must be one of the release's sizes."};
inline constexpr Rule scalar_absent{"tile.scalar-absent", "PTO-BLOCK-B-IOR", Fault::TileLegality,
                                    "The operation takes no B.IOR."};
inline constexpr Rule scalar_required{"tile.scalar-required", "PTO-BLOCK-B-IOR", Fault::TileLegality,
                                      "The operation needs a B.IOR."};
inline constexpr Rule datr_absent{"tile.datr-absent", "PTO-BLOCK-B-DATR", Fault::TileLegality,
                                  "The operation takes no B.DATR."};
inline constexpr Rule dimension_required{"tile.dimension-required", "PTO-BLOCK-B-DIM", Fault::TileLegality,
                                         "The operation needs this dimension."};
inline constexpr Rule dimension_absent{"tile.dimension-absent", "PTO-BLOCK-B-DIM", Fault::TileLegality,
                                       "The operation does not take this dimension."};
inline constexpr Rule dimension_range{"tile.dimension-range", "PTO-BLOCK-B-DIM", Fault::TileLegality,
                                      "A dimension must be from 1 to 65535."};
inline constexpr Rule dimension_value{"tile.dimension-value", "PTO-BLOCK-B-DIM", Fault::TileLegality,
                                      "A dimension must fit the others and the operation."};
inline constexpr Rule comparison_mode{"tile.comparison-mode", "PTO-BLOCK-B-DATR", Fault::TileLegality,
                                      "The comparison must be one of EQ, NE, LT, GT, LE, GE."};
inline constexpr Rule operation_type{"tile.operation-type", "PTO-TILE-MODEL-LEGALITY-DTYPE-LAYOUT",
                                     Fault::TileLegality, "The operation must accept the block's DataType."};
inline constexpr Rule operation_layout{"tile.operation-layout", "PTO-TILE-MODEL-LEGALITY-DTYPE-LAYOUT",
                                       Fault::TileLegality,
                                       "The operation must accept the layout B.DATR names."};

// --- Tiles ---
inline constexpr Rule tile_allocated{"tile.allocated", "PTO-TILE-MODEL-LEGALITY-DESCRIPTOR-SHAPE",
                                     Fault::TileLegality, "A tile operand must be allocated."};
inline constexpr Rule tile_descriptor{
    "tile.descriptor", "PTO-TILE-MODEL-LEGALITY-DESCRIPTOR-SHAPE", Fault::TileLegality,
    "A tile's descriptor must be consistent with its capacity, shape and layout."};
inline constexpr Rule tile_cube{
    "tile.cube", "PTO-CUBE-CELL-STATE-001", Fault::TileLegality,
    "The tile must be a legal CUBE tile: Matrix location, CUBE layout, CELL geometry."};
inline constexpr Rule tile_defined{"tile.defined", "PTO-TILE-MODEL-DEFINEDNESS-ELEMENTS", Fault::TileLegality,
                                   "A source's valid region must be fully defined."};
inline constexpr Rule tile_numeric{"tile.numeric", "PTO-TILE-MODEL-STATE-DESCRIPTORS", Fault::TileLegality,
                                   "The tile must be numeric, not a predicate."};
inline constexpr Rule tile_predicate{"tile.predicate", "PTO-TILE-MODEL-STATE-DESCRIPTORS",
                                     Fault::TileLegality, "The tile must be a packed predicate."};
inline constexpr Rule tile_type{"tile.type", "PTO-TILE-MODEL-LEGALITY-DTYPE-LAYOUT", Fault::TileLegality,
                                "The tile's type must be the one the operation wants."};
inline constexpr Rule tile_layout{"tile.layout", "PTO-TILE-MODEL-LEGALITY-DTYPE-LAYOUT", Fault::TileLegality,
                                  "The tile's layout must be the one the operation wants."};
inline constexpr Rule tile_shape{"tile.shape", "PTO-TILE-MODEL-LEGALITY-DTYPE-LAYOUT", Fault::TileLegality,
                                 "The shapes of the operands and of the header must agree."};
inline constexpr Rule tile_encoding{"tile.encoding", "PTO-TILE-MODEL-NUMERIC-FORMATS", Fault::TileLegality,
                                    "Every element must be an encoding of the tile's type."};
inline constexpr Rule scalar_encoding{"tile.scalar-encoding", "PTO-TILE-MODEL-NUMERIC-FORMATS",
                                      Fault::TileLegality, "The scalar must be an encoding of the type."};
inline constexpr Rule divisor_zero{"tile.divisor-zero", "PTO-TILE-MODEL-EXECUTION-ELEMENTWISE",
                                   Fault::TileLegality, "An integer divisor must not be zero."};
inline constexpr Rule tile_alias{"tile.alias", "PTO-TILE-MODEL-LEGALITY-LAYOUT-REARRANGEMENT",
                                 Fault::TileLegality, "The operands must be different tiles."};
inline constexpr Rule tile_participants{"tile.participants", "PTO-TILE-MODEL-LEGALITY-PE-MASK",
                                        Fault::TileLegality,
                                        "Every PE of the block must hold the source tile."};

// --- Allocation ---
inline constexpr Rule sorted_source{"tmrgsort.sorted", "PTO-TMRGSORT-CONTRACT-001", Fault::TileLegality,
                                    "The rows to merge must be sorted in the direction of the merge."};
inline constexpr Rule image_location{"timg2col.location", "PTO-TIMG2COL-CONTRACT-001", Fault::TileLegality,
                                     "The result must be at Matrix location, which no block allocates."};
inline constexpr Rule feature_map{"timg2col.feature-map", "PTO-TIMG2COL-CONTRACT-001", Fault::TileLegality,
                                  "The source must carry a feature map that its elements can hold."};
inline constexpr Rule shared_descriptor{"shared.descriptor", "PTO-REQ-SHARED-TILE-001", Fault::TileLegality,
                                        "A Shared tile must be moved in the shape, type and size it has."};
inline constexpr Rule shared_participants{"shared.participants", "PTO-REQ-SHARED-TILE-001",
                                          Fault::TileLegality,
                                          "The PEs of the block must be those the Shared tile asks for."};
inline constexpr Rule shared_function{
    "shared.function", "PTO-BLOCK-MODEL-DISPATCH-SHARED-TLSU", Fault::TileLegality,
    "Shared tiles move by TLOAD, TSTORE and the movement variants of TMOV only."};
inline constexpr Rule tile_location{"tile.location", "PTO-GMOV-CORE4-PEER-001", Fault::TileLegality,
                                    "A tile at Memory or Matrix location cannot be moved between PEs."};
inline constexpr Rule row_index{"tile.row-index", "PTO-TGATHER-CONTRACT-001", Fault::TileLegality,
                                "A row index must name a valid row."};
inline constexpr Rule row_unique{"tscatter.row-unique", "PTO-TSCATTER-CONTRACT-001", Fault::TileLegality,
                                 "No two elements may be scattered to the same place."};
inline constexpr Rule type_known{"tile.type-known", "PTO-BLOCK-MODEL-DISPATCH-DESTINATION-SHAPE",
                                 Fault::TileLegality, "The block must say of what type its result is."};
inline constexpr Rule register_free{"tile.register-free", "PTO-BLOCK-MODEL-DISPATCH-DESTINATION-SHAPE",
                                    Fault::TileAllocation,
                                    "The destination's hand must have a free register."};
inline constexpr Rule capacity_free{"tile.capacity-free", "PTO-TILE-MODEL-CAPACITY-LOCAL",
                                    Fault::TileAllocation,
                                    "The result must fit into the free tile capacity."};
inline constexpr Rule size_sufficient{"tile.size-sufficient", "PTO-BLOCK-MODEL-DISPATCH-DESTINATION-SHAPE",
                                      Fault::TileAllocation,
                                      "The destination's size must hold its shape in whole rows."};

// --- Memory ---
inline constexpr Rule transfer_form{"tlsu.transfer-form", "PTO-BLOCK-MODEL-DISPATCH-TLSU-LAYOUT-CONVERSION",
                                    Fault::TileLegality,
                                    "A CUBE layout conversion must be a TLOAD or TSTORE with DataType NONE."};
inline constexpr Rule displacement_type{"tlsu.displacement-type", "PTO-MGATHER-BYTE-DISPLACEMENT-001",
                                        Fault::TileLegality, "Displacements must be integers."};

// --- Rearrangement inside CELLs ---
inline constexpr Rule cell_layout{"cell.layout", "PTO-TILE-MODEL-LEGALITY-LAYOUT-REARRANGEMENT",
                                  Fault::TileLegality, "The tiles must be in CUBE_M16 or CUBE_M32."};
inline constexpr Rule cell_control{"cell.control", "PTO-TILE-MODEL-LEGALITY-LAYOUT-REARRANGEMENT",
                                   Fault::TileLegality,
                                   "The control word's fields must lie in their domains."};
inline constexpr Rule permute_index_shape{"tpermute.index-shape", "PTO-TPERMUTE-CONTRACT-001",
                                          Fault::TileLegality,
                                          "The indices must be U8, one for every valid byte of the result."};
inline constexpr Rule permute_index_defined{"tpermute.index-defined", "PTO-TPERMUTE-CONTRACT-001",
                                            Fault::TileLegality, "Every index byte must be defined."};
inline constexpr Rule permute_index_range{"tpermute.index-range", "PTO-TPERMUTE-CONTRACT-001",
                                          Fault::TileLegality,
                                          "Every index byte must be below twice the bytes of a CELL row."};
inline constexpr Rule permute_source_defined{"tpermute.source-defined", "PTO-TPERMUTE-CONTRACT-001",
                                             Fault::TileLegality,
                                             "Every selected byte must be valid and defined in its source."};

}  // namespace rules
}  // namespace pto::exec
