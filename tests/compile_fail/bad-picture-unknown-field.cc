// expect: the_picture_names_a_field_that_does_not_exist
#include "isa/picture.h"

constexpr pto::isa::Encoding encoding = pto::isa::w16("SrcQ:5 SrcL:5 001000");
