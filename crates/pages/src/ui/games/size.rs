//! The size of the board: an offered one, or the player's own.

use crate::ui::forms::fields::{FieldValues, InvalidFields, NumberField, RadioButton};
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use std::ops::RangeInclusive;

/// The board sizes of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// The sizes that are offered by name, the usual one first.
    pub(crate) offered: &'static [(u8, u8)],
    /// The shortest side of the player's own size.
    pub(crate) shortest: u8,
    pub(crate) longest: u8,
}

impl Sizes {
    /// Reads the fields.
    pub(crate) fn read(
        &self,
        values: FieldValues,
        invalid: &mut InvalidFields,
    ) -> Option<(u8, u8)> {
        let [width, height] = self.values(values);
        let mut length = |text: String, field| {
            let length = text.trim().parse::<u8>().ok();
            let length = length.filter(|length| (self.shortest..=self.longest).contains(length));
            if length.is_none() {
                invalid.push(field);
            }
            length
        };
        let (width, height) = (length(width, "width"), length(height, "height"));
        Some((width?, height?))
    }

    /// Returns both sides as they were given: in one word like `20x20`, or typed into fields of their own.
    fn values(&self, values: FieldValues) -> [String; 2] {
        let board = values("board").unwrap_or_default();
        match board.split_once('x') {
            Some((width, height)) => [width.to_owned(), height.to_owned()],
            None if board == "own" => {
                ["width", "height"].map(|side| values(side).unwrap_or_default())
            }
            None => {
                let (width, height) = self.offered[0];
                [width, height].map(|length| length.to_string())
            }
        }
    }

    fn range(&self) -> RangeInclusive<u32> {
        self.shortest.into()..=self.longest.into()
    }
}

/// Returns the word for a size in an address.
pub(crate) fn word(width: u8, height: u8) -> String {
    format!("{width}x{height}")
}

/// The fields, as somebody has filled them in.
#[component]
pub(crate) fn SizeFields(
    sizes: Sizes,
    values: ParamsMap,
    invalid: InvalidFields,
    /// The limits of the player's own size, in words.
    note: String,
) -> impl IntoView {
    let language = language();
    let [width, height] = sizes.values(&|field| values.get(field));
    let offered = sizes.offered.iter();
    let offered = offered
        .copied()
        .find(|board| word(board.0, board.1) == format!("{width}x{height}"));
    view! {
        <fieldset>
            <legend>{t!(language, choice.board)}</legend>
            {sizes
                .offered
                .iter()
                .map(|board| {
                    view! {
                        <RadioButton
                            name="board"
                            value=word(board.0, board.1)
                            label=words::board(board.0, board.1)
                            checked=offered == Some(*board)
                        />
                    }
                })
                .collect_view()}
            <RadioButton name="board" value="own" label=t!(language, choice.own_size) checked=offered.is_none() />
            <span class="own">
                <NumberField
                    name="width"
                    label=t!(language, choice.width)
                    range=sizes.range()
                    value=width
                    invalid=invalid.contains(&"width")
                    note="size-note"
                />
                <NumberField
                    name="height"
                    label=t!(language, choice.height)
                    range=sizes.range()
                    value=height
                    invalid=invalid.contains(&"height")
                    note="size-note"
                />
                <span id="size-note" class="note">
                    {note}
                </span>
            </span>
        </fieldset>
    }
}
