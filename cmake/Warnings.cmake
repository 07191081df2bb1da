# Every warning that g++ and clang can give usefully, as an error.
add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wcast-align -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough -Wformat=2)
target_compile_options(warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:
  -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wuseless-cast>)

# g++ 12 sees overlaps in std::string's own code that are not there (GCC bug 105651, mended in 13).
target_compile_options(warnings INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
