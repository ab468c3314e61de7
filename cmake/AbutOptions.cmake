# Language, warnings and the helper that makes one target per folder. Variables that are set here end with this project:
# one that adds it as a subdirectory keeps its own flags.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Measured on the kernels of a step (docs/performance.md): faster than -O3, whose unrolling and peeling cost more than they
# save on loops of eight.
set(CMAKE_C_FLAGS_RELEASE "-O2 -fvect-cost-model=cheap -fpeel-loops -DNDEBUG")

option(ABUT_WERROR "Treat warnings as errors" OFF)
set(ABUT_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")

# What users of a library get: the public headers.
add_library(abut_headers INTERFACE)
target_include_directories(abut_headers INTERFACE ${PROJECT_SOURCE_DIR}/include)
# How our own targets are compiled; linked PRIVATE.
add_library(abut_flags INTERFACE)
# No contraction to fused operations: the same bits from every build of one source on one instruction set.
target_compile_options(abut_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes
  -Wstrict-prototypes -Wswitch-enum -Wdouble-promotion -fno-math-errno -fno-trapping-math -ffp-contract=off)
# Small blocks are cleared and copied by plain moves: what gcc prefers, `rep stos`, takes longer to start than that.
include(CheckCCompilerFlag)
set(abut_plain_moves "vector_loop:512:noalign,libcall:-1:noalign")
check_c_compiler_flag("-mmemset-strategy=${abut_plain_moves}" ABUT_HAS_MEMORY_STRATEGY)
if(ABUT_HAS_MEMORY_STRATEGY)
  target_compile_options(abut_flags INTERFACE -mmemset-strategy=${abut_plain_moves}
    -mmemcpy-strategy=${abut_plain_moves})
endif()
if(ABUT_WERROR)
  target_compile_options(abut_flags INTERFACE -Werror)
endif()
if(ABUT_SANITIZE)
  target_compile_options(abut_flags INTERFACE -fsanitize=${ABUT_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(abut_headers INTERFACE -fsanitize=${ABUT_SANITIZE})
endif()

# abut_add_folder(name ROOMS subfolders... DEPENDS folders... LIBRARIES targets... WITHOUT files...)
# The library sees, under its folder's name, only itself and the folders it depends on: a wrong include does not build.
function(abut_add_folder name)
  cmake_parse_arguments(ARG "" "" "ROOMS;DEPENDS;LIBRARIES;WITHOUT" ${ARGN})
  set(patterns ${PROJECT_SOURCE_DIR}/${name}/*.c)
  foreach(room ${ARG_ROOMS})
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/${name}/${room}/*.c)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(TRANSFORM ARG_WITHOUT PREPEND ${PROJECT_SOURCE_DIR}/${name}/)
  list(REMOVE_ITEM sources ${ARG_WITHOUT})
  add_library(abut_${name} STATIC ${sources})
  set(view ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name} ${view}/${name} SYMBOLIC)
  target_include_directories(abut_${name} PUBLIC ${view})
  target_link_libraries(abut_${name} PUBLIC abut_headers PRIVATE abut_flags ${ARG_LIBRARIES} m)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(abut_${name} PUBLIC abut_${dependency})
  endforeach()
endfunction()
