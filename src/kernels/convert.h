// Rows of numbers of one type become rows of another: conversion and affine quantization, and the packing of
// four-bit elements.
//
// Every result is that of numeric::reference::convert, quantize and dequantize, cut to the carrier: each
// number is rounded once, from its exact value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/conversion.h"

namespace pto::kernels {

// `in` and `out` are carriers of `from` and `to`, one byte for each four-bit element; `out` overlaps nothing.
// Return the status of all results.
numeric::StatusFlags convert(ElementType from, ElementType to, numeric::reference::Control control,
                             const std::uint8_t* in, std::uint8_t* out, std::size_t count);

// FP32 into S8 or U8: round(in[i] * multiplier + zero_point). A multiplier is an FP32 number, not zero, here
// and below.
numeric::StatusFlags quantize(Word multiplier, Word zero_point, ElementType to,
                              numeric::reference::Control control, const std::uint8_t* in, std::uint8_t* out,
                              std::size_t count);
// S8 or U8 into FP32: (in[i] - zero_point) * multiplier, rounded.
numeric::StatusFlags dequantize(Word multiplier, Word zero_point, ElementType from,
                                numeric::reference::Control control, const std::uint8_t* in,
                                std::uint8_t* out, std::size_t count);

// Four-bit elements first, first + 1, … of a packed row as one byte each, and back.
void unpack_nibbles(const std::uint8_t* packed, std::uint64_t first, std::size_t count, std::uint8_t* out);
void pack_nibbles(const std::uint8_t* in, std::size_t count, std::uint8_t* packed, std::uint64_t first);

}  // namespace pto::kernels
