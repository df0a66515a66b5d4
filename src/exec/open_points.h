// Open points: what the public specification leaves to an implementation, and what ptosim does there.
//
// A program that depends on one of these is not portable. Nothing here is guessed silently: each is a row
// that `ptosim explain open-points` prints.
#pragma once

#include <array>
#include <string_view>

namespace pto::exec {

struct OpenPoint {
  std::string_view name;
  std::string_view question;  // what the text does not say
  std::string_view choice;    // what ptosim does
};

inline constexpr std::array<OpenPoint, 11> open_points{{
    {"tile-release",
     "Tiles are allocated by block completion; no instruction gives one back, so a long program runs out.",
     "Host request 1024 gives back the Local tiles whose bits are set in a0. The architecture itself is not "
     "extended."},
    {"host-requests", "ACRC calls a service; which services exist is not said.",
     "The Linux user-mode convention of the public model: number in a7, arguments in a0 to a2, answer in a0. "
     "Requests nobody serves answer -38."},
    {"clock", "How the cycle counter advances is not said.",
     "One cycle an instruction, and the clock request counts it as nanoseconds, so that runs repeat."},
    {"initial-state", "What registers and memory hold when a program starts is not said.",
     "All zero but sp, which points below the end of the stack, and ra, which points at the place where the "
     "run "
     "ends."},
    {"trap-vector", "A ring whose vector was never set has no handler.",
     "`run` stops with a report, with --traps=deliver too; in conformance steps control goes to the faulting "
     "address, as the published model does."},
    {"assembled-placement",
     "B.ASSEMBLE gives every writer a range of the parent tile, and the ranges are checked; but nothing says "
     "where in the parent a writer's rows and columns go, and the published model of 0.58.5 writes each "
     "result over the one before.",
     "A single writer that covers the whole parent executes. A block that writes only a part, and so begins "
     "an assembly of several writers, ends the run as unspecified."},
    {"interrupt-delivery",
     "An interrupt that is pending and enabled enters its ring's handler, but nothing says after which "
     "instruction: no step of the published model takes one, they are injected from outside, and the timer "
     "only makes its interrupt pending.",
     "TIMECMP makes the timer's interrupt pending in IPENDING and TOPEI, which programs can read; no "
     "interrupt enters a handler, also with --traps=deliver."},
    {"queue-count",
     "How many queues HL.QMT can initialize is not limited, and nothing ends a queue; the published model "
     "holds four.",
     "A machine holds 4,096. One more ends the run as unspecified."},
    {"undefined-elements", "The bits of an element that is not defined are not said.",
     "They are never read, compared or written to memory as values; a snapshot prints them as zero."},
    {"unready-shared",
     "A block that reads a Shared tile which is not published waits for it; how long, and what else runs "
     "meanwhile, is not said.",
     "It completes without an effect, as the published model does: the same block can be tried again."},
    {"floating-point", "Rounding and exceptional values of arithmetic are left to a named profile.",
     "The published reference profile pto-v0, whose floating-point arithmetic is a placeholder on the "
     "carriers; docs/USER_GUIDE.md says what it computes."},
}};

}  // namespace pto::exec
