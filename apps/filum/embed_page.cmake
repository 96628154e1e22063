# cmake -DPAGE=FOLDER -DOUT=FILE -P embed_page.cmake: writes the .cpp that holds every file of the folder.
#
# The bytes go in by the assembler, which is quick for files of any size. Their checksums stand in the source, so that a
# compiler cache notices when they change.
file(GLOB_RECURSE files RELATIVE "${PAGE}" "${PAGE}/*")
list(SORT files)
set(code "// Made by embed_page.cmake.\n#include \"page_files.hpp\"\n\n")
set(list "")
set(index 0)
foreach(name IN LISTS files)
  # maps are for those who write the page
  if(name MATCHES "\\.map$")
    continue()
  endif()
  file(MD5 "${PAGE}/${name}" sum)
  set(symbol "filum_page_${index}_${sum}")
  string(APPEND code "__asm__(\".section .rodata\\n.balign 16\\n${symbol}:\\n.incbin \\\"${PAGE}/${name}\\\"\\n"
                     "${symbol}_end:\\n.byte 0\\n.previous\\n\");\n"
                     "extern \"C\" const char ${symbol}[];\nextern \"C\" const char ${symbol}_end[];\n")
  string(APPEND list "      {\"/${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND code "\nnamespace filum::app {\n\nstd::vector<serve::Asset> page_files() {\n  return {\n${list}  };\n}\n\n"
                   "}  // namespace filum::app\n")
file(WRITE "${OUT}" "${code}")
