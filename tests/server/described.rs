//! Every answer of the server to any test, and every event of a stream, against its description in `/api/openapi.json`: the
//! status, the type of the content, and each field of it. A field that is not described fails the test that got it.

use reqwest::Method;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

pub(crate) static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(tochki_web::http::api_description()).expect("the description is JSON")
});

/// The operation at an address: those with a parameter in their path come second.
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

/// A value, with no field that its schema does not name.
fn check(value: &Value, schema: &Value) -> Result<(), String> {
    fits(value, schema)?;
    if let (Value::Object(object), Some(names)) = (value, fields(value, schema))
        && let Some(unknown) = object.keys().find(|name| !names.contains(*name))
    {
        return Err(format!("the field {unknown} is not described"));
    }
    Ok(())
}

/// A value, which other parts of the schema may say more about.
fn fits(value: &Value, schema: &Value) -> Result<(), String> {
    let Value::Object(schema) = schema else {
        return Ok(());
    };
    for (word, told) in schema {
        let list = told.as_array();
        let complain = || Err(format!("{value} is not {word}: {told}"));
        match word.as_str() {
            "$ref" => fits(value, follow(told))?,
            "type" => {
                let types: Vec<&str> = match list {
                    Some(list) => list.iter().filter_map(Value::as_str).collect(),
                    None => told.as_str().into_iter().collect(),
                };
                if !types.iter().any(|name| is_of(value, name)) {
                    return complain();
                }
            }
            "enum" if !list.is_some_and(|list| list.contains(value)) => return complain(),
            "const" if told != value => return complain(),
            "minimum" if value.is_number() && value.as_f64() < told.as_f64() => return complain(),
            "maximum" if value.is_number() && value.as_f64() > told.as_f64() => return complain(),
            "allOf" => list
                .into_iter()
                .flatten()
                .try_for_each(|part| fits(value, part))?,
            "anyOf" | "oneOf" => {
                let tried: Vec<_> = list
                    .into_iter()
                    .flatten()
                    .map(|part| fits(value, part))
                    .collect();
                if !tried.iter().any(Result::is_ok) {
                    return Err(format!("no part of {word} fits: {tried:?}"));
                }
            }
            "properties" => {
                for (name, schema) in told.as_object().into_iter().flatten() {
                    if let Some(field) = value.get(name) {
                        check(field, schema).map_err(|why| format!("{name}: {why}"))?;
                    }
                }
            }
            "required" => {
                let names = list.into_iter().flatten().filter_map(Value::as_str);
                if let Some(name) = names.into_iter().find(|name| value.get(name).is_none()) {
                    return Err(format!("the field {name} is missing"));
                }
            }
            "prefixItems" => {
                for (item, schema) in value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .zip(list.into_iter().flatten())
                {
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

/// The fields that a schema names for this object. `None` where it names none, and any may be there.
fn fields(value: &Value, schema: &Value) -> Option<BTreeSet<String>> {
    let schema = schema.as_object()?;
    let mut names: Option<BTreeSet<String>> = None;
    let mut add = |more: Option<BTreeSet<String>>| {
        if let Some(more) = more {
            names.get_or_insert_default().extend(more);
        }
    };
    if let Some(to) = schema.get("$ref") {
        add(fields(value, follow(to)));
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        add(Some(properties.keys().cloned().collect()));
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
        let found = check(&bad, &card).unwrap_err();
        assert!(found.contains(complaint), "{found}");
    }
    let found = check(&serde_json::json!({ "id": 1, "name": "ann" }), &card).unwrap_err();
    assert!(found.contains("rating is missing"), "{found}");
}
