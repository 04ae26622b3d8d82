// SPDX-License-Identifier: BSD-3-Clause

// One trampoline per row of functions.def, System V ABI. Registers and stack reach the target as
// the caller left them, so the same code serves every signature. %r11 is free at a call.

    .text
    .set next_index, 0

.macro trampoline name
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
    movq    sheaf_slots + 8 * next_index(%rip), %r11
    testq   %r11, %r11
    jz      1f
    jmp     *%r11
1:  movl    $next_index, %r11d
    jmp     first_call
    .cfi_endproc
    .size \name, . - \name
    .set next_index, next_index + 1
.endm

// %r11: the index. The return address on top of the stack tells who calls.
    .type first_call, @function
    .p2align 4
first_call:
    .cfi_startproc
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq    $192, %rsp
    movq    %rdi, 0(%rsp)
    movq    %rsi, 8(%rsp)
    movq    %rdx, 16(%rsp)
    movq    %rcx, 24(%rsp)
    movq    %r8, 32(%rsp)
    movq    %r9, 40(%rsp)
    movq    %rax, 48(%rsp)
    movq    %r10, 56(%rsp)
    movaps  %xmm0, 64(%rsp)
    movaps  %xmm1, 80(%rsp)
    movaps  %xmm2, 96(%rsp)
    movaps  %xmm3, 112(%rsp)
    movaps  %xmm4, 128(%rsp)
    movaps  %xmm5, 144(%rsp)
    movaps  %xmm6, 160(%rsp)
    movaps  %xmm7, 176(%rsp)
    movl    %r11d, %edi
    movq    8(%rbp), %rsi
    call    sheaf_resolve
    movq    %rax, %r11
    movq    0(%rsp), %rdi
    movq    8(%rsp), %rsi
    movq    16(%rsp), %rdx
    movq    24(%rsp), %rcx
    movq    32(%rsp), %r8
    movq    40(%rsp), %r9
    movq    48(%rsp), %rax
    movq    56(%rsp), %r10
    movaps  64(%rsp), %xmm0
    movaps  80(%rsp), %xmm1
    movaps  96(%rsp), %xmm2
    movaps  112(%rsp), %xmm3
    movaps  128(%rsp), %xmm4
    movaps  144(%rsp), %xmm5
    movaps  160(%rsp), %xmm6
    movaps  176(%rsp), %xmm7
    leave
    .cfi_def_cfa %rsp, 8
    jmp     *%r11
    .cfi_endproc
    .size first_call, . - first_call

#define SHEAF_FUNCTION(name, kind, state, text) trampoline name; trampoline P##name
#define SHEAF_LARGE_COUNT(name, position, state, text) trampoline name##_c; trampoline P##name##_c
#define SHEAF_FORTRAN_OMPI(name) trampoline name
#include "abi/functions.def"

    .section .note.GNU-stack, "", @progbits
