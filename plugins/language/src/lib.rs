//! Language identification with whatlang 0.18.0: whether the output is written
//! in an expected language, or in that of the input.

mod alphabets;
mod codes;
mod words;

use rubric_host_sdk::{export, manifest, Answer, Error, Object, Request, Result, Value};
use whatlang::{Detector, Info, Lang};

manifest!("../plugin.yaml");
export!(language => language);

/// A guess needs so many letters, unless configured: fewer decide little, and a symbol in
/// another script would decide alone.
const LETTERS: usize = 10;

/// The confidence that a guess needs, unless configured. README.md has what it does to the error.
const CONFIDENCE: f64 = 0.5;

/// The bytes of a text that are read.
const READ: usize = 200_000;

/// What a guess must have to count.
struct Demands {
    letters: usize,
    confidence: f64,
}

fn language(request: &Request) -> Result<Answer> {
    let config = request.config();
    let demands = Demands {
        letters: config.count("min_letters", LETTERS, 1, 1_000_000)?,
        confidence: config.number("min_confidence", CONFIDENCE)?,
    };
    if !(0.0..=1.0).contains(&demands.confidence) {
        return Err("config min_confidence must be a number from 0 to 1".into());
    }
    let expected = expected(config.get("language"))?;
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let mut details = Object::new();
    let Some(found) = guess(output, &demands, "output", &mut details) else {
        return Ok(undecided("output").details(details));
    };
    let expected = match expected {
        Some(list) => list,
        None => match request.text("input")? {
            None => {
                return Ok(Answer::unscored("no language is expected: configure language, or give the case an input")
                    .details(details))
            }
            Some(input) => match guess(input, &demands, "input", &mut details) {
                Some(lang) => vec![lang],
                None => return Ok(undecided("input").details(details)),
            },
        },
    };
    // Serbian is known in Cyrillic only; in Latin letters it is read as Croatian.
    if found == Lang::Hrv && expected.contains(&Lang::Srp) && !expected.contains(&found) {
        return Ok(undecided("output").details(details));
    }
    Ok(Answer::score(f64::from(u8::from(expected.contains(&found)))).details(details))
}

/// The languages of config `language`: a code or a list of codes.
fn expected(value: Option<&Value>) -> Result<Option<Vec<Lang>>> {
    let Some(value) = value else { return Ok(None) };
    let wrong = || Error::new("config language must be a code of ISO 639, such as \"de\" or \"deu\", or a list of them");
    let read = |v: &Value| {
        let code = v.as_str().ok_or_else(wrong)?;
        codes::lang(code).ok_or_else(|| {
            let known: Vec<&str> = Lang::all().iter().map(|l| codes::short(*l).unwrap_or(l.code())).collect();
            Error::new(format!("unknown language \"{code}\"; use one of {}", known.join(", ")))
        })
    };
    match value.as_array() {
        Some([]) => Err(wrong()),
        Some(list) => list.iter().map(read).collect::<Result<_>>().map(Some),
        None => Ok(Some(vec![read(value)?])),
    }
}

/// The language of a text if it is clear enough; details get the guess in any case.
fn guess(text: &str, demands: &Demands, field: &str, details: &mut Object) -> Option<Lang> {
    let text = &text[..(0..=READ.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)];
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let info: Option<Info> = Detector::new().detect(text);
    let mut o = Object::new();
    o.int("letters", letters as u64);
    if let Some(info) = &info {
        o.text("language", codes::short(info.lang()).unwrap_or(info.lang().code()))
            .text("code", info.lang().code())
            .text("name", info.lang().eng_name())
            .text("script", info.script().name())
            .num("confidence", info.confidence());
    }
    details.object(field, &o);
    let info = info?;
    let clear = letters >= demands.letters && info.confidence() >= demands.confidence;
    (clear && alphabets::fits(text, info.lang(), info.script()) && words::fit(text, info.lang())).then_some(info.lang())
}

fn undecided(field: &str) -> Answer {
    Answer::unscored(format!(
        "the language of the {field} is not clear: the text is too short, mixed, or in a language that is not known"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rubric_host_sdk::respond;

    fn ask(case: &str, config: &str) -> String {
        let request = format!(r#"{{"contract":1,"kind":"metric","case":{case},"config":{config}}}"#);
        String::from_utf8(respond(request.as_bytes(), language)).unwrap()
    }

    #[test]
    fn every_language_has_its_codes() {
        for lang in Lang::all() {
            assert_eq!(codes::lang(lang.code()), Some(*lang));
            if let Some(code) = codes::short(*lang) {
                assert_eq!((code.len(), codes::lang(code)), (2, Some(*lang)), "{code}");
            }
        }
        assert_eq!(codes::lang("DE-at"), Some(Lang::Deu));
        assert_eq!(codes::lang("no"), Some(Lang::Nob));
        assert_eq!(codes::lang("zh-Hant"), Some(Lang::Cmn));
        assert_eq!(codes::lang("xx"), None);
        assert_eq!(codes::lang(""), None);
    }

    #[test]
    fn a_guess_must_be_clear() {
        let long = r#"{"output":"Der Zug am Morgen kam mit zwanzig Minuten Verspätung in der kleinen Stadt an."}"#;
        assert!(ask(long, r#"{"language":"de"}"#).contains(r#""score":1"#));
        assert!(ask(long, r#"{"language":["fr","en"]}"#).contains(r#""score":0"#));
        assert!(ask(long, "{}").contains("no language is expected"));
        for text in ["", "ok", "π = 3", "12345 67890 !!! ???", "👍👍👍", "\u{0}\u{0}"] {
            let answer = ask(&format!(r#"{{"output":{}}}"#, json(text)), r#"{"language":"en"}"#);
            assert!(answer.contains("unscored"), "{text:?}: {answer}");
        }
        // Languages that are not known, several at once, Serbian in Latin letters, Chinese or Japanese.
        for (text, language) in [
            ("Мен Алматыда тұрамын және университетте жұмыс істеймін, бүгін ауа райы өте жақсы", "be"),
            ("Мин Казанда яшим һәм университетта эшлим, бүген һава торышы бик яхшы", "ru"),
            ("মই গুৱাহাটীত থাকোঁ আৰু বিশ্ববিদ্যালয়ত কাম কৰোঁ, আজি বতৰ বৰ ভাল", "bn"),
            ("Tá mé i mo chónaí i mBaile Átha Cliath agus ag obair san ollscoil, tá an aimsir go maith inniu", "cy"),
            ("Mo ń gbé ní Ìbàdàn mo sì ń ṣiṣẹ́ ní yunifásítì, ojú ọjọ́ dára gan-an lónìí", "vi"),
            ("Сегодня мы используем machine learning и deep learning для object detection", "fr"),
            ("Živim u Beogradu i radim na univerzitetu, danas je vreme veoma lepo", "sr"),
            ("ＴＨＥ ＷＥＡＴＨＥＲ ＩＳ ＮＩＣＥ ＴＯＤＡＹ ＳＯ ＷＥ ＨＡＤ ＬＵＮＣＨ", "ko"),
            ("ﾎﾝｼﾞﾂﾊﾃﾝｷｶﾞﾖｲﾉﾃﾞｺｳｴﾝﾃﾞﾍﾞﾝﾄｳｦﾀﾍﾞﾏｼﾀ", "ko"),
            ("東京都千代田区大手町一丁目国立大学法人図書館会議室使用規則", "zh"),
        ] {
            let answer = ask(&format!(r#"{{"output":{}}}"#, json(text)), &format!(r#"{{"language":"{language}"}}"#));
            assert!(answer.contains("unscored"), "{text:?}: {answer}");
        }
        for (text, language) in [
            ("我住在臺北，在大學工作，今天天氣很好，你們吃飯了嗎？", "zh"),
            ("今日はとても良い天気ですね、図書館へ行きましょう", "ja"),
            ("Сегодня утром поезд пришёл с опозданием на двадцать минут, и мы опоздали на работу", "ru"),
            ("میں لاہور میں رہتا ہوں اور یونیورسٹی میں کام کرتا ہوں، آج موسم بہت اچھا ہے", "ur"),
            ("Je suis allé à la plage où j'ai mangé des crêpes très sucrées avec ma sœur", "fr"),
            ("Živim u Zagrebu i radim na sveučilištu, danas je vrijeme jako lijepo", "hr"),
            ("Tôi sống ở Hà Nội và làm việc tại trường đại học, hôm nay thời tiết rất đẹp", "vi"),
            ("Dnes je velmi hezké počasí a půjdeme s dětmi do zoologické zahrady", "cs"),
            ("Das Café à la carte in der Straße gegenüber hat gestern Abend früher geschlossen", "de"),
        ] {
            let answer = ask(&format!(r#"{{"output":{}}}"#, json(text)), &format!(r#"{{"language":"{language}"}}"#));
            assert!(answer.contains(r#""score":1"#), "{text:?}: {answer}");
        }
        // Of a long text the beginning counts.
        let text = "The train came late to the small town, and we missed it. ".repeat(READ / 50) + &"Der Zug kam am Morgen. ".repeat(READ / 5);
        assert!(ask(&format!(r#"{{"output":{}}}"#, json(&text)), r#"{"language":"en"}"#).contains(r#""score":1"#));
        assert!(ask("{}", r#"{"language":"en"}"#).contains("no output"));
        for config in [
            r#"{"language":"klingon"}"#,
            r#"{"language":[]}"#,
            r#"{"language":5}"#,
            r#"{"min_confidence":2}"#,
            r#"{"min_letters":0}"#,
        ] {
            assert!(ask(long, config).contains(r#""error""#), "{config}");
        }
    }

    fn json(text: &str) -> String {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '\u{0}' => out.push_str("\\u0000"),
                c => out.push(c),
            }
        }
        out + "\""
    }
}
