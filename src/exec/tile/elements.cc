#include "exec/tile/elements.h"

namespace pto::exec {

using numeric::BinaryOperation;
using numeric::TypeSet;
using numeric::UnaryOperation;

BinaryOperation binary_operation_of(const isa::TileOperation& operation) {
  using isa::TileVariant;
  switch (operation.variant) {
    case TileVariant::Sub: return BinaryOperation::Sub;
    case TileVariant::Mul: return BinaryOperation::Mul;
    case TileVariant::Div: return BinaryOperation::Div;
    case TileVariant::Rem: return BinaryOperation::Rem;
    case TileVariant::And: return BinaryOperation::And;
    case TileVariant::Or: return BinaryOperation::Or;
    case TileVariant::Xor: return BinaryOperation::Xor;
    case TileVariant::Shl: return BinaryOperation::Shl;
    case TileVariant::Shr: return BinaryOperation::Shr;
    case TileVariant::Max:
    case TileVariant::ArgMax: return BinaryOperation::Max;
    case TileVariant::Min:
    case TileVariant::ArgMin: return BinaryOperation::Min;
    default: return BinaryOperation::Add;
  }
}

UnaryOperation unary_operation_of(const isa::TileOperation& operation) {
  using isa::TileVariant;
  switch (operation.variant) {
    case TileVariant::Not: return UnaryOperation::Not;
    case TileVariant::Neg: return UnaryOperation::Neg;
    case TileVariant::Exp: return UnaryOperation::Exp;
    case TileVariant::Log: return UnaryOperation::Log;
    case TileVariant::Recip: return UnaryOperation::Recip;
    case TileVariant::Sqrt: return UnaryOperation::Sqrt;
    case TileVariant::Rsqrt: return UnaryOperation::Rsqrt;
    case TileVariant::Relu: return UnaryOperation::Relu;
    default: return UnaryOperation::Abs;
  }
}

const TypeSet& binary_types(BinaryOperation operation) {
  switch (operation) {
    case BinaryOperation::And:
    case BinaryOperation::Or:
    case BinaryOperation::Xor:
    case BinaryOperation::Shl:
    case BinaryOperation::Shr: return numeric::type_sets::whole_integers;
    default: return numeric::type_sets::arithmetic;
  }
}

const TypeSet& unary_types(UnaryOperation operation) {
  switch (operation) {
    case UnaryOperation::Abs:
    case UnaryOperation::Neg:
    case UnaryOperation::Relu: return numeric::type_sets::arithmetic;
    case UnaryOperation::Not: return numeric::type_sets::whole_integers;
    default: return numeric::type_sets::arithmetic_floats;
  }
}

}  // namespace pto::exec
