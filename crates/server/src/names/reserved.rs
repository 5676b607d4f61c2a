//! Reserved names, which could be mistaken for an operator, the site or a house bot.

use super::skeleton::NameSkeleton;
use std::collections::HashSet;
use std::sync::LazyLock;
use tochki_rules::GameKind;

/// Reserved as a whole.
const RESERVED: [&str; 24] = [
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
];

/// Reserved also as a part of a name: `anna-admin` is refused, `tochki_fan` is not.
const RESERVED_IN_PARTS: [&str; 22] = [
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
    "оператор",
    "операторы",
    "админ",
    "админы",
    "администратор",
    "администраторы",
    "администрация",
    "модератор",
    "модераторы",
];

/// In both cases, because a capital `I` looks like a small `l`.
static SKELETONS: LazyLock<HashSet<NameSkeleton>> = LazyLock::new(|| {
    let all = RESERVED.into_iter().chain(RESERVED_IN_PARTS);
    skeletons(all.map(str::to_owned).chain(of_bots()))
});

static SKELETONS_OF_PARTS: LazyLock<HashSet<NameSkeleton>> =
    LazyLock::new(|| skeletons(RESERVED_IN_PARTS.into_iter().map(str::to_owned)));

fn skeletons(names: impl Iterator<Item = String>) -> HashSet<NameSkeleton> {
    let both = names.flat_map(|name| [name.to_uppercase(), name]);
    both.map(|name| NameSkeleton::of(&name)).collect()
}

/// Prefixes of the names of house bots (`tochki_protocol::house_bot_name`), with each way to join the words.
fn of_bots() -> impl Iterator<Item = String> {
    let games = GameKind::ALL.iter();
    games.flat_map(|game| ["-", "_", ""].map(|joint| format!("{game}{joint}level")))
}

/// Whether a name looks like a reserved one, has one of [`RESERVED_IN_PARTS`] as a part, or is made of reserved ones alone
/// (`tochki-support`), each with or without digits and dashes around it: `Admin-1`.
pub(super) fn is_reserved(text: &str) -> bool {
    let parts: Vec<&str> = text
        .split(['-', '_'])
        .filter(|part| part.contains(char::is_alphabetic))
        .collect();
    is_one_of(&SKELETONS, text)
        || !parts.is_empty() && parts.iter().all(|part| is_one_of(&SKELETONS, part))
        || parts
            .iter()
            .any(|part| is_one_of(&SKELETONS_OF_PARTS, part))
}

/// Whether the text looks like one of these, as it is or without what is around its letters.
fn is_one_of(skeletons: &HashSet<NameSkeleton>, text: &str) -> bool {
    let core = text.trim_matches(|c: char| !c.is_alphabetic());
    [text, core]
        .into_iter()
        .flat_map(|text| [text.to_owned(), text.to_lowercase()])
        .any(|text| skeletons.contains(&NameSkeleton::of(&text)))
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
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
