# cmake -DNOTICE=FILE -DOUT=FILE -P embed_notice.cmake: writes the .cpp that holds the licences of what the program contains.
file(READ "${NOTICE}" rest)
string(LENGTH "${rest}" length)
# a literal may not be longer than 64 KiB everywhere
set(text "")
foreach(at RANGE 0 ${length} 16000)
  string(SUBSTRING "${rest}" ${at} 16000 piece)
  string(APPEND text "\n      R\"~filum~(${piece})~filum~\"")
endforeach()
file(WRITE "${OUT}" "// Made by embed_notice.cmake from NOTICE.\n#include \"notice.hpp\"\n\nnamespace filum::app {\n\n"
                    "const char* notice() {\n  return${text};\n}\n\n}  // namespace filum::app\n")
