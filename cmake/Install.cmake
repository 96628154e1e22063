# cmake --install: the program, the libraries, the public headers and the package file for find_package(filum).
#
# A consumer links filum::filum, which brings every module. tests/e2e/consumer is such a consumer.
include(CMakePackageConfigHelpers)

# one name for the whole library
add_library(filum_library INTERFACE)
target_link_libraries(filum_library INTERFACE filum_io)
set_target_properties(filum_library PROPERTIES EXPORT_NAME filum)
add_library(filum::filum ALIAS filum_library)

# modules are called filum::math outside and filum_math inside
get_property(modules GLOBAL PROPERTY FILUM_MODULE_TARGETS)
# the workbench's server has no public header: it is the program's, and so are Boost and the threads that it needs
list(REMOVE_ITEM modules filum_serve)
foreach(module IN LISTS modules)
  string(REGEX REPLACE "^filum_" "" name ${module})
  set_target_properties(${module} PROPERTIES EXPORT_NAME ${name})
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/filum)
install(TARGETS filum_library ${modules} EXPORT filumTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/filum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT filumTargets NAMESPACE filum:: DESTINATION ${package} COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/filumConfig.cmake.in ${PROJECT_BINARY_DIR}/filumConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/filumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/filumConfig.cmake ${PROJECT_BINARY_DIR}/filumConfigVersion.cmake DESTINATION ${package}
        COMPONENT library)

install(TARGETS filum RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
