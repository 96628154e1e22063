# cmake -DBUILD=… -DSOURCE=… -DWORK=… -DCONFIG=… -P consumer.cmake: installs the library into a folder of its own, then
# configures, builds and runs consumers against it: of all of it, of the core alone where nothing else is to be found, and
# of the core with other vector instructions than the library was compiled with.
function(run_step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# configures, builds and runs the consumer of a folder; its output is `text`
function(consume consumer folder)
  set(configure ${CMAKE_COMMAND} -S ${SOURCE}/${consumer} -B ${WORK}/${folder} -G Ninja -DCMAKE_BUILD_TYPE=${CONFIG}
                -DCMAKE_PREFIX_PATH=${WORK}/prefix ${ARGN})
  run_step(${configure})
  run_step(${CMAKE_COMMAND} --build ${WORK}/${folder})
  run_step(${WORK}/${folder}/${consumer})
  set(text "${text}" PARENT_SCOPE)
endfunction()

# a cantilever of length 1 under its own weight, ρAgL³/EI = 1: the heavy elastica's tip is at (0.99125, −0.12347); the
# rod's 50 segments leave the fourth digit alone
function(check_tip)
  if(NOT text MATCHES "tip 0\\.9912[0-9]* -?[0-9.e-]+ -0\\.1234[0-9]*")
    message(FATAL_ERROR "the consumer printed: ${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run_step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component library)
consume(consumer full)
check_tip()

# what the core does not need is hidden from it; all of it can then not be had
foreach(package fmt nlohmann_json PkgConfig)
  list(APPEND hidden -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${WORK}/hidden -G Ninja
                        -DCMAKE_PREFIX_PATH=${WORK}/prefix ${hidden} RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
if(code EQUAL 0)
  message(FATAL_ERROR "hiding fmt, json and libyaml hides nothing")
endif()
consume(consumer_core core ${hidden})
check_tip()
set(plain "${text}")

# the same bits for a consumer with wider vectors, where this machine has them
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo flags REGEX "^flags.* avx " LIMIT_COUNT 1)
endif()
if(flags)
  consume(consumer_core avx ${hidden} -DCMAKE_CXX_FLAGS=-mavx)
  if(NOT text STREQUAL plain)
    message(FATAL_ERROR "with -mavx the consumer printed\n${text}and without\n${plain}")
  endif()
endif()
