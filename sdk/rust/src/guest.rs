//! The edge of the module: exports, the memory of a call, the allocator. The
//! only `unsafe` of a plugin is here.

use crate::answer::{Answer, Error, Result};
use crate::request::Request;

/// A scorer.
pub type Scorer = fn(&Request) -> Result<Answer>;

/// Answers the request in `input`. It is inlined, so that each export calls its scorer itself and
/// not through a pointer: the host compiles only what the exports in use can reach.
#[inline(always)]
pub fn respond(input: &[u8], score: Scorer) -> Vec<u8> {
    write(read(input).and_then(|request| {
        let answer = score(&request);
        // The memory of the call is put back whole: freeing it piece by
        // piece is wasted time.
        std::mem::forget(request);
        answer
    }))
}

#[inline(never)]
fn read(input: &[u8]) -> Result<Request<'_>> {
    text(input).and_then(Request::parse)
}

/// The request as text. Most are ASCII, and this check is cheaper than `from_utf8`: it saves 2 % of readability's fuel.
fn text(input: &[u8]) -> Result<&str> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |c: &[u8]| c.try_into().map_or(HIGH, u64::from_le_bytes);
    let mut chunks = input.chunks_exact(32);
    let ascii = chunks.all(|c| c.chunks_exact(8).fold(0, |bits, c| bits | word(c)) & HIGH == 0);
    if ascii && chunks.remainder().is_ascii() {
        // All bytes are below 0x80.
        #[allow(unsafe_code)]
        return Ok(unsafe { std::str::from_utf8_unchecked(input) });
    }
    std::str::from_utf8(input).map_err(|_| Error::new("the request is not UTF-8"))
}

#[inline(never)]
fn write(answer: Result<Answer>) -> Vec<u8> {
    match answer {
        Ok(answer) => answer.to_json(),
        Err(e) => e.to_json(),
    }
}

/// Exports scorers: `export!(name => function, ...)`. Each function is a
/// `fn(&Request) -> Result<Answer>`; each name is what a manifest's `exports`
/// and a rubric call it by.
#[macro_export]
macro_rules! export {
    ($($name:ident => $scorer:path),+ $(,)?) => {
        $(const _: () = {
            const SCORER: fn(&$crate::Request) -> $crate::Result<$crate::Answer> = $scorer;
            #[cfg(target_arch = "wasm32")]
            #[allow(unsafe_code)]
            #[unsafe(export_name = stringify!($name))]
            extern "C" fn exported(ptr: u32, len: u32) -> u64 {
                $crate::call(ptr, len, SCORER)
            }
            #[cfg(not(target_arch = "wasm32"))]
            let _ = SCORER;
        };)+
    };
}

/// Defines scorers that are one expression each, and exports them: `scorers!(name(request) => expression, ...)`.
#[macro_export]
macro_rules! scorers {
    ($($name:ident($request:ident) => $answer:expr),+ $(,)?) => {
        $(#[allow(non_snake_case)]
        fn $name($request: &$crate::Request) -> $crate::Result<$crate::Answer> {
            $answer
        })+
        $crate::export!($($name => $name),+);
    };
}

/// Embeds the plugin's manifest as the custom section `rubric-host.manifest`,
/// so that the module alone is a whole plugin: `manifest!("../plugin.yaml")`.
/// The path is relative to the source file.
#[macro_export]
macro_rules! manifest {
    ($path:literal) => {
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            const TEXT: &[u8] = include_bytes!($path);
            #[allow(unsafe_code)]
            #[unsafe(link_section = "rubric-host.manifest")]
            #[used]
            static MANIFEST: [u8; TEXT.len()] = {
                let mut copy = [0; TEXT.len()];
                let mut i = 0;
                while i < copy.len() {
                    copy[i] = TEXT[i];
                    i += 1;
                }
                copy
            };
        };
    };
}

/// Takes the data files of the manifest: `data!(function)`, with
/// `fn(name: &'static str, content: &'static mut [u8])`. The host calls it for each file that the
/// configuration needs, before the image is taken that every call begins with: read a file
/// there, and keep the result in a `static` `OnceLock`. A call finds it empty if the file is not
/// there, which is an error of the plugin's.
#[macro_export]
macro_rules! data {
    ($take:path) => {
        const _: () = {
            const TAKE: fn(&'static str, &'static mut [u8]) = $take;
            #[cfg(target_arch = "wasm32")]
            #[allow(unsafe_code)]
            #[unsafe(export_name = "data")]
            extern "C" fn exported(name: u32, name_len: u32, ptr: u32, len: u32) {
                $crate::give(name, name_len, ptr, len, TAKE)
            }
            #[cfg(not(target_arch = "wasm32"))]
            let _ = TAKE;
        };
    };
}

#[cfg(target_arch = "wasm32")]
pub use wasm::{call, give};

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
mod wasm {
    /// The export that the host asks for room for a request.
    #[unsafe(no_mangle)]
    extern "C" fn alloc(len: u32) -> u32 {
        let room = Vec::<u8>::with_capacity(len as usize);
        room.leak().as_mut_ptr() as u32
    }

    /// Answers the request that the host wrote to `ptr`; returns where the
    /// answer lies, `ptr << 32 | len`.
    #[inline(always)] // as `respond`
    pub fn call(ptr: u32, len: u32, score: super::Scorer) -> u64 {
        // The host wrote `len` bytes to room that `alloc` gave it, and nothing
        // else of the module knows of that room.
        let input = unsafe { std::slice::from_raw_parts(ptr as *const u8, len as usize) };
        let answer = super::respond(input, score).leak();
        (answer.as_ptr() as u64) << 32 | answer.len() as u64
    }

    /// Gives a data file to the plugin.
    pub fn give(name: u32, name_len: u32, ptr: u32, len: u32, take: fn(&'static str, &'static mut [u8])) {
        // As in `call`; the room is never given back.
        let bytes = unsafe { std::slice::from_raw_parts(name as *const u8, name_len as usize) };
        let content = unsafe { std::slice::from_raw_parts_mut(ptr as *mut u8, len as usize) };
        take(std::str::from_utf8(bytes).unwrap_or_default(), content);
    }

    #[cfg(feature = "bump")]
    mod bump {
        use std::alloc::{GlobalAlloc, Layout};
        use std::cell::Cell;

        /// Hands out memory upwards from the end of the module's data. Only the
        /// newest block can grow in place or be given back; the host puts the
        /// rest back after the call.
        struct Bump {
            next: Cell<usize>,
            end: Cell<usize>,
            /// From here on, or from `next` if that is higher, memory was never handed out:
            /// it is zero.
            clean: Cell<usize>,
        }

        // A module has one thread.
        unsafe impl Sync for Bump {}

        #[global_allocator]
        static BUMP: Bump = Bump { next: Cell::new(0), end: Cell::new(0), clean: Cell::new(0) };

        const PAGE: usize = 65536;

        extern "C" {
            static __heap_base: u8;
        }

        impl Bump {
            #[cold]
            #[inline(never)]
            fn more(&self, need: usize) -> bool {
                if self.next.get() == 0 {
                    self.next.set(&raw const __heap_base as usize);
                    self.end.set(core::arch::wasm32::memory_size(0) * PAGE);
                }
                let Some(top) = self.next.get().checked_add(need) else { return false };
                if top > self.end.get() {
                    let least = (top - self.end.get()).div_ceil(PAGE);
                    let mut pages = least.max(self.end.get() / PAGE / 4);
                    if core::arch::wasm32::memory_grow(0, pages) == usize::MAX {
                        // Near the limit only what is needed fits.
                        pages = least;
                        if core::arch::wasm32::memory_grow(0, pages) == usize::MAX {
                            return false;
                        }
                    }
                    self.end.set(self.end.get() + pages * PAGE);
                }
                true
            }
        }

        unsafe impl GlobalAlloc for Bump {
            #[inline]
            unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
                let (size, align) = (layout.size(), layout.align());
                loop {
                    let at = (self.next.get() + align - 1) & !(align - 1);
                    if at != 0 && size <= self.end.get().wrapping_sub(at) && at <= self.end.get() {
                        self.next.set(at + size);
                        return at as *mut u8;
                    }
                    let Some(need) = size.checked_add(align) else { return std::ptr::null_mut() };
                    if !self.more(need) {
                        return std::ptr::null_mut();
                    }
                }
            }

            #[inline]
            unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
                if ptr as usize + layout.size() == self.next.get() {
                    self.clean.set(self.clean.get().max(self.next.get()));
                    self.next.set(ptr as usize);
                }
            }

            unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
                let ptr = self.alloc(layout);
                if !ptr.is_null() && (ptr as usize) < self.clean.get() {
                    ptr.write_bytes(0, layout.size());
                }
                ptr
            }

            unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
                if ptr as usize + layout.size() == self.next.get() && size <= self.end.get() - ptr as usize {
                    self.clean.set(self.clean.get().max(self.next.get()));
                    self.next.set(ptr as usize + size);
                    return ptr;
                }
                if size <= layout.size() {
                    return ptr;
                }
                let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                if !new.is_null() {
                    std::ptr::copy_nonoverlapping(ptr, new, layout.size());
                }
                new
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(request: &Request) -> Result<Answer> {
        match request.output()? {
            Some("fail") => Err("told to".into()),
            Some(s) => Ok(Answer::level(s)),
            None => Ok(Answer::unscored("no output")),
        }
    }

    #[test]
    fn every_request_gets_an_answer_in_the_contract() {
        let ask = |s: &[u8]| String::from_utf8(respond(s, echo)).unwrap();
        assert_eq!(ask(br#"{"contract":1,"case":{"output":"x"}}"#), r#"{"level":"x"}"#);
        assert_eq!(ask(br#"{"contract":1}"#), r#"{"unscored":"no output"}"#);
        assert_eq!(ask(br#"{"contract":1,"case":{"output":"fail"}}"#), r#"{"error":"told to"}"#);
        assert_eq!(ask(b"\xff"), r#"{"error":"the request is not UTF-8"}"#);
        // A byte that is not UTF-8 at every place, and a letter that is.
        let ascii = br#"{"contract":1,"case":{"output":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}"#;
        for at in 0..ascii.len() {
            let mut request = ascii.to_vec();
            request[at] = 0x80;
            assert_eq!(ask(&request), r#"{"error":"the request is not UTF-8"}"#, "{at}");
            if ascii[at..].starts_with(b"xx") {
                request.splice(at..at + 2, "é".bytes());
                assert!(ask(&request).contains('é'), "{at}");
            }
        }
        assert_eq!(ask(b"{"), r#"{"error":"not JSON at byte 1: no name"}"#);
    }
}
