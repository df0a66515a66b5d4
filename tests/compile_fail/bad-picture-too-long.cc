// expect: the_picture_has_too_few_or_too_many_bits
#include "isa/picture.h"

constexpr pto::isa::Encoding encoding = pto::isa::w16("SrcR:5 SrcL:5 0010000");
