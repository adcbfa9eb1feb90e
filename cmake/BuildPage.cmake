# The steps of EspalierPage.cmake at build time: cmake -D STEP=install|bundle -D WEB=... -P BuildPage.cmake.
# What npm says is shown only where it fails.
function(must_work remedy)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WEB} RESULT_VARIABLE code
    OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "In ${WEB}, '${command}' failed:\n${said}\n${remedy}")
  endif()
endfunction()

set(without "or build without the viewer's page: -DESPALIER_VIEWER=OFF")
if(STEP STREQUAL "install")
  must_work("See to it that npm can reach its registry, ${without}"
    ${NPM} ci --no-audit --no-fund --ignore-scripts)
  file(TOUCH ${WEB}/node_modules/.package-lock.json)
else()
  must_work("Mend web/, ${without}" ${NPM} run build -- --outDir ${OUT} --emptyOutDir)
  must_work("Mend web/, ${without}"
    ${NODE} ${CMAKE_CURRENT_LIST_DIR}/embed_page.mjs ${OUT}/index.html ${DATA})
endif()
