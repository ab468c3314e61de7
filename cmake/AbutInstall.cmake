# The library as users install it: the rooms' objects in one shared and one static library, the headers, the command,
# its man page and completion, the shipped scenes, and files for find_package and pkg-config. Tested by
# scripts/consumer.sh, which builds tests/consumer against an installed tree.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(abut_objects "")
foreach(folder base shapes solver collision dynamics io)
  get_property(rooms GLOBAL PROPERTY ABUT_OBJECTS_${folder})
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  list(APPEND abut_objects ${rooms})
endforeach()
set(abut_libraries Abut::lapacke Abut::qhull Abut::amd Abut::cjson Abut::expat Threads::Threads m)
if(ABUT_ASSIMP)
  list(APPEND abut_libraries Abut::assimp)
endif()

# abut_add_library(target KIND): KIND as CMake calls it, SHARED or STATIC.
function(abut_add_library target kind)
  add_library(${target} ${kind} ${abut_objects})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME abut LINKER_LANGUAGE C)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(ABUT_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${ABUT_SANITIZE})
  endif()
endfunction()

# The shared library exports what the headers mark ABUT_API and nothing else; its own calls stay inside. Hidden visibility
# alone is not enough: gcc exports functions with clones for wider machines whatever it is told. A declaration may be
# wrapped before its name.
file(GLOB abut_public_headers CONFIGURE_DEPENDS include/abut/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${abut_public_headers})
set(abut_exports "")
foreach(header IN LISTS abut_public_headers)
  file(READ ${header} text)
  string(REGEX MATCHALL "ABUT_API [^;(]*[ *\n]abut_[a-z0-9_]+\\(" declarations "${text}")
  foreach(declaration IN LISTS declarations)
    string(REGEX MATCH "abut_[a-z0-9_]+\\($" name "${declaration}")
    string(REPLACE "(" "" name "${name}")
    string(APPEND abut_exports "    ${name};\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT abut.map CONTENT "ABUT_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ {
  global:
@abut_exports@  local: *;
};
" @ONLY)
abut_add_library(abut_shared SHARED)
target_link_libraries(abut_shared PRIVATE ${abut_libraries})
target_link_options(abut_shared PRIVATE -Wl,-Bsymbolic-functions -Wl,--version-script=${PROJECT_BINARY_DIR}/abut.map)
set_property(TARGET abut_shared APPEND PROPERTY LINK_DEPENDS ${PROJECT_BINARY_DIR}/abut.map)
set_target_properties(abut_shared PROPERTIES EXPORT_NAME abut VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_library(abut::abut ALIAS abut_shared)

# What it needs comes with its own export (abutConfig.cmake), so that nothing else asks for it.
abut_add_library(abut_static STATIC)
add_library(abut::abut_static ALIAS abut_static)
target_link_libraries(abut_static INTERFACE $<BUILD_INTERFACE:${abut_libraries}>
  $<INSTALL_INTERFACE:abut::abut_needs>)

# By the names that pkg-config knows them by; amd has none.
set(abut_private_packages "lapacke openblas qhull_r libcjson expat")
if(ABUT_ASSIMP)
  string(APPEND abut_private_packages " assimp")
endif()
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
install(TARGETS abut_shared EXPORT abutTargets)
install(TARGETS abut_static EXPORT abutStaticTargets)
install(TARGETS abut RUNTIME)
install(DIRECTORY include/abut TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${package_folder})
install(EXPORT abutStaticTargets NAMESPACE abut:: DESTINATION ${package_folder})
configure_package_config_file(cmake/abutConfig.cmake.in abutConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(abutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/abutConfig.cmake ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
  DESTINATION ${package_folder})

file(RELATIVE_PATH abut_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # it may be installed anywhere
configure_file(cmake/abut.pc.in abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The man page is what `abut help` says.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/abut.1
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_page.sh $<TARGET_FILE:abut> abut.1
  DEPENDS abut ${PROJECT_SOURCE_DIR}/scripts/man_page.sh WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
add_custom_target(man_page ALL DEPENDS ${PROJECT_BINARY_DIR}/abut.1)
install(FILES ${PROJECT_BINARY_DIR}/abut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES scripts/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME abut)
# The replay page's bundle, where set-up has made it (scripts/view.sh): the command finds it from bin/ (cli/view/bundle.c).
install(FILES ${PROJECT_BINARY_DIR}/replay-page.html DESTINATION ${CMAKE_INSTALL_DATADIR}/abut OPTIONAL)
install(DIRECTORY experiments/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/abut FILES_MATCHING PATTERN "*.json")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# `cpack --config build/CPackConfig.cmake` makes the Debian package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Abut project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Collision and contact between convex shapes")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
