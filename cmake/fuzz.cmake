# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: tests/fuzz/<name>_fuzz.cpp becomes fuzz_<name>. With clang and sanitizers it is a
# libFuzzer program; elsewhere it runs over the files it is given. The test fuzz-corpus-<name> runs
# it over tests/data/fuzz/<name>, which keeps what was found.
file(GLOB fuzz_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp")
foreach(file IN LISTS fuzz_files)
  cmake_path(GET file STEM stem)
  string(REPLACE "_fuzz" "" name "${stem}")
  add_executable(fuzz_${name} "${file}")
  target_link_libraries(fuzz_${name} PRIVATE schedcheck::counterexamples)
  set_target_properties(fuzz_${name} PROPERTIES CXX_EXTENSIONS OFF)
  set(once "")
  if(SCHEDCHECK_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set(once -runs=0)
  else()
    target_sources(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/run_corpus.cpp")
  endif()
  add_test(NAME fuzz-corpus-${name}
    COMMAND fuzz_${name} ${once} "${PROJECT_SOURCE_DIR}/tests/data/fuzz/${name}")
  set_tests_properties(fuzz-corpus-${name} PROPERTIES LABELS fast TIMEOUT 60)
endforeach()
