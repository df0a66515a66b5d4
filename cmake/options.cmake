# One interface target carries the flags every room is built with.
add_library(ptosim_options INTERFACE)
target_include_directories(ptosim_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
# -ffp-contract=off: a fused multiply-add the source did not ask for would change results per CPU.
target_compile_options(ptosim_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough -Werror -ffp-contract=off)
# g++ 12 has two well-known false alarms when it inlines: moved-from variants as uninitialised, and the copies of string
# concatenation as overlapping. clang's analysis and the sanitizers watch for the real things.
target_compile_options(ptosim_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(PTOSIM_SANITIZE)
  target_compile_options(ptosim_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ptosim_options INTERFACE -fsanitize=address,undefined)
endif()
if(PTOSIM_FUZZ)
  target_compile_options(ptosim_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
