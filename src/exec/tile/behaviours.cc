#include "exec/tile/behaviours.h"

namespace pto::exec {

namespace {
constexpr BundleCheck common_checks[] = {checks::fpatr_matrix_only,
                                         checks::bindings_complete,
                                         checks::scalar_values,
                                         checks::datr_fields,
                                         checks::header,
                                         checks::masks_equal};
}  // namespace

constinit const Path common_path{.checks = common_checks, .fault = {}};

namespace {

// Arithmetic that was closed early takes its shape from the header, the rest from its sources.
const Behaviour& binary_of(isa::TileVariant variant) {
  using isa::TileVariant;
  switch (variant) {
    case TileVariant::And:
    case TileVariant::Or:
    case TileVariant::Xor:
    case TileVariant::Shl:
    case TileVariant::Shr: return binary_open_behaviour;
    default: return binary_behaviour;
  }
}
const Behaviour& unary_of(isa::TileVariant variant) {
  using isa::TileVariant;
  switch (variant) {
    case TileVariant::Abs:
    case TileVariant::Not:
    case TileVariant::Neg:
    case TileVariant::Relu: return unary_behaviour;
    default: return unary_open_behaviour;
  }
}

}  // namespace

const Behaviour* behaviour_of(const isa::TileOperation& operation) {
  using isa::TileBehaviour;
  switch (operation.does) {
    case TileBehaviour::Binary: return &binary_of(operation.variant);
    case TileBehaviour::BinaryScalar: return &binary_scalar_behaviour;
    case TileBehaviour::Unary: return &unary_of(operation.variant);
    case TileBehaviour::MultiplyAdd: return &multiply_add_behaviour;
    case TileBehaviour::Select: return &select_behaviour;
    case TileBehaviour::SelectScalar: return &select_scalar_behaviour;
    case TileBehaviour::Permute: return &permute_behaviour;
    case TileBehaviour::Shuffle: return &shuffle_behaviour;
    case TileBehaviour::Pack: return &pack_behaviour;
    case TileBehaviour::Unpack: return &unpack_behaviour;
    case TileBehaviour::Load: return &load_behaviour;
    case TileBehaviour::Store: return &store_behaviour;
    case TileBehaviour::MemoryGather: return &gather_behaviour;
    case TileBehaviour::MemoryGatherMask: return &gather_mask_behaviour;
    case TileBehaviour::Compare: return &compare_behaviour;
    case TileBehaviour::CompareScalar: return &compare_scalar_behaviour;
    case TileBehaviour::FillScalar: return &fill_scalar_behaviour;
    case TileBehaviour::Sequence: return &sequence_behaviour;
    case TileBehaviour::Triangle: return &triangle_behaviour;
    case TileBehaviour::Reduce: return &reduce_behaviour;
    case TileBehaviour::Expand: return &expand_behaviour;
    case TileBehaviour::Concat: return &concat_behaviour;
    case TileBehaviour::Extract: return &extract_behaviour;
    case TileBehaviour::Insert: return &insert_behaviour;
    case TileBehaviour::Transpose: return &transpose_behaviour;
    case TileBehaviour::FillPad: return &fill_pad_behaviour;
    case TileBehaviour::Gather: return &gather_rows_behaviour;
    case TileBehaviour::Scatter: return &scatter_rows_behaviour;
    case TileBehaviour::Move: return &move_behaviour;
    case TileBehaviour::PeerMove: return &peer_move_behaviour;
    case TileBehaviour::Prefetch: return &prefetch_behaviour;
    case TileBehaviour::MemoryScatter: return &scatter_behaviour;
    case TileBehaviour::MemoryScatterMask: return &scatter_mask_behaviour;
    case TileBehaviour::MemoryCompareSwap: return &compare_swap_behaviour;
    case TileBehaviour::Convert: return &convert_behaviour;
    case TileBehaviour::Quantize: return &quantize_behaviour;
    case TileBehaviour::Dequantize: return &quantize_behaviour;
    case TileBehaviour::Sort: return &sort_behaviour;
    case TileBehaviour::MergeSort: return &merge_sort_behaviour;
    case TileBehaviour::Partial: return &partial_behaviour;
    case TileBehaviour::Histogram: return &histogram_behaviour;
    case TileBehaviour::ImageToColumn: return &image_to_column_behaviour;
    case TileBehaviour::Matrix: return &matrix_behaviour;
    default: return nullptr;
  }
}

}  // namespace pto::exec
