// SPDX-License-Identifier: BSD-3-Clause

// One trampoline per row of functions.def, AAPCS64. Registers and stack reach the target as the
// caller left them, so the same code serves every signature. x16 and x17 are free at a call.

    .text
    .set next_index, 0

.macro trampoline name
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint    #34                     // bti c
    adrp    x16, sheaf_slots + 8 * next_index
    add     x16, x16, :lo12:sheaf_slots + 8 * next_index
    ldar    x16, [x16]              // Pairs with the release in bind.c.
    cbz     x16, 1f
    br      x16
1:  mov     w16, #next_index
    b       first_call
    .cfi_endproc
    .size \name, . - \name
    .set next_index, next_index + 1
.endm

// w16: the index. The return address in x30 tells who calls.
    .type first_call, %function
    .p2align 4
first_call:
    .cfi_startproc
    stp     x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov     x29, sp
    stp     x0, x1, [sp, #16]
    stp     x2, x3, [sp, #32]
    stp     x4, x5, [sp, #48]
    stp     x6, x7, [sp, #64]
    str     x8, [sp, #80]
    stp     q0, q1, [sp, #96]
    stp     q2, q3, [sp, #128]
    stp     q4, q5, [sp, #160]
    stp     q6, q7, [sp, #192]
    mov     w0, w16
    mov     x1, x30
    bl      sheaf_resolve
    mov     x16, x0
    ldp     x0, x1, [sp, #16]
    ldp     x2, x3, [sp, #32]
    ldp     x4, x5, [sp, #48]
    ldp     x6, x7, [sp, #64]
    ldr     x8, [sp, #80]
    ldp     q0, q1, [sp, #96]
    ldp     q2, q3, [sp, #128]
    ldp     q4, q5, [sp, #160]
    ldp     q6, q7, [sp, #192]
    ldp     x29, x30, [sp], #224
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    br      x16
    .cfi_endproc
    .size first_call, . - first_call

#define SHEAF_FUNCTION(name, kind, state, text) trampoline name; trampoline P##name
#define SHEAF_LARGE_COUNT(name, position, state, text) trampoline name##_c; trampoline P##name##_c
#define SHEAF_FORTRAN_OMPI(name) trampoline name
#include "abi/functions.def"

    .section .note.GNU-stack, "", %progbits
