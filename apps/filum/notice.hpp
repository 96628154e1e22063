// The licences of what the program and its page contain, as the file NOTICE has them.
#pragma once

namespace filum::app {

const char* notice();

}  // namespace filum::app
