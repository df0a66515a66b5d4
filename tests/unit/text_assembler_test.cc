// The assembly language, feature by feature: what a piece of source becomes.
#include "text/assembler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/tile/operations.h"
#include "text/instruction.h"
#include "text/object.h"

namespace pto::text {
namespace {

std::string errors_of(const Assembled& assembled) {
  std::string text;
  for (const Error& error : assembled.errors) text += error.render() + "\n";
  return text;
}

// The program as hexadecimal words, blanks for line ends.
std::string words(std::string_view source, Release release = default_release) {
  AssembleOptions options;
  options.release = release;
  options.read_file = [](const std::string& name) -> Result<std::string> {
    return "# " + name + "\nBSTOP\n";
  };
  const Assembled assembled = assemble(source, "test.s", options);
  if (!assembled.ok()) return errors_of(assembled);
  std::string hex = to_hex(assembled.program);
  for (char& c : hex) c = c == '\n' ? ' ' : c;
  if (!hex.empty()) hex.pop_back();
  return hex;
}

// The canonical text of one instruction.
std::string canonical(std::string_view line) {
  const auto parsed = parse_instruction(Cursor(line), default_release, 0x1000, no_symbols());
  if (const Complaint* complaint = std::get_if<Complaint>(&parsed)) return "error: " + complaint->message;
  const Encoded& encoded = std::get<Encoded>(parsed);
  std::string text;
  print_instruction(text, *encoded.form, encoded.word,
                    {.release = default_release, .address = {}, .names = nullptr});
  return text;
}

TEST(TextAssembler, WorkedWordsOfTheInstructionPages) {
  EXPECT_EQ(words("BSTART.SFU TPERMUTE, U32"), "cf519181");
  EXPECT_EQ(words("BSTART.MGATHER.MASK FP32"), "08611181");
  EXPECT_EQ(words("BSTOP"), "00000001");
  EXPECT_EQ(words("C.BSTOP"), "0000");
  EXPECT_EQ(words("L.BSTOP"), "000000010000000f");
}

TEST(TextAssembler, BothDialectsOfBlockStartsAreTheSameWords) {
  EXPECT_EQ(canonical("BSTART.TLSU MGATHER.MASK, FP32"), "BSTART.MGATHER.MASK FP32");
  EXPECT_EQ(canonical("bstart.tlsu tload, U8"), "BSTART.TLOAD U8");
  EXPECT_EQ(canonical("BSTART.CUBE TMATMUL_BIAS, FP32"), "BSTART.TMATMUL.BIAS FP32");
  EXPECT_EQ(canonical("BSTART.TEPL TADD, FP32"), "BSTART.VEC TADD, FP32");
  EXPECT_EQ(canonical("BSTART.TEPL 3, 21, U32"), "BSTART.SFU TPERMUTE, U32");
  EXPECT_EQ(canonical("BSTART.TEPL 117, U32"), "BSTART.SFU TPERMUTE, U32");  // 3 * 32 + 21
  EXPECT_EQ(canonical("BSTART.CUBE TMATMUL_MX_ACC, FP32"), "BSTART.TMATMULMX.ACC FP32");
  EXPECT_EQ(canonical("bstart.cube tgemv.mx.bias, FP32"), "BSTART.TGEMVMX.BIAS FP32");
  EXPECT_EQ(canonical("BSTART.CUBE 2, FP32"), "BSTART.TMATMUL.ACC FP32");
  EXPECT_EQ(canonical("BSTART.TLSU 0, U8"), "BSTART.TLOAD U8");
}

TEST(TextAssembler, EveryOperationStartsByTheNameOfItsEngine) {
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (!row.in(default_release)) continue;
    const std::string named = fmt::format("BSTART.{} {}, U32", isa::name_of(row.engine), row.name);
    const std::string own = row.family == isa::TileFamily::TEPL
                                ? fmt::format("BSTART.TEPL {}, {}, U32", row.mode, row.function)
                                : fmt::format("{} U32", row.start);
    EXPECT_EQ(canonical(named), canonical(own)) << row.name;
  }
}

TEST(TextAssembler, BindingsMayBeWrittenShortOrInBrackets) {
  EXPECT_EQ(canonical("B.IOT t#1, t#2"), "B.IOT t#1, t#2, mask=1111");
  EXPECT_EQ(canonical("B.IOT [t#1, t#2], last, mask=1000"), "B.IOT t#1, t#2, mask=1000, last");
  EXPECT_EQ(canonical("B.IOT u#1, last, ->m<128B>"), "B.IOT u#1, mask=1111, last, ->m<128B>");
  EXPECT_EQ(canonical("B.IOT last ->n<256KB>"), "B.IOT mask=1111, last, ->n<256KB>");
  EXPECT_EQ(canonical("B.IOR [a0],[]"), "B.IOR a0, zero, zero, ->zero");
  EXPECT_EQ(canonical("B.IOR [a0, a1],[->x3]"), "B.IOR a0, a1, zero, ->x3");
  // The second pair of brackets holds the destination.
  EXPECT_EQ(canonical("B.IOR [a0],[a1]"), "B.IOR a0, zero, zero, ->a1");
  EXPECT_EQ(canonical("B.IOR [a0, a1, a2] , [ a3 ]"), "B.IOR a0, a1, a2, ->a3");
  EXPECT_EQ(canonical("B.IOR [],[a3]"), "B.IOR zero, zero, zero, ->a3");
  EXPECT_EQ(canonical("B.IOR a0, a1, 0"), "B.IOR a0, a1, zero, ->zero");
  EXPECT_EQ(canonical("B.IOS S3"), "B.IOS S3, mask=1111");
  EXPECT_EQ(canonical("B.IOS mask=1000, ->S63<1KB>"), "B.IOS mask=1000, ->S63<1KB>");
}

TEST(TextAssembler, AttributesComeInAnyOrder) {
  EXPECT_EQ(canonical("B.DATR Null, ND2M32"), "B.DATR ND2M32, Null");
  EXPECT_EQ(canonical("B.DATR {NORM, FP32, Zero, None, RNE, 0, 0}"), "B.DATR FP32, RNE");
  EXPECT_EQ(canonical("B.DATR ND2M32, DTYPE_NONE, Zero"), "B.DATR ND2M32, DTYPE_NONE");
  EXPECT_EQ(canonical("B.DATR DstDataType=U32, ByteId=2"), "B.DATR U32, Min");
  EXPECT_EQ(canonical("B.DATR ND2NZ.normal, FP16, Max, cmode5, rmode6, sat, canonicalize"),
            "B.DATR ND2NZ, FP16, Max, GE, RTO, sat, canonicalize");
  EXPECT_EQ(canonical("B.FPATR 1, 2, 3, 1, 0, 1, 1"), "B.FPATR 1, 2, 3, 1, 0, 1, 1, 0, 0");
  EXPECT_EQ(canonical("B.CATR {trap, atomic, aqrl, far, dr}"), "B.CATR trap, atomic, aqrl, far, dr");
  EXPECT_EQ(canonical("B.HINT {BR.likely, TEMP.hot, 64}"), "B.HINT BR.likely, TEMP.hot, 64");
}

TEST(TextAssembler, DimensionsHaveThreeSpellings) {
  EXPECT_EQ(canonical("b.dim a0, ->lb0"), "B.DIM a0, 0, ->LB0");
  EXPECT_EQ(canonical("B.DIM 16, ->LB1"), "B.DIM zero, 16, ->LB1");
  EXPECT_EQ(canonical("B.DIM LB2=7"), "B.DIM zero, 7, ->LB2");
  EXPECT_EQ(canonical("C.B.DIMI 4, ->lb0"), "C.B.DIMI 4, ->LB0");
}

TEST(TextAssembler, SourcesCarryModifiersAndShifts) {
  EXPECT_EQ(canonical("add a0, a1.sw << 3, ->t"), "add a0, a1.sw<<3, ->t");
  EXPECT_EQ(canonical("and t#1, u#4.not, ->u"), "and t#1, u#4.not, ->u");
  EXPECT_EQ(canonical("csel a0, a1, a2.neg, ->a3"), "csel a0, a1, a2.neg, ->a3");
  EXPECT_EQ(canonical("lw [a0, a1.uw<<2], ->a2"), "lw [a0, a1.uw<<2], ->a2");
  EXPECT_EQ(canonical("addi r1, 16, ->r2"), "addi sp, 16, ->a0");
}

TEST(TextAssembler, DisplacementsAreBytes) {
  EXPECT_EQ(canonical("ldi [sp, 248], ->a0"), "ldi [sp, 248], ->a0");
  EXPECT_EQ(words("ldi [sp, 8], ->a0"), "0010b119");    // one doubleword
  EXPECT_EQ(words("ldi.u [sp, 8], ->a0"), "0080b129");  // eight bytes
  EXPECT_EQ(canonical("sdi a0, [sp, -8]"), "sdi a0, [sp, -8]");
}

TEST(TextAssembler, CommentsAndLabels) {
  EXPECT_EQ(words("# a comment\n  // another\n ; a third\nhere: BSTOP # t#1\n"), "00000001");
  EXPECT_EQ(words("B.IOT t#1, last # the tile t#1\n"), "00085e13");
  EXPECT_EQ(words("loop: BSTART DIRECT, loop\n"), "00000011");
  EXPECT_EQ(words("1: BSTART DIRECT, 1f\n1: BSTART DIRECT, 1b\n"), "00000111 00000011");
  EXPECT_EQ(words("_start:\n BSTART COND, _start + 4\n"), "00000121");
}

TEST(TextAssembler, CallsReachTheirTargets) {
  // The fused call: the target counts from the call, the return address from its second halfword.
  EXPECT_EQ(words("BSTART.CALL f, after, ->ra\nafter: BSTOP\nf: BSTOP\n"), "50560042 00000001 00000001");
  EXPECT_EQ(words("c.setret 31, ->ra"), "57d6");
  EXPECT_EQ(words("setret .+8, ->ra"), "00004507");
}

TEST(TextAssembler, DataDirectives) {
  EXPECT_EQ(words(".byte 1, 2, 'a', 0xff"), "ff610201");
  EXPECT_EQ(words(".half 0x1234\n.word -1\n.quad 1 << 40"), "1234 ffffffff 0000010000000000");
  EXPECT_EQ(words(".ascii \"ab\"\n.asciz \"c\\n\""), "6261 0a63 00");
  EXPECT_EQ(words(".zero 4\n.space 2, 0xaa\n.fill 2, 2, 7"), "00000000 aaaa 00070007");
  EXPECT_EQ(words("C.BSTOP\n.balign 8\n.p2align 2\nBSTOP"), "0000 0006 0006 0006 00000001");
  // The third operand is the most that is skipped, the second may be empty.
  EXPECT_EQ(words("C.BSTOP\n.p2align 2,,3\nBSTOP"), "0000 0006 00000001");
  EXPECT_EQ(words("C.BSTOP\n.p2align 3,,3\nBSTOP"), "0000 00000001");
  EXPECT_EQ(words("C.BSTOP\n.balign 4, 1, 2\nBSTOP"), "0000 0101 00000001");
  EXPECT_EQ(words("C.BSTOP\n.org 6\nC.BSTOP"), "0000 00000000 0000");
}

TEST(TextAssembler, SymbolsAndExpressions) {
  EXPECT_EQ(words(".set n, 3\n.equ m, n * 2 + 1\nk = m << 1\n.byte n, m, k, -(-4)"), "040e0703");
  EXPECT_EQ(words(".byte end - begin\nbegin: .zero 3\nend:\n"), "03 0000 00");
  EXPECT_EQ(words(".set later, after - 1\n.byte later\n.set after, 9\n"), "08");
  EXPECT_EQ(words(".byte 7 & 5 | 8, 1 + 2 * 3, 10 % 4, 3 < 4"), "0102070d");
}

// As GNU as: a word is signed in divisions and comparisons, and both shifts move in zeros.
TEST(TextAssembler, ExpressionsAreSigned) {
  EXPECT_EQ(words(".byte -7 / 2, -7 % 2, -8 / 4, 7 / -2"), "fdfefffd");
  EXPECT_EQ(words(".quad -1 >> 1\n.quad -8 >> 60\n.quad 1 << 63"),
            "7fffffffffffffff 000000000000000f 8000000000000000");
  EXPECT_EQ(words(".quad (1 << 63) / -1\n.quad (1 << 63) % -1"), "8000000000000000 0000000000000000");
  EXPECT_EQ(words(".byte -1 < 0, -1 > 0, -1 <= -1, -2 >= -1"), "00010001");
}

// ADDTPC adds pages to its own address; what is left to a label is below a page.
TEST(TextAssembler, PageDisplacements) {
  EXPECT_EQ(words("addtpc -1, ->a0\naddtpc 0xfffff, ->a0"), "fffff107 fffff107");
  EXPECT_EQ(words("addtpc ., ->a0\naddtpc . + 4095, ->a0\naddtpc . + 4096, ->a0\naddtpc . - 1, ->a0"),
            "00000107 00000107 00001107 fffff107");
  EXPECT_EQ(words("hl.addtpc . - 4097, ->a1\nhl.addtpc . + 0x12345678, ->a1"), "ffffe187fffe 12345187000e");
  EXPECT_EQ(words("1: addtpc 1b + 0x1234, ->a0\naddi a0, (1b + 0x1234 - 1b) & 0xfff, ->a0"),
            "00001107 23410115");
}

// Padding of code is run through: c.movr zero, ->zero.
TEST(TextAssembler, AlignmentOfCodeDoesNothing) {
  EXPECT_EQ(words("c.movr zero, ->zero\n.byte 1\n.balign 4\n.balign 8, 0xff\nBSTOP"),
            "0006 01 00 ffffffff 00000001");
  EXPECT_EQ(words(".data\n.byte 1\n.balign 4\n.byte 2"), "01 0000 00 02");
}

TEST(TextAssembler, Strings) {
  EXPECT_EQ(words(".ascii \"\\a\\b\\f\\n\\r\\t\\v\\\\\""), "5c0b090d0a0c0807");
  EXPECT_EQ(words(".ascii \"\\x4\\x41g\\0\\101\\18\\\"\\'\""), "00674104 22380141 27");
}

// What stands above an assignment is meant where there is any, otherwise the last of what stands below.
TEST(TextAssembler, AnAssignmentMeansTheSymbolsAboveIt) {
  EXPECT_EQ(words(".set x, 1\n.byte y\n.set y, x + 1\n.set x, 5\n.byte y, x"), "02 0502");
  EXPECT_EQ(words(".set b, 3\n.set a, b + c\n.set c, 4\n.set b, 9\n.byte a, b"), "0907");
  EXPECT_EQ(words(".byte a\n.set a, 1\n.byte a\n.set a, a + 1\n.byte a"), "02 01 02");
  EXPECT_EQ(words(".set x, 4\n.set y, end - start + x\n.set x, 8\nstart: .zero 2\nend: .byte y"), "0000 06");
}

TEST(TextAssembler, LongChainsOfSymbolsSettleInEitherOrder) {
  constexpr int length = 3000;
  std::string forwards, backwards;
  for (int i = 0; i < length; ++i) {
    const std::string link = ".set q" + std::to_string(i) + ", q" + std::to_string(i + 1) + " + 1\n";
    forwards += link;
    backwards = link + backwards;
  }
  const std::string last = ".set q" + std::to_string(length) + ", 1\n";
  for (const std::string& source : {forwards + last + ".quad q0\n", last + backwards + ".quad q0\n"}) {
    const Assembled assembled = assemble(source, "chain.s", {});
    ASSERT_TRUE(assembled.ok()) << assembled.errors[0].render();
    const std::vector<std::uint8_t>& bytes = assembled.program.sections.at(0).bytes;
    EXPECT_EQ(bytes.at(0) | bytes.at(1) << 8, length + 1);
  }
}

TEST(TextAssembler, QuotesHoldAnArgumentTogether) {
  const std::string text = ".macro text s, n=0\n.ascii \"\\s\"\n.byte \\n\n.endm\n";
  EXPECT_EQ(words(text + "text \"a b\", 7"), words(".ascii \"a b\"\n.byte 7"));
  EXPECT_EQ(words(text + "text s=\"a, b\""), words(".ascii \"a, b\"\n.byte 0"));
  EXPECT_EQ(words(".macro rest a:vararg\n.ascii \\a\n.endm\nrest \"x\", \"y\""),
            words(".ascii \"x\", \"y\""));
}

TEST(TextAssembler, FilesLieBesideTheFileThatIncludesThem) {
  std::vector<std::string> asked;
  AssembleOptions options;
  options.read_file = [&asked](const std::string& name) -> Result<std::string> {
    asked.push_back(name);
    if (name == "sub/a.s") return std::string(".include \"b.s\"\n.include \"/c.s\"\n");
    return std::string(".byte 1\n");
  };
  EXPECT_TRUE(assemble(".include \"sub/a.s\"\n.include \"d.s\"\n", "x/top.s", options).ok());
  EXPECT_EQ(asked, (std::vector<std::string>{"sub/a.s", "sub/b.s", "/c.s", "d.s"}));
}

TEST(TextAssembler, TheProgramBeginsAtStart) {
  const auto entry = [](std::string_view source) { return assemble(source, "test.s", {}).program.entry; };
  EXPECT_EQ(entry("BSTOP\n_start: BSTOP"), 0x10004u);
  EXPECT_EQ(entry("BSTOP\nBSTOP\n_start = 0x10004"), 0x10004u);
  EXPECT_EQ(entry("BSTOP"), 0x10000u);
  EXPECT_NE(words("BSTOP\n_start = 0x20000").find("cannot begin at _start, 0x20000: nothing is there"),
            std::string::npos);
}

// 10 decimal or 8 octal: assemblers disagree.
TEST(TextAssembler, ANumberThatCouldBeOctalIsRefused) {
  EXPECT_EQ(words(".byte 07, 0, 00, 0o10"), "08000007");
  for (const std::string_view number : {"010", "08", "0_10"})
    EXPECT_NE(words(fmt::format(".byte {}", number)).find("could be decimal or octal"), std::string::npos);
}

TEST(TextAssembler, MacroArguments) {
  const std::string pair = ".macro pair a b=7\n.byte \\a, \\b\n.endm\n";
  EXPECT_EQ(words(pair + "pair 1 2\npair 1, 2\npair 3"), "0201 0201 0703");
  EXPECT_EQ(words(pair + "pair b=2, a=1\npair 1 b=4\npair b = 5 a = 6"), "0201 0401 0506");
  EXPECT_EQ(words(pair + "pair 1 + 2, 3\npair 1 + 2 3\npair (1 + 2) * 2 -1\npair 8 >> 1 -2\npair 1,"),
            "0303 0303 ff06 fe04 0701");
  EXPECT_EQ(words(".macro all first:req rest:vararg\n.byte \\first, \\rest\n.endm\nall 1, 2, 3,4\nall 9 8"),
            "04030201 0809");
  EXPECT_EQ(
      words(
          ".macro opt a rest:vararg\n.ifb \\rest\n.byte \\a\n.else\n.byte 0\n.endif\n.endm\nopt 5\nopt 5, 6"),
      "05 00");
  EXPECT_EQ(words(".macro bind source, more:vararg\nB.IOT \\source, \\more\n.endm\nbind t#1, mask=1000, "
                  "last, ->t<1KB>"),
            words("B.IOT t#1, mask=1000, last, ->t<1KB>"));
  EXPECT_EQ(words(".macro three a, b, c\nadd \\a, \\b, \\c\n.endm\nthree a0 a1 ->a2"),
            words("add a0, a1, ->a2"));
}

TEST(TextAssembler, RepetitionsOverValuesAndCharacters) {
  EXPECT_EQ(words(".irp n 1 2, 3\n.byte \\n\n.endr"), "01 02 03");
  EXPECT_EQ(words(".irpc c, 190\n.byte \\c, \\@\n.endr"), "0001 0109 0200");
  EXPECT_EQ(words(".rept 0\n.error \"never\"\n.endr\n.byte 1"), "01");
}

TEST(TextAssembler, MacrosRepetitionsAndConditions) {
  EXPECT_EQ(words(".macro bind source, hand=t\n B.IOT \\source#1, mask=1111, last, "
                  "->\\hand<1KB>\n.endm\nbind u\nbind t, m\n"),
            words("B.IOT u#1, last, ->t<1KB>\nB.IOT t#1, last, ->m<1KB>\n"));
  EXPECT_EQ(words(".rept 3\nC.BSTOP\n.endr"), "0000 0000 0000");
  EXPECT_EQ(words(".irp n, 1, 2\n.byte \\n\n.endr"), "01 02");
  EXPECT_EQ(words(".set n, 2\n.if n == 1\n.byte 1\n.elseif n == 2\n.byte 2\n.else\n.byte 3\n.endif"), "02");
  EXPECT_EQ(words(".ifdef n\n.byte 1\n.else\n.byte 2\n.endif\n.ifndef n\n.byte 3\n.endif"), "02 03");
  EXPECT_EQ(words(".macro label\nl\\@: BSTART DIRECT, l\\@\n.endm\nlabel\nlabel\n"), "00000011 00000011");
  EXPECT_EQ(words(".include \"other.s\"\nC.BSTOP\n"), "00000001 0000");
}

TEST(TextAssembler, SectionsGetAddressesAndPermissions) {
  const Assembled assembled = assemble(
      ".text\n.globl _start\nx: C.BSTOP\n_start: BSTOP\n.data\nv: .word v\n.bss\nb: .zero 8\n.rodata\n.byte "
      "1\n",
      "s.s", {});
  ASSERT_TRUE(assembled.ok()) << errors_of(assembled);
  const Program& program = assembled.program;
  ASSERT_EQ(program.sections.size(), 4u);
  EXPECT_EQ(program.sections[0].name, ".text");
  EXPECT_EQ(program.sections[1].name, ".rodata");
  EXPECT_EQ(program.sections[2].name, ".data");
  EXPECT_EQ(program.sections[3].name, ".bss");
  EXPECT_EQ(program.sections[0].address, 0x10000u);
  EXPECT_EQ(program.sections[1].address, 0x11000u);
  EXPECT_EQ(program.sections[2].address, 0x12000u);
  EXPECT_TRUE(program.sections[0].executable && !program.sections[0].writable);
  EXPECT_TRUE(program.sections[2].writable && !program.sections[2].executable);
  EXPECT_EQ(program.entry, 0x10002u);
  EXPECT_EQ(program.sections[2].bytes, (std::vector<std::uint8_t>{0x00, 0x20, 0x01, 0x00}));
  ASSERT_FALSE(program.lines.empty());
  EXPECT_EQ(program.lines[1].address, 0x10002u);
  EXPECT_EQ(program.lines[1].line, 4u);
}

TEST(TextAssembler, ExecutablesAreElf64OfTheMachine) {
  const Assembled assembled = assemble("_start: BSTOP\n", "s.s", {});
  ASSERT_TRUE(assembled.ok());
  const std::vector<std::uint8_t> elf = to_elf(assembled.program);
  ASSERT_GT(elf.size(), 64u);
  EXPECT_EQ(std::string(elf.begin(), elf.begin() + 4),
            "\x7f"
            "ELF");
  EXPECT_EQ(elf[4], 2);      // 64 bits
  EXPECT_EQ(elf[5], 1);      // little-endian
  EXPECT_EQ(elf[16], 2);     // executable
  EXPECT_EQ(elf[18], 0xe9);  // machine
  const std::string text(elf.begin(), elf.end());
  EXPECT_NE(text.find("pto-isa-0.58.5-mode-function-v1"), std::string::npos);
}

TEST(TextAssembler, NothingIsMadeWhenSomethingIsWrong) {
  const Assembled assembled = assemble("BSTOP\nBSTOPP\nadd a0\n", "s.s", {});
  EXPECT_EQ(assembled.errors.size(), 2u);
  EXPECT_TRUE(assembled.program.sections.empty());
}

}  // namespace
}  // namespace pto::text
