// expect: the_picture_has_too_few_or_too_many_bits
#include "isa/picture.h"

constexpr pto::isa::Encoding encoding = pto::isa::w32("uimm12:12 SrcL:5 000 RegDst:5 001010");
