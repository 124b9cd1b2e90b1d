# cmake/FindMETIS.cmake - libmetis-dev brings neither a CMake nor a pkg-config file
#
# Result: METIS_FOUND and the target METIS::METIS.  METIS_ROOT or CMAKE_PREFIX_PATH name another place.
# SPDX-License-Identifier: BSD-3-Clause
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(METIS REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "install libmetis-dev, or run ./dev deps")
if(METIS_FOUND AND NOT TARGET METIS::METIS)
  add_library(METIS::METIS UNKNOWN IMPORTED)
  set_target_properties(METIS::METIS PROPERTIES IMPORTED_LOCATION "${METIS_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${METIS_INCLUDE_DIR}")
endif()
