// The behaviours there are, one per way of working; behaviours.cc says which operation has which.
#pragma once

#include "exec/tile/behaviour.h"

namespace pto::exec {

extern const Behaviour permute_behaviour;
extern const Behaviour shuffle_behaviour;
extern const Behaviour pack_behaviour;
extern const Behaviour unpack_behaviour;

extern const Behaviour load_behaviour;
extern const Behaviour store_behaviour;
extern const Behaviour cube_load_behaviour;
extern const Behaviour cube_store_behaviour;

extern const Behaviour gather_behaviour;
extern const Behaviour gather_mask_behaviour;

extern const Behaviour compare_behaviour;
extern const Behaviour compare_scalar_behaviour;

extern const Behaviour fill_scalar_behaviour;
extern const Behaviour sequence_behaviour;
extern const Behaviour triangle_behaviour;

extern const Behaviour binary_behaviour;
extern const Behaviour binary_open_behaviour;
extern const Behaviour binary_scalar_behaviour;
extern const Behaviour unary_behaviour;
extern const Behaviour unary_open_behaviour;
extern const Behaviour multiply_add_behaviour;
extern const Behaviour select_behaviour;
extern const Behaviour select_scalar_behaviour;

extern const Behaviour reduce_behaviour;
extern const Behaviour expand_behaviour;
extern const Behaviour concat_behaviour;
extern const Behaviour extract_behaviour;
extern const Behaviour insert_behaviour;
extern const Behaviour transpose_behaviour;
extern const Behaviour fill_pad_behaviour;
extern const Behaviour gather_rows_behaviour;
extern const Behaviour scatter_rows_behaviour;
extern const Behaviour move_behaviour;
extern const Behaviour peer_move_behaviour;
extern const Behaviour prefetch_behaviour;
extern const Behaviour scatter_behaviour;
extern const Behaviour scatter_mask_behaviour;
extern const Behaviour compare_swap_behaviour;
extern const Behaviour convert_behaviour;
extern const Behaviour quantize_behaviour;
extern const Behaviour sort_behaviour;
extern const Behaviour merge_sort_behaviour;
extern const Behaviour partial_behaviour;
extern const Behaviour partial_index_behaviour;
extern const Behaviour histogram_behaviour;
extern const Behaviour image_to_column_behaviour;
extern const Behaviour matrix_behaviour;

}  // namespace pto::exec
