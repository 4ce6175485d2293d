//! The part of tree-sitter's C API (`tree_sitter/api.h`, 0.26.5) that builds a flat tree.

use std::ffi::{c_char, c_void, CStr};
use std::ptr;

/// A tree-sitter language; opaque.
#[repr(C)]
pub struct Language(u8);

/// A grammar that is linked into the module.
#[derive(Clone, Copy)]
pub struct Grammar(pub(crate) unsafe extern "C" fn() -> *const Language);

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct CNode {
    context: [u32; 4],
    id: *const c_void,
    tree: *const c_void,
}

#[repr(C)]
struct Point {
    row: u32,
    column: u32,
}

#[repr(C)]
struct Input {
    payload: *mut c_void,
    read: extern "C" fn(*mut c_void, u32, Point, *mut u32) -> *const c_char,
    encoding: u32,
    decode: *const c_void,
}

#[repr(C)]
struct State {
    payload: *mut c_void,
    offset: u32,
    has_error: bool,
}

#[repr(C)]
struct Options {
    payload: *mut c_void,
    progress: extern "C" fn(*mut State) -> bool,
}

extern "C" {
    fn ts_parser_new() -> *mut c_void;
    fn ts_parser_set_language(parser: *mut c_void, language: *const Language) -> bool;
    fn ts_parser_parse_with_options(parser: *mut c_void, old: *const c_void, input: Input, options: Options) -> *mut c_void;
    fn ts_tree_root_node(tree: *const c_void) -> CNode;
    fn ts_node_start_byte(node: CNode) -> u32;
    fn ts_node_end_byte(node: CNode) -> u32;
    static mut rubric_errors: u32; // of the present parse, which grammars/build.sh makes the parser count
    fn rubric_flatten(tree: *const c_void, count: *mut u32) -> *const Seen;
    fn ts_query_new(language: *const Language, source: *const u8, len: u32, error_offset: *mut u32, error_type: *mut u32) -> *mut c_void;
    fn ts_query_predicates_for_pattern(query: *const c_void, pattern: u32, len: *mut u32) -> *const PredicateStep;
    fn ts_query_pattern_count(query: *const c_void) -> u32;
    fn ts_query_capture_count(query: *const c_void) -> u32;
    fn ts_query_capture_name_for_id(query: *const c_void, id: u32, len: *mut u32) -> *const u8;
    fn ts_query_string_value_for_id(query: *const c_void, id: u32, len: *mut u32) -> *const u8;
    fn ts_query_cursor_new() -> *mut c_void;
    fn ts_query_cursor_set_match_limit(cursor: *mut c_void, limit: u32);
    fn ts_query_cursor_did_exceed_match_limit(cursor: *const c_void) -> bool;
    fn ts_query_cursor_exec(cursor: *mut c_void, query: *const c_void, node: CNode);
    fn ts_query_cursor_next_match(cursor: *mut c_void, found: *mut CMatch) -> bool;
    fn ts_language_symbol_name(language: *const Language, symbol: u16) -> *const c_char;
    fn ts_language_field_name_for_id(language: *const Language, field: u16) -> *const c_char;
}

#[repr(C)]
struct PredicateStep {
    kind: u32,
    id: u32,
}

#[repr(C)]
struct CCapture {
    node: CNode,
    index: u32,
}

#[repr(C)]
struct CMatch {
    id: u32,
    pattern: u16,
    captures_len: u16,
    captures: *const CCapture,
}

/// What the callbacks of a parse share.
struct Source<'a> {
    text: &'a [u8],
    steps: u32,
    errors: u32,
}

/// What a parser may take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Hundreds of steps.
    pub steps: u32,
    /// Errors that it tries to get over, which costs as much as some hundred steps each.
    pub errors: u32,
}

extern "C" fn read(payload: *mut c_void, at: u32, _: Point, len: *mut u32) -> *const c_char {
    // Payload is the Source of `parse`, which outlives the call.
    let text = unsafe { &*payload.cast::<Source>() }.text;
    let rest = &text[(at as usize).min(text.len())..];
    unsafe { *len = rest.len() as u32 };
    rest.as_ptr().cast()
}

extern "C" fn progress(state: *mut State) -> bool {
    let source = unsafe { &mut *(*state).payload.cast::<Source>() };
    source.steps = source.steps.saturating_sub(1);
    source.steps == 0 || unsafe { rubric_errors } > source.errors // true stops the parser
}

/// One node, as `grammars/flat.c` writes it.
#[repr(C)]
pub(crate) struct Seen {
    pub start: u32,
    pub end: u32,
    pub parent: u32,
    pub last: u32,
    pub symbol: u16,
    pub field: u16,
    pub named: bool,
    pub missing: bool,
    pub faulty: bool,
}

/// The root of a parsed tree. Neither parser nor tree are freed: the memory of a call is
/// restored as a whole.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    language: *const Language,
    node: CNode,
}

impl Root {
    /// Parses a text; `None` if the parser took more steps.
    pub fn parse(grammar: Grammar, text: &str, limits: Limits) -> Option<Root> {
        let mut source = Source { text: text.as_bytes(), steps: limits.steps, errors: limits.errors };
        let payload = ptr::from_mut(&mut source).cast();
        unsafe {
            rubric_errors = 0;
            let language = (grammar.0)();
            let parser = ts_parser_new();
            assert!(ts_parser_set_language(parser, language), "the grammar does not fit this tree-sitter");
            let input = Input { payload, read, encoding: 0, decode: ptr::null() };
            let tree = ts_parser_parse_with_options(parser, ptr::null(), input, Options { payload, progress });
            (!tree.is_null()).then(|| Root { language, node: ts_tree_root_node(tree) })
        }
    }

    /// The nodes that the grammar does not hide, in preorder.
    pub fn flatten(&self) -> &'static [Seen] {
        let mut count = 0;
        unsafe {
            let nodes = rubric_flatten(self.node.tree, &mut count);
            std::slice::from_raw_parts(nodes, count as usize)
        }
    }

    pub fn symbol_name(&self, symbol: u16) -> &'static str {
        name(unsafe { ts_language_symbol_name(self.language, symbol) })
    }

    pub fn field_name(&self, field: u16) -> &'static str {
        name(unsafe { ts_language_field_name_for_id(self.language, field) })
    }
}

/// A part of a predicate of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    End,
    Capture(u32),
    Text(&'static str),
}

/// A compiled query. It is not freed: the memory of a call is restored as a whole.
pub(crate) struct CQuery(*mut c_void);

impl CQuery {
    /// Compiles a query; otherwise the byte of the error and its kind.
    pub fn new(root: Root, text: &str) -> Result<CQuery, (usize, u32)> {
        let (mut at, mut kind) = (0, 0);
        let query = unsafe { ts_query_new(root.language, text.as_ptr(), text.len() as u32, &mut at, &mut kind) };
        if query.is_null() {
            return Err((at as usize, kind));
        }
        Ok(CQuery(query))
    }

    /// The names of the captures.
    pub fn captures(&self) -> Vec<&'static str> {
        (0..unsafe { ts_query_capture_count(self.0) }).map(|id| text(|len| unsafe { ts_query_capture_name_for_id(self.0, id, len) })).collect()
    }

    /// The predicates of each pattern, one after the other.
    pub fn predicates(&self) -> Vec<Vec<Step>> {
        let patterns = unsafe { ts_query_pattern_count(self.0) };
        (0..patterns)
            .map(|pattern| {
                let mut len = 0;
                let steps = unsafe { ts_query_predicates_for_pattern(self.0, pattern, &mut len) };
                let steps = if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(steps, len as usize) } };
                steps
                    .iter()
                    .map(|s| match s.kind {
                        0 => Step::End,
                        1 => Step::Capture(s.id),
                        _ => Step::Text(text(|len| unsafe { ts_query_string_value_for_id(self.0, s.id, len) })),
                    })
                    .collect()
            })
            .collect()
    }

    /// Calls `found` with the pattern of each match and its captures: number, first byte, one
    /// past the last. False: the query has more than `limit` matches open at once.
    pub fn matches(&self, root: Root, limit: u32, mut found: impl FnMut(usize, &[(u32, usize, usize)])) -> bool {
        unsafe {
            let cursor = ts_query_cursor_new();
            ts_query_cursor_set_match_limit(cursor, limit);
            ts_query_cursor_exec(cursor, self.0, root.node);
            let mut m = CMatch { id: 0, pattern: 0, captures_len: 0, captures: ptr::null() };
            let mut captures = Vec::new();
            while ts_query_cursor_next_match(cursor, &mut m) {
                captures.clear();
                for i in 0..usize::from(m.captures_len) {
                    let c = &*m.captures.add(i);
                    captures.push((c.index, ts_node_start_byte(c.node) as usize, ts_node_end_byte(c.node) as usize));
                }
                found(usize::from(m.pattern), &captures);
            }
            !ts_query_cursor_did_exceed_match_limit(cursor)
        }
    }
}

/// A text that a query keeps, which is never freed.
fn text(get: impl FnOnce(*mut u32) -> *const u8) -> &'static str {
    let mut len = 0;
    let at = get(&mut len);
    if at.is_null() {
        return "";
    }
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(at, len as usize) }).unwrap_or("")
}

/// A name of a grammar: static, ASCII.
fn name(text: *const c_char) -> &'static str {
    if text.is_null() {
        return "";
    }
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}
