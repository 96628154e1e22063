# cmake -DWEB=FOLDER -DOUT=FOLDER [-DNPM=PROGRAM] -P build_page.cmake: builds the workbench's page into OUT.
#
# Without npm, or if it fails (no network for the first build, say), OUT gets a plain page that says so: the rest of the
# program does not depend on it.
function(plain_page why)
  message(WARNING "the workbench's page was not built: ${why}")
  file(REMOVE_RECURSE "${OUT}")
  file(WRITE "${OUT}/index.html" "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Filum</title></head>
<body><h1>The workbench's page is not in this program</h1>
<p>It was not built: ${why}. Install Node.js 18 or later with npm and build Filum again.</p></body></html>
")
endfunction()

if(NOT NPM OR NOT EXISTS "${WEB}/package.json")
  plain_page("npm was not found")
  return()
endif()

# the packages, if they are not those of the lock file
set(installed "${WEB}/node_modules/.package-lock.json")
if(NOT EXISTS "${installed}" OR "${WEB}/package-lock.json" IS_NEWER_THAN "${installed}")
  execute_process(COMMAND "${NPM}" ci --no-audit --no-fund WORKING_DIRECTORY "${WEB}" RESULT_VARIABLE code
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    message(STATUS "${said}")
    plain_page("npm ci failed")
    return()
  endif()
  file(TOUCH "${installed}")
endif()

execute_process(COMMAND "${NPM}" run build -- --outDir "${OUT}" --emptyOutDir WORKING_DIRECTORY "${WEB}"
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT code EQUAL 0)
  message(STATUS "${said}")
  plain_page("npm run build failed")
endif()
