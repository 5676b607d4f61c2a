//! Reserved names, which could be mistaken for an operator, the site or a house bot.
//!
//! A name is compared by how it reads: its skeleton without marks, and with letters of other scripts taken for the Latin ones
//! that they resemble (`аԁміп`, `орегатог`), which is more than UTS 39 calls confusable.

use super::characters::is_mark;
use super::skeleton::NameSkeleton;
use std::collections::HashSet;
use std::sync::LazyLock;
use tochki_rules::GameKind;
use unicode_normalization::UnicodeNormalization as _;

/// Reserved as a whole.
const RESERVED: &[&str] = &[
    "mod",
    "mods",
    "system",
    "root",
    "superuser",
    "tochki",
    "support",
    "staff",
    "official",
    "server",
    "security",
    "owner",
    "arbiter",
    "referee",
    "modo",
    "soporte",
    "suporte",
    "supporto",
    "podpora",
    "wsparcie",
    "hilfe",
    "oficial",
    "ufficiale",
    "officiel",
    "offiziell",
    "oficjalny",
    "система",
    "точки",
    "поддержка",
    "техподдержка",
    "сервер",
    "служба",
    "судья",
    "арбитр",
    "владелец",
    "безопасность",
    "официально",
    "підтримка",
    "власник",
    "суддя",
    "система",
];

/// Reserved also as a part of a name: `anna-admin` is refused, `tochki_fan` is not.
const RESERVED_IN_PARTS: &[&str] = &[
    "operator",
    "operators",
    "admin",
    "admins",
    "administrator",
    "administrators",
    "administration",
    "moderator",
    "moderators",
    "sysadmin",
    "sysop",
    "webmaster",
    "helpdesk",
    "gamemaster",
    // German, Dutch, Swedish, French, Spanish, Portuguese, Italian.
    "betreiber",
    "verwalter",
    "verwaltung",
    "moderatorin",
    "administratorin",
    "beheerder",
    "administrateur",
    "moderateur",
    "operateur",
    "administrador",
    "administradora",
    "moderador",
    "moderadora",
    "operador",
    "operadora",
    "amministratore",
    "moderatore",
    "operatore",
    // Polish, Czech, Slovak, Hungarian, Finnish, Turkish, Romanian.
    "administracja",
    "moderacja",
    "spravce",
    "spravca",
    "administratorka",
    "adminisztrator",
    "uzemelteto",
    "yllapitaja",
    "yllapito",
    "moderaattori",
    "yonetici",
    "yonetim",
    // Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Kazakh.
    "оператор",
    "операторы",
    "админ",
    "админы",
    "администратор",
    "администраторы",
    "администрация",
    "модератор",
    "модераторы",
    "модерация",
    "модер",
    "сисадмин",
    "адмін",
    "адміністратор",
    "адміністрація",
    "адміністратар",
    "мадэратар",
    "аператар",
    "администрација",
    "әкімші",
    // Greek, Georgian, Armenian, Hebrew, Arabic, Persian, Hindi.
    "διαχειριστης",
    "συντονιστης",
    "ადმინი",
    "ადმინისტრატორი",
    "მოდერატორი",
    "ადმინ",
    "ադմին",
    "ադմինիստրատոր",
    "מנהל",
    "מפעיל",
    "אדמין",
    "مدير",
    "المدير",
    "مشرف",
    "المشرف",
    "ادمن",
    "مدیر",
    "ادمین",
    "प्रशासक",
    "व्यवस्थापक",
];

/// Reserved wherever they stand in a name, because these scripts put no blanks between words.
const RESERVED_ANYWHERE: &[&str] = &[
    "官方",
    "管理员",
    "管理員",
    "管理者",
    "管理人",
    "版主",
    "站长",
    "站長",
    "客服",
    "运营",
    "運營",
    "運営",
    "公式",
    "系统管理",
    "オペレーター",
    "モデレーター",
    "アドミン",
    "サポート",
    "관리자",
    "운영자",
    "운영진",
    "어드민",
    "모더레이터",
];

/// In both cases, because a capital `I` looks like a small `l`.
static LOOKS: LazyLock<HashSet<NameSkeleton>> = LazyLock::new(|| {
    let all = RESERVED.iter().chain(RESERVED_IN_PARTS);
    looks(all.map(|word| (*word).to_owned()).chain(of_bots()))
});

static LOOKS_OF_PARTS: LazyLock<HashSet<NameSkeleton>> =
    LazyLock::new(|| looks(RESERVED_IN_PARTS.iter().map(|word| (*word).to_owned())));

fn looks(names: impl Iterator<Item = String>) -> HashSet<NameSkeleton> {
    let both = names.flat_map(|name| [name.to_uppercase(), name]);
    both.flat_map(|name| readings(&name)).collect()
}

/// How a text reads: as it is, and with letters of other scripts taken for Latin ones. Marks are left out, because a name is
/// read without them.
fn readings(text: &str) -> Vec<NameSkeleton> {
    let plain: String = text.nfd().filter(|c| !is_mark(*c)).collect();
    let as_latin: String = plain.to_lowercase().chars().map(resembled).collect();
    let mut readings = vec![NameSkeleton::of(&plain)];
    if as_latin != plain {
        readings.push(NameSkeleton::of(&as_latin));
    }
    readings
}

/// The Latin letter that a small Cyrillic or Greek one resembles to a hasty reader, where UTS 39 knows none.
const fn resembled(c: char) -> char {
    match c {
        'м' => 'm',
        'п' | 'π' | 'η' | 'л' => 'n',
        'т' | 'τ' => 't',
        'г' | 'я' => 'r',
        'к' | 'κ' => 'k',
        'и' | 'й' | 'ц' | 'μ' | 'υ' => 'u',
        'н' => 'h',
        'в' | 'ь' | 'ъ' => 'b',
        'ш' | 'щ' | 'ω' => 'w',
        'ԁ' | 'δ' => 'd',
        'э' | 'є' | 'ε' => 'e',
        'ι' => 'i',
        'α' => 'a',
        'ν' => 'v',
        'ρ' => 'p',
        c => c,
    }
}

/// Prefixes of the names of house bots (`tochki_protocol::house_bot_name`), with each way to join the words.
fn of_bots() -> impl Iterator<Item = String> {
    let games = GameKind::ALL.iter();
    games.flat_map(|game| ["-", "_", ""].map(|joint| format!("{game}{joint}level")))
}

/// Returns whether a name looks like a reserved one, has one of [`RESERVED_IN_PARTS`] as a part or one of [`RESERVED_ANYWHERE`] in
/// it, or is made of reserved ones alone (`tochki-support`), each with or without digits and dashes around it: `Admin-1`.
pub(super) fn is_reserved(text: &str) -> bool {
    let folded: String = text.nfkc().collect();
    if RESERVED_ANYWHERE.iter().any(|word| folded.contains(word)) {
        return true;
    }
    let by_dashes: Vec<&str> = text
        .split(['-', '_'])
        .filter(|part| part.contains(char::is_alphabetic))
        .collect();
    let words: Vec<&str> = by_dashes.iter().flat_map(|part| words(part)).collect();
    let mut ways = vec![vec![text]];
    for way in [by_dashes, words] {
        if !way.is_empty() && !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways.iter().any(|parts| {
        let found: Vec<Likeness> = parts.iter().map(|part| likeness(part)).collect();
        found.iter().all(|part| *part != Likeness::None) || found.contains(&Likeness::Part)
    })
}

/// The likeness of a part of a name to reserved names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// No reserved name.
    None,
    /// A name that is reserved as a whole.
    Whole,
    /// A name that is reserved as a part, too.
    Part,
}

/// Returns the likeness of the text to reserved names, as it is or without the characters around its letters.
fn likeness(text: &str) -> Likeness {
    let core = text.trim_matches(|c: char| !c.is_alphabetic());
    let mut forms = vec![text.to_owned()];
    for form in [core.to_owned(), text.to_lowercase(), core.to_lowercase()] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    let mut found = Likeness::None;
    for look in forms.iter().flat_map(|form| readings(form)) {
        if LOOKS_OF_PARTS.contains(&look) {
            return Likeness::Part;
        }
        if LOOKS.contains(&look) {
            found = Likeness::Whole;
        }
    }
    found
}

/// The words of a text in which capitals begin them: `AnnaAdmin`.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut from, mut after_small) = (0, false);
    for (at, c) in text.char_indices() {
        if after_small && c.is_uppercase() {
            words.push(&text[from..at]);
            from = at;
        }
        after_small = c.is_lowercase();
    }
    words.push(&text[from..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_house_are_reserved_however_they_are_written() {
        for name in [
            "operator",
            "Operator",
            "ADMIN",
            "aDMlN",
            "Moderator",
            "m0derator",
            "system",
            "Tochki",
            "admin-1",
            "admin_",
            "root42",
            "Ａdmin",
            "ТОЧКИ",
            "Админ",
            "0perator",
            "Dots-level-3",
            "reversi_level_8",
            "BOXES-LEVEL",
            "gomokuLevel1",
            "tochki-support",
            "Official_Tochki",
            "operator-anna",
            "ann_Admin2",
            "админ-точки",
            "Анна-Модератор",
            "anna-0perator",
            "tochki-support1",
            "tochki-support-2",
            "官方",
            "管理员",
            "Tochki官方2",
            "運営さん",
            "운영자1",
            "аԁміп",
            "орегатог",
            "Анна-орегатог",
            "Администратор",
            "АДМИНИСТРАТОР",
            "адміністратор",
            "Správce",
            "administrátor",
            "Modérateur-2",
            "Ádmin",
            "Yönetici",
            "AnnaAdmin",
            "TochkiSupport",
            "διαχειριστής",
            "מנהל",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in [
            "Ann",
            "modest",
            "adminka-ann",
            "точка",
            "rooty",
            "operetta",
            "dots",
            "Reversi-8",
            "level-3",
            "tochki_fan",
            "mod-music",
            "точки-и-квадраты",
            "---",
            "AdaMinor",
            "Мария",
            "Родимая",
            "Опера",
            "山田太郎",
            "Modena",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
