//! Imports that close a circle today. The list must only shrink: what is in it and no longer so is a fault, too.

/// From and to, by the level that they are on.
pub(crate) fn in_circles(level: &str) -> &'static [(&'static str, &'static str)] {
    use crate::imports::BASE;
    match level {
        "rules" => &[
            ("boxes", "json"),
            ("boxes", "kind"),
            ("dots", "json"),
            ("dots", "kind"),
            ("gomoku", "json"),
            ("gomoku", "kind"),
            ("reversi", "kind"),
        ],
        "protocol" => &[("open_table", "lobby")],
        "server" => &[
            ("chat", "streams"),
            ("db", "chat"),
            ("db", "presence"),
            ("lobby", "streams"),
            ("streams", BASE),
            ("sweeper", BASE),
            ("tables", BASE),
            ("tables", "streams"),
        ],
        "own-postgres" => &[
            ("account", BASE),
            ("home", BASE),
            ("programs", BASE),
            ("programs", "home"),
        ],
        "tochki" => &[("context", "ui")],
        "ui" => &[("board", "games"), ("games", "rules"), ("words", "games")],
        _ => &[],
    }
}
