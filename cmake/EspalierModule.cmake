# espalier_precompile(TARGET HEADERS...): for ccache, the compiler's options say which they are.
function(espalier_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# espalier_module(FOLDER DEPENDS...): one folder of espalier/ is one module is one target, named after its last part.
# Sources are every .cpp below the folder; a folder without any becomes an interface target.
# Files named *_v4.cpp are compiled for x86-64-v4 and reached only after a run-time check.
# HEADERS are those that nearly every source includes: with ESPALIER_PRECOMPILE they are parsed once, which
# takes two fifths off the time of a build from nothing, while a change in one of them builds the module anew.
option(ESPALIER_PRECOMPILE "Precompile headers of the library" OFF)
function(espalier_module folder)
  get_filename_component(name ${folder} NAME)
  cmake_parse_arguments(MODULE "" "" "DEPENDS;PRIVATE;HEADERS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  set(target espalier_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC espalier_flags ${MODULE_DEPENDS})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:espalier_build_flags> ${MODULE_PRIVATE})
    set(scope PUBLIC)
    if(ESPALIER_PRECOMPILE AND MODULE_HEADERS)
      espalier_precompile(${target} ${MODULE_HEADERS})
    endif()
    foreach(source ${sources})
      if(source MATCHES "_v4\\.cpp$")
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${ESPALIER_WIDE_ISA}"
          SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE espalier_flags ${MODULE_DEPENDS})
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(espalier::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY ESPALIER_TARGETS ${target})
endfunction()
