//! The candidate's instance, which is asked by messages on standard input.

/// What became of a request.
#[derive(Default)]
pub struct Reply {
    pub answered: bool,
    pub out_of_fuel: bool,
    pub payload: Vec<u8>,
    pub fuel: u64,
}

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
mod wasi {
    #[repr(C)]
    struct Buffer {
        at: *const u8,
        len: usize,
    }

    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    extern "C" {
        fn fd_write(fd: u32, list: *const Buffer, n: u32, written: *mut u32) -> u32;
        fn fd_read(fd: u32, list: *const Buffer, n: u32, read: *mut u32) -> u32;
    }

    pub fn send(message: &[u8]) -> bool {
        let (list, mut n) = (Buffer { at: message.as_ptr(), len: message.len() }, 0);
        unsafe { fd_write(0, &raw const list, 1, &raw mut n) == 0 }
    }

    pub fn read(to: &mut [u8]) -> usize {
        let (list, mut n) = (Buffer { at: to.as_ptr(), len: to.len() }, 0);
        let failed = unsafe { fd_read(0, &raw const list, 1, &raw mut n) } != 0;
        if failed { 0 } else { n as usize }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod wasi {
    pub fn send(_: &[u8]) -> bool {
        false
    }

    pub fn read(_: &mut [u8]) -> usize {
        0
    }
}

/// The beginning of a request.
pub const CALL: &[u8] = b"call\n";

/// Has the next instance use at most so much fuel.
pub fn restart(fuel: u64) -> Option<()> {
    wasi::send(format!("restart {fuel}").as_bytes()).then_some(())
}

/// Sends a message that begins with [`CALL`] and reads the reply, in the buffer of the one before.
pub fn ask(message: &[u8], mut buffer: Vec<u8>) -> Option<Reply> {
    if !wasi::send(message) {
        return None;
    }
    buffer.clear();
    buffer.resize(256, 0);
    let mut filled = wasi::read(&mut buffer);
    let head = buffer[..filled].iter().position(|c| *c == b'\n')?;
    let mut words = std::str::from_utf8(&buffer[..head]).ok()?.split(' ');
    let (end, fuel, len) = (words.next()?, words.next()?.parse().ok()?, words.next()?.parse::<usize>().ok()?);
    let (answered, out_of_fuel) = (end == "answer", end == "fuel");
    let total = head + 1 + len;
    buffer.resize(total.max(filled), 0);
    while filled < total {
        let n = wasi::read(&mut buffer[filled..]);
        if n == 0 {
            return None;
        }
        filled += n;
    }
    buffer.truncate(total);
    buffer.drain(..=head);
    Some(Reply { answered, out_of_fuel, payload: buffer, fuel })
}
