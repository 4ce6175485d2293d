//! Numbers to and from text.

/// Reads a JSON number.
pub(crate) fn read(text: &str) -> Option<f64> {
    let digits = text.as_bytes();
    // A short integer needs no rounding, so it needs no decimal conversion.
    if digits.len() <= 15 && digits.iter().all(u8::is_ascii_digit) {
        return Some(digits.iter().fold(0u64, |n, d| n * 10 + u64::from(d - b'0')) as f64);
    }
    crate::decimal::read(text)
}

/// Writes the shortest decimal that reads back as `n`, or the strings
/// `"NaN"`, `"Infinity"`, `"-Infinity"`: JSON has no such numbers.
pub(crate) fn write(out: &mut Vec<u8>, n: f64) {
    if n.is_nan() {
        out.extend_from_slice(b"\"NaN\"");
    } else if n.is_infinite() {
        out.extend_from_slice(if n > 0.0 { b"\"Infinity\"" } else { b"\"-Infinity\"" });
    } else if n.fract() == 0.0 && n.abs() < 1e15 {
        if n.is_sign_negative() {
            out.push(b'-');
        }
        write_int(out, n.abs() as u64);
    } else {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(n);
        match if n.abs() < 1e15 { None } else { text.split_once('+') } {
            Some((digits, exponent)) => out.extend([digits, exponent].concat().bytes()), // 1e+16 is written 1e16
            None => out.extend_from_slice(text.as_bytes()),
        }
    }
}

/// The number as text, for messages: an integer without its fraction.
pub(crate) fn text(n: f64) -> String {
    let mut out = Vec::new();
    write(&mut out, n);
    String::from_utf8_lossy(&out).trim_matches('"').into()
}

/// Writes an integer.
pub(crate) fn write_int(out: &mut Vec<u8>, mut n: u64) {
    if n < 10 {
        return out.push(b'0' + n as u8);
    }
    if n < 100 {
        return out.extend([b'0' + (n / 10) as u8, b'0' + (n % 10) as u8]);
    }
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    while n > u64::from(u32::MAX) {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
    }
    // Divided by multiplying; WebAssembly has no such way for 64 bits.
    let mut n = n as u32;
    while n > 0 {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(n: f64) -> String {
        let mut out = Vec::new();
        write(&mut out, n);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_number_reads_back_as_the_same_bits() {
        for n in [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1.0 / 3.0,
            55.06194514562281,
            1e15,
            999999999999999.0,
            123456789012345678.0,
            1e300,
            5e-324,
            f64::MAX,
            f64::MIN_POSITIVE,
            -206.835,
            100.00000000000004,
        ] {
            assert_eq!(read(&written(n)).unwrap().to_bits(), n.to_bits(), "{n} as {}", written(n));
        }
    }

    #[test]
    fn what_json_cannot_write_becomes_a_string() {
        assert_eq!(
            [written(f64::NAN), written(f64::INFINITY), written(-f64::INFINITY)],
            ["\"NaN\"", "\"Infinity\"", "\"-Infinity\""]
        );
    }

    #[test]
    fn exponents_have_no_plus() {
        assert_eq!([1e16, 1.5e300, -2.5e-7, 1e21].map(written), ["1e16", "1.5e300", "-2.5e-7", "1e21"]);
    }

    #[test]
    fn integers() {
        let mut out = Vec::new();
        write_int(&mut out, u64::MAX);
        out.push(b' ');
        write_int(&mut out, 0);
        for n in [9, 10, 99, 4294967295, 4294967296, 42949672950, 10_000_000_000] {
            out.push(b' ');
            write_int(&mut out, n);
        }
        assert_eq!(out, b"18446744073709551615 0 9 10 99 4294967295 4294967296 42949672950 10000000000");
        assert_eq!(read("123456789012345"), Some(123456789012345.0));
        assert_eq!(read("12345678901234567890"), Some(12345678901234567890.0));
    }
}
