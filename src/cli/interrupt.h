// Ending in good order when the user asks for it, wherever the program waits.
//
// A handler can do no more than set a flag, and a flag set between the look at it and a call that blocks
// would wait as long as the call does. So the handler also writes to a pipe of our own, and whoever is about
// to block waits for the pipe as well as for the file. A second request ends the process at once.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace pto::cli {

// From now on Ctrl-C, SIGTERM and SIGHUP set the flag; what the caller ignores (nohup) stays ignored. SIGPIPE
// sets it too: a run whose reader is gone ends, with the error of the write that found out.
void catch_interrupts();

const std::atomic<bool>& interrupt_flag();
inline bool interrupted() { return interrupt_flag().load(std::memory_order_relaxed); }

// Waits until a read or a write (of at most `unblocked_bytes`) would not block. False: interrupted first.
bool wait_to_read(int descriptor);
bool wait_to_write(int descriptor);
// How much may be written at once after `wait_to_write`: any amount to a regular file, and as much as a pipe
// that has room always takes.
std::size_t unblocked_bytes(int descriptor);

// Writes all of it. After an interrupt a reader gets a second to go on; one that takes nothing is given up.
enum class Written { All, Failed, GivenUp };
Written write_all(int descriptor, std::string_view bytes);

// Opens a device or pipe to write to; waits for the reader of a pipe. Negative: errno says why, EINTR that an
// interrupt came first.
int open_for_writing(const std::string& path);

}  // namespace pto::cli
