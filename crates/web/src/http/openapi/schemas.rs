//! Schemas of the API types. Response types become named components; arguments are inlined.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};
use tochki_pages::endpoint::{SchemaOf, schema_of};

pub(super) struct Schemas {
    answers: SchemaGenerator,
    arguments: SchemaGenerator,
}

/// An argument of an address.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) schema: Value,
    pub(super) required: bool,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.meta_schema = None;
            settings.definitions_path = "/components/schemas".into();
        });
        let inline = settings.clone().with(|settings| {
            settings.contract = Contract::Deserialize;
            settings.inline_subschemas = true;
        });
        let named = settings.with(|settings| settings.contract = Contract::Serialize);
        Self {
            answers: named.into_generator(),
            arguments: inline.into_generator(),
        }
    }

    /// Returns the schema of an answer of type `T`.
    pub(super) fn answer<T: JsonSchema>(&mut self) -> Value {
        self.answers.subschema_for::<T>().to_value()
    }

    /// Returns the schema of an endpoint's answer.
    pub(super) fn answer_of(&mut self, of: SchemaOf) -> Value {
        of(&mut self.answers).to_value()
    }

    /// Returns the schema of a field of the arguments, whose type the compiler finds.
    pub(super) fn argument<A, T: JsonSchema>(
        &mut self,
        name: &'static str,
        _: fn(&A) -> &T,
    ) -> Argument {
        self.argument_of(name, schema_of::<T>)
    }

    /// Returns the schema of an argument.
    pub(super) fn argument_of(&mut self, name: &'static str, of: SchemaOf) -> Argument {
        let schema = of(&mut self.arguments);
        let required = schema.get("default").is_none() && !takes_null(&schema);
        Argument {
            name,
            schema: schema.to_value(),
            required,
        }
    }

    /// Returns the content of each variant of an enum, with the variant's name in JSON.
    pub(super) fn variants<T: JsonSchema>(&mut self) -> Vec<(String, Value)> {
        let of_enum = T::json_schema(&mut self.answers).to_value();
        let variants = of_enum["oneOf"].as_array().cloned().unwrap_or_default();
        let named = variants.into_iter().filter_map(|mut variant| {
            let properties = variant.get_mut("properties")?.as_object_mut()?;
            let name = properties.keys().next()?.clone();
            Some((name.clone(), properties.remove(&name)?))
        });
        named.collect()
    }

    /// Returns the types that answers refer to, by their names.
    pub(super) fn into_components(mut self) -> Map<String, Value> {
        self.answers.take_definitions(true)
    }
}

fn takes_null(schema: &Schema) -> bool {
    let is_null = |value: &Value| value == "null" || value.get("type").is_some_and(|t| t == "null");
    ["type", "anyOf"].iter().any(|key| {
        let listed = schema.get(*key).and_then(Value::as_array);
        listed.is_some_and(|listed| listed.iter().any(is_null))
    })
}

/// Removes `null` from a schema, because neither a form nor a query can express it.
pub(super) fn without_null(mut schema: Value) -> Value {
    let Some(object) = schema.as_object_mut() else {
        return schema;
    };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &types[..] {
            let one = one.clone();
            object.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(options)) = object.get_mut("anyOf") {
        options.retain(|option| option.get("type").is_none_or(|name| name != "null"));
        if let [one] = &options[..] {
            return one.clone();
        }
    }
    schema
}

/// Takes the links of `rustdoc` out of all descriptions: outside of the sources they lead nowhere.
pub(super) fn plain_descriptions(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = plain(text);
            }
            object.values_mut().for_each(plain_descriptions);
        }
        Value::Array(items) => items.iter_mut().for_each(plain_descriptions),
        _ => {}
    }
}

fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else {
            break;
        };
        plain.extend([before, "`", name, "`"]);
        let target = after
            .strip_prefix('(')
            .and_then(|link| link.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_rustdoc_become_their_names() {
        let text = "Until [`A::B`](crate::A::B), or [`C`], see [1].";
        assert_eq!(plain(text), "Until `A::B`, or `C`, see [1].");
    }

    #[test]
    fn an_optional_argument_takes_null_in_json_alone() {
        struct Arguments {
            text: Option<String>,
            kind: Option<tochki_play::OfferKind>,
            id: i64,
        }
        let mut schemas = Schemas::new();
        let text = schemas.argument("text", |of: &Arguments| &of.text);
        let kind = schemas.argument("kind", |of: &Arguments| &of.kind);
        let id = schemas.argument("id", |of: &Arguments| &of.id);
        assert_eq!(
            [text.required, kind.required, id.required],
            [false, false, true]
        );
        assert_eq!(without_null(text.schema)["type"], "string");
        assert!(!without_null(kind.schema).to_string().contains("null"));
    }
}
