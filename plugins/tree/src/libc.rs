//! What tree-sitter's C code needs of a C library, beyond the character classes of
//! wasi-libc and the memory functions of Rust: memory in blocks that can be used again,
//! and the debug output, which goes nowhere.

use std::alloc::{alloc, Layout};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;

/// In front of each block: its size class.
const HEADER: usize = 8;

/// Sizes are rounded up to four classes a power of two, so at most a quarter is wasted.
const CLASSES: usize = 120;

struct Free([Cell<*mut u8>; CLASSES]);

// A module has one thread.
unsafe impl Sync for Free {}

/// Freed blocks by class; each begins with the address of the next one.
static FREE: Free = Free([const { Cell::new(ptr::null_mut()) }; CLASSES]);

/// The class of a size, and the size of its blocks.
fn class(size: usize) -> (usize, usize) {
    let size = size.max(16);
    let power = usize::BITS - 1 - (size - 1).leading_zeros(); // 2^power < size <= 2^(power+1)
    let step = 1usize << (power - 2);
    let quarter = (size - 1 - (1 << power)) / step;
    let class = (power as usize - 3) * 4 + quarter;
    (class, (1usize << power) + (quarter + 1) * step)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    if size > isize::MAX as usize / 2 {
        return ptr::null_mut();
    }
    let (class, size) = class(size);
    let free = FREE.0[class].get();
    if !free.is_null() {
        FREE.0[class].set(unsafe { *free.cast::<*mut u8>() });
        return free.cast();
    }
    let Ok(layout) = Layout::from_size_align(size + HEADER, 8) else { return ptr::null_mut() };
    let block = unsafe { alloc(layout) };
    if block.is_null() {
        // tree-sitter ends the program then, too: a failed call, with no number.
        core::arch::wasm32::unreachable();
    }
    unsafe {
        block.cast::<usize>().write(class);
        block.add(HEADER).cast()
    }
}

/// The size of a class's blocks.
fn size_of(class: usize) -> usize {
    let power = class / 4 + 3;
    (1 << power) + (class % 4 + 1) * (1 << (power - 2))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    unsafe {
        let class = block.cast::<u8>().sub(HEADER).cast::<usize>().read();
        block.cast::<*mut u8>().write(FREE.0[class].get());
        FREE.0[class].set(block.cast());
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let Some(size) = count.checked_mul(size) else { return ptr::null_mut() };
    unsafe {
        let block = malloc(size);
        if !block.is_null() {
            block.cast::<u8>().write_bytes(0, size);
        }
        block
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
    if old.is_null() {
        return unsafe { malloc(size) };
    }
    unsafe {
        let has = size_of(old.cast::<u8>().sub(HEADER).cast::<usize>().read());
        if size <= has {
            return old;
        }
        let new = malloc(size);
        if !new.is_null() {
            ptr::copy_nonoverlapping(old.cast::<u8>(), new.cast(), has);
            free(old);
        }
        new
    }
}

/// Debug output, which nothing switches on. Variable arguments are a pointer in C's ABI
/// for wasm32.
macro_rules! silent {
    ($($name:ident($($argument:ident),*);)+) => {
        $(#[unsafe(no_mangle)]
        extern "C" fn $name($($argument: usize),*) -> i32 {
            $(let _ = $argument;)*
            0
        })+
    };
}

silent! {
    fprintf(file, format, arguments);
    snprintf(buffer, size, format, arguments);
    vsnprintf(buffer, size, format, arguments);
    fputs(text, file);
    fputc(c, file);
    fclose(file);
    fdopen(descriptor, mode);
    fwrite(data, size, count, file);
}

#[unsafe(no_mangle)]
extern "C" fn abort() -> ! {
    core::arch::wasm32::unreachable()
}

/// The stream of the debug output; nothing reads it.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static stderr: u32 = 0;
