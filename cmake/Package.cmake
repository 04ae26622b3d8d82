# SPDX-License-Identifier: BSD-3-Clause
#
# Installing, find_package(Sheaf) and pkg-config sheaf. The build folder mirrors the installed
# layout, so one configuration file serves both: everything in it is relative to itself.

include(CMakePackageConfigHelpers)

list(GET SHEAF_ABIS 0 SHEAF_DEFAULT_ABI)
set(sheaf_config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Sheaf")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/SheafConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/${sheaf_config_folder}/SheafConfig.cmake"
    INSTALL_DESTINATION "${sheaf_config_folder}"
    INSTALL_PREFIX "${PROJECT_BINARY_DIR}" PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/${sheaf_config_folder}/SheafConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
configure_file("${PROJECT_SOURCE_DIR}/packaging/sheaf.pc.in"
    "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/sheaf.pc" @ONLY)

install(DIRECTORY "${PROJECT_BINARY_DIR}/${sheaf_config_folder}/"
        DESTINATION "${sheaf_config_folder}")
install(FILES "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/sheaf.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
foreach(abi IN LISTS SHEAF_ABIS)
    if(TARGET sheaf-${abi})
        install(TARGETS sheaf-${abi} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    endif()
endforeach()
if(EXISTS "${PROJECT_SOURCE_DIR}/include")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION include)
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include" SYMBOLIC)
endif()
