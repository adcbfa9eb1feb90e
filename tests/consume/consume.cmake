# cmake -D WAY=... -P consume.cmake: see CMakeLists.txt. Any step that fails ends the test.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGV})
    message("${output}")
    message(FATAL_ERROR "ended with ${result}: ${command}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(options -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

set(programs consumer)
if(WAY STREQUAL find_package)
  set(build ${FOLDER}/build)
  list(APPEND programs seed_snippets)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
  list(APPEND options -DCMAKE_PREFIX_PATH=${FOLDER}/prefix)
else()
  set(build ${FOLDER})
  list(APPEND options -DESPALIER_FOLDER=${SOURCE} -DESPALIER_PRECOMPILE=${JOINED})
endif()

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consume/${WAY} -B ${build} ${options})
run(${CMAKE_COMMAND} --build ${build} --target ${programs})
run(${build}/consumer)
if(NOT output MATCHES "holds 0.5 m of a 2 kg rod: 9.81 N m")
  message(FATAL_ERROR "the consumer says:\n${output}")
endif()

if(WAY STREQUAL add_subdirectory)
  return()
endif()

# RaiSim's own pieces of code, compiled for the machine's plainest instruction set.
run(${build}/seed_snippets)
foreach(line "foot at 0.20 0.00 -0.30" "lowered to -0.40" "columns 7, difference 0.0, energy 0.0000"
        "held at 0.5000" "2 joints, hip at 6 and 7, 6.5 kg")
  if(NOT output MATCHES "${line}")
    message(FATAL_ERROR "the snippets do not say '${line}':\n${output}")
  endif()
endforeach()

# The installed command runs where it was put.
if(EXISTS ${BUILD}/bin/espalier)
  run(${FOLDER}/prefix/bin/espalier --help)
endif()
