# The interpreter of everything in Python (ABUT_PYTHON): Debian's before any other, because Debian has NumPy for it.
find_program(ABUT_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(ABUT_PYTHON NAMES python3)

# The Python package: a module of it is generated from the public headers, in the build folder (docs/python.md).
if(ABUT_PYTHON)
  set(abut_declarations ${PROJECT_BINARY_DIR}/python/abut/_declarations.py)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/abut)
  add_custom_command(OUTPUT ${abut_declarations}
    COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} ${ABUT_PYTHON} python/tools/declare.py ${abut_declarations}
    DEPENDS ${abut_public_headers} python/tools/declare.py WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  add_custom_target(python_declarations ALL DEPENDS ${abut_declarations})
  # Where Debian's Python looks when the prefix is /usr; elsewhere it is a folder for PYTHONPATH.
  install(FILES ${abut_declarations} DESTINATION lib/python3/dist-packages/abut)
  install(DIRECTORY python/abut DESTINATION lib/python3/dist-packages
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE PATTERN _lib EXCLUDE)
else()
  message(STATUS "no python3: the Python package is not made")
endif()
