//! `xml`: the output is well-formed XML 1.0. Entities are not expanded.

use crate::{checked, output};
use rubric_host_sdk::{Answer, Request, Result};
use rubric_host_text::{one_if, or_answer};
use std::collections::{BTreeMap, BTreeSet};

pub fn well_formed(request: &Request) -> Result<Answer> {
    let text = checked(request, or_answer!(output(request)?), &["xml", "svg", "xhtml"])?;
    let elements = request.config().texts("elements")?.unwrap_or_default();
    let mut reader = Reader { text, at: 0, entities: BTreeMap::new(), elsewhere: false, standalone: false, unchecked: false, paths: Vec::new(), keeps: !elements.is_empty() };
    if let Err(what) = reader.document() {
        let before = &text[..reader.at.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        return Ok(Answer::score(0.0).reason(format!("not well-formed at line {line}, column {column}: {what}")));
    }
    if reader.unchecked {
        return Ok(Answer::unscored("the DTD declares elements, attributes, notations, or entities with markup or references, which are not checked"));
    }
    let mut answer = Answer::score(one_if(elements.iter().all(|e| reader.has(e))));
    for path in elements.iter().take(crate::SHOWN) {
        answer = if reader.has(path) { answer.hit(*path) } else { answer.miss(*path) };
    }
    Ok(answer)
}

/// What an entity stands for.
#[derive(Clone, Copy, PartialEq)]
enum Entity {
    Text,
    /// Another document; not in attributes.
    External,
    /// Data of another kind; nowhere in a text.
    Unparsed,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Entities that the document declares; of several with one name, the first.
    entities: BTreeMap<&'t str, Entity>,
    /// Whether entities may be declared elsewhere: in an external DTD or a parameter entity.
    elsewhere: bool,
    /// Whether the declaration says that there are none.
    standalone: bool,
    /// Whether a DTD declares more than entities of plain text.
    unchecked: bool,
    /// The paths of elements, with dots; the first many, if they are asked for.
    paths: Vec<String>,
    keeps: bool,
}

type Step<T = ()> = std::result::Result<T, &'static str>;

/// The most elements whose paths are kept; those of long names and deep ones are not.
const PATHS: usize = 10_000;

impl<'t> Reader<'t> {
    /// Whether there is an element of a dotted path from the root.
    fn has(&self, path: &str) -> bool {
        self.paths.iter().any(|p| p == path)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    /// Skips to the end of `what`; returns what was before.
    fn until(&mut self, what: &str, else_: &'static str) -> Step<&'t str> {
        let rest = self.rest();
        let end = rest.find(what).ok_or(else_)?;
        self.at += end + what.len();
        Ok(&rest[..end])
    }

    fn space(&mut self) -> bool {
        let from = self.at;
        while matches!(self.rest().bytes().next(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        self.at > from
    }

    fn name(&mut self) -> Step<&'t str> {
        let rest = self.rest();
        let mut chars = rest.char_indices();
        if !chars.next().is_some_and(|(_, c)| starts_name(c)) {
            return Err("expected a name");
        }
        let end = chars.find(|(_, c)| !in_name(*c)).map_or(rest.len(), |(i, _)| i);
        self.at += end;
        Ok(&rest[..end])
    }

    fn document(&mut self) -> Step {
        if let Some(at) = self.text.find(|c| !allowed(c)) {
            self.at = at;
            return Err("a character that XML forbids");
        }
        self.eat("\u{feff}");
        if self.rest().starts_with("<?xml") && self.rest()[5..].starts_with([' ', '\t', '\r', '\n']) {
            self.at += 5;
            self.declaration()?;
        }
        self.between(true)?;
        let root = self.rest();
        if !root.starts_with('<') {
            return Err(if root.is_empty() { "no element" } else { "text outside of the root element" });
        }
        self.elements()?;
        self.between(false)?;
        if self.at < self.text.len() {
            return Err("something follows the root element");
        }
        Ok(())
    }

    /// `version`, `encoding` and `standalone`, in this order.
    fn declaration(&mut self) -> Step {
        let mut next = 0;
        loop {
            let spaced = self.space();
            if self.eat("?>") {
                return if next > 0 { Ok(()) } else { Err("the XML declaration has no version") };
            }
            let name = self.name().map_err(|_| "invalid XML declaration")?;
            let place = ["version", "encoding", "standalone"].iter().position(|n| *n == name);
            let value = self.value()?;
            let valid = match place {
                Some(0) => value.strip_prefix("1.").is_some_and(|v| !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit())),
                Some(1) => {
                    value.starts_with(|c: char| c.is_ascii_alphabetic())
                        && value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
                }
                _ => matches!(value, "yes" | "no"),
            };
            match place {
                Some(n) if spaced && valid && n >= next && (n == 0) == (next == 0) => {
                    next = n + 1;
                    self.standalone |= value == "yes";
                }
                _ => return Err("invalid XML declaration"),
            }
        }
    }

    /// `= "..."`
    fn value(&mut self) -> Step<&'t str> {
        self.space();
        if !self.eat("=") {
            return Err("an attribute has no value");
        }
        self.space();
        let quote = if self.eat("\"") {
            "\""
        } else if self.eat("'") {
            "'"
        } else {
            return Err("an attribute's value is not quoted");
        };
        self.until(quote, "an attribute's value is not closed")
    }

    /// Comments, processing instructions and space between the elements; once a DOCTYPE.
    fn between(&mut self, mut doctype: bool) -> Step {
        loop {
            self.space();
            if self.eat("<!--") {
                self.comment()?;
            } else if self.eat("<?") {
                self.instruction()?;
            } else if doctype && self.eat("<!DOCTYPE") {
                doctype = false;
                self.doctype()?;
            } else {
                return Ok(());
            }
        }
    }

    fn comment(&mut self) -> Step {
        self.until("--", "a comment is not closed")?;
        if self.eat(">") { Ok(()) } else { Err("-- in a comment") }
    }

    fn instruction(&mut self) -> Step {
        let name = self.name()?;
        if name.eq_ignore_ascii_case("xml") {
            return Err("an XML declaration is not at the start");
        }
        if !self.rest().starts_with("?>") && !self.space() {
            return Err("invalid processing instruction");
        }
        self.until("?>", "a processing instruction is not closed").map(drop)
    }

    /// Steps over the document type, and collects the names of its entities.
    fn doctype(&mut self) -> Step {
        if !self.space() {
            return Err("invalid DOCTYPE");
        }
        self.name()?;
        if self.space() {
            self.elsewhere = self.external()?;
        }
        let mut subset = false;
        loop {
            self.space();
            let c = self.rest().bytes().next().ok_or("the DOCTYPE is not closed")?;
            match c {
                b'[' if !subset => {
                    subset = true;
                    self.at += 1;
                }
                b']' if subset => {
                    self.at += 1;
                    self.space();
                    return if self.eat(">") { Ok(()) } else { Err("the DOCTYPE is not closed") };
                }
                b'>' if !subset => {
                    self.at += 1;
                    return Ok(());
                }
                b'<' if subset => {
                    if self.eat("<!--") {
                        self.comment()?;
                    } else if self.eat("<?") {
                        self.instruction()?;
                    } else {
                        self.declared()?;
                    }
                }
                b'%' if subset => {
                    self.at += 1;
                    self.name()?;
                    if !self.eat(";") {
                        return Err("invalid parameter entity");
                    }
                    self.elsewhere = true;
                }
                _ => return Err("invalid DOCTYPE"),
            }
        }
    }

    /// A quoted literal, if one follows.
    fn literal(&mut self) -> Step<Option<&'t str>> {
        let quote = match self.rest().bytes().next() {
            Some(b'"') => "\"",
            Some(b'\'') => "'",
            _ => return Ok(None),
        };
        self.at += 1;
        self.until(quote, "a literal of the DOCTYPE is not closed").map(Some)
    }

    /// `SYSTEM "..."` or `PUBLIC "..." "..."`, if one of them follows.
    fn external(&mut self) -> Step<bool> {
        let literals = if self.eat("SYSTEM") {
            1
        } else if self.eat("PUBLIC") {
            2
        } else {
            return Ok(false);
        };
        for left in (1..=literals).rev() {
            let literal = if self.space() { self.literal()? } else { None };
            let public = |c: char| c.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(c);
            if literal.is_none_or(|text| left == 2 && !text.chars().all(public)) {
                return Err("an invalid external identifier");
            }
        }
        Ok(true)
    }

    /// `<!ENTITY`, `<!ELEMENT`, `<!ATTLIST` or `<!NOTATION` up to its `>`. Only entities are checked.
    fn declared(&mut self) -> Step {
        let entity = self.eat("<!ENTITY");
        if !entity && !["<!ELEMENT", "<!ATTLIST", "<!NOTATION"].iter().any(|w| self.eat(w)) {
            return Err("an unknown declaration in the DOCTYPE");
        }
        if !self.space() {
            return Err("invalid declaration in the DOCTYPE");
        }
        if entity {
            return self.entity();
        }
        self.unchecked = true;
        self.name()?;
        loop {
            let rest = self.rest();
            let end = rest.find(['"', '\'', '>']).ok_or("a declaration in the DOCTYPE is not closed")?;
            self.at += end;
            if self.eat(">") {
                return Ok(());
            }
            self.literal()?;
        }
    }

    /// `name "value">`, or an external identifier in place of the value; of a parameter entity after `%`.
    fn entity(&mut self) -> Step {
        let parameter = self.eat("%");
        if parameter && !self.space() {
            return Err("invalid declaration in the DOCTYPE");
        }
        let name = self.name()?;
        let spaced = self.space();
        let mut kind = Entity::Text;
        if let Some(value) = self.literal()? {
            self.references_of_value(value)?;
        } else if !self.external()? {
            return Err("an entity has no value");
        } else {
            kind = Entity::External;
            if self.space() && self.eat("NDATA") {
                if parameter || !self.space() {
                    return Err("invalid declaration in the DOCTYPE");
                }
                self.name()?;
                kind = Entity::Unparsed;
            }
        }
        self.space();
        if !spaced || !self.eat(">") {
            return Err("invalid declaration in the DOCTYPE");
        }
        if !parameter {
            self.entities.entry(name).or_insert(kind);
        }
        Ok(())
    }

    /// Checks the form of the references in an entity's value: what they name may come later.
    fn references_of_value(&mut self, value: &'t str) -> Step {
        for part in value.split('&').skip(1) {
            let name = part.split_once(';').ok_or("& without an entity")?.0;
            let valid = match name.strip_prefix('#') {
                Some(number) => character(number),
                None => name.starts_with(starts_name) && name.chars().all(in_name),
            };
            if !valid {
                return Err("& without an entity");
            }
            // What they stand for may be markup, or the entity itself.
            let number = name.strip_prefix('#').map(|n| n.trim_start_matches(['x', '0']));
            self.unchecked |= !matches!(name, "lt" | "gt" | "amp" | "quot" | "apos") && number.is_none_or(|n| matches!(n, "60" | "38" | "3c" | "3C" | "26"));
        }
        self.unchecked |= value.contains('<');
        // In the subset of a document, a parameter entity stands between declarations only.
        if value.contains('%') { Err("a parameter entity within a declaration") } else { Ok(()) }
    }

    /// The root element and all in it.
    fn elements(&mut self) -> Step {
        let mut open: Vec<&str> = Vec::new();
        loop {
            if open.is_empty() || self.rest().starts_with('<') {
                if self.eat("</") {
                    let name = self.name()?;
                    self.space();
                    if !self.eat(">") || open.pop() != Some(name) {
                        return Err("an end tag without its start tag");
                    }
                } else if !open.is_empty() && self.eat("<!--") {
                    self.comment()?;
                } else if !open.is_empty() && self.eat("<![CDATA[") {
                    self.until("]]>", "a CDATA section is not closed")?;
                } else if !open.is_empty() && self.eat("<?") {
                    self.instruction()?;
                } else {
                    self.eat("<");
                    let name = self.name()?;
                    open.push(name);
                    if self.keeps && self.paths.len() < PATHS && open.len() < 50 && open.iter().all(|n| n.len() < 100) {
                        self.paths.push(open.join("."));
                    }
                    if self.attributes()? {
                        open.pop();
                    }
                }
                if open.is_empty() {
                    return Ok(());
                }
                continue;
            }
            let rest = self.rest();
            let end = rest.find('<').ok_or("an element is not closed")?;
            self.references(&rest[..end], false)?;
            if let Some(at) = rest[..end].find("]]>") {
                self.at += at;
                return Err("]]> in text");
            }
            self.at += end;
        }
    }

    /// Reads to the end of a start tag; true if the element is empty.
    fn attributes(&mut self) -> Step<bool> {
        let mut names = BTreeSet::new();
        loop {
            let spaced = self.space();
            if self.eat("/>") {
                return Ok(true);
            }
            if self.eat(">") {
                return Ok(false);
            }
            if !spaced {
                return Err("invalid start tag");
            }
            if !names.insert(self.name()?) {
                return Err("an attribute twice");
            }
            let value = self.value()?;
            if value.contains('<') {
                return Err("< in an attribute's value");
            }
            self.references(value, true)?;
        }
    }

    /// Checks every `&` of a text.
    fn references(&self, text: &str, attribute: bool) -> Step {
        for part in text.split('&').skip(1) {
            // A name is short; what has no semicolon for long is none.
            let name = part.split_once(';').ok_or("& without an entity")?.0;
            let known = match name.strip_prefix('#') {
                Some(number) => character(number),
                None if matches!(name, "lt" | "gt" | "amp" | "quot" | "apos") => true,
                None => match self.entities.get(name) {
                    Some(kind) => *kind == Entity::Text || *kind == Entity::External && !attribute,
                    None => self.elsewhere && !self.standalone && name.starts_with(starts_name) && name.chars().all(in_name),
                },
            };
            if !known {
                return Err("an unknown entity");
            }
        }
        Ok(())
    }
}

/// Whether digits are those of a character: 65, x41.
fn character(number: &str) -> bool {
    let code = match number.strip_prefix('x') {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok(),
        None if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok(),
        _ => None,
    };
    code.and_then(char::from_u32).is_some_and(allowed)
}

fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn starts_name(c: char) -> bool {
    matches!(c, ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

fn in_name(c: char) -> bool {
    starts_name(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
