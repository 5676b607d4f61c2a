//! Checks of every answer of the server to any test, and of every event of a stream, by its description in `/api/openapi.json`:
//! the status, the type of the content, and each field of it. A field that is not described fails the test that got it.

use reqwest::Method;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

pub(crate) static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(tochki_web::http::api_description()).expect("the description is JSON")
});

/// Returns the operation at an address: those with a parameter in their path come second.
fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let paths = DESCRIPTION["paths"].as_object().expect("paths");
    let fits = |template: &str| {
        let (template, path) = (template.split('/'), path.split('/'));
        template.clone().count() == path.clone().count()
            && template
                .zip(path)
                .all(|(name, part)| name == part || name.starts_with('{') && !part.is_empty())
    };
    let found = paths.get(path).or_else(|| {
        let mut templates = paths.iter().filter(|(template, _)| template.contains('{'));
        templates.find_map(|(template, methods)| fits(template).then_some(methods))
    });
    found?.get(method.as_str().to_lowercase())
}

/// Checks an answer. Pages and files are not described.
#[track_caller]
pub(crate) fn check_answer(method: &Method, path: &str, status: u16, kind: &str, body: &str) {
    let Some(operation) = operation(method, path) else {
        return;
    };
    let response = &operation["responses"][status.to_string()];
    assert!(
        response.is_object(),
        "{method} {path}: {status} is not described: {body}"
    );
    let kind = kind.split(';').next().unwrap_or_default();
    let Some(content) = response["content"].as_object() else {
        return;
    };
    let content = content.get(kind);
    let content =
        content.unwrap_or_else(|| panic!("{method} {path}: {status} with {kind} is not described"));
    if kind == "application/json" {
        let body: Value = serde_json::from_str(body).expect("JSON");
        if let Err(why) = check(&body, &content["schema"]) {
            panic!("{method} {path}: {status} is not as described: {why}: {body}");
        }
    }
}

/// Checks an event of the stream at this path.
#[track_caller]
pub(crate) fn check_event(path: &str, name: &str, id: Option<Value>, data: &Value) {
    let operation = operation(&Method::GET, path).expect("streams are described");
    let lines = &operation["responses"]["200"]["content"]["application/x-ndjson"]["schema"];
    let mut line = serde_json::json!({ "event": name, "data": data });
    if let Some(id) = id {
        line["id"] = id;
    }
    if let Err(why) = check(&line, lines) {
        panic!("{path}: not as described: {why}: {line}");
    }
}

/// The reason why a value is not as described. Nothing is formatted unless the test fails: of the parts of `oneOf`, all but one
/// misfit.
#[derive(Debug, PartialEq)]
enum Misfit<'a> {
    /// The value does not fit this word of its schema.
    Word {
        value: &'a Value,
        word: &'a str,
        schema: &'a Value,
    },
    NotDescribed(&'a str),
    Missing(&'a str),
    Within(&'a str, Box<Misfit<'a>>),
    NoPart(&'a str, Vec<Misfit<'a>>),
}

impl fmt::Display for Misfit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word {
                value,
                word,
                schema,
            } => write!(f, "{value} is not {word}: {schema}"),
            Self::NotDescribed(field) => write!(f, "the field {field} is not described"),
            Self::Missing(field) => write!(f, "the field {field} is missing"),
            Self::Within(field, misfit) => write!(f, "{field}: {misfit}"),
            Self::NoPart(word, parts) => {
                write!(f, "no part of {word} fits")?;
                parts.iter().try_for_each(|part| write!(f, "; {part}"))
            }
        }
    }
}

/// Checks a value, which may have no field that its schema does not name.
fn check<'a>(value: &'a Value, schema: &'a Value) -> Result<(), Misfit<'a>> {
    fits(value, schema)?;
    if let (Value::Object(object), Some(names)) = (value, fields(value, schema))
        && let Some(unknown) = object.keys().find(|name| !names.contains(name.as_str()))
    {
        return Err(Misfit::NotDescribed(unknown));
    }
    Ok(())
}

/// Checks a value, about which other parts of the schema may say more.
fn fits<'a>(value: &'a Value, schema: &'a Value) -> Result<(), Misfit<'a>> {
    let Value::Object(schema) = schema else {
        return Ok(());
    };
    for (word, told) in schema {
        let list = told.as_array().map_or(&[][..], Vec::as_slice);
        let misfit = || {
            Err(Misfit::Word {
                value,
                word,
                schema: told,
            })
        };
        match word.as_str() {
            "$ref" => fits(value, follow(told))?,
            "type" => {
                let mut types = list.iter().chain([told]).filter_map(Value::as_str);
                if !types.any(|name| is_of(value, name)) {
                    return misfit();
                }
            }
            "enum" if !list.contains(value) => return misfit(),
            "const" if told != value => return misfit(),
            "minimum" if value.is_number() && value.as_f64() < told.as_f64() => return misfit(),
            "maximum" if value.is_number() && value.as_f64() > told.as_f64() => return misfit(),
            "allOf" => list.iter().try_for_each(|part| fits(value, part))?,
            "anyOf" | "oneOf" => {
                let mut misfits = Vec::new();
                let fitting = (list.iter()).find(|part| match fits(value, part) {
                    Ok(()) => true,
                    Err(misfit) => {
                        misfits.push(misfit);
                        false
                    }
                });
                if fitting.is_none() {
                    return Err(Misfit::NoPart(word, misfits));
                }
            }
            "properties" => {
                for (name, schema) in told.as_object().into_iter().flatten() {
                    if let Some(field) = value.get(name) {
                        check(field, schema)
                            .map_err(|misfit| Misfit::Within(name, Box::new(misfit)))?;
                    }
                }
            }
            "required" => {
                let mut names = list.iter().filter_map(Value::as_str);
                if let Some(name) = names.find(|name| value.get(name).is_none()) {
                    return Err(Misfit::Missing(name));
                }
            }
            "prefixItems" => {
                for (item, schema) in value.as_array().into_iter().flatten().zip(list) {
                    check(item, schema)?;
                }
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    check(item, told)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn follow(to: &Value) -> &'static Value {
    let to = to.as_str().expect("a reference");
    DESCRIPTION.pointer(&to[1..]).expect("it leads somewhere")
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// Returns the fields that a schema names for this object. `None` where it names none, and any may be there.
fn fields<'a>(value: &'a Value, schema: &'a Value) -> Option<BTreeSet<&'a str>> {
    let schema = schema.as_object()?;
    let mut names: Option<BTreeSet<&str>> = None;
    let mut add = |more: Option<BTreeSet<&'a str>>| {
        if let Some(more) = more {
            names.get_or_insert_default().extend(more);
        }
    };
    if let Some(to) = schema.get("$ref") {
        add(fields(value, follow(to)));
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        add(Some(properties.keys().map(String::as_str).collect()));
    }
    for word in ["allOf", "anyOf", "oneOf"] {
        let parts = schema.get(word).and_then(Value::as_array);
        for part in parts
            .into_iter()
            .flatten()
            .filter(|part| fits(value, part).is_ok())
        {
            add(fields(value, part));
        }
    }
    names
}

#[test]
fn what_is_not_described_is_found() {
    let card = serde_json::json!({ "$ref": "#/components/schemas/PlayerCard" });
    let good = serde_json::json!({ "id": 1, "name": "ann", "rating": 1600.0 });
    assert_eq!(check(&good, &card), Ok(()));
    for (field, value, complaint) in [
        ("colour", serde_json::json!("red"), "not described"),
        ("name", serde_json::json!(null), "type"),
        ("id", serde_json::json!("1"), "type"),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        let found = check(&bad, &card).unwrap_err().to_string();
        assert!(found.contains(complaint), "{found}");
    }
    let bad = serde_json::json!({ "id": 1, "name": "ann" });
    let found = check(&bad, &card).unwrap_err().to_string();
    assert!(found.contains("rating is missing"), "{found}");
}
