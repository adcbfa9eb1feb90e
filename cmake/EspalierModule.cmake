option(ESPALIER_PRECOMPILE "Precompile headers and join sources, for builds from nothing" OFF)

# espalier_precompile(TARGET HEADERS...): for ccache, the compiler's options say which they are.
set(espalier_precompiled_flags $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
function(espalier_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE ${espalier_precompiled_flags})
endfunction()

# espalier_join(TARGET GROUPS VARIABLE): with ESPALIER_PRECOMPILE the sources that VARIABLE lists, less those
# of another instruction set (*_v4.cpp) or with options of their own, are compiled GROUPS at a time: each
# group is a file in the build folder that includes its sources, which takes about half of the compiler's time for
# them. A file's name decides its group, so that a new file joins one and leaves the others as they are. Sources
# of a group share a translation unit: names in unnamed namespaces have to differ, while a local name may shadow
# one of another file. Paths are relative to the project, and groups lie at the top of the build tree, so that
# ccache knows one in any clone and in a project that has this one as a folder (CMake's UNITY_BUILD writes
# absolute paths).
function(espalier_join target groups variable)
  if(NOT ESPALIER_PRECOMPILE)
    return()
  endif()
  set(left "")
  foreach(source ${${variable}})
    file(RELATIVE_PATH inner ${PROJECT_SOURCE_DIR} ${source})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(inner MATCHES "_v4\\.cpp$|^\\.\\." OR options OR definitions)
      list(APPEND left ${source})
    else()
      string(MD5 hash ${inner})
      string(SUBSTRING ${hash} 0 6 hash)
      math(EXPR group "0x${hash} % ${groups}")
      string(APPEND group_${group} "#include \"${inner}\"\n")
    endif()
  endforeach()
  set(shadows "#pragma GCC diagnostic ignored \"-Wshadow\"\n#pragma GCC diagnostic warning \"-Wshadow=local\"\n")
  math(EXPR last "${groups} - 1")
  foreach(group RANGE ${last})
    if(DEFINED group_${group})
      set(joined ${CMAKE_BINARY_DIR}/joined/${target}_${group}.cpp)
      file(CONFIGURE OUTPUT ${joined} CONTENT "${shadows}${group_${group}}" @ONLY)
      list(APPEND left ${joined})
    endif()
  endforeach()
  set(${variable} ${left} PARENT_SCOPE)
endfunction()

# espalier_module(FOLDER DEPENDS...): one folder of espalier/ is one module is one target, named after its last part.
# Sources are every .cpp below the folder; a folder without any becomes an interface target.
# Files named *_v4.cpp are compiled for x86-64-v4 and reached only after a run-time check.
# LANES: its *_v3.cpp and *_v4.cpp are a library of their own, ..._lanes, which only those link that step worlds
# side by side: a program of single worlds, as the command, is built without them.
# JOINED: its sources are compiled together in so many groups (espalier_join), where speed is not decided.
# OPTIONS are the compiler's for the whole module.
# HEADERS are those that nearly every source includes: with ESPALIER_PRECOMPILE they are parsed once, which
# takes two fifths off the time of a build from nothing, while a change in one of them builds the module anew.
# HEADERS_OF: those of another module, whose options have to be the same.
function(espalier_module folder)
  get_filename_component(name ${folder} NAME)
  cmake_parse_arguments(MODULE "LANES" "JOINED;HEADERS_OF" "DEPENDS;PRIVATE;HEADERS;OPTIONS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  set(target espalier_${name})
  set(lanes "")
  if(MODULE_LANES)
    set(lanes ${sources})
    list(FILTER lanes INCLUDE REGEX "_v[34]\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_v[34]\\.cpp$")
  endif()
  if(MODULE_JOINED)
    espalier_join(${target} ${MODULE_JOINED} sources)
  endif()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC espalier_flags ${MODULE_DEPENDS})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:espalier_build_flags> ${MODULE_PRIVATE})
    target_compile_options(${target} PRIVATE ${MODULE_OPTIONS})
    set(scope PUBLIC)
    if(ESPALIER_PRECOMPILE AND MODULE_HEADERS)
      espalier_precompile(${target} ${MODULE_HEADERS})
    elseif(ESPALIER_PRECOMPILE AND MODULE_HEADERS_OF)
      target_precompile_headers(${target} REUSE_FROM espalier_${MODULE_HEADERS_OF})
      target_compile_options(${target} PRIVATE ${espalier_precompiled_flags})
    endif()
    foreach(source ${sources} ${lanes})
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
  if(lanes)
    add_library(${target}_lanes STATIC ${lanes})
    target_link_libraries(${target}_lanes PUBLIC ${target} PRIVATE $<BUILD_INTERFACE:espalier_build_flags>)
    add_library(espalier::${name}_lanes ALIAS ${target}_lanes)
    set_target_properties(${target}_lanes PROPERTIES EXPORT_NAME ${name}_lanes)
    set_property(GLOBAL APPEND PROPERTY ESPALIER_TARGETS ${target}_lanes)
  endif()
endfunction()
