//! Forbidden words of a crate: floating point and clocks in the rules, SQL outside the database code, durations outside the
//! limits.

use crate::source::{How, Mention, Place, Source};

/// The names of sqlx that send SQL. The rest of it (its errors) may be known elsewhere.
const SQL: [&str; 9] = [
    "query",
    "query_as",
    "query_scalar",
    "query_with",
    "query_as_with",
    "query_scalar_with",
    "raw_sql",
    "QueryBuilder",
    "AssertSqlSafe",
];

/// A rule that is broken, and the place.
pub(crate) type Fault = String;

/// Finds the paths of one crate that `is_forbidden` names.
fn forbidden<'a>(
    source: &'a Source,
    is_forbidden: impl Fn(&[String], &Mention) -> bool + 'a,
) -> impl Iterator<Item = &'a Mention> + 'a {
    source.modules.iter().flat_map(move |(path, module)| {
        let found: Vec<_> = (module.mentions.iter())
            .filter(|mention| is_forbidden(path, mention))
            .collect();
        found
    })
}

fn says(mention: &Mention, path: &str) -> bool {
    let wanted: Vec<_> = path.split("::").collect();
    mention.segments.len() >= wanted.len()
        && mention
            .segments
            .iter()
            .zip(wanted)
            .all(|(one, other)| one == other)
}

/// Finds paths that a crate must not name, such as `std::time`.
pub(crate) fn paths(source: &Source, who: &str, unwanted: &[&str]) -> Vec<Fault> {
    forbidden(source, |_, mention| {
        unwanted.iter().any(|path| says(mention, path))
    })
    .map(|mention| {
        let path = mention.segments.join("::");
        format!("{}: {who} must not know `{path}`", mention.place)
    })
    .collect()
}

/// Finds macros that a crate must not call, such as `println!`.
pub(crate) fn macros(source: &Source, who: &str, unwanted: &[&str]) -> Vec<Fault> {
    let called = forbidden(source, |_, mention| {
        let name = mention.segments.last().map_or("", String::as_str);
        mention.how == How::Macro && unwanted.contains(&name)
    });
    called
        .map(|mention| {
            let path = mention.segments.join("::");
            format!("{}: {who} must not call `{path}!`", mention.place)
        })
        .collect()
}

/// Finds floating point, as types and as literals.
pub(crate) fn floats(source: &Source, who: &str) -> Vec<Fault> {
    let fault = |place: &Place| format!("{place}: {who} has no floating point");
    let types = forbidden(source, |_, mention| {
        mention
            .segments
            .iter()
            .any(|name| name == "f32" || name == "f64")
    });
    let literals = source.modules.values().flat_map(|module| &module.floats);
    (types.map(|mention| fault(&mention.place)))
        .chain(literals.map(fault))
        .collect()
}

/// Finds durations in numbers outside the modules below `allowed`, if they are allowed anywhere.
pub(crate) fn durations(source: &Source, allowed: Option<&str>) -> Vec<Fault> {
    (source.modules.iter())
        .filter(|(path, _)| allowed.is_none() || path.first().map(String::as_str) != allowed)
        .flat_map(|(_, module)| &module.durations)
        .map(|place| format!("{place}: a duration is defined in `tochki_protocol::limits`"))
        .collect()
}

/// Finds `unsafe`, and leave to use it.
pub(crate) fn unsafety(source: &Source) -> Vec<Fault> {
    forbidden(source, |_, mention| mention.segments == ["unsafe"])
        .map(|mention| format!("{}: `unsafe` is used nowhere here", mention.place))
        .collect()
}

/// Finds SQL outside the modules named `allowed` and those below them, if it is allowed anywhere.
pub(crate) fn sql(source: &Source, allowed: Option<&str>) -> Vec<Fault> {
    forbidden(source, |path, mention| {
        let is_sql = |name: &str| SQL.contains(&name);
        let last = mention.segments.last().map_or("", String::as_str);
        let is_allowed = allowed.is_some_and(|module| path.iter().any(|part| part == module));
        let is_macro =
            mention.how == How::Macro && (last.starts_with("query") || last == "migrate");
        !is_allowed
            && (is_macro
                || says(mention, "sqlx") && mention.segments[1..].iter().any(|name| is_sql(name)))
    })
    .map(|mention| {
        let path = mention.segments.join("::");
        let home = allowed.map_or("not here".to_owned(), |module| {
            format!("only in modules named `{module}`")
        });
        format!("{}: `{path}`: SQL is written {home}", mention.place)
    })
    .collect()
}
