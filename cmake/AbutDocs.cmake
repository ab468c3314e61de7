# The documentation site, by Doxygen, from the pages and headers of this repository (docs/site/build.py): `cmake --build
# build --target docs` writes build/docs/html/index.html. Without Python or Doxygen there is no such target.
find_program(ABUT_DOXYGEN doxygen)
if(ABUT_PYTHON AND ABUT_DOXYGEN)
  add_custom_target(docs COMMAND ${ABUT_PYTHON} ${PROJECT_SOURCE_DIR}/docs/site/build.py ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
endif()
