// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// An OpenFile over a descriptor: what the components share whose files the kernel holds.

#include <memory>

#include "contracts/fs.h"
#include "platform/descriptor.h"

namespace sheaf::fs {

/// Owns `descriptor`. `writable` says whether the open allows changes of the file.
std::unique_ptr<OpenFile> make_descriptor_file(platform::Descriptor descriptor, Facts facts,
                                               bool writable);

}  // namespace sheaf::fs
