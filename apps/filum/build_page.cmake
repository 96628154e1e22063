# cmake -DWEB=FOLDER -DOUT=FOLDER -P build_page.cmake: builds the workbench's page into OUT.
find_program(NPM npm)
if(NOT NPM)
  message(FATAL_ERROR "the workbench's page needs Node.js 18 or later with npm, which was not found")
endif()

# the packages, if they are not those of the lock file
set(installed "${WEB}/node_modules/.package-lock.json")
if(NOT EXISTS "${installed}" OR "${WEB}/package-lock.json" IS_NEWER_THAN "${installed}")
  execute_process(COMMAND "${NPM}" ci --no-audit --no-fund WORKING_DIRECTORY "${WEB}" RESULT_VARIABLE code
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${said}\nthe workbench's page was not built: npm ci failed")
  endif()
  file(TOUCH "${installed}")
endif()

execute_process(COMMAND "${NPM}" run build -- --outDir "${OUT}" --emptyOutDir WORKING_DIRECTORY "${WEB}"
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${said}\nthe workbench's page was not built: npm run build failed")
endif()
# vite may leave the time of an unchanged index.html
file(TOUCH "${OUT}/index.html")
