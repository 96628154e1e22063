# cmake -DBUILD=… -DSOURCE=… -DWORK=… -DCONFIG=… -P consumer.cmake: installs the library into a folder of its own, then
# configures, builds and runs the consumer against it.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component library)
step(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/consumer)

# a cantilever of length 1 under its own weight, ρAgL³/EI = 1: the heavy elastica's tip is at (0.99125, −0.12347); the
# rod's 50 segments leave the fourth digit alone
if(NOT text MATCHES "tip 0\\.9912[0-9]* -?0\\.000000 -0\\.1234[0-9]*")
  message(FATAL_ERROR "the consumer printed: ${text}")
endif()
