//! Codes of languages: ISO 639-3 as whatlang has them, ISO 639-1, and tags such as `de-AT`.

use whatlang::Lang;

/// ISO 639-1. Chinese is Mandarin here, and Norwegian is Bokmål.
const SHORT: [(&str, Lang); 71] = [
    ("af", Lang::Afr),
    ("ak", Lang::Aka),
    ("am", Lang::Amh),
    ("ar", Lang::Ara),
    ("az", Lang::Aze),
    ("be", Lang::Bel),
    ("bn", Lang::Ben),
    ("bg", Lang::Bul),
    ("ca", Lang::Cat),
    ("cs", Lang::Ces),
    ("zh", Lang::Cmn),
    ("cy", Lang::Cym),
    ("da", Lang::Dan),
    ("de", Lang::Deu),
    ("el", Lang::Ell),
    ("en", Lang::Eng),
    ("eo", Lang::Epo),
    ("et", Lang::Est),
    ("fi", Lang::Fin),
    ("fr", Lang::Fra),
    ("gu", Lang::Guj),
    ("he", Lang::Heb),
    ("hi", Lang::Hin),
    ("hr", Lang::Hrv),
    ("hu", Lang::Hun),
    ("hy", Lang::Hye),
    ("id", Lang::Ind),
    ("it", Lang::Ita),
    ("jv", Lang::Jav),
    ("ja", Lang::Jpn),
    ("kn", Lang::Kan),
    ("ka", Lang::Kat),
    ("km", Lang::Khm),
    ("ko", Lang::Kor),
    ("la", Lang::Lat),
    ("lv", Lang::Lav),
    ("lt", Lang::Lit),
    ("ml", Lang::Mal),
    ("mr", Lang::Mar),
    ("mk", Lang::Mkd),
    ("my", Lang::Mya),
    ("ne", Lang::Nep),
    ("nl", Lang::Nld),
    ("nb", Lang::Nob),
    ("or", Lang::Ori),
    ("pa", Lang::Pan),
    ("fa", Lang::Pes),
    ("pl", Lang::Pol),
    ("pt", Lang::Por),
    ("ro", Lang::Ron),
    ("ru", Lang::Rus),
    ("si", Lang::Sin),
    ("sk", Lang::Slk),
    ("sl", Lang::Slv),
    ("sn", Lang::Sna),
    ("es", Lang::Spa),
    ("sr", Lang::Srp),
    ("sv", Lang::Swe),
    ("ta", Lang::Tam),
    ("te", Lang::Tel),
    ("tl", Lang::Tgl),
    ("th", Lang::Tha),
    ("tk", Lang::Tuk),
    ("tr", Lang::Tur),
    ("uk", Lang::Ukr),
    ("ur", Lang::Urd),
    ("uz", Lang::Uzb),
    ("vi", Lang::Vie),
    ("yi", Lang::Yid),
    ("zu", Lang::Zul),
    ("no", Lang::Nob),
];

/// The language of a code of two or three letters, in any case; what follows a hyphen or an
/// underscore, such as a country, is passed over.
pub fn lang(code: &str) -> Option<Lang> {
    let code = code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    SHORT.iter().find(|(short, _)| *short == code).map(|(_, lang)| *lang).or_else(|| Lang::from_code(code))
}

/// The code of two letters.
pub fn short(lang: Lang) -> Option<&'static str> {
    SHORT.iter().find(|(_, l)| *l == lang).map(|(short, _)| *short)
}
