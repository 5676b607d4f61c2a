//! Names that speak for the house: nobody registers them.

use super::NameLook;
use std::collections::HashSet;
use std::sync::LazyLock;
use tochki_rules::GameKind;

const RESERVED: [&str; 46] = [
    "operator",
    "operators",
    "admin",
    "admins",
    "administrator",
    "administrators",
    "administration",
    "moderator",
    "moderators",
    "mod",
    "mods",
    "sysadmin",
    "sysop",
    "system",
    "root",
    "superuser",
    "tochki",
    "support",
    "helpdesk",
    "staff",
    "official",
    "server",
    "security",
    "webmaster",
    "owner",
    "arbiter",
    "referee",
    "оператор",
    "операторы",
    "админ",
    "админы",
    "администратор",
    "администраторы",
    "администрация",
    "модератор",
    "модераторы",
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

/// In both cases, because a capital `I` looks like a small `l`.
static LOOKS: LazyLock<HashSet<NameLook>> = LazyLock::new(|| {
    let all = RESERVED.into_iter().map(str::to_owned).chain(of_bots());
    let both = all.flat_map(|name| [name.to_uppercase(), name]);
    both.map(|name| NameLook::of(&name)).collect()
});

/// What the names of the bots of the house begin with (`tochki_protocol::house_bot_name`), however the words are joined.
fn of_bots() -> impl Iterator<Item = String> {
    let games = GameKind::ALL.iter();
    games.flat_map(|game| ["-", "_", ""].map(|joint| format!("{game}{joint}level")))
}

/// Whether a name looks like a reserved one, with or without digits and dashes around it: `Admin-1`.
pub(super) fn is_reserved(text: &str) -> bool {
    let core = text.trim_matches(|c: char| !c.is_alphabetic());
    [text, core]
        .into_iter()
        .flat_map(|part| [part.to_owned(), part.to_lowercase()])
        .any(|part| LOOKS.contains(&NameLook::of(&part)))
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
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
