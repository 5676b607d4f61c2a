//! Serializer for externally tagged enums (serde's default). The name of the variant, a constant, and the content are returned
//! separately.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeStructVariant, Serializer};
use serde_json::Error;

/// Serializes to the name and to the content as JSON. A value that is no variant with a content of its own is an error.
pub(super) struct VariantSerializer;

/// The content of a variant with named fields, as far as it is written.
pub(super) struct Fields {
    name: &'static str,
    json: Vec<u8>,
}

fn no_content() -> Error {
    Error::custom("not a variant with a content of its own")
}

macro_rules! refuse {
    ($($method:ident($($input:ty),*) -> $output:ident,)*) => {
        $(fn $method(self, $(_: $input),*) -> Result<Self::$output, Error> {
            Err(no_content())
        })*
    };
}

impl Serializer for VariantSerializer {
    type Ok = (&'static str, String);
    type Error = Error;
    type SerializeSeq = Impossible<Self::Ok, Error>;
    type SerializeTuple = Impossible<Self::Ok, Error>;
    type SerializeTupleStruct = Impossible<Self::Ok, Error>;
    type SerializeTupleVariant = Impossible<Self::Ok, Error>;
    type SerializeMap = Impossible<Self::Ok, Error>;
    type SerializeStruct = Impossible<Self::Ok, Error>;
    type SerializeStructVariant = Fields;

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        content: &T,
    ) -> Result<Self::Ok, Error> {
        Ok((name, serde_json::to_string(content)?))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Fields, Error> {
        let json = Vec::with_capacity(128);
        Ok(Fields { name, json })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Self::Ok, Error> {
        Err(no_content())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, Error> {
        Err(no_content())
    }

    refuse! {
        serialize_bool(bool) -> Ok, serialize_char(char) -> Ok, serialize_str(&str) -> Ok, serialize_bytes(&[u8]) -> Ok,
        serialize_i8(i8) -> Ok, serialize_i16(i16) -> Ok, serialize_i32(i32) -> Ok, serialize_i64(i64) -> Ok,
        serialize_u8(u8) -> Ok, serialize_u16(u16) -> Ok, serialize_u32(u32) -> Ok, serialize_u64(u64) -> Ok,
        serialize_f32(f32) -> Ok, serialize_f64(f64) -> Ok, serialize_none() -> Ok, serialize_unit() -> Ok,
        serialize_unit_struct(&'static str) -> Ok,
        serialize_unit_variant(&'static str, u32, &'static str) -> Ok,
        serialize_seq(Option<usize>) -> SerializeSeq,
        serialize_tuple(usize) -> SerializeTuple,
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant,
        serialize_map(Option<usize>) -> SerializeMap,
        serialize_struct(&'static str, usize) -> SerializeStruct,
    }
}

impl SerializeStructVariant for Fields {
    type Ok = (&'static str, String);
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let before = if self.json.is_empty() { b'{' } else { b',' };
        self.json.push(before);
        serde_json::to_writer(&mut self.json, key)?;
        self.json.push(b':');
        serde_json::to_writer(&mut self.json, value)
    }

    fn end(mut self) -> Result<Self::Ok, Error> {
        if self.json.is_empty() {
            self.json.push(b'{');
        }
        self.json.push(b'}');
        let content = String::from_utf8(self.json).map_err(Error::custom)?;
        Ok((self.name, content))
    }
}
