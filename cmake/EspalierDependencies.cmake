# Libraries from the distribution; what each is for stands in docs/architecture.md.
# Included by the build and by the installed package's config file alike.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 CONFIG)
find_dependency(fmt CONFIG)
find_dependency(PkgConfig)
foreach(pair ode:ode tinyxml2:tinyxml2 assimp:assimp muparser:muparser)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 module)
  if(NOT TARGET PkgConfig::espalier_${name})
    pkg_check_modules(espalier_${name} REQUIRED IMPORTED_TARGET GLOBAL ${module})
  endif()
endforeach()
