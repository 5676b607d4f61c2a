//! The crosstable of a round robin: who has played whom, and how it ended, in the order of the standings.

use crate::ui::text::names::display_name;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use std::collections::HashMap;
use tochki_protocol::{MatchId, PlayerId, TournamentPairing, TournamentScore, TournamentStanding};

/// A game from the side of one player.
#[derive(Clone, Debug, PartialEq)]
struct Meeting {
    round: u32,
    match_id: Option<MatchId>,
    result: MeetingResult,
}

/// The result of a game, from the side of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MeetingResult {
    /// The game runs.
    Running,
    /// It counts for nothing.
    NotCounted,
    /// The points.
    Played(TournamentScore),
    /// A side stayed away, or had left.
    Forfeit {
        /// Whether that was the other one.
        won: bool,
    },
}

/// The crosstable, once a round has begun.
#[component]
pub(super) fn Crosstable(
    rows: Vec<TournamentStanding>,
    pairings: Vec<TournamentPairing>,
) -> impl IntoView {
    let language = language();
    let meetings = meetings(&pairings);
    let players: Vec<_> = rows.iter().map(|row| row.player.clone()).collect();
    let columns = rows.iter().map(|row| {
        let name = display_name(language, &row.player.name);
        view! {
            <th scope="col" class="meeting">
                <abbr title=name>{row.rank}</abbr>
            </th>
        }
    });
    let columns = columns.collect_view();
    let rows = rows.into_iter().map(|row| {
        let own = row.player.id;
        let cells = players.iter().map(|other| {
            if other.id == own {
                return view! { <td class="meeting self">"×"</td> }.into_any();
            }
            let of_pair = meetings.get(&(own, other.id)).cloned().unwrap_or_default();
            let results = of_pair.into_iter().map(|meeting| cell(language, &meeting));
            view! { <td class="meeting">{results.collect_view()}</td> }.into_any()
        });
        view! {
            <tr>
                <td class="number place">{row.rank}</td>
                <th scope="row">
                    <PlayerName name=row.player.name.clone() guest=row.player.guest bot=row.player.bot />
                </th>
                {cells.collect_view()}
            </tr>
        }
    });
    view! {
        <section class="card">
            <h2 id="crosstable-title">{t!(language, tournaments.crosstable)}</h2>
            // Wider than a phone: it scrolls by itself, also with keys.
            <div class="crosstable" tabindex="0" role="region" aria-labelledby="crosstable-title">
                <table class="listed">
                    <thead>
                        <tr>
                            <th scope="col" class="number place">
                                {t!(language, standings.place)}
                            </th>
                            <th scope="col">{t!(language, waiting.name)}</th>
                            {columns}
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        </section>
    }
}

/// Returns the games of each pair in the order of their rounds, once from each side.
fn meetings(pairings: &[TournamentPairing]) -> HashMap<(PlayerId, PlayerId), Vec<Meeting>> {
    let mut meetings: HashMap<_, Vec<Meeting>> = HashMap::new();
    for pairing in pairings {
        let [first, second] = &pairing.players;
        for (side, own, other) in [(0, first.id, second.id), (1, second.id, first.id)] {
            let result = match (pairing.counts, pairing.points) {
                (None, _) => MeetingResult::Running,
                // Nobody has come, and each has half a point.
                (Some(true), Some(points)) if pairing.forfeit && points[0] != points[1] => {
                    MeetingResult::Forfeit {
                        won: points[side] > points[1 - side],
                    }
                }
                (Some(true), Some(points)) => MeetingResult::Played(points[side]),
                (Some(_), _) => MeetingResult::NotCounted,
            };
            meetings.entry((own, other)).or_default().push(Meeting {
                round: pairing.round,
                match_id: pairing.match_id,
                result,
            });
        }
    }
    for of_pair in meetings.values_mut() {
        of_pair.sort_by_key(|meeting| meeting.round);
    }
    meetings
}

/// Returns a game in a cell: a sign as in any crosstable, which leads to the game.
fn cell(language: Language, meeting: &Meeting) -> impl IntoView + use<> {
    let (sign, words) = match meeting.result {
        MeetingResult::Running => ("…".to_owned(), Some(t!(language, tournaments.now))),
        MeetingResult::NotCounted => ("–".to_owned(), Some(t!(language, tournaments.not_counted))),
        MeetingResult::Played(points) => (points.to_string(), None),
        MeetingResult::Forfeit { won } => {
            let sign = if won { "+" } else { "−" };
            (sign.to_owned(), Some(t!(language, tournaments.forfeit)))
        }
    };
    match meeting.match_id {
        Some(id) => view! { <a href=format!("/match/{id}") title=words>{sign}</a> }.into_any(),
        None => view! { <span title=words>{sign}</span> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::Account;

    fn account(id: i64) -> Account {
        Account {
            id: PlayerId(id),
            name: format!("player{id}"),
            guest: false,
            bot: false,
        }
    }

    fn pairing(round: u32, players: [i64; 2], halves: Option<[u32; 2]>) -> TournamentPairing {
        TournamentPairing {
            round,
            match_id: Some(MatchId(round.into())),
            players: players.map(account),
            winner: None,
            forfeit: false,
            counts: halves.map(|_| true),
            points: halves.map(|halves| halves.map(TournamentScore::of_halves)),
            berserk: [false; 2],
        }
    }

    #[test]
    fn each_side_sees_its_own_points_in_the_order_of_the_rounds() {
        let forfeit = TournamentPairing {
            forfeit: true,
            match_id: None,
            ..pairing(3, [2, 3], Some([0, 2]))
        };
        // The latest first, as the list of pairings is.
        let all = [
            pairing(4, [2, 1], None),
            forfeit,
            pairing(1, [1, 2], Some([1, 1])),
        ];
        let meetings = meetings(&all);
        let results = |one: i64, other: i64| -> Vec<MeetingResult> {
            let of_pair = &meetings[&(PlayerId(one), PlayerId(other))];
            of_pair.iter().map(|meeting| meeting.result).collect()
        };
        let half = MeetingResult::Played(TournamentScore::of_halves(1));
        assert_eq!(results(1, 2), [half, MeetingResult::Running]);
        assert_eq!(results(2, 1), [half, MeetingResult::Running]);
        assert_eq!(results(2, 3), [MeetingResult::Forfeit { won: false }]);
        assert_eq!(results(3, 2), [MeetingResult::Forfeit { won: true }]);
        assert!(!meetings.contains_key(&(PlayerId(1), PlayerId(3))));
    }
}
