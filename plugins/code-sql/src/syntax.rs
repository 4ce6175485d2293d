//! Syntax of SQL: SQLite's own grammar, and sqlparser's for the other dialects. The parsers of
//! sqlparser refuse some statements of their databases, so that their no is a finding only where
//! no dialect could say yes.

use rubric_host_code::{Findings, Tree};
use rubric_host_sdk::{Config, Error, Result};
use sqlite3_parser::lexer::sql::{Error as Refused, Parser as SQLite};
use sqlite3_parser::{Bump, FallibleIterator};
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, DatabricksDialect, Dialect, DuckDbDialect, GenericDialect, HiveDialect,
    MsSqlDialect, MySqlDialect, OracleDialect, PostgreSqlDialect, RedshiftSqlDialect, SnowflakeDialect,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

/// Longest code for sqlparser, in bytes: its tokens and trees take 1,000 times that in all dialects.
const MOST_BYTES: usize = 100_000;

/// Levels of nesting that sqlparser takes; each is some kilobytes of the stack.
const MOST_DEPTH: usize = 50;

/// Joins, unions and the like, by which sqlparser nests without counting it.
const MOST_CHAINED: usize = 500;

/// Joins that wait for their ON: sqlparser nests for each, in 5 kB of the stack.
const MOST_PENDING: usize = 100;

/// Words that begin a statement or a batch in a database, and are not keywords of sqlparser.
const BEGINNINGS: [&str; 32] = [
    "analyse", "bulk", "checkpoint", "checksum", "dbcc", "del", "go", "goto", "handler", "help", "invalidate", "iterate", "leave", "let",
    "locking", "loop", "move", "pause", "preload", "prompt", "reassign", "recompress", "reconfigure", "repeat", "resignal", "restore",
    "resume", "revert", "save", "stop", "undrop", "waitfor",
];

/// Words of clauses and operators in a database that are names to sqlparser.
const CLAUSES: [&str; 12] = ["bulk", "dumpfile", "eq", "ge", "gt", "label", "le", "lt", "ne", "outfile", "preferring", "wait"];

/// An error and its place in the text.
struct Fault {
    at: usize,
    end: usize,
    message: String,
}

pub fn rules(tree: &Tree, config: &Config, findings: &mut Findings) -> Result<()> {
    let dialect = config.text("dialect", "any")?;
    if !matches!(dialect, "any" | "postgresql" | "sqlite") {
        return Err(Error::new(format!("config dialect is \"{dialect}\": use any, postgresql or sqlite")));
    }
    let by_tree = std::mem::take(&mut findings.list).is_empty();
    // A byte order mark is white space for SQLite, and no token for the other parsers.
    let marked = tree.text.strip_prefix('\u{feff}').map(|rest| format!("   {rest}"));
    let text = marked.as_deref().unwrap_or(tree.text);
    let verdict = match sqlite(text) {
        Ok(()) => Verdict::Valid,
        Err(fault) if dialect == "sqlite" => Verdict::Invalid(fault),
        Err(_) => others(text, by_tree),
    };
    match verdict {
        Verdict::Valid if dialect == "postgresql" => findings.undecided = of_others(text),
        Verdict::Valid => {}
        Verdict::Invalid(f) => findings.add("syntax-error", f.at, f.end, f.message),
        Verdict::Unknown(why) => findings.undecided = Some(why),
    }
    Ok(())
}

fn sqlite(text: &str) -> std::result::Result<(), Fault> {
    let bump = Bump::new();
    let mut parser = SQLite::new(&bump, text.as_bytes());
    loop {
        match parser.next() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            // For SQLite, the end of the text ends a comment.
            Err(Refused::UnterminatedBlockComment(_)) if !text.ends_with("*/") => return sqlite(&format!("{text}*/")),
            Err(e) => return Err(sqlite_fault(text, &e)),
        }
    }
}

fn sqlite_fault(text: &str, e: &Refused) -> Fault {
    let (message, position) = match e {
        Refused::Io(_) => ("syntax error".into(), &None),
        Refused::UnrecognizedToken(p) => ("unrecognized token".into(), p),
        Refused::UnterminatedLiteral(p) => ("unterminated string or name".into(), p),
        Refused::UnterminatedBracket(p) => ("unterminated [".into(), p),
        Refused::UnterminatedBlockComment(p) => ("unterminated comment".into(), p),
        Refused::BadVariableName(p) => ("invalid name of a parameter".into(), p),
        Refused::BadNumber(p) => ("invalid number".into(), p),
        Refused::ExpectedEqualsSign(p) => ("expected = after !".into(), p),
        Refused::MalformedBlobLiteral(p) => ("invalid blob".into(), p),
        Refused::MalformedHexInteger(p) => ("invalid hexadecimal number".into(), p),
        Refused::ParserError(what, p) => (what.to_string(), p),
        _ => ("syntax error".into(), &None),
    };
    // Columns count bytes.
    let at = position
        .as_ref()
        .map_or(0, |p| text.split_inclusive('\n').take(p.line - 1).map(str::len).sum::<usize>() + p.column - 1);
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    Fault { at, end: at, message }
}

enum Verdict {
    Valid,
    Invalid(Fault),
    Unknown(String),
}

/// The verdict of the other dialects. `by_tree`: whether tree-sitter, a third opinion, accepts.
fn others(text: &str, by_tree: bool) -> Verdict {
    if text.len() > MOST_BYTES {
        return Verdict::Unknown(format!(
            "SQLite refuses the code, and of {} bytes other dialects are not tried; the limit is {MOST_BYTES}",
            text.len()
        ));
    }
    let generic = match Tokenizer::new(&GenericDialect {}, text).tokenize_with_location() {
        Ok(tokens) => tokens,
        Err(e) => return in_any(text, || Verdict::Invalid(fault(text, e.location, e.location, e.message))),
    };
    let tokens = visible(&generic);
    if let Some(why) = beyond(&tokens) {
        return Verdict::Unknown(why);
    }
    // To MySQL, # begins a comment.
    let comments = text.contains('#').then(|| Tokenizer::new(&MySqlDialect {}, text).tokenize_with_location().ok()).flatten();
    let commented = comments.is_some_and(|tokens| nonsense(text, &visible(&tokens)).is_none());
    if let Some((t, message)) = nonsense(text, &tokens).filter(|_| !commented) {
        let place = t.map_or(end(text), |t| t.span.start);
        return Verdict::Invalid(fault(text, place, t.map_or(place, |t| t.span.end), message));
    }
    let item = |t: &TokenWithSpan, k| t.token == Token::Comma || word(Some(&t)) == Some(k);
    let reserved = tokens.windows(3).find(|w| item(w[0], Keyword::SELECT) && matches!(word(Some(&w[1])), Some(Keyword::GROUP | Keyword::ORDER)) && item(w[2], Keyword::FROM));
    if let Some(w) = reserved {
        return Verdict::Unknown(format!("{} is a name in few databases", w[1].token));
    }
    let error = match Parser::new(&GenericDialect {})
        .with_recursion_limit(MOST_DEPTH)
        .with_tokens_with_locations(generic.clone())
        .parse_statements()
    {
        Ok(_) => return Verdict::Valid,
        Err(ParserError::RecursionLimitExceeded) => {
            return Verdict::Unknown(format!("the output's code nests more than {MOST_DEPTH} levels deep"))
        }
        Err(ParserError::TokenizerError(m) | ParserError::ParserError(m)) => m,
    };
    in_any(text, || {
        let (message, place) = place(&error);
        let found = place.map(|at| tokens.iter().position(|t| t.span.start >= at).unwrap_or(tokens.len()));
        let found = found.unwrap_or(tokens.len());
        let from = place.unwrap_or_else(|| end(text));
        let to = tokens.get(found).map_or(from, |t| t.span.end);
        let fault = fault(text, from, to, message);
        if !by_tree && error.contains("found: ") && proves(&tokens, found) {
            return Verdict::Invalid(fault);
        }
        Verdict::Unknown(format!(
            "the parsers do not know this statement, which some database may: {} at byte {}; dialect: sqlite decides for SQLite",
            fault.message, fault.at
        ))
    })
}

/// Why tokens are not given to sqlparser.
fn beyond(tokens: &[&TokenWithSpan]) -> Option<String> {
    if pending(tokens) > MOST_PENDING {
        return Some(format!("the output's code has more than {MOST_PENDING} joins that wait for their ON"));
    }
    let chained = tokens.iter().filter(|t| is_chained(t)).count();
    (chained > MOST_CHAINED).then(|| format!("the output's code joins {chained} parts by operators such as JOIN and UNION; the limit is {MOST_CHAINED}"))
}

fn visible(tokens: &[TokenWithSpan]) -> Vec<&TokenWithSpan> {
    tokens.iter().filter(|t| !matches!(t.token, Token::Whitespace(_) | Token::EOF)).collect()
}

/// Valid if a dialect accepts the text, else what another has found.
fn in_any(text: &str, otherwise: impl FnOnce() -> Verdict) -> Verdict {
    let dialects: [&dyn Dialect; 12] = [
        &PostgreSqlDialect {},
        &MySqlDialect {},
        &MsSqlDialect {},
        &BigQueryDialect {},
        &SnowflakeDialect {},
        &DuckDbDialect {},
        &ClickHouseDialect {},
        &HiveDialect {},
        &RedshiftSqlDialect {},
        &DatabricksDialect {},
        &OracleDialect {},
        &sqlparser::dialect::SQLiteDialect {},
    ];
    for dialect in dialects {
        let parser = Parser::new(dialect).with_recursion_limit(MOST_DEPTH).try_with_sql(text);
        if parser.and_then(|mut p| p.parse_statements()).is_ok() {
            return Verdict::Valid;
        }
    }
    otherwise()
}

/// Words of other databases that sqlparser takes in queries of PostgreSQL. As names they have no score either.
const FOREIGN: [&str; 19] = [
    "against", "apply", "convert", "distinctrow", "duplicate", "nolock", "outfile", "pivot", "prewhere", "qualify", "regexp", "rlike", "safe_cast", "straight_join", "top", "try_cast", "unpivot",
    "unsigned", "xor",
];

/// Why a text that some database accepts may be none of PostgreSQL.
fn of_others(text: &str) -> Option<String> {
    if text.len() > MOST_BYTES {
        return Some(format!("the output's code has {} bytes; the limit is {MOST_BYTES}", text.len()));
    }
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location();
    let Ok(tokens) = tokens else { return Some("sqlparser does not know the code as PostgreSQL's".into()) };
    if let Some(why) = beyond(&visible(&tokens)) {
        return Some(why);
    }
    let parsed = Parser::new(&PostgreSqlDialect {}).with_recursion_limit(MOST_DEPTH).with_tokens_with_locations(tokens.clone()).parse_statements();
    if let Err(e) = parsed {
        return Some(format!("sqlparser does not know the code as PostgreSQL's, though a parser of another database does: {e}"));
    }
    foreign(&visible(&tokens))
}

/// Why tokens that sqlparser accepts may be none of PostgreSQL: of statements but queries and changes of rows, it takes those of any database.
fn foreign(all: &[&TokenWithSpan]) -> Option<String> {
    use Keyword::{
        ALL, ANY, ARRAY, AS, BY, DELETE, DISTINCT, EXCEPT, FOR, FROM, INSERT, INTERSECT, INTERVAL, INTO, JOIN, JSON, LATERAL, LIMIT, MAP, OFFSET, ON, OPTION, OR, ORDER, SELECT, SET, STRUCT, TABLE, TABLESAMPLE, UNION, UNIQUE, UPDATE,
        USING, VALUES, VIEW, WITH, XML,
    };
    let cannot = |what: &str| Some(format!("the code has {what}, which in PostgreSQL cannot stand there, or is a name"));
    for statement in all.split(|t| t.token == Token::SemiColon) {
        let (begins, mut depth, mut set) = (word(statement.first()), 0_i32, false);
        if statement.first().is_some_and(|t| t.token != Token::LParen) && !matches!(begins, Some(DELETE | INSERT | SELECT | UPDATE | VALUES | WITH)) {
            return Some(format!("dialect postgresql has no score for {}", statement[0].token));
        }
        for (i, t) in statement.iter().enumerate() {
            let (next, after) = (statement.get(i + 1), statement.get(i + 2));
            let is = |t: Option<&&TokenWithSpan>, token: Token| t.is_some_and(|t| t.token == token);
            let literal = |t: Option<&&TokenWithSpan>| matches!(t.map(|t| &t.token), Some(Token::SingleQuotedString(_)));
            let before = i.checked_sub(1).and_then(|i| statement.get(i));
            depth += i32::from(t.token == Token::LParen) - i32::from(t.token == Token::RParen);
            let other = match (word(Some(t)), word(next)) {
                _ if is(before, Token::Period) || word(before) == Some(AS) => false,
                (Some(INSERT), follows) if i == 0 => follows != Some(INTO),
                (Some(FROM), _) if depth == 0 && literal(next) => true,
                (Some(INSERT | UPDATE), Some(OR)) | (Some(LATERAL), Some(VIEW)) | (Some(FOR), Some(JSON | XML)) | (Some(SELECT), Some(UNIQUE)) | (Some(WITH), Some(OFFSET)) => true,
                (Some(BY), Some(ALL)) | (Some(ALL | DISTINCT | EXCEPT | INTERSECT | UNION), Some(BY)) => true,
                (Some(DELETE), follows) if i == 0 => follows != Some(FROM),
                (Some(SET), _) if depth == 0 => std::mem::replace(&mut set, true) && begins == Some(UPDATE),
                (Some(JOIN), _) if depth == 0 && begins == Some(UPDATE) => !set,
                (Some(LIMIT | ORDER), _) if depth == 0 => matches!(begins, Some(UPDATE | DELETE)),
                (Some(INTERVAL), _) => matches!(next.map(|n| &n.token), Some(Token::Number(..))),
                (Some(ARRAY | MAP | STRUCT), _) if is(next, Token::Lt) => true,
                (Some(OPTION | TABLE | TABLESAMPLE), _) if is(next, Token::LParen) => true,
                (Some(ANY), _) if !is(next, Token::LParen) => true,
                (Some(ALL | ANY), _) => literal(after) && is(statement.get(i + 3), Token::Comma),
                _ if t.token == Token::LBrace => true,
                _ if t.token == Token::Comma && depth == 0 && begins == Some(DELETE) => !statement[..i].iter().any(|t| matches!(word(Some(t)), Some(USING)) || is_word(Some(t), &["returning", "where"])),
                _ if is_word(Some(t), &["anti", "asof", "semi"]) => word(next) == Some(JOIN),
                _ if is_word(Some(t), &["ignore", "respect"]) => is_word(next, &["nulls"]),
                _ if is_word(Some(t), &["current_date", "current_timestamp"]) => is(next, Token::LParen) && is(after, Token::RParen),
                _ if is_word(Some(t), &["position"]) && is(next, Token::LParen) => !statement[i..].iter().any(|t| is_word(Some(t), &["in"])),
                _ if is_word(Some(t), &["format"]) => literal(next),
                _ if is_word(Some(t), &["output"]) => depth == 0 && matches!(begins, Some(DELETE | INSERT | UPDATE)),
                _ => is_word(Some(t), &FOREIGN),
            };
            if other {
                return cannot(&t.token.to_string());
            }
        }
        let joins = statement.windows(2).filter(|w| word(Some(&w[1])) == Some(JOIN) && !is_word(Some(&w[0]), &["cross"])).count();
        let conditions = statement.iter().filter(|t| matches!(word(Some(t)), Some(ON | USING))).count();
        if joins > conditions && !statement.iter().any(|t| is_word(Some(t), &["natural"])) {
            return cannot("JOIN without ON");
        }
    }
    None
}

/// Takes the place off an error of sqlparser; without one it is at the end.
fn place(error: &str) -> (String, Option<Location>) {
    let Some((message, at)) = error.rsplit_once(" at Line: ") else { return (error.replace("EOF", "the end"), None) };
    let location = at
        .split_once(", Column: ")
        .and_then(|(line, column)| Some(Location { line: line.parse().ok()?, column: column.parse().ok()? }));
    (message.into(), location)
}

fn end(text: &str) -> Location {
    let line = text.matches('\n').count() as u64 + 1;
    Location { line, column: text.rsplit('\n').next().unwrap_or("").chars().count() as u64 + 1 }
}

fn fault(text: &str, from: Location, to: Location, message: String) -> Fault {
    let at = byte(text, from);
    Fault { at, end: byte(text, to).max(at), message }
}

/// The byte of a line and column, which count characters from 1.
fn byte(text: &str, at: Location) -> usize {
    let line: usize = text.split_inclusive('\n').take(at.line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &text[line..];
    line + rest.char_indices().nth(at.column.saturating_sub(1) as usize).map_or(rest.len(), |(i, _)| i)
}

/// The reserved word that a token is.
fn word(token: Option<&&TokenWithSpan>) -> Option<Keyword> {
    match token.map(|t| &t.token) {
        Some(Token::Word(w)) if w.quote_style.is_none() => Some(w.keyword),
        _ => None,
    }
}

/// The most joins that wait for their ON or USING.
fn pending(tokens: &[&TokenWithSpan]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for t in tokens {
        now = match word(Some(t)) {
            Some(Keyword::JOIN) => now + 1,
            Some(Keyword::ON | Keyword::USING) => now.saturating_sub(1),
            _ if t.token == Token::SemiColon => 0,
            _ => now,
        };
        most = most.max(now);
    }
    most
}

/// Reports whether a token joins operands to a chain that sqlparser reads or drops by recursion.
fn is_chained(t: &TokenWithSpan) -> bool {
    use Keyword::{AT, COLLATE, EXCEPT, INTERSECT, IS, JOIN, MINUS, UNION};
    matches!(t.token, Token::DoubleColon | Token::LBracket)
        || word(Some(&t)).is_some_and(|k| matches!(k, AT | COLLATE | EXCEPT | INTERSECT | IS | JOIN | MINUS | UNION))
}

fn is_word(token: Option<&&TokenWithSpan>, words: &[&str]) -> bool {
    matches!(token.map(|t| &t.token), Some(Token::Word(w)) if words.iter().any(|b| w.value.eq_ignore_ascii_case(b)))
}

/// Reports whether tokens begin with one of [`BEGINNINGS`], or with the label of a block or loop.
fn may_begin(tokens: &[&TokenWithSpan]) -> bool {
    use Keyword::{BEGIN, FOR, WHILE};
    let block = tokens.get(2);
    is_word(tokens.first(), &BEGINNINGS)
        || tokens.get(1).is_some_and(|t| t.token == Token::Colon)
            && (matches!(word(block), Some(BEGIN | FOR | WHILE)) || is_word(block, &["loop", "repeat"]))
}

/// Whether a statement is CREATE RULE of PostgreSQL, which has statements in brackets.
fn is_rule(tokens: &[&TokenWithSpan]) -> bool {
    tokens.iter().take(4).any(|t| matches!(&t.token, Token::Word(w) if w.value.eq_ignore_ascii_case("rule")))
}

/// Words that are reserved everywhere, and begin a clause.
fn is_clause(k: Keyword) -> bool {
    use Keyword::{FROM, GROUP, HAVING, ORDER, UNION, WHERE};
    matches!(k, FROM | WHERE | GROUP | HAVING | ORDER | UNION)
}

/// What no dialect allows: brackets that do not match, and words after which an expression or a
/// name must come, and none does. No token: the end.
fn nonsense<'t>(text: &str, tokens: &[&'t TokenWithSpan]) -> Option<(Option<&'t TokenWithSpan>, String)> {
    use Keyword::{
        ALTER, AND, AS, BEGIN, BETWEEN, BY, CASE, CREATE, CROSS, DELETE, DISTINCT, DROP, END, FETCH, FROM, FULL, GROUP, HAVING, IN, INNER, INSERT,
        INTO, IS, JOIN, LEFT, LIKE, LIMIT, NOT, ON, OR, ORDER, PARTITION, RETURNING, REVOKE, RIGHT, SELECT, SET, TABLE, THEN, TRUNCATE, UNION, UNIQUE, UPDATE,
        USING, VALUES, WHEN, WHERE, WINDOW, WITH,
    };
    let mut open: Vec<usize> = Vec::new();
    let has = |k| tokens.iter().any(|t| word(Some(t)) == Some(k));
    let queries = has(CASE) && !has(BEGIN); // no blocks, which end by END, too
    let mut cases = 0;
    // To some dialects @( is an operator and a bracket, to sqlparser one token.
    let more = text.matches(')').count() > text.matches('(').count();
    let update = word(tokens.first()) == Some(UPDATE);
    let mut start = 0; // of the statement
    let starts = match tokens.first().map(|t| &t.token) {
        Some(Token::Word(w)) => w.quote_style.is_none() && w.keyword != Keyword::NoKeyword || may_begin(tokens),
        Some(Token::LParen | Token::SemiColon) | None => true,
        Some(Token::Sharp) => true, // a comment to some
        // A parameter of a shell or template may stand for a statement.
        Some(
            Token::Placeholder(_) | Token::LBrace | Token::Char(_) | Token::Mod | Token::AtSign | Token::Backslash,
        ) => true,
        _ => false,
    };
    if !starts {
        return Some((Some(tokens[0]), format!("expected a statement, found {}", tokens[0].token)));
    }
    for (i, t) in tokens.iter().enumerate() {
        match t.token {
            Token::LParen => open.push(i),
            Token::RParen if open.pop().is_none() && more => {
                return Some((Some(t), "unmatched )".into()));
            }
            // Some dialects allow a comma at the end of a list, but not after SET.
            Token::Comma
                if tokens.get(i + 1).is_some_and(|n| n.token == Token::Comma)
                    || word(tokens.get(i + 1)) == Some(ON)
                    || word(tokens.get(i + 1)) == Some(ORDER) && open.last().is_some_and(|o| word(tokens.get(o + 1)) == Some(PARTITION))
                    || update && word(tokens.get(i + 1)) == Some(WHERE) =>
            {
                return Some((
                    Some(tokens[i + 1]),
                    format!("expected an expression or a name after ,, found {}", tokens[i + 1].token),
                ));
            }
            Token::Plus | Token::Minus | Token::Div | Token::Pipe | Token::DoubleColon | Token::StringConcat | Token::Eq | Token::DoubleEq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq
                if (matches!(word(tokens.get(i + 1)), Some(AS | FROM | WHERE)) || matches!(word(tokens.get(i + 1)), Some(GROUP | ORDER)) && word(tokens.get(i + 2)) == Some(BY)) && !(t.token == Token::Gt && is_type(&tokens[..i])) =>
            {
                return Some((Some(tokens[i + 1]), format!("expected an expression after {}, found {}", t.token, tokens[i + 1].token)));
            }
            Token::Eq if tokens.get(i + 1).is_some_and(|n| n.token == Token::Eq) && !tokens[start..].iter().take(4).any(|t| is_word(Some(t), &["operator"])) => {
                return Some((Some(tokens[i + 1]), "expected an expression after =, found =".into()));
            }
            Token::Mul if !is_star(&tokens[..i], &tokens[i + 1..]) => {
                return Some((Some(t), "expected an expression or a comma beside *".into()));
            }
            Token::SemiColon if open.is_empty() => start = i + 1,
            Token::SemiColon if !is_rule(&tokens[start..]) => return Some((Some(t), "expected ), found ;".into())),
            _ => {}
        }
        let Some(k) = word(Some(t)) else { continue };
        let before = i.checked_sub(1).and_then(|i| tokens.get(i));
        if before.is_some_and(|b| b.token == Token::Period) || word(before) == Some(AS) && !matches!(k, CASE | SELECT) {
            continue; // a column may have any name
        }
        cases += match k {
            CASE if word(before) != Some(END) => 1, // END CASE ends one
            END => -1,
            _ => 0,
        };
        let next = tokens.get(i + 1);
        let nothing = matches!(next.map(|n| &n.token), None | Some(Token::SemiColon | Token::RParen | Token::Comma));
        let follows = word(next);
        let clause = follows.is_some_and(is_clause);
        let last = matches!(next.map(|n| &n.token), None | Some(Token::SemiColon));
        let compared = matches!(next.map(|n| &n.token), Some(Token::Eq | Token::DoubleEq | Token::Neq | Token::LtEq | Token::GtEq));
        let wrong = match k {
            ALTER | CREATE | CROSS | DELETE | DISTINCT | DROP | FETCH | FULL | IN | INNER | INSERT | IS | LEFT | RETURNING | RIGHT | UNIQUE | UPDATE | USING | VALUES | WINDOW
                if follows == Some(k) => true,
            SET if follows == Some(SET) => tokens.get(i + 2).is_none_or(|t| t.token != Token::Eq), // a column may be called set
            LIMIT => follows == Some(LIMIT) || last && !awaits_name(before),
            END => cases < 0 && word(before) == Some(END) && queries,
            AND | HAVING | OR | WHERE if matches!(follows, Some(BETWEEN | IN | IS | LIKE)) && tokens.get(i + 2).is_some_and(|t| t.token != Token::LParen) => true, // like(a, b) is a call
            SELECT if follows == Some(AS) => word(tokens.get(i + 3)) == Some(FROM),
            SELECT if matches!(follows, Some(IN | IS | LIKE)) && tokens.get(i + 2).is_some_and(|t| t.token != Token::LParen) => true,
            AND | HAVING | OR | WHERE if follows == Some(IN) => true,
            NOT if follows == Some(IN) && matches!(word(before), Some(AND | HAVING | OR | WHERE)) => true,
            IN | IS if clause => true,
            AND | BETWEEN | HAVING | LIKE | NOT | OR | WHERE if compared => true,
            BETWEEN | LIKE => nothing || clause,
            WHERE | HAVING | BY => nothing || clause || matches!(follows, Some(AND | OR | SELECT)),
            AND | OR => nothing || clause && word(before) != Some(GROUP) || matches!(follows, Some(AND | OR | SELECT | THEN)),
            NOT => nothing || clause || matches!(follows, Some(AND | OR)),
            FROM if follows == Some(SELECT) => word(tokens.get(start)) != Some(Keyword::PREPARE),
            FROM => nothing || clause && !(follows == Some(GROUP) && tokens[start..i].iter().any(|t| word(Some(t)) == Some(REVOKE))) || matches!(follows, Some(AND | AS | OR | ON | JOIN)),
            JOIN | UNION if is_word(before, &["concat", "hash", "loop", "merge"]) => last, // OPTION (HASH JOIN)
            JOIN => nothing || clause || matches!(follows, Some(AND | AS | OR | ON | JOIN | SELECT | USING)),
            WITH => matches!(next.map(|n| &n.token), None | Some(Token::SemiColon)),
            UNION => nothing || clause,
            TABLE => clause && matches!(word(before), Some(ALTER | CREATE | DROP | TRUNCATE)),
            INTO if follows == Some(VALUES) => tokens.get(i + 2).is_some_and(|t| t.token == Token::LParen),
            INTO => nothing || matches!(follows, Some(SELECT | FROM | WHERE | GROUP | INTO | ORDER)),
            SELECT => matches!(follows, Some(SELECT | BY | AND | OR | THEN)),
            // SELECT 1 AS from FROM t, CREATE TABLE t AS FROM u
            AS => matches!(follows, Some(FROM | WHERE | AND | OR)) && word(tokens.get(i + 2)) != Some(FROM) && word(tokens.get(start)) != Some(CREATE),
            CASE if word(before) == Some(END) => false,
            CASE => nothing || clause || matches!(follows, Some(END | THEN | Keyword::ELSE)),
            WHEN | THEN => nothing || clause || matches!(follows, Some(THEN | WHEN | END)),
            DISTINCT if word(before) == Some(IS) || word(before) == Some(NOT) && word(tokens.get(i.wrapping_sub(2))) == Some(IS) => follows != Some(FROM),
            DISTINCT => clause || last && matches!(word(before), Some(SELECT | UNION)),
            _ => false,
        };
        if wrong {
            let found = next.map_or("the end".into(), |n| n.token.to_string());
            return Some((next.copied(), format!("expected an expression or a name after {}, found {found}", t.token)));
        }
    }
    if let Some(&i) = open.first() {
        return Some((Some(tokens[i]), "( is not closed".into()));
    }
    let count = |token: Token| tokens.iter().filter(|t| t.token == token).count();
    if count(Token::LBrace) != count(Token::RBrace) {
        return Some((None, "a { has no }, or a } no {".into()));
    }
    let last = tokens.last()?;
    if cases > 0 {
        return Some((None, "expected END, found the end".into()));
    }
    (update && last.token == Token::Comma).then(|| (Some(*last), "expected a column after ,".into()))
}

/// Reports whether a > ends the arguments of a type, as in `x::ARRAY<INT>`.
fn is_type(before: &[&TokenWithSpan]) -> bool {
    let inside = |t: &&TokenWithSpan| matches!(t.token, Token::Word(_) | Token::Comma | Token::Gt | Token::Colon | Token::Number(..));
    let open = before.iter().rposition(|t| !inside(t));
    open.is_some_and(|i| i > 0 && before[i].token == Token::Lt && word(before.get(i - 1)).is_some_and(|k| k != Keyword::NoKeyword))
}

/// Reports whether a name follows a token, such as a column of SQL Server that is called limit.
fn awaits_name(before: Option<&&TokenWithSpan>) -> bool {
    use Keyword::{AND, AS, BY, FROM, NOT, ON, OR, SELECT, SET, WHERE};
    matches!(word(before), Some(AND | AS | BY | FROM | NOT | ON | OR | SELECT | SET | WHERE))
        || matches!(before.map(|t| &t.token), Some(Token::Comma | Token::Period | Token::Eq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq | Token::Plus | Token::Minus | Token::Mul | Token::Div))
}

/// Reports whether a * may be an operator or stand for all columns.
fn is_star(before: &[&TokenWithSpan], after: &[&TokenWithSpan]) -> bool {
    let name = |t: Option<&&TokenWithSpan>| match t.map(|t| &t.token) {
        Some(Token::Word(w)) if w.quote_style.is_none() && w.keyword == Keyword::NoKeyword => Some(w.value.to_ascii_lowercase()),
        _ => None,
    };
    let item = |t: Option<&&TokenWithSpan>| word(t) == Some(Keyword::SELECT) || t.is_some_and(|t| t.token == Token::Comma);
    let (last, next) = (before.last(), after.first());
    let previous = before.len().checked_sub(2).and_then(|i| before.get(i));
    if last.is_some_and(|t| t.token == Token::LParen) {
        // SELECT (*), COUNT(* t), but Snowflake has f(* ILIKE 'a').
        return if next.is_some_and(|t| t.token == Token::RParen) { !item(previous) } else { name(next).is_none_or(|n| matches!(n.as_str(), "apply" | "columns" | "ilike")) };
    }
    if word(next) == Some(Keyword::FROM) && last.is_some_and(|t| t.token == Token::RParen) && previous.is_some_and(|t| t.token == Token::LParen) {
        return false; // COUNT() * FROM
    }
    if item(last) {
        return name(next).is_none_or(|n| matches!(n.as_str(), "apply" | "bulk" | "columns")); // SELECT * t, but ClickHouse has SELECT * APPLY f, Oracle SELECT * BULK COLLECT
    }
    // SELECT a * FROM, but MySQL has SELECT SQL_NO_CACHE * FROM.
    !(item(previous) && word(next) == Some(Keyword::FROM) && (name(last).is_some_and(|n| !n.starts_with("sql_") && n != "high_priority") || word(last) == Some(Keyword::COUNT)))
}

/// Reports whether a parser that stopped at a token proves an error: the token can be no part of a
/// clause that the parser does not know.
fn proves(tokens: &[&TokenWithSpan], found: usize) -> bool {
    use Keyword::{
        AND, AS, BY, DELETE, FROM, GROUP, HAVING, INSERT, INTO, JOIN, LIMIT, NOT, ON, OR, ORDER, SELECT, SET, UNION, UPDATE, VALUES, WHERE, WITH,
    };
    // GO ends a batch of SQL Server.
    let ends = |t: &&TokenWithSpan| t.token == Token::SemiColon || t.token.to_string().eq_ignore_ascii_case("go");
    let first = tokens[..found].iter().rposition(ends).map_or(0, |i| i + 1);
    let begins = word(tokens.get(first));
    let query =
        matches!(begins, Some(SELECT | WITH | VALUES)) || tokens.get(first).is_some_and(|t| t.token == Token::LParen);
    let unknown = |t: Option<&&TokenWithSpan>| {
        t.is_some_and(|t| match &t.token {
            Token::Word(w) => w.keyword == Keyword::NoKeyword,
            Token::Number(..) | Token::SingleQuotedString(_) => true,
            _ => false,
        })
    };
    let token = tokens.get(found);
    if found == first {
        return unknown(token) && !may_begin(&tokens[first..]);
    }
    let update = begins == Some(UPDATE) && tokens[first..found].iter().any(|t| word(Some(t)) == Some(SET)); // not UPDATE STATISTICS
    if !query && !update && !matches!(begins, Some(INSERT | DELETE)) {
        return false;
    }
    // A name after a word that only other dialects know may belong to a clause of theirs.
    let before = word(tokens.get(found - 1));
    let last = tokens[found - 1];
    let operand = unknown(Some(&last)) || last.token == Token::RParen;
    let known = match before {
        None | Some(Keyword::NoKeyword) => last.token != Token::Colon,
        Some(k) => matches!(k, AND | AS | BY | FROM | HAVING | INTO | JOIN | LIMIT | NOT | ON | OR | SELECT | SET | WHERE),
    } && !is_word(Some(&last), &CLAUSES)
        && !is_word(token, &CLAUSES);
    let depth = tokens[..found]
        .iter()
        .fold(0_i32, |d, t| d + i32::from(t.token == Token::LParen) - i32::from(t.token == Token::RParen));
    match token.map(|t| &t.token) {
        None | Some(Token::SemiColon) => known,
        // Some dialects allow a comma at the end of a list.
        Some(Token::RParen) => known && query && !operand && last.token != Token::Comma && depth > 0,
        _ if depth > 0 => false, // an argument may have a syntax of its own
        // 1l is a number of Spark, a.1 a part of a tuple of ClickHouse.
        Some(_) if unknown(token) => known && token.is_some_and(|t| t.span.start != last.span.end),
        Some(_) => {
            // ORDER SIBLINGS BY is Oracle's.
            let next = tokens.get(found + 1);
            let by = word(next) == Some(BY) || unknown(next) && !next.is_some_and(|n| n.token.to_string().eq_ignore_ascii_case("siblings"));
            // ClickHouse has ORDER BY before UNION, SQL Server statements without a semicolon between.
            known
                && query
                && word(token).is_some_and(|k| is_clause(k) && k != UNION && (by || !matches!(k, ORDER | GROUP)) || k == SELECT && !operand)
        }
    }
}
