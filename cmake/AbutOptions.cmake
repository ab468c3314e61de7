# Language, warnings and the helpers that make one target per room. Variables that are set here end with this project:
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

# abut_room_target(variable room): the target of a room: of `solver/lcp` it is abut_solver_lcp, of a folder's own sources,
# beside its rooms, abut_solver_core. A folder that is one library (abut_add_folder) stands for all of its rooms.
function(abut_room_target variable room)
  string(REGEX REPLACE "/.*" "" folder ${room})
  string(REPLACE "/" "_" target abut_${room})
  if(room STREQUAL folder)
    set(target abut_${folder}_core)
  endif()
  set(${variable} $<IF:$<TARGET_EXISTS:${target}>,${target},abut_${folder}> PARENT_SCOPE)
endfunction()

# abut_add_room(room DEPENDS rooms... LIBRARIES targets... WITHOUT files...)
# A static library of the sources of one subfolder, `solver/lcp` say. By its include path it sees the public headers, its
# own headers and those of the rooms it names, and no other: a wrong include does not build.
function(abut_add_room room)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES;WITHOUT" ${ARGN})
  string(REGEX REPLACE "/.*" "" folder ${room})
  string(REPLACE "/" "_" target abut_${room})
  if(room STREQUAL folder)
    set(target abut_${folder}_core)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${room}/*.c)
  list(TRANSFORM ARG_WITHOUT PREPEND ${PROJECT_SOURCE_DIR}/${room}/)
  list(REMOVE_ITEM sources ${ARG_WITHOUT})
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  set_property(GLOBAL APPEND PROPERTY ABUT_ROOMS_${folder} ${target})
  set_property(GLOBAL APPEND PROPERTY ABUT_OBJECTS_${folder} ${target})
  # A link for each header: a link of the folder would show the rooms inside it too.
  set(view ${PROJECT_BINARY_DIR}/include/${target})
  file(REMOVE_RECURSE ${view})
  file(MAKE_DIRECTORY ${view}/${room})
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${room} ${PROJECT_SOURCE_DIR}/${room}/*.h)
  foreach(header IN LISTS headers)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${room}/${header} ${view}/${room}/${header} SYMBOLIC)
  endforeach()
  target_include_directories(${target} PUBLIC ${view})
  target_link_libraries(${target} PUBLIC abut_headers PRIVATE abut_flags ${ARG_LIBRARIES} m)
  foreach(dependency ${ARG_DEPENDS})
    abut_room_target(dependency ${dependency})
    target_link_libraries(${target} PRIVATE ${dependency})
  endforeach()
endfunction()

# abut_join_rooms(folder DEPENDS folders...): abut_FOLDER, all rooms of a folder and all that they may see, for tests,
# commands and folders that are not divided into rooms.
function(abut_join_rooms folder)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  get_property(rooms GLOBAL PROPERTY ABUT_ROOMS_${folder})
  list(TRANSFORM ARG_DEPENDS PREPEND abut_)
  add_library(abut_${folder} INTERFACE)
  target_link_libraries(abut_${folder} INTERFACE ${rooms} ${ARG_DEPENDS})
endfunction()

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
  set_property(GLOBAL APPEND PROPERTY ABUT_OBJECTS_${name} abut_${name})
  set(view ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name} ${view}/${name} SYMBOLIC)
  target_include_directories(abut_${name} PUBLIC ${view})
  target_link_libraries(abut_${name} PUBLIC abut_headers PRIVATE abut_flags ${ARG_LIBRARIES} m)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(abut_${name} PUBLIC abut_${dependency})
  endforeach()
endfunction()
