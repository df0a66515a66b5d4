// The same loops as RISC-V programs, for a look at what a translator reaches: run under qemu-riscv64 if that
// is installed. The few words are encoded by hand, so no compiler is needed.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace riscv {

using Word = std::uint32_t;

constexpr Word r_type(Word f7, Word rs2, Word rs1, Word f3, Word rd, Word op) {
  return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
constexpr Word i_type(int immediate, Word rs1, Word f3, Word rd, Word op) {
  return (static_cast<Word>(immediate) & 0xfff) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
constexpr Word add(Word rd, Word a, Word b) { return r_type(0, b, a, 0, rd, 0x33); }
constexpr Word sub(Word rd, Word a, Word b) { return r_type(0x20, b, a, 0, rd, 0x33); }
constexpr Word exclusive_or(Word rd, Word a, Word b) { return r_type(0, b, a, 4, rd, 0x33); }
constexpr Word mul(Word rd, Word a, Word b) { return r_type(1, b, a, 0, rd, 0x33); }
constexpr Word addi(Word rd, Word a, int immediate) { return i_type(immediate, a, 0, rd, 0x13); }
constexpr Word ld(Word rd, Word base, int offset) { return i_type(offset, base, 3, rd, 0x03); }
constexpr Word sd(Word value, Word base, Word offset) {
  return (offset >> 5) << 25 | value << 20 | base << 15 | 3u << 12 | (offset & 31) << 7 | 0x23;
}
constexpr Word lui(Word rd, Word upper) { return upper << 12 | rd << 7 | 0x37; }
constexpr Word jal(Word rd, int distance) {
  const Word d = static_cast<Word>(distance);
  return (d >> 20 & 1) << 31 | (d >> 1 & 0x3ff) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xff) << 12 |
         rd << 7 | 0x6f;
}
constexpr Word jalr(Word rd, Word rs1) { return i_type(0, rs1, 0, rd, 0x67); }
// bne rs1, zero
constexpr Word bnez(Word rs1, int distance) {
  const Word d = static_cast<Word>(distance);
  return (d >> 12 & 1) << 31 | (d >> 5 & 0x3f) << 25 | rs1 << 15 | 1u << 12 | (d >> 1 & 15) << 8 |
         (d >> 11 & 1) << 7 | 0x63;
}
constexpr Word ecall = 0x73;

// A static program: counter in x10, base of 4 KiB of data in x8, `body`, count, branch; `behind` follows the
// end.
inline std::vector<Word> counted(const std::vector<Word>& body, Word upper_turns,
                                 const std::vector<Word>& behind) {
  std::vector<Word> words{lui(10, upper_turns), lui(8, 0x11)};
  words.insert(words.end(), body.begin(), body.end());
  words.push_back(addi(10, 10, -1));
  words.push_back(bnez(10, -4 * (static_cast<int>(body.size()) + 1)));
  words.push_back(addi(10, 0, 0));
  words.push_back(addi(17, 0, 93));
  words.push_back(ecall);
  words.insert(words.end(), behind.begin(), behind.end());
  return words;
}

inline std::string elf_of(const std::vector<Word>& words) {
  constexpr std::uint64_t base = 0x10000, header_bytes = 64 + 56;
  std::string out(header_bytes + words.size() * 4, '\0');
  const auto put = [&](std::size_t at, std::uint64_t value, unsigned bytes) {
    std::memcpy(&out[at], &value, bytes);
  };
  put(0, 0x464c457f, 4);
  put(4, 0x00010102, 4);  // 64 bits, little-endian
  put(16, 2, 2);          // executable
  put(18, 243, 2);        // RISC-V
  put(20, 1, 4);
  put(24, base + header_bytes, 8);
  put(32, 64, 8);  // program header
  put(48, 5, 4);   // double float ABI, compressed
  put(52, 64, 2);
  put(54, 56, 2);
  put(56, 1, 2);
  put(64, 1, 4);  // load, readable, writable, executable
  put(68, 7, 4);
  put(80, base, 8);
  put(88, base, 8);
  put(96, out.size(), 8);
  put(104, 0x3000, 8);
  put(112, 0x1000, 8);
  std::memcpy(&out[header_bytes], words.data(), words.size() * 4);
  return out;
}

// Instructions per second under qemu-riscv64; 0: it is not installed or does not run.
inline double qemu_rate(const std::vector<Word>& words, double instructions) {
  if (std::system("command -v qemu-riscv64 >/dev/null 2>&1") != 0) return 0;
  char path[] = "/tmp/loop-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return 0;
  const std::string elf = elf_of(words);
  const bool written = ::write(file, elf.data(), elf.size()) == static_cast<ssize_t>(elf.size());
  ::fchmod(file, 0700);
  ::close(file);
  const std::string command = std::string("qemu-riscv64 ") + path;
  const auto start = std::chrono::steady_clock::now();
  const bool ran = written && std::system(command.c_str()) == 0;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ::unlink(path);
  return ran ? instructions / seconds.count() : 0;
}

}  // namespace riscv
