//! The letters of the languages: a text with many others is in a language that is not known.

use whatlang::{Lang, Script};

/// The letters of languages in Latin script, besides a to z.
const LATIN: [(Lang, &str); 36] = [
    (Lang::Afr, "áèéêëíîïóôöúûü"), (Lang::Aka, "ɔɛ"), (Lang::Aze, "çöüğışə"), (Lang::Cat, "àçèéíïòóúü"), (Lang::Ces, "áéíóúýčďěňřšťůž"),
    (Lang::Cym, "âêîôûŵŷäëïöüàìòù"), (Lang::Dan, "åæøé"), (Lang::Deu, "ßäöü"), (Lang::Eng, "é"), (Lang::Epo, "ĉĝĥĵŝŭ"), (Lang::Est, "äõöüšž"),
    (Lang::Fin, "äöåšž"), (Lang::Fra, "àâæçèéêëîïôùûüÿœ"), (Lang::Hrv, "ćčđšž"), (Lang::Hun, "áéíóöúüőű"), (Lang::Ind, "é"), (Lang::Ita, "àèéìíîòóùú"),
    (Lang::Jav, "èéê"), (Lang::Lat, "āēīōūȳæœë"), (Lang::Lav, "āčēģīķļņōŗšūž"), (Lang::Lit, "ąčėęįšūųž"), (Lang::Nld, "áàèéêëïíóöüúĳç"), (Lang::Nob, "åæøéòóôê"),
    (Lang::Pol, "óąćęłńśźż"), (Lang::Por, "àáâãçéêíóôõúü"), (Lang::Ron, "âîăşţșț"), (Lang::Slk, "áäéíóôúýčďĺľňŕšťž"), (Lang::Slv, "čšžćđ"), (Lang::Sna, ""),
    (Lang::Spa, "áéíñóúü"), (Lang::Swe, "äåöé"), (Lang::Tgl, "áâàéèêíîìñóôòúûù"), (Lang::Tuk, "äçöüýňşž"), (Lang::Tur, "çöüğışâîû"), (Lang::Uzb, "ʻʼ"), (Lang::Zul, ""),
];

/// The letters of fa and ur, besides those of Arabic.
const PERSIAN: &str = "پچژگکیٹڈڑںہھۃےۓۂۀۆ";

/// Whether a letter is one of a language, in its script.
fn belongs(c: char, lang: Lang, script: Script) -> bool {
    match script {
        Script::Latin if c.is_ascii() => true,
        Script::Latin if lang == Lang::Vie => matches!(c, 'à'..='ý' | 'ă' | 'đ' | 'ĩ' | 'ũ' | 'ơ' | 'ư' | '\u{1ea0}'..='\u{1ef9}'),
        Script::Latin => LATIN.iter().find(|l| l.0 == lang).is_none_or(|l| l.1.contains(c)),
        // Kazakh, Kyrgyz, Tatar, Mongolian and others have more.
        Script::Cyrillic => matches!(c, '\u{400}'..='\u{45f}' | 'ґ' | 'Ґ'),
        // Pashto, Kurdish, Uyghur and Sindhi have more.
        Script::Arabic => !matches!(c, '\u{671}'..='\u{6d5}' | '\u{750}'..='\u{77f}') || PERSIAN.contains(c),
        // Assamese
        Script::Bengali => !matches!(c, 'ৰ' | 'ৱ'),
        // whatlang counts full-width letters and half-width kana.
        Script::Hangul => !matches!(c, '\u{ff00}'..='\u{ffef}'),
        _ => true,
    }
}

/// The script of a letter. Japanese has three.
fn script(c: char) -> Option<Script> {
    match c {
        '\0'..='\u{2af}' | '\u{1e00}'..='\u{1eff}' => Some(Script::Latin),
        '\u{400}'..='\u{52f}' => Some(Script::Cyrillic),
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Some(Script::Mandarin),
        c => whatlang::detect_script(c.encode_utf8(&mut [0; 4])),
    }
}

/// Characters that Chinese texts have, and Japanese ones without kana do not.
const CHINESE: &str = "是了我你他她这這们們吗嗎呢吧很也没沒还還么麼让讓为個个";

/// Whether a text may be in a language: at least two thirds of its letters are of the script, and of these at most a few are
/// letters of others. Short texts in Chinese characters may be Japanese.
pub fn fits(text: &str, lang: Lang, of: Script) -> bool {
    let of = if matches!(of, Script::Hiragana | Script::Katakana) { Script::Mandarin } else { of };
    let (mut all, mut own, mut foreign, mut chinese) = (0usize, 0usize, 0usize, false);
    let mut previous: Option<(char, bool, bool)> = None;
    for c in text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).filter(|c| c.is_alphabetic()) {
        let (_, same, known) = previous.filter(|p| p.0 == c).unwrap_or_else(|| {
            let same = script(c) == Some(of);
            (c, same, same && belongs(c, lang, of))
        });
        previous = Some((c, same, known));
        all += 1;
        own += usize::from(same);
        foreign += usize::from(same && !known);
        chinese |= lang == Lang::Cmn && CHINESE.contains(c);
    }
    own * 3 >= all * 2 && !(foreign >= 3 && foreign * 33 > own) && (lang != Lang::Cmn || chinese || own >= 40)
}
