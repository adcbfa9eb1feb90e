# Libraries from the distribution; what each is for stands in docs/architecture.md.
# Included by the build and by the installed package's config file alike.
# REQUIRED in both: find_dependency would go on without a word in the build.
find_package(Eigen3 3.4 CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json 3 CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
foreach(pair ode:ode qhull:qhull_r tinyxml2:tinyxml2 yaml:yaml-cpp assimp:assimp muparser:muparser
    stb:stb hdf5:hdf5)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 module)
  if(NOT TARGET PkgConfig::espalier_${name})
    pkg_check_modules(espalier_${name} REQUIRED IMPORTED_TARGET GLOBAL ${module})
  endif()
endforeach()
# Debian's civetweb has no .pc file, and not every release a CMake package.
find_path(ESPALIER_CIVETWEB_INCLUDE civetweb.h)
find_library(ESPALIER_CIVETWEB_LIBRARY civetweb)
mark_as_advanced(ESPALIER_CIVETWEB_INCLUDE ESPALIER_CIVETWEB_LIBRARY)
if(NOT ESPALIER_CIVETWEB_INCLUDE OR NOT ESPALIER_CIVETWEB_LIBRARY)
  message(FATAL_ERROR "civetweb is missing: install libcivetweb-dev (scripts/setup does)")
endif()
if(NOT TARGET espalier_civetweb)
  add_library(espalier_civetweb INTERFACE IMPORTED GLOBAL)
  set_target_properties(espalier_civetweb PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${ESPALIER_CIVETWEB_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "${ESPALIER_CIVETWEB_LIBRARY};Threads::Threads")
endif()
