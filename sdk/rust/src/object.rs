//! A writer for JSON objects.

use crate::number;

/// A JSON object in the making, for the `details` of an answer. Names are
/// written as they come: the author sees to it that none comes twice.
#[derive(Clone, Debug, Default)]
pub struct Object {
    buf: Vec<u8>,
}

impl Object {
    /// An empty object.
    pub fn new() -> Self {
        Object { buf: Vec::with_capacity(256) }
    }

    fn name(&mut self, name: &str) {
        self.buf.push(if self.buf.is_empty() { b'{' } else { b',' });
        write_str(&mut self.buf, name);
        self.buf.push(b':');
    }

    /// Adds a number. What JSON cannot write becomes the string `"NaN"`,
    /// `"Infinity"` or `"-Infinity"`.
    pub fn num(&mut self, name: &str, n: f64) -> &mut Self {
        self.name(name);
        number::write(&mut self.buf, n);
        self
    }

    /// Adds an integer.
    pub fn int(&mut self, name: &str, n: u64) -> &mut Self {
        self.name(name);
        number::write_int(&mut self.buf, n);
        self
    }

    /// Adds a string.
    pub fn text(&mut self, name: &str, s: &str) -> &mut Self {
        self.name(name);
        write_str(&mut self.buf, s);
        self
    }

    /// Adds a boolean.
    pub fn flag(&mut self, name: &str, b: bool) -> &mut Self {
        self.name(name);
        self.buf.extend_from_slice(if b { b"true" } else { b"false" });
        self
    }

    /// Adds `null`.
    pub fn null(&mut self, name: &str) -> &mut Self {
        self.name(name);
        self.buf.extend_from_slice(b"null");
        self
    }

    /// Adds a list of numbers.
    pub fn nums(&mut self, name: &str, list: &[f64]) -> &mut Self {
        self.name(name);
        write_nums(&mut self.buf, list);
        self
    }

    /// Adds a list of strings.
    pub fn texts<S: AsRef<str>>(&mut self, name: &str, list: &[S]) -> &mut Self {
        self.name(name);
        write_texts(&mut self.buf, list);
        self
    }

    /// Adds a list of lists of numbers.
    pub fn num_lists<L: AsRef<[f64]>>(&mut self, name: &str, lists: &[L]) -> &mut Self {
        self.name(name);
        write_list(&mut self.buf, lists, |out, list| write_nums(out, list.as_ref()));
        self
    }

    /// Adds a list of objects.
    pub fn objects(&mut self, name: &str, list: &[Object]) -> &mut Self {
        self.name(name);
        write_list(&mut self.buf, list, |out, o| o.write(out));
        self
    }

    /// Adds an object.
    pub fn object(&mut self, name: &str, o: &Object) -> &mut Self {
        self.name(name);
        o.write(&mut self.buf);
        self
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        if self.buf.is_empty() {
            out.push(b'{');
        }
        out.extend_from_slice(&self.buf);
        out.push(b'}');
    }
}

fn write_list<T>(out: &mut Vec<u8>, list: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    for (i, item) in list.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// A count below 100 with a comma behind it, the first byte lowest, and its bits.
fn small(n: f64) -> Option<(u64, usize)> {
    let count = n as u32;
    if count > 99 || f64::from(count).to_bits() != n.to_bits() {
        return None;
    }
    Some(if count < 10 { (0x2c30 + u64::from(count), 16) } else { (u64::from(0x2c_3030 + count / 10 + (count % 10 << 8)), 24) })
}

/// Writes up to eight bytes.
fn write_few(out: &mut Vec<u8>, bytes: u64, bits: usize) {
    let end = out.len() + bits / 8;
    out.extend_from_slice(&bytes.to_le_bytes());
    out.truncate(end);
}

pub(crate) fn write_nums(out: &mut Vec<u8>, list: &[f64]) {
    if let [first, second] = *list {
        // As the pairs of METEOR, a line of which takes a twentieth less time.
        if let (Some((a, wide)), Some((b, more))) = (small(first), small(second)) {
            let comma = u64::from(b',' ^ b']') << (wide + more);
            return write_few(out, (u64::from(b'[') | a << 8 | b << (8 + wide)) ^ comma, 8 + wide + more);
        }
    }
    out.push(b'[');
    for &n in list {
        // Most are such counts. With the comma in the same step, a line of METEOR takes a twentieth less time.
        if let Some((text, bits)) = small(n) {
            write_few(out, text, bits);
        } else {
            number::write(out, n);
            out.push(b',');
        }
    }
    match out.last_mut() {
        Some(comma) if *comma == b',' => *comma = b']',
        _ => out.push(b']'),
    }
}

pub(crate) fn write_texts<S: AsRef<str>>(out: &mut Vec<u8>, list: &[S]) {
    write_list(out, list, |out, s| write_str(out, s.as_ref()));
}

pub(crate) fn write_str(out: &mut Vec<u8>, s: &str) {
    out.push(b'"');
    write_chars(out, s);
    out.push(b'"');
}

fn write_chars(out: &mut Vec<u8>, s: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = s.as_bytes();
    loop {
        let (plain, special) = rest.split_at(crate::json::plain(rest));
        out.extend_from_slice(plain);
        let Some((&c, after)) = special.split_first() else { break };
        rest = after;
        match c {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', c]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => out.extend_from_slice(&[b'\\', b'u', b'0', b'0', HEX[usize::from(c >> 4)], HEX[usize::from(c & 15)]]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut inner = Object::new();
        inner.num("x", 0.5);
        let mut o = Object::new();
        o.num("n", f64::INFINITY)
            .int("i", 7)
            .text("s", "a\"\\\n\u{1}é")
            .flag("b", true)
            .null("z")
            .nums("l", &[0.0, -0.0, 9.0, 10.0, 99.0, 100.0, 2.5])
            .num_lists("p", &[[0.0, 10.0], [99.0, 9.0], [12.0, 34.0], [-0.0, 1.0], [1.0, 100.0], [0.5, 1.0]])
            .texts("t", &["a", "b"]);
        o.object("o", &inner).object("e", &Object::new());
        o.num_lists("ll", &[vec![1.0], vec![]]).objects("oo", &[inner]);
        let mut out = Vec::new();
        o.write(&mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            r#"{"n":"Infinity","i":7,"s":"a\"\\\n\u0001é","b":true,"z":null,"l":[0,-0,9,10,99,100,2.5],"p":[[0,10],[99,9],[12,34],[-0,1],[1,100],[0.5,1]],"t":["a","b"],"o":{"x":0.5},"e":{},"ll":[[1],[]],"oo":[{"x":0.5}]}"#
        );
        assert_eq!(crate::parse(&text).unwrap().get("s").unwrap().as_str(), Some("a\"\\\n\u{1}é"));
    }
}
