# Libraries from the distribution; what each is for stands in docs/architecture.md.
# Included by the build and by the installed package's config file alike.
# REQUIRED in both: find_dependency would go on without a word in the build.
find_package(Eigen3 3.4 CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json 3 CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
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
