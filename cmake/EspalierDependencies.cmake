# Libraries from the distribution; what each is for stands in docs/architecture.md.
# Included by the build and by the installed package's config file alike. All of them are looked for before
# anything is said, so that one call of apt brings what is missing.
find_package(Eigen3 3.4 CONFIG QUIET)
find_package(fmt CONFIG QUIET)
find_package(nlohmann_json 3 CONFIG QUIET)
find_package(ZLIB QUIET)
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)
set(espalier_missing "")
foreach(pair Eigen3:libeigen3-dev fmt:libfmt-dev nlohmann_json:nlohmann-json3-dev ZLIB:zlib1g-dev
    PkgConfig:pkg-config)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 debian)
  if(NOT ${name}_FOUND)
    list(APPEND espalier_missing ${debian})
  endif()
endforeach()
foreach(triple ode:ode:libode-dev qhull:qhull_r:libqhull-dev tinyxml2:tinyxml2:libtinyxml2-dev
    yaml:yaml-cpp:libyaml-cpp-dev assimp:assimp:libassimp-dev muparser:muparser:libmuparser-dev
    stb:stb:libstb-dev hdf5:hdf5:libhdf5-dev)
  string(REPLACE ":" ";" triple ${triple})
  list(GET triple 0 name)
  list(GET triple 1 module)
  list(GET triple 2 debian)
  if(PkgConfig_FOUND AND NOT TARGET PkgConfig::espalier_${name})
    pkg_check_modules(espalier_${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
  if(NOT TARGET PkgConfig::espalier_${name})
    list(APPEND espalier_missing ${debian})
  endif()
endforeach()
# Debian's civetweb has no .pc file, and not every release a CMake package.
find_path(ESPALIER_CIVETWEB_INCLUDE civetweb.h)
find_library(ESPALIER_CIVETWEB_LIBRARY civetweb)
mark_as_advanced(ESPALIER_CIVETWEB_INCLUDE ESPALIER_CIVETWEB_LIBRARY)
if(NOT ESPALIER_CIVETWEB_INCLUDE OR NOT ESPALIER_CIVETWEB_LIBRARY)
  list(APPEND espalier_missing libcivetweb-dev)
endif()
if(espalier_missing)
  list(JOIN espalier_missing " " espalier_missing)
  message(FATAL_ERROR "Libraries that Espalier needs are missing. On Debian or Ubuntu:\n"
    "  apt install ${espalier_missing}\n"
    "(scripts/setup does so). Elsewhere install the same libraries; CMAKE_PREFIX_PATH and "
    "PKG_CONFIG_PATH name folders where CMake and pkg-config look beside the usual ones.")
endif()
if(NOT TARGET espalier_civetweb)
  add_library(espalier_civetweb INTERFACE IMPORTED GLOBAL)
  set_target_properties(espalier_civetweb PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${ESPALIER_CIVETWEB_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "${ESPALIER_CIVETWEB_LIBRARY};Threads::Threads")
endif()
