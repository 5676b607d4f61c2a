//! The standings of a round robin, where players may have withdrawn.

use crate::score_table::TieBreakKind;
use crate::{Game, Points, ScoreTable, Standing};

/// The tie-breaks of a round robin.
pub const TIE_BREAKS: [TieBreakKind; 3] = [
    TieBreakKind::SonnebornBerger,
    TieBreakKind::Direct,
    TieBreakKind::Wins,
];

/// Returns the standings. `withdrawn` has an entry for each player.
///
/// The results of a player who withdrew before half of the own games were played are void, for both sides; that player is the
/// last, without points. Ratings are not this module's business.
pub fn standings(
    players: usize,
    double: bool,
    games: &[Game],
    withdrawn: &[bool],
) -> Vec<Standing> {
    standings_among(players, players, double, games, withdrawn)
}

/// Returns whether the results of a player who has withdrawn are void: fewer than half of the own games were played.
pub const fn is_void(played: u32, in_table: usize, double: bool) -> bool {
    let meetings = if double { 2 } else { 1 };
    2 * played < in_table.saturating_sub(1) as u32 * meetings
}

/// Returns the standings where of all players only `in_table` are part of the table; the others have no games.
pub fn standings_among(
    players: usize,
    in_table: usize,
    double: bool,
    games: &[Game],
    withdrawn: &[bool],
) -> Vec<Standing> {
    let meetings = if double { 2 } else { 1 };
    let is_void: Vec<_> = (0..players)
        .map(|player| {
            let played = games
                .iter()
                .filter(|game| game.players.contains(&player) && !game.forfeit);
            withdrawn.get(player) == Some(&true)
                && self::is_void(played.count() as u32, in_table, double)
        })
        .collect();
    let mut table = ScoreTable::new(players, meetings);
    for game in games
        .iter()
        .filter(|game| !game.players.iter().any(|&player| is_void[player]))
    {
        table.add_game(game);
    }
    let mut rows = table.standings(&TIE_BREAKS);
    rows.sort_by_key(|row| is_void[row.player]);
    debug_assert!(
        rows.iter()
            .all(|row| !is_void[row.player] || row.points == Points::ZERO)
    );
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Seat;

    fn game(first: usize, second: usize, winner: Option<Seat>) -> Game {
        Game {
            players: [first, second],
            winner,
            round: 1,
            forfeit: false,
            score: [0, 0],
        }
    }

    fn order(rows: &[Standing]) -> Vec<(usize, String)> {
        rows.iter()
            .map(|row| (row.player, row.points.to_string()))
            .collect()
    }

    #[test]
    fn who_withdraws_before_half_of_the_games_never_was_there() {
        let games = [
            game(0, 3, Some(Seat::First)),
            game(1, 2, Some(Seat::First)),
            game(0, 1, None),
        ];
        let stayed = standings(4, false, &games, &[false; 4]);
        assert_eq!(order(&stayed)[0], (0, "1.5".to_owned()));
        // 3 has played one of three games, 0 two of three.
        let left = standings(4, false, &games, &[false, false, false, true]);
        assert_eq!(
            order(&left),
            [
                (1, "1.5".into()),
                (0, "0.5".into()),
                (2, "0.0".into()),
                (3, "0.0".into())
            ]
        );
        let later = standings(4, false, &games, &[true, false, false, false]);
        assert_eq!(order(&later), order(&stayed));
        // Of six games two are not half.
        let double = standings(4, true, &games, &[true, false, false, false]);
        assert_eq!(order(&double)[0], (1, "1.0".into()));
        assert_eq!(order(&double)[3], (0, "0.0".into()));
    }

    #[test]
    fn who_is_not_in_the_table_does_not_lengthen_it() {
        // 4 and 5 have entered, and did not come to the first round: 3 has played two of three games.
        let games = [
            game(0, 3, Some(Seat::First)),
            game(1, 3, Some(Seat::First)),
            game(0, 2, None),
        ];
        let withdrawn = [false, false, false, true, false, false];
        let rows = standings_among(6, 4, false, &games, &withdrawn);
        assert_eq!(order(&rows)[0], (0, "1.5".to_owned()));
        assert_eq!(order(&rows)[1], (1, "1.0".to_owned()));
        assert!(is_void(2, 6, false) && !is_void(2, 4, false) && is_void(2, 4, true));
    }

    #[test]
    fn ties_go_by_sonneborn_berger_direct_and_wins() {
        // 0 and 1 have 1.5 each and drew; 0 has beaten 2 with 2 points, 1 has beaten 3 with 1, so nobody is left for direct games.
        let games = [
            game(0, 1, None),
            game(0, 2, Some(Seat::First)),
            game(0, 3, Some(Seat::Second)),
            game(1, 2, Some(Seat::Second)),
            game(1, 3, Some(Seat::First)),
            game(2, 3, Some(Seat::First)),
        ];
        let rows = standings(4, false, &games, &[]);
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.player,
                    row.tie_breaks
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(" "),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (2, "2.5 0 2".into()),
                (0, "2.75 0 1".into()),
                (1, "1.75 0 1".into()),
                (3, "1.5 0 1".into())
            ]
            .map(|(player, told): (usize, String)| (player, told))
        );
    }
}
