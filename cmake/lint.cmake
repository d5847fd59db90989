# SPDX-License-Identifier: Apache-2.0
# Targets for people: `tidy` runs clang-tidy on every source, `format` rewrites the sources.
find_program(SCHEDCHECK_RUN_CLANG_TIDY NAMES run-clang-tidy run-clang-tidy-14)
if(SCHEDCHECK_RUN_CLANG_TIDY)
  add_custom_target(tidy
    COMMAND "${SCHEDCHECK_RUN_CLANG_TIDY}" -quiet -p "${PROJECT_BINARY_DIR}"
      "^${PROJECT_SOURCE_DIR}/(model|properties|solver|counterexamples|cli|tests|bench)/"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" USES_TERMINAL VERBATIM)
endif()

add_custom_target(format COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/format.sh" fix
  USES_TERMINAL VERBATIM)
