# cmake/provenance.cmake - what the program says of itself: version, commit, flags, compilers
# SPDX-License-Identifier: BSD-3-Clause
find_package(Git QUIET)
set(BF_GIT "unknown")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                  OUTPUT_VARIABLE BF_GIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(BF_GIT STREQUAL "")
    set(BF_GIT "unknown")
  endif()
endif()
target_compile_definitions(bf_app PUBLIC
  BF_VERSION="${PROJECT_VERSION}" BF_GIT="${BF_GIT}" BF_BUILD_TYPE="${CMAKE_BUILD_TYPE}"
  BF_COMPILER="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
  BF_CUDA_COMPILER="$<IF:$<BOOL:${BF_HAVE_CUDA}>,nvcc ${CMAKE_CUDA_COMPILER_VERSION},none>")
