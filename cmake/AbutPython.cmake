# The interpreter of everything in Python (ABUT_PYTHON): Debian's before any other, because Debian has NumPy for it.
find_program(ABUT_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(ABUT_PYTHON NAMES python3)
