//! JSON read back into values, with little code: for browsers, which read what our own server has written.
//!
//! It is a deserializer for serde like that of `serde_json`, of which a browser would have to fetch a copy for every
//! type, along with all the sentences that explain what is wrong. Here nothing is explained: what does not read comes
//! from another version of this program, and whoever asked has to ask again.
//!
//! Of what JSON allows and `serde_json` never writes, some is not read. A fraction with more than fifteen digits may be
//! off in the last of them.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;

/// Reads one value, behind which there is nothing.
///
/// # Errors
///
/// If the text is no JSON, or not of this type, or something stands behind the value.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    let mut reader = Reader(text);
    let value = T::deserialize(&mut reader)?;
    match reader.next() {
        None => Ok(value),
        Some(_) => Err(Unreadable),
    }
}

/// Reads an event, whose name travels beside it.
///
/// # Errors
///
/// If no event of this type has the name, or the body is not that of such an event.
pub fn read_event<T: DeserializeOwned>(name: &str, body: &str) -> Result<T, Unreadable> {
    read(&format!(r#"{{"{name}":{body}}}"#))
}

/// The text is no JSON, or not of what was to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this does not read")
    }
}

impl std::error::Error for Unreadable {}

impl Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// The text that is still to be read.
struct Reader<'de>(&'de str);

impl<'de> Reader<'de> {
    /// The next character that is no blank.
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.trim_ascii_start();
        self.0.bytes().next()
    }

    /// Goes past an ASCII character that has to come next.
    fn pass(&mut self, character: u8) -> Result<(), Unreadable> {
        if self.next() == Some(character) {
            self.0 = &self.0[1..];
            Ok(())
        } else {
            Err(Unreadable)
        }
    }

    /// Whether another item comes before the end of a list or a record. Between two there is a comma.
    fn comes(&mut self, first: &mut bool, end: u8) -> Result<bool, Unreadable> {
        if self.next() == Some(end) {
            return Ok(false);
        }
        if !std::mem::take(first) {
            self.pass(b',')?;
        }
        Ok(true)
    }

    /// A number, `null`, `true` or `false`, up to what cannot belong to it.
    fn word(&mut self) -> &'de str {
        self.next();
        let belongs = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let end = self.0.find(|c| !belongs(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    fn boolean(&mut self) -> Result<bool, Unreadable> {
        match self.word() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(Unreadable),
        }
    }

    fn string(&mut self) -> Result<Cow<'de, str>, Unreadable> {
        self.pass(b'"')?;
        let mut read = Cow::Borrowed("");
        loop {
            let end = self.0.find(['"', '\\']).ok_or(Unreadable)?;
            let (piece, rest) = self.0.split_at(end);
            read += piece;
            self.0 = &rest[1..];
            if rest.starts_with('"') {
                return Ok(read);
            }
            read.to_mut().push(self.escaped()?);
        }
    }

    /// What stands behind a backslash.
    fn escaped(&mut self) -> Result<char, Unreadable> {
        let mut rest = self.0.chars();
        let escaped = match rest.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let (digits, behind) = rest.as_str().split_at_checked(4).ok_or(Unreadable)?;
                rest = behind.chars();
                let number = u32::from_str_radix(digits, 16).map_err(|_| Unreadable)?;
                char::from_u32(number).ok_or(Unreadable)?
            }
            Some(other) => other,
            None => return Err(Unreadable),
        };
        self.0 = rest.as_str();
        Ok(escaped)
    }

    fn number(&mut self) -> Result<Number, Unreadable> {
        let word = self.word();
        if let Ok(whole) = word.parse() {
            return Ok(Number::Whole(whole));
        }
        let (digits, power) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let digits: i64 = [whole, fraction].concat().parse().map_err(|_| Unreadable)?;
        let power: i32 = power.parse().map_err(|_| Unreadable)?;
        let power = power - fraction.len() as i32;
        // Both are exact as long as there are not too many digits, and so is what comes of them.
        let (digits, ten) = (digits as f64, 10_f64);
        Ok(Number::Real(if power < 0 {
            digits / ten.powi(-power)
        } else {
            digits * ten.powi(power)
        }))
    }
}

enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    fn shown_to<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self {
            Self::Whole(number) => visitor.visit_i64(number),
            Self::Real(number) => visitor.visit_f64(number),
        }
    }
}

/// Types say what they are, so that each needs only the code for that.
macro_rules! numbers {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            self.number()?.shown_to(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.next() {
            Some(b'"') => self.deserialize_str(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'n') => self.deserialize_unit(visitor),
            _ => self.number()?.shown_to(visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.boolean()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_str(&self.string()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.word() {
            "null" => visitor.visit_unit(),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.next() == Some(b'n') {
            self.deserialize_unit(visitor)
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.pass(b'[')?;
        let value = visitor.visit_seq(Items::of(self))?;
        self.pass(b']')?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.pass(b'{')?;
        let value = visitor.visit_map(Items::of(self))?;
        self.pass(b'}')?;
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        if self.next() == Some(b'"') {
            return visitor.visit_enum(Variant {
                reader: self,
                bare: true,
            });
        }
        self.pass(b'{')?;
        let value = visitor.visit_enum(Variant {
            reader: self,
            bare: false,
        })?;
        self.pass(b'}')?;
        Ok(value)
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit_struct tuple_struct ignored_any }
}

/// The items of a list, or the entries of a record.
struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'r, 'de> Items<'r, 'de> {
    fn of(reader: &'r mut Reader<'de>) -> Self {
        Self {
            reader,
            first: true,
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        if self.reader.comes(&mut self.first, b']')? {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unreadable> {
        if self.reader.comes(&mut self.first, b'}')? {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Unreadable> {
        self.reader.pass(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

/// One of several: a word, or an entry with the word as its key.
struct Variant<'r, 'de> {
    reader: &'r mut Reader<'de>,
    bare: bool,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Unreadable;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), Unreadable> {
        let variant = seed.deserialize(&mut *self.reader)?;
        if !self.bare {
            self.reader.pass(b':')?;
        }
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Unreadable;

    fn unit_variant(self) -> Result<(), Unreadable> {
        if self.bare { Ok(()) } else { Err(Unreadable) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, Unreadable> {
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unreadable> {
        self.reader.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        self.reader.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Challenge, ChallengeId, LobbyEvent, PlayerCard, PlayerId, WaitingRoom};
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use tochki_play::{Event, MatchResult, Rating, RatingChange, Reason, Timestamp};
    use tochki_rules::{GameKind, Seat};

    /// Everything that a shape can be made of.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Shape {
        Nothing,
        Word(String),
        Whole(i64),
        Real(f64),
        Pair([bool; 2]),
        Maybe {
            maybe: Option<u8>,
            other: Option<Box<Shape>>,
        },
        Tuple(u32, ()),
        List(Vec<Shape>),
        Map(BTreeMap<String, Shape>),
    }

    fn shapes() -> impl Strategy<Value = Shape> {
        let leaf = prop_oneof![
            Just(Shape::Nothing),
            any::<String>().prop_map(Shape::Word),
            any::<i64>().prop_map(Shape::Whole),
            // Thirteen digits, as the doc allows.
            (-10_000_000_000_i64..10_000_000_000).prop_map(|n| Shape::Real(n as f64 / 1000.0)),
            any::<[bool; 2]>().prop_map(Shape::Pair),
            any::<u32>().prop_map(|n| Shape::Tuple(n, ())),
        ];
        leaf.prop_recursive(4, 32, 4, |shape| {
            let maybe = (any::<Option<u8>>(), proptest::option::of(shape.clone()));
            prop_oneof![
                maybe.prop_map(|(maybe, other)| Shape::Maybe {
                    maybe,
                    other: other.map(Box::new)
                }),
                proptest::collection::vec(shape.clone(), 0..4).prop_map(Shape::List),
                proptest::collection::btree_map(".*", shape, 0..4).prop_map(Shape::Map),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_serde_json_writes_is_read(shape in shapes()) {
            prop_assert_eq!(read(&serde_json::to_string(&shape).unwrap()), Ok(shape.clone()));
            prop_assert_eq!(read(&serde_json::to_string_pretty(&shape).unwrap()), Ok(shape));
        }

        #[test]
        fn nothing_is_read_from_a_part(shape in shapes(), cut in 1_usize..9) {
            let text = serde_json::to_string(&Shape::List(vec![shape])).unwrap();
            let part = text.char_indices().rev().nth(cut).map_or("", |(end, _)| &text[..end]);
            prop_assert_eq!(read::<Shape>(part), Err(Unreadable));
        }

        #[test]
        fn what_reads_here_reads_as_well_there(text in r#"[\[\]{}:,"a0-9.eE+\\ntrufalse-]{0,12}"#) {
            // No panic at least, and never another value.
            if let (Ok(here), Ok(there)) = (read::<Vec<Shape>>(&text), serde_json::from_str::<Vec<Shape>>(&text)) {
                prop_assert_eq!(here, there);
            }
        }
    }

    #[track_caller]
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        assert_eq!(
            read::<T>(&serde_json::to_string(value).unwrap()).as_ref(),
            Ok(value)
        );
    }

    #[test]
    fn what_travels_is_read() {
        let card = PlayerCard {
            id: PlayerId(7),
            name: "Юрий \"\\\n\u{1}".into(),
            rating: 1612.5,
            guest: true,
        };
        let challenge = |kind: &GameKind| Challenge {
            id: ChallengeId(3),
            from: card.clone(),
            to: card.clone(),
            setup: kind.default_setup(),
            clock: "300+5".parse().unwrap(),
            rated: true,
            expires_at: Timestamp(1_764_000_000_000),
        };
        let challenges: Vec<_> = GameKind::ALL.iter().map(challenge).collect();
        challenges.iter().for_each(check);
        let room = WaitingRoom {
            players: vec![card.clone()],
            challenges,
            ..WaitingRoom::default()
        };
        let encoded = LobbyEvent::Snapshot(room.clone()).encode().unwrap();
        assert_eq!(
            read_event(encoded.name, &encoded.body),
            Ok(LobbyEvent::Snapshot(room))
        );

        let change = RatingChange {
            before: Rating(1600.0),
            after: Rating(1587.5),
        };
        let result = MatchResult {
            winner: Some(Seat::Second),
            reason: Reason::Resigned,
            ratings: Some([change, change]),
        };
        let event = Event::Finished { result };
        let encoded = event.encode().unwrap();
        assert_eq!(read_event(encoded.name, &encoded.body), Ok(event));
    }

    #[test]
    fn unknown_fields_are_passed_over() {
        let text =
            r#" {"more": [{"a": "]}"}, null, -1.5e3], "id": 1, "name": "a", "rating": 1.6e3} "#;
        let card = PlayerCard {
            id: PlayerId(1),
            name: "a".into(),
            rating: 1600.0,
            guest: false,
        };
        assert_eq!(read(text), Ok(card));
        assert_eq!(read::<PlayerCard>(&format!("{text}1")), Err(Unreadable));
        assert_eq!(
            read::<PlayerCard>(r#"{"id":1,"name":"a"}"#),
            Err(Unreadable)
        );
    }
}
