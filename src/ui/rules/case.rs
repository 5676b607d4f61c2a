//! A rule shown on a small board: before a move, the move as it is tried, after it.

use crate::play::Ply;
use crate::rules::dots::{Dot, Dots, Opening, Point, Setup, Spot};
use crate::rules::{Game, Move, Seat};
use crate::ui::board::{Piece, Standing};
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::prelude::*;

/// One rule and its board.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// A word for it in the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// Who moves.
    pub(crate) mover: Seat,
    pub(crate) piece: Piece,
    /// `R` and `B` are dots, `b` is one that red has captured, `*` is the move, `.` a free point.
    pub(crate) drawing: &'static [&'static str],
}

/// A case on a board.
struct Played {
    before: Dots,
    after: Dots,
    /// The dots in the order in which they are placed; the last is the move.
    placed: Vec<Ply>,
}

impl Case {
    /// Places the drawn dots and plays the move.
    ///
    /// # Panics
    ///
    /// If what is drawn is no position of Dots; the tests go through all of them.
    fn play(&self) -> Played {
        let margin = |near| u8::from(near || self.piece == Piece::Middle);
        let (near, far) = (margin(false), margin(true));
        let width = self.drawing[0].split_whitespace().count() as u8;
        let height = self.drawing.len() as u8;
        let setup = Setup::new(near + width + far, near + height + far, Opening::Empty);
        let mut dots = Dots::new(&setup.expect("a drawing is smaller than the largest board"));
        let mut marks: Vec<(&str, Point)> = Vec::new();
        for (y, row) in self.drawing.iter().enumerate() {
            let row = row.split_whitespace().enumerate();
            marks.extend(row.map(|(x, mark)| (mark, Point::new(near + x as u8, near + y as u8))));
        }
        // Captured dots stand there before red captures them, and blue comes round afterwards; the move is last.
        let turn = |mark: &str| match mark {
            "b" => 0,
            "R" => 1,
            "B" => 2,
            _ => 3,
        };
        marks.retain(|(mark, _)| *mark != ".");
        marks.sort_by_key(|(mark, _)| turn(mark));
        let mut placed = Vec::new();
        let mut before = dots.clone();
        for (mark, point) in marks {
            let seat = match mark {
                "R" => Seat::First,
                "B" | "b" => Seat::Second,
                _ => {
                    before = dots.clone();
                    self.mover
                }
            };
            dots.play_as(seat, point)
                .expect("a drawn dot may be placed");
            let mv = Move::Dots(point);
            placed.push(Ply { seat, mv });
        }
        Played {
            before,
            after: dots,
            placed,
        }
    }
}

/// The case with its board. Three radio buttons choose what is seen, and a click on the board goes on to the next;
/// nothing here needs a script.
#[component]
pub(super) fn CaseCard(case: Case) -> impl IntoView {
    let language = language();
    let Played {
        before,
        after,
        placed,
    } = case.play();
    let piece = case.piece;
    let (last, standing) = placed.split_last().expect("a case has a move");
    let Move::Dots(point) = last.mv else {
        unreachable!("a case is one of Dots");
    };
    let mover = words::colour(language, case.mover);
    let states = [
        (
            "before",
            say!(language, rules.before),
            piece.standing(seen(&before, standing)),
            describe(language, &before),
        ),
        (
            "move",
            say!(language, rules.the_move),
            piece.trying(seen(&before, standing), language, case.mover, last.mv),
            say!(
                language,
                rules.places,
                side = mover,
                row = point.y + 1,
                place = point.x + 1
            ),
        ),
        (
            "after",
            say!(language, rules.after),
            piece.played(seen(&after, &placed)),
            describe(language, &after),
        ),
    ];
    let id = |state: &str| format!("{}-{state}", case.id);
    let described = |state: &str| format!("{}-{state}-board", case.id);
    let radios = states.each_ref().map(|(state, name, ..)| {
        view! {
            <label class="pick">
                <input
                    type="radio"
                    id=id(state)
                    name=case.id
                    checked=*state == "before"
                    aria-describedby=described(state)
                />
                {*name}
            </label>
        }
    });
    let scores = [before.score(), before.score(), after.score()];
    let order = ["move", "after", "before"];
    let sheets = states.into_iter().zip(scores).zip(order);
    let sheets = sheets.map(|(((state, _, drawn, told), score), next)| {
        view! {
            <div class=format!("sheet {state}")>
                // The label is the next radio button's: its board has no words, which would become that button's name.
                <label for=id(next) inner_html=drawn></label>
                <p id=described(state) class="hidden">
                    {told}
                </p>
                <p class="score">{say!(language, rules.score, score = words::score(score))}</p>
            </div>
        }
    });
    view! {
        <section class="case" aria-labelledby=case.id>
            <div class="explained">
                <h3 id=case.id>{case.title}</h3>
                <p>{case.text}</p>
            </div>
            <div class="shown">
                {sheets.collect_view()} <fieldset>
                    <legend class="hidden">{case.title}</legend>
                    {radios}
                </fieldset>
            </div>
        </section>
    }
}

fn seen<'a>(dots: &'a Dots, plies: &'a [Ply]) -> Standing<'a> {
    Standing {
        face: dots,
        plies,
        initials: [' '; 2],
    }
}

/// The board in words, row by row.
fn describe(language: Language, dots: &Dots) -> String {
    let setup = dots.setup();
    let rows = (0..setup.height()).map(|y| {
        let points: Vec<_> = (0..setup.width())
            .map(|x| spot(language, dots.at(Point::new(x, y))))
            .collect();
        say!(language, rules.row, row = y + 1, points = points.join(", "))
    });
    rows.collect::<Vec<_>>().join(" ")
}

fn spot(language: Language, spot: Spot) -> String {
    match spot {
        Spot {
            dot: Some(Dot { seat, alive: true }),
            ..
        } => words::colour(language, seat).to_lowercase(),
        Spot {
            dot: Some(Dot { seat, .. }),
            ..
        } => say!(
            language,
            rules.captured,
            side = words::colour(language, seat).to_lowercase()
        ),
        Spot { area: Some(_), .. } => say!(language, rules.closed).to_owned(),
        Spot { .. } => say!(language, rules.free).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Kind;
    use crate::ui::games;

    fn draw(case: &Case, dots: &Dots) -> Vec<String> {
        let near = u8::from(case.piece == Piece::Middle);
        let mark = |point| match dots.at(point) {
            Spot {
                dot: Some(Dot { seat, alive }),
                ..
            } => match (seat, alive) {
                (Seat::First, true) => "R",
                (Seat::First, false) => "r",
                (Seat::Second, true) => "B",
                (Seat::Second, false) => "b",
            },
            Spot { area: Some(_), .. } => "x",
            Spot { .. } => ".",
        };
        let width = case.drawing[0].split_whitespace().count() as u8;
        let row = |y| {
            let points = (0..width).map(|x| mark(Point::new(x + near, y + near)));
            points.collect::<Vec<_>>().join(" ")
        };
        (0..case.drawing.len() as u8).map(row).collect()
    }

    #[track_caller]
    fn check(id: &str, score: [u32; 2], after: &[&str]) {
        let chapters = games::rules(Language::default(), Kind::Dots).chapters;
        let case = chapters
            .iter()
            .flat_map(|chapter| &chapter.cases)
            .find(|case| case.id == id)
            .expect("a case of that name");
        let Played {
            before,
            after: played,
            ..
        } = case.play();
        let drawn: Vec<_> = case
            .drawing
            .iter()
            .map(|row| row.replace('*', "."))
            .collect();
        assert_eq!(draw(case, &before), drawn, "before");
        assert_eq!(draw(case, &played), after, "after");
        assert_eq!(played.score(), score);
    }

    #[test]
    fn every_case_is_what_the_rules_make_of_it() {
        check("capture", [1, 0], &[". R .", "R b R", ". R ."]);
        check("diagonals", [1, 0], &[". R R .", "R b x R", ". R R ."]);
        check("edge", [0, 0], &["B R .", "R . ."]);
        check("house", [0, 0], &[". R .", "R . R", ". R ."]);
        check("stepping-in", [1, 0], &[". R .", "R b R", ". R ."]);
        check("breaking-in", [0, 1], &[". R B .", "R B r B", ". R B ."]);
        check("filling", [0, 0], &[". R .", "R R R", ". R ."]);
        check("two", [2, 0], &[". R . R .", "R b R b R", ". R . R ."]);
        check("beside", [1, 0], &[". R . R .", "R b R . R", ". R . R ."]);
        check(
            "inside",
            [1, 0],
            &[
                ". R R R R R R .",
                "R x x R x x x R",
                "R x R x R x x R",
                "R x x R x x x R",
                "R b x x x x x R",
                ". R R R R R R .",
            ],
        );
        check(
            "again",
            [1, 0],
            &[
                ". . R . .",
                ". R R R .",
                "R R b R R",
                ". R R R .",
                ". . R . .",
            ],
        );
        check(
            "recapture",
            [0, 4],
            &[
                ". . B . .",
                ". B r B .",
                "B r B r B",
                ". B r B .",
                ". . B . .",
            ],
        );
        check("dead", [1, 0], &[". R . B .", "R b R . B", ". R B B ."]);
    }
}
