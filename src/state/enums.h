// The enumerations of the architectural state and their published names.
//
// The first enumerator of each is its reset value. `names` follow the enumerators in order; they are what
// state files (tests/vectors/SCHEMA.md) and messages print.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/behaviour.h"
#include "numeric/element_type.h"

namespace pto::state {

enum class Fault : std::uint8_t {
  None,
  ExecutionStateCheck,
  IllegalInstruction,
  InstructionPC,
  InstructionPage,
  DataAlignment,
  DataPage,
  SoftwareBreakpoint,
  HardwareBreakpoint,
  HardwareWatchpoint,
  Assert,
  TileLegality,
  TileAllocation,
  BundleControl,
  BundlePostCommit,
  ServiceRequest,
};

// What a block start declares is vocabulary of the instruction set.
using BlockType = isa::BlockKind;
using Transfer = isa::Transfer;
using OperationClass = isa::OperationClass;

// What a range modifier's binder bound; None: nothing, it named no PE.
enum class RangeGroupKind : std::uint8_t { None, Local, Shared };

enum class FrameKind : std::uint8_t { Entry, Exit, ReturnAddress, ReturnStack };

enum class EventKind : std::uint8_t { InitialWrite, Load, Store, Atomic, Fence };

enum class MemoryOrder : std::uint8_t { Relaxed, Acquire, Release, AcquireRelease };

enum class MaintenanceOperation : std::uint8_t {
  DC_IALL,
  DC_IVA,
  DC_ISW,
  DC_ZVA,
  DC_CVA,
  DC_CIVA,
  DC_CSW,
  DC_CISW,
  IC_IALL,
  IC_IVA,
  BC_IALL,
  BC_IVA,
  TLB_IV,
  TLB_IAV,
  TLB_IA,
  TLB_IALL,
};

enum class ControlRequest : std::uint8_t { SendEvent, WaitEvent, WaitInterrupt, WaitTimeout };

enum class StorageKind : std::uint8_t { Numeric, Predicate };

enum class TileLayout : std::uint8_t {
  RowMajor,
  ColumnMajor,
  ZN,
  NZ,
  CUBE_M16,
  CUBE_M32,
  CUBE_N8,
  ImplementationDefined,
};

enum class TileLocation : std::uint8_t { Vector, Matrix, Memory, Any };

enum class FeatureMapLayout : std::uint8_t { NC1HWC0, NDC1HWC0 };

// The published names of an enumeration, in the order of its enumerators.
template <class E>
struct EnumNames;

template <>
struct EnumNames<Fault> {
  static constexpr std::array<std::string_view, 16> names{"None",
                                                          "ExecutionStateCheck",
                                                          "IllegalInstruction",
                                                          "InstructionPC",
                                                          "InstructionPage",
                                                          "DataAlignment",
                                                          "DataPage",
                                                          "SoftwareBreakpoint",
                                                          "HardwareBreakpoint",
                                                          "HardwareWatchpoint",
                                                          "Assert",
                                                          "TileLegality",
                                                          "TileAllocation",
                                                          "BundleControl",
                                                          "BundlePostCommit",
                                                          "ServiceRequest"};
};
template <>
struct EnumNames<BlockType> {
  static constexpr std::array<std::string_view, 7> names{
      "Standard", "Floating", "System", "TileElement", "TileMemory", "TileMatrix", "FrameTemplate"};
};
template <>
struct EnumNames<Transfer> {
  static constexpr std::array<std::string_view, 7> names{"Fallthrough", "Direct",   "Conditional", "Call",
                                                         "Return",      "Indirect", "IndirectCall"};
};
template <>
struct EnumNames<OperationClass> {
  static constexpr std::array<std::string_view, 5> names{"Control", "TileElement", "TileMemory", "TileMatrix",
                                                         "FixedPoint"};
};
template <>
struct EnumNames<RangeGroupKind> {
  static constexpr std::array<std::string_view, 3> names{"None", "Local", "Shared"};
};
template <>
struct EnumNames<FrameKind> {
  static constexpr std::array<std::string_view, 4> names{"Entry", "Exit", "ReturnAddress", "ReturnStack"};
};
template <>
struct EnumNames<EventKind> {
  static constexpr std::array<std::string_view, 5> names{"InitialWrite", "Load", "Store", "Atomic", "Fence"};
};
template <>
struct EnumNames<MemoryOrder> {
  static constexpr std::array<std::string_view, 4> names{"Relaxed", "Acquire", "Release", "AcquireRelease"};
};
template <>
struct EnumNames<MaintenanceOperation> {
  static constexpr std::array<std::string_view, 16> names{
      "DC_IALL", "DC_IVA", "DC_ISW",  "DC_ZVA", "DC_CVA", "DC_CIVA", "DC_CSW", "DC_CISW",
      "IC_IALL", "IC_IVA", "BC_IALL", "BC_IVA", "TLB_IV", "TLB_IAV", "TLB_IA", "TLB_IALL"};
};
template <>
struct EnumNames<ControlRequest> {
  static constexpr std::array<std::string_view, 4> names{"SendEvent", "WaitEvent", "WaitInterrupt",
                                                         "WaitTimeout"};
};
template <>
struct EnumNames<StorageKind> {
  static constexpr std::array<std::string_view, 2> names{"Numeric", "Predicate"};
};
template <>
struct EnumNames<TileLayout> {
  static constexpr std::array<std::string_view, 8> names{
      "RowMajor", "ColumnMajor", "ZN", "NZ", "CUBE_M16", "CUBE_M32", "CUBE_N8", "ImplementationDefined"};
};
template <>
struct EnumNames<TileLocation> {
  static constexpr std::array<std::string_view, 4> names{"Vector", "Matrix", "Memory", "Any"};
};
template <>
struct EnumNames<FeatureMapLayout> {
  static constexpr std::array<std::string_view, 2> names{"NC1HWC0", "NDC1HWC0"};
};
template <>
struct EnumNames<ElementType> {
  static constexpr auto names = [] {
    std::array<std::string_view, element_type_rows.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = element_type_rows[i].name;
    return all;
  }();
};

template <class E>
constexpr std::string_view name_of(E value) {
  return EnumNames<E>::names[static_cast<std::size_t>(value)];
}

}  // namespace pto::state
