# The flags every module is compiled with, and why.
#   -ffp-contract=off            fused only where the code says fma: same bits in scalar and lanes
#   -fno-tree-slp-vectorize      gcc 12's SLP pass fuses all the same (vfmaddsub)
#   -fno-math-errno, -fno-trapping-math   sqrt is one instruction; no change in values
add_library(espalier_flags INTERFACE)
add_library(espalier::flags ALIAS espalier_flags)
set_target_properties(espalier_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(espalier_flags INTERFACE cxx_std_20)

set(ESPALIER_NUMERIC_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math
    -fno-tree-slp-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(ESPALIER_BASE_ISA -march=x86-64-v3)
  set(ESPALIER_WIDE_ISA -march=x86-64-v4)
  # gcc copies structs of lanes with `rep movs`, which stalls: vector moves instead.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND ESPALIER_BASE_ISA -mmemcpy-strategy=vector_loop:1024:align,libcall:-1:noalign)
  endif()
else()
  set(ESPALIER_BASE_ISA "")
  set(ESPALIER_WIDE_ISA "")
endif()

# Ours alone: a consumer of the installed package chooses its own flags.
add_library(espalier_build_flags INTERFACE)
target_link_libraries(espalier_build_flags INTERFACE espalier_flags)
target_compile_options(espalier_build_flags INTERFACE
  ${ESPALIER_NUMERIC_FLAGS} ${ESPALIER_BASE_ISA} -Wall -Wextra -Wshadow -Wnon-virtual-dtor
  $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi -Wno-restrict>
  # gcc collects its garbage later: up to a tenth less time for a fifth more memory.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
if(ESPALIER_SANITIZE)
  target_compile_options(espalier_build_flags INTERFACE
    -fsanitize=${ESPALIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # gcc 12 takes minutes over lanes with these; clang checks them.
    $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize-address-use-after-scope>
    $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=null,alignment,object-size>)
  target_link_options(espalier_build_flags INTERFACE -fsanitize=${ESPALIER_SANITIZE})
endif()

# Debug keeps the asserts but stays usable; Release is -O3.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g -DESPALIER_ASSERTIONS")
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
  find_program(ESPALIER_CCACHE ccache)
  if(ESPALIER_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/ccache.sh)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()
