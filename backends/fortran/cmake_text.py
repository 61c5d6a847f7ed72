"""The CMake file that makes a library one line in the build of a model."""

from typing import Final

from backends.writer import Writer

_HEAD: Final = """\
# Library {name}. Generated from IIR; do not edit.
# add_subdirectory this folder; then target_link_libraries(model PRIVATE stencil::{name}) in Fortran,
# or stencil::{name}_kernels in C.
cmake_minimum_required(VERSION 3.18)
project({name} LANGUAGES C)
include(CheckLanguage)

option(STENCIL_VERIFY "The procedures '..._run_or_verify' verify" OFF)
"""

_LIBRARY: Final = """\
add_library({name}_kernels STATIC IMPORTED GLOBAL)
set_target_properties({name}_kernels PROPERTIES
  IMPORTED_LOCATION ${{CMAKE_CURRENT_LIST_DIR}}/lib{name}.a
  INTERFACE_INCLUDE_DIRECTORIES ${{CMAKE_CURRENT_LIST_DIR}}
  INTERFACE_LINK_LIBRARIES m)
"""

_OBJECT: Final = """\
add_library({name}_kernels STATIC {name}_boundary.c ${{CMAKE_CURRENT_LIST_DIR}}/{object})
set_source_files_properties(${{CMAKE_CURRENT_LIST_DIR}}/{object} PROPERTIES EXTERNAL_OBJECT ON)
target_include_directories({name}_kernels PUBLIC ${{CMAKE_CURRENT_LIST_DIR}})
target_link_libraries({name}_kernels PUBLIC m)
"""

_MODULES: Final = """\
add_library(stencil::{name}_kernels ALIAS {name}_kernels)

check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  if(NOT TARGET stencil_runtime)
    add_library(stencil_runtime STATIC stencil_runtime.F90)
    set_target_properties(stencil_runtime PROPERTIES
      Fortran_MODULE_DIRECTORY ${{CMAKE_CURRENT_BINARY_DIR}}/modules)
    target_include_directories(stencil_runtime PUBLIC ${{CMAKE_CURRENT_BINARY_DIR}}/modules)
  endif()
  add_library({name}_dsl STATIC {name}_dsl.F90)
  set_target_properties({name}_dsl PROPERTIES
    Fortran_MODULE_DIRECTORY ${{CMAKE_CURRENT_BINARY_DIR}}/modules)
  target_include_directories({name}_dsl PUBLIC ${{CMAKE_CURRENT_BINARY_DIR}}/modules)
  target_link_libraries({name}_dsl PUBLIC stencil_runtime {name}_kernels)
  if(STENCIL_VERIFY)
    target_compile_definitions({name}_dsl PRIVATE STENCIL_VERIFY)
  endif()
  add_library(stencil::{name} ALIAS {name}_dsl)

  if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_LIST_DIR)
    enable_testing()
    add_executable(test_{name} test_{name}.F90)
    target_link_libraries(test_{name} PRIVATE {name}_dsl)
    add_test(NAME {name} COMMAND test_{name} ${{CMAKE_CURRENT_LIST_DIR}}/test_{name}.bin)
  endif()
endif()
"""


def cmake_text(name: str, kernels_object: str | None = None) -> str:
    """The text of ``CMakeLists.txt``; with *kernels_object* there is that file instead of a library."""
    w = Writer()
    kernels = _LIBRARY if kernels_object is None else _OBJECT
    for text in (_HEAD, kernels, _MODULES):
        for line in text.format(name=name, object=kernels_object).splitlines():
            w.line(line)
    return w.text
