# SPDX-License-Identifier: Apache-2.0
# Functions that make the targets: sources of a folder, a library, a test executable.

# schedcheck_sources(<variable> <folder> [EXCLUDE <path>...]): all .cpp files below the folder.
function(schedcheck_sources variable folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCLUDE")
  file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  foreach(path IN LISTS arg_EXCLUDE)
    list(FILTER found EXCLUDE REGEX "/${path}(/|$)")
  endforeach()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# schedcheck_add_library(<name> [FOLDER <folder>] [EXCLUDE <folder>] SOURCES ... PUBLIC ... PRIVATE ...
#                        [DEFINES ...] [EXCLUDE_FROM_ALL])
# makes schedcheck_<name>, alias schedcheck::<name>. FOLDER names the folder whose headers
# all_verify_interface_header_sets compiles alone.
function(schedcheck_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EXCLUDE_FROM_ALL" "FOLDER;EXCLUDE" "SOURCES;PUBLIC;PRIVATE;DEFINES")
  set(target schedcheck_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ${arg_EXCLUDE_FROM_ALL})
    set(public PUBLIC)
    set(private PRIVATE)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
    set(private INTERFACE)
  endif()
  add_library(schedcheck::${name} ALIAS ${target})
  target_link_libraries(${target} ${public} ${arg_PUBLIC} ${private} ${arg_PRIVATE})
  target_compile_definitions(${target} ${public} ${arg_DEFINES})
  if(arg_FOLDER)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_FOLDER}/*.hpp")
    if(arg_EXCLUDE)
      list(FILTER headers EXCLUDE REGEX "/${arg_EXCLUDE}/")
    endif()
    target_sources(${target} ${public} FILE_SET HEADERS
      BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  endif()
endfunction()

# schedcheck_add_test(<name> SOURCES <file>... LABELS <label>... LINK <library>... [PREFIX <text>])
# makes the GoogleTest executable <name> and registers each of its tests with CTest.
function(schedcheck_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;TIMEOUT" "SOURCES;LABELS;LINK")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main
    nlohmann_json::nlohmann_json fmt::fmt rapidcheck)
  target_compile_definitions(${name} PRIVATE SCHEDCHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(TARGET schedcheck)
    target_compile_definitions(${name} PRIVATE SCHEDCHECK_BINARY="$<TARGET_FILE:schedcheck>")
    add_dependencies(${name} schedcheck)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    TEST_PREFIX "${arg_PREFIX}"
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
               ENVIRONMENT "RC_PARAMS=${SCHEDCHECK_RC_PARAMS}")
endfunction()
