# cmake --install: the program, the libraries, the public headers and the package file for find_package(filum).
#
# A consumer links filum::filum, or with find_package(filum COMPONENTS core) filum::core, which needs Eigen alone.
# tests/e2e/consumer and tests/e2e/consumer_core are such consumers.
include(CMakePackageConfigHelpers)

# The core, `base` to `sim`, needs Eigen alone; filum::filum adds files and reports, with fmt, json, libyaml and assimp.
add_library(filum_core INTERFACE)
target_link_libraries(filum_core INTERFACE filum_sim filum_channel)
set_target_properties(filum_core PROPERTIES EXPORT_NAME core)
add_library(filum_library INTERFACE)
target_link_libraries(filum_library INTERFACE filum_core filum_report filum_io_export)
set_target_properties(filum_library PROPERTIES EXPORT_NAME filum)
add_library(filum::filum ALIAS filum_library)

# modules are called filum::math outside and filum_math inside. The workbench's server has no public header: it is the
# program's, and so are Boost and the threads that it needs; likewise what is there to be compared with, and what
# reads other programs' files, with expat and libzip.
set(core filum_core)
set(files filum_library)
foreach(module IN LISTS FILUM_MODULES)
  string(REPLACE "/" "_" name ${module})
  set_target_properties(filum_${name} PROPERTIES EXPORT_NAME ${name})
  if(name MATCHES "^(io|report)")
    list(APPEND files filum_${name})
  elseif(NOT name MATCHES "^(serve|published|threads|exchange|flexible)")
    list(APPEND core filum_${name})
  endif()
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/filum)
install(TARGETS ${core} EXPORT filumCoreTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(TARGETS ${files} EXPORT filumTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/filum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT filumCoreTargets NAMESPACE filum:: DESTINATION ${package} COMPONENT library)
install(EXPORT filumTargets NAMESPACE filum:: DESTINATION ${package} COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/filumConfig.cmake.in ${PROJECT_BINARY_DIR}/filumConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/filumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/filumConfig.cmake ${PROJECT_BINARY_DIR}/filumConfigVersion.cmake DESTINATION ${package}
        COMPONENT library)

install(TARGETS filum RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
