// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lexer.h"
#include "type.h"

namespace iotest {

/// Reads a datatype from a line. Where a constructor's last argument is left out, `element` is
/// what it is made of: contiguous(4) of a view is four of its etypes.
///
///     byte char short int float double int64 uint16
///     contiguous(count [, type])               vector(count, block, stride [, type])
///     hvector(count, block, bytes [, type])    indexed([lengths], [places] [, type])
///     hindexed([lengths], [bytes] [, type])    indexed_block(block, [places] [, type])
///     hindexed_block(block, [bytes] [, type])  struct([lengths], [bytes], [types])
///     subarray([sizes], [subsizes], [starts] [, type])      subarray_f(...): Fortran order
///     darray(rank, [sizes], [none | block | cyclic | cyclic(k), ...], [processes] [, type])
///     resized(type, [lb,] extent)              dup(type)
model::TypePtr type_expression(Line& line, const model::TypePtr& element);

}  // namespace iotest
