# SPDX-License-Identifier: Apache-2.0
# The tests: tests/<folder>/**/*_test.cpp become the executable tests_<folder>, one per folder and
# label because links are the slow part. The label is `fast`, except: files *_bmc_test.cpp,
# *_golden_test.cpp and *_slow_test.cpp have the label of their name; tests/cli and tests/mutants
# have the label of their folder. tests/support/*.cpp are linked into every test but the mutants'.
include(GoogleTest)
find_package(GTest CONFIG REQUIRED)

schedcheck_sources(tests_support_cpp tests/support)
schedcheck_add_library(test_support SOURCES ${tests_support_cpp}
  PUBLIC schedcheck::cli GTest::gmock rapidcheck)

file(GLOB_RECURSE test_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
set(test_groups "")
foreach(file IN LISTS test_files)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE path)
  set(folder root)
  if(path MATCHES "^([^/]+)/")
    string(REPLACE "-" "_" folder "${CMAKE_MATCH_1}")
  endif()
  set(label fast)
  if(folder MATCHES "^(cli|mutants)$")
    set(label ${folder})
  endif()
  if(path MATCHES "_(bmc|golden|slow)_test\\.cpp$")
    set(label ${CMAKE_MATCH_1})
  endif()
  set(group "${folder},${label}")
  list(APPEND test_groups "${group}")
  list(APPEND "test_files_${group}" "${file}")
endforeach()
list(REMOVE_DUPLICATES test_groups)

foreach(group IN LISTS test_groups)
  string(REGEX MATCH "^(.*),(.*)$" _ "${group}")
  set(folder ${CMAKE_MATCH_1})
  set(label ${CMAKE_MATCH_2})
  set(name tests_${folder})
  if(label MATCHES "^(bmc|golden|slow)$")
    string(APPEND name _${label})
  endif()
  set(link schedcheck::test_support)
  if(folder STREQUAL "mutants")
    if(NOT SCHEDCHECK_BUILD_MUTANTS)
      continue()
    endif()
    set(link schedcheck::random_mutants)
  endif()
  set(timeout 300)
  if(label STREQUAL "slow")
    set(timeout 3600)
  endif()
  schedcheck_add_test(${name} SOURCES ${test_files_${group}} LABELS ${label} LINK ${link}
    PREFIX "${folder}." TIMEOUT ${timeout})
endforeach()

add_test(NAME layering COMMAND sh "${PROJECT_SOURCE_DIR}/tests/layering.sh" "${PROJECT_SOURCE_DIR}")
add_test(NAME layering-can-fail
  COMMAND sh "${PROJECT_SOURCE_DIR}/tests/layering.sh" --self-test "${PROJECT_SOURCE_DIR}")
add_test(NAME format COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/format.sh" check)
add_test(NAME shellcheck COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/shellcheck.sh")
set_tests_properties(layering layering-can-fail format shellcheck PROPERTIES
  LABELS fast TIMEOUT 300)
