//! `GET /api/openapi.json`: the `OpenAPI` 3.1 document of all addresses, generated from the list of endpoints and their types.

mod contract;
mod responses;
mod routes;
mod schemas;
mod streams;

use self::contract::Address;
use self::routes::Route;
use self::schemas::{Argument, Schemas, plain_descriptions, without_null};
use self::streams::Stream;
use super::caller::caller_of;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use tochki_pages::endpoint::{Endpoint, Method, SchemaOf, inventory};
use tochki_pages::ui::Operation;
use tochki_protocol::{ApiError, Code, Scope};

/// `GET /api/openapi.json`.
pub(super) const ENDPOINT: Endpoint = Endpoint {
    answers: "this page as OpenAPI 3.1: each address with the schemas of its arguments and answers, its errors and its scope",
    ..Endpoint::handler(
        Method::Get,
        "/api/openapi.json",
        caller_of(&serve),
        Some(Scope::Read),
        module_path!(),
    )
};

inventory::submit! { ENDPOINT }

static DESCRIPTION: LazyLock<String> = LazyLock::new(|| description().to_string());

/// Returns the description, as JSON.
pub fn api_description() -> &'static str {
    &DESCRIPTION
}

/// Returns the description for people: all addresses, in the order of `docs/api.md`.
pub(super) fn operations() -> &'static [Operation] {
    static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        let description = serde_json::from_str(api_description()).unwrap_or_default();
        let addresses = contract::addresses().into_iter();
        addresses
            .map(|address| described(address, &description))
            .collect()
    });
    &OPERATIONS
}

/// Joins an address with its arguments in the description.
fn described(address: Address, description: &Value) -> Operation {
    let operation = &description["paths"][address.path][address.method.to_lowercase()];
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let mut arguments: Vec<(String, bool)> = parameters
        .filter_map(|it| Some((it["name"].as_str()?.to_owned(), it["required"] == true)))
        .collect();
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let required = body["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
    let fields = body["properties"].as_object().into_iter().flatten();
    arguments.extend(fields.map(|(name, _)| (name.clone(), is_required(name))));
    Operation {
        section: address.section,
        method: address.method,
        path: address.path,
        who: address.who,
        scope: scope(&address).map(Scope::as_str),
        arguments,
        text: address.text,
        errors: address.errors.iter().map(|code| code.as_str()).collect(),
    }
}

/// Returns the scope that a token needs.
fn scope(address: &Address) -> Option<Scope> {
    address.endpoint?.scope
}

pub(super) async fn serve() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "public, max-age=300"),
        // It is the same for everybody, so tools in other sites' pages may read it.
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    (headers, api_description())
}

fn description() -> Value {
    let mut schemas = Schemas::new();
    // Every error refers to it.
    schemas.answer::<ApiError>();
    let mut paths = Map::new();
    for address in contract::addresses() {
        let function = address.endpoint.and_then(|endpoint| endpoint.answer);
        let operation = if let Some(answer) = function {
            of_function(&address, answer, &mut schemas)
        } else if let Some(stream) = Stream::at(address.path, &mut schemas) {
            of_stream(&address, &stream)
        } else if let Some(route) = Route::at(address.path, &mut schemas) {
            of_route(&address, route, &mut schemas)
        } else {
            // A test says so.
            continue;
        };
        let entry = paths.entry(address.path).or_insert_with(|| json!({}));
        entry[address.method.to_lowercase()] = operation;
    }
    let mut description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tochki",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "An app for Dots, Dots and Boxes, Gomoku and Reversi. `/programs` explains how to begin. Times \
                are milliseconds since 1970 (UTC); seats are 1 and 2.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": schemas.into_components(),
            "securitySchemes": {
                "session": { "type": "apiKey", "in": "cookie", "name": "session",
                    "description": "The cookie of a session; with https it is called `__Host-session`." },
                "token": { "type": "http", "scheme": "bearer",
                    "description": "A token from the account page, with the scope `read`, or `play`, which includes it." },
            },
        },
    });
    plain_descriptions(&mut description);
    description
}

/// Returns the operation of an address, with the fields that all addresses have.
fn operation(address: &Address, responses: Map<String, Value>) -> Value {
    let mut security = vec![json!({ "session": [] })];
    if let Some(scope) = scope(address) {
        security.push(json!({ "token": [scope.as_str()] }));
    }
    if address.for_visitors() {
        security.push(json!({}));
    }
    let id = format!("{} {}", address.method.to_lowercase(), address.path);
    let id: Vec<&str> = id
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut description = format!("For: {}. {}", address.who, address.text);
    if let Some(endpoint) = address.endpoint.filter(|it| !it.description.is_empty()) {
        description = format!("{}\n\n{description}", endpoint.description);
    }
    let mut operation = json!({
        "operationId": id.join("_"),
        "tags": [address.section],
        "description": description,
        "security": security,
        "responses": responses,
    });
    let parameters: Vec<Value> = address
        .path
        .split(['{', '}'])
        .skip(1)
        .step_by(2)
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } }))
        .collect();
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation
}

fn of_function(address: &Address, answer: SchemaOf, schemas: &mut Schemas) -> Value {
    let arguments = arguments(address, schemas);
    let posts = address.method == "POST";
    let codes = responses::all_errors(&address.errors, posts, address.for_visitors(), false);
    let mut all = responses::error_responses(&codes);
    all.insert(
        "200".into(),
        json!({ "description": "Done.", "content": { "application/json": { "schema": schemas.answer_of(answer) } } }),
    );
    if posts {
        let why = "Where `text/html` is accepted: the answer to a form, the page that follows.";
        all.insert("302".into(), json!({ "description": why }));
    }
    if address.endpoint.is_some_and(|endpoint| endpoint.has_etag) {
        let tag = json!({ "schema": { "type": "string" }, "description": "The version, and what else can change." });
        all["200"]["headers"] = json!({ "ETag": tag });
        let why = "`If-None-Match` has the `ETag`: nothing has changed.";
        all.insert("304".into(), json!({ "description": why }));
    }
    let mut operation = operation(address, all);
    if posts {
        operation["requestBody"] = body(&arguments);
    } else {
        operation["parameters"] = arguments.iter().map(query_parameter).collect();
    }
    operation
}

/// Returns the arguments of an endpoint.
fn arguments(address: &Address, schemas: &mut Schemas) -> Vec<Argument> {
    let arguments = address
        .endpoint
        .map_or(&[][..], |endpoint| endpoint.arguments);
    let arguments = arguments.iter();
    arguments
        .map(|argument| schemas.argument_of(argument.name, argument.schema))
        .collect()
}

fn query_parameter(argument: &Argument) -> Value {
    json!({
        "name": argument.name,
        "in": "query",
        "required": argument.required,
        "schema": without_null(argument.schema.clone()),
    })
}

/// Returns the arguments as JSON or as a form, where a structure is its JSON text.
fn body(arguments: &[Argument]) -> Value {
    let required: Vec<&str> = arguments
        .iter()
        .filter(|argument| argument.required)
        .map(|argument| argument.name)
        .collect();
    let object = |schema: fn(Value) -> Value| {
        let properties: Map<String, Value> = arguments
            .iter()
            .map(|argument| (argument.name.to_owned(), schema(argument.schema.clone())))
            .collect();
        json!({ "type": "object", "properties": properties, "required": required })
    };
    let mut form = json!({ "schema": object(without_null) });
    for argument in arguments {
        if argument.schema.get("anyOf").is_some() && argument.schema.get("default").is_some() {
            form["encoding"][argument.name] = json!({ "contentType": "application/json" });
        }
    }
    json!({
        "required": !required.is_empty(),
        "content": {
            "application/json": { "schema": object(|schema| schema) },
            "application/x-www-form-urlencoded": form,
        },
    })
}

fn of_stream(address: &Address, stream: &Stream) -> Value {
    let codes = responses::all_errors(&address.errors, false, address.for_visitors(), true);
    let mut all = responses::error_responses(&codes);
    all.insert(
        "200".into(),
        json!({ "description": "The events, until one side closes the stream.", "content": stream.content() }),
    );
    let mut operation = operation(address, all);
    let named: &[(&str, bool, &str)] = match address.path {
        "/events" => &[
            (
                "topics",
                true,
                "What the stream carries, with commas between: `match:7`, or `match:7@12` after version 12, `lobby:dots`, \
                 `me`, `table:LINK`, `tournament:7`.",
            ),
            (
                "session",
                false,
                "For pages: the session that they were loaded with.",
            ),
        ],
        "/events/match/{id}" => &[(
            "after",
            false,
            "The last version that is known; `Last-Event-ID` counts before it.",
        )],
        "/events/lobby" => &[("game", false, "Which waiting room.")],
        "/events/me" => &[(
            "available",
            false,
            "Games to be challengeable in, with commas between them.",
        )],
        _ => &[],
    };
    let mut parameters = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    parameters.extend(named.iter().map(|(name, required, text)| {
        json!({ "name": name, "in": "query", "required": required, "description": text,
            "schema": { "type": "string" } })
    }));
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation
}

fn of_route(address: &Address, route: Route, schemas: &mut Schemas) -> Value {
    let mut named = route.errors.to_vec();
    named.extend(&address.errors);
    let mut all = if route.is_guarded {
        let posts = address.method == "POST";
        let codes = responses::all_errors(&named, posts, address.for_visitors(), false);
        responses::error_responses(&codes)
    } else {
        let mut all = responses::error_responses(&[Code::BadToken, Code::MethodNotAllowed]);
        for (status, why) in [(429, "Too many pages for this address."), (503, "Not now.")] {
            all.insert(status.to_string(), json!({ "description": why }));
        }
        all
    };
    all.insert(
        "200".into(),
        json!({ "description": "Done.", "content": route.content }),
    );
    for (status, why) in route.others {
        all.insert(status.to_string(), json!({ "description": why }));
    }
    let mut operation = operation(address, all);
    if let Some(content) = route.body {
        operation["requestBody"] = json!({ "content": content });
    }
    let query = route.query.iter();
    let query =
        query.map(|name| json!({ "name": name, "in": "query", "schema": { "type": "string" } }));
    let of_path = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let arguments = arguments(address, schemas);
    let arguments = arguments.iter().map(query_parameter);
    operation["parameters"] = of_path.into_iter().chain(query).chain(arguments).collect();
    operation
}
