#include "exec/tile/operand_values.h"

#include "numeric/value_class.h"

namespace pto::exec {

Check need_quantization(const Bundle& bundle, Word multiplier, Word zero_point,
                        std::optional<ElementType> integer) {
  const numeric::Classified number = numeric::classify(ElementType::FP32, multiplier);
  if (number.negative || number.is_nan() || number.is_infinity() || number.is_zero())
    return reject(rules::scalar_value, bundle.pc(), "the multiplier {:#x} is not a positive finite FP32",
                  multiplier);
  if (integer != ElementType::S8 && integer != ElementType::U8)
    return reject(rules::scalar_value, bundle.pc(), "a zero point needs S8 or U8");
  if (numeric::widened(*integer, zero_point) != zero_point)
    return reject(rules::scalar_value, bundle.pc(), "the zero point {:#x} is not an {}", zero_point,
                  name_of(*integer));
  return passed;
}

Check quantization_scalars(const Bundle& bundle) {
  using isa::TileBehaviour;
  const TileBehaviour does = bundle.operation()->does;
  if (does != TileBehaviour::Quantize && does != TileBehaviour::Dequantize) return passed;
  const std::optional<ElementType> type = does == TileBehaviour::Dequantize ? bundle.operation_type()
                                          : bundle.attributes().data_type_present
                                              ? element_type_of_code(bundle.attributes().data_type)
                                              : std::nullopt;
  return need_quantization(bundle, bundle.scalar(0), bundle.scalar(1), type);
}

}  // namespace pto::exec
