# `cmake --install` lays out headers, libraries, the command, our robots and the CMake package.
include(CMakePackageConfigHelpers)
get_property(targets GLOBAL PROPERTY ESPALIER_TARGETS)
install(TARGETS ${targets} espalier_flags EXPORT espalierTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY espalier/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/espalier
        FILES_MATCHING PATTERN "*.h")
install(EXPORT espalierTargets NAMESPACE espalier::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
configure_package_config_file(cmake/espalierConfig.cmake.in
  ${PROJECT_BINARY_DIR}/espalierConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/espalierConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/espalierConfig.cmake
              ${PROJECT_BINARY_DIR}/espalierConfigVersion.cmake
              cmake/EspalierDependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/espalier/models
        FILES_MATCHING PATTERN "*.urdf" PATTERN "worlds/*" PATTERN "recipes" EXCLUDE)
