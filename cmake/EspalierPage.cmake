# espalier_page(TARGET SOURCE): the viewer's page in web/, bundled by npm into one HTML file and compiled into
# TARGET. Its packages go to web/node_modules, once for all build trees, and again when package-lock.json
# changes; the bundle is made again when a file of web/ changes. SOURCE is told by ESPALIER_HAS_PAGE.
# ESPALIER_PAGE_DATA names what embed_page.mjs has written before: then neither node nor npm is needed.
set(ESPALIER_OLDEST_NODE 18)
set(ESPALIER_PAGE_DATA "" CACHE STRING
  "The viewer's page as C++, made before (relative to the source folder); empty: made from web/")

function(espalier_page target source)
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS ESPALIER_HAS_PAGE)
  if(ESPALIER_PAGE_DATA)
    get_filename_component(data ${ESPALIER_PAGE_DATA} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    target_sources(${target} PRIVATE ${data})
    return()
  endif()
  set(remedy "or leave the viewer's page out with -DESPALIER_VIEWER=OFF (pip: --config-settings=cmake.define.ESPALIER_VIEWER=OFF)")
  find_program(ESPALIER_NODE NAMES node nodejs)
  find_program(ESPALIER_NPM npm)
  mark_as_advanced(ESPALIER_NODE ESPALIER_NPM)
  if(NOT ESPALIER_NODE OR NOT ESPALIER_NPM)
    message(FATAL_ERROR "The viewer's page is built with node and npm, which are not found: install "
      "node ${ESPALIER_OLDEST_NODE} or later (Debian: nodejs, npm), ${remedy}")
  endif()
  execute_process(COMMAND ${ESPALIER_NODE} --version OUTPUT_VARIABLE version
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(NOT version VERSION_GREATER_EQUAL ESPALIER_OLDEST_NODE)
    message(FATAL_ERROR "${ESPALIER_NODE} is node '${version}', and the viewer's page needs "
      "${ESPALIER_OLDEST_NODE} or later: install one and name it with -DESPALIER_NODE=..., ${remedy}")
  endif()

  set(web ${PROJECT_SOURCE_DIR}/web)
  set(data ${CMAKE_CURRENT_BINARY_DIR}/page_data.cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/* ${web}/public/*)
  file(GLOB settings CONFIGURE_DEPENDS ${web}/*.html ${web}/*.json ${web}/*.config.*)
  set(installed ${web}/node_modules/.package-lock.json)  # npm writes it last
  set(step ${CMAKE_COMMAND} -D WEB=${web} -D NPM=${ESPALIER_NPM} -D NODE=${ESPALIER_NODE}
    -D OUT=${CMAKE_CURRENT_BINARY_DIR}/web -D DATA=${data})
  set(script ${PROJECT_SOURCE_DIR}/cmake/BuildPage.cmake)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed_page.mjs)
  add_custom_command(OUTPUT ${installed}
    COMMAND ${step} -D STEP=install -P ${script}
    DEPENDS ${web}/package-lock.json ${script}
    COMMENT "Fetching the packages of the viewer's page" VERBATIM)
  add_custom_command(OUTPUT ${data}
    COMMAND ${step} -D STEP=bundle -P ${script}
    DEPENDS ${sources} ${settings} ${installed} ${script} ${embed}
    COMMENT "Bundling the viewer's page" VERBATIM)
  target_sources(${target} PRIVATE ${data})
endfunction()
