//! The rules file: opponents, boards and time controls that the bot accepts, and its answers to offers.

use crate::error::Error;
use serde::{Deserialize, Deserializer, de};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tochki_client::play::{ClockRule, Match, OfferKind, Terms};
use tochki_client::protocol::{Challenge, PlayerCard, limits};
use tochki_client::rules::{GameKind, Seat, Setup};
use tochki_engine_cli::protocol::setup_in_words;

/// The rules of the bot. A field that a file leaves out is as in [`Rules::default`].
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Rules {
    /// The number of games at once.
    pub(crate) games: usize,
    pub(crate) accept: Accept,
    /// The accepted boards of each game; of a game that is not here, all.
    #[serde(deserialize_with = "read_boards")]
    pub(crate) boards: HashMap<GameKind, Vec<Setup>>,
    pub(crate) offers: Offers,
    pub(crate) challenge: Seek,
    pub(crate) engine: EngineRules,
}

/// The challenges that are accepted.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Accept {
    pub(crate) from: OpponentKind,
    pub(crate) rated: RatedFilter,
    /// Whether games without a clock are accepted.
    pub(crate) untimed: bool,
    /// The least and the most seconds on a clock.
    pub(crate) initial: [u32; 2],
    /// The least and the most seconds that a move gives back.
    pub(crate) increment: [u32; 2],
    /// Whether clocks with seconds for each move and a bank are accepted, such as `25/300`.
    pub(crate) bank: bool,
    /// Whether clocks with periods are accepted, such as `600~30x5`.
    pub(crate) byo_yomi: bool,
    /// The only players whose challenges are accepted, if there are any.
    pub(crate) only: Vec<String>,
    /// The players whose challenges are never accepted.
    pub(crate) refused: Vec<String>,
}

/// The kind of the opponents.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OpponentKind {
    Everyone,
    People,
    Bots,
    Nobody,
}

/// The games by whether they are rated.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RatedFilter {
    Any,
    Rated,
    Unrated,
}

/// The answers to offers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Offers {
    pub(crate) takeback: Takeback,
    pub(crate) draw: OfferPolicy,
    pub(crate) finish: OfferPolicy,
}

/// The policy for taking back a move.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Takeback {
    Never,
    Unrated,
    Always,
}

/// The policy for offers to end the game.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OfferPolicy {
    Never,
    /// Accepted with more points than the other side has.
    Ahead,
    Always,
}

/// Challenges of the bot's own.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Seek {
    pub(crate) whom: OpponentKind,
    /// Seconds from one challenge to the next.
    every: u32,
    #[serde(deserialize_with = "read_clock")]
    clock: ClockRule,
    rated: bool,
}

/// The settings of the engine.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EngineRules {
    /// The time for a move in a game without a clock, in seconds.
    move_time: f64,
    /// The depth of a search in plies, for protocols without time (`NBoard`).
    pub(crate) depth: Option<u16>,
    /// The part of the clock that is kept for the way of a move to the server, in milliseconds.
    overhead: u32,
    /// The time after which an engine that does not answer is started anew, in seconds.
    #[serde(alias = "silence")]
    idle_timeout: u32,
    /// Whether the engine knows the words of clocks with a bank or periods. Without them it is given a time for each move.
    pub(crate) clocks: bool,
    /// The number of new starts in a game before the bot gives up.
    pub(crate) restarts: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            games: 1,
            accept: Accept::default(),
            boards: HashMap::new(),
            offers: Offers::default(),
            challenge: Seek::default(),
            engine: EngineRules::default(),
        }
    }
}

impl Default for Accept {
    fn default() -> Self {
        Self {
            from: OpponentKind::Everyone,
            rated: RatedFilter::Any,
            untimed: true,
            initial: [*ClockRule::INITIAL.start(), *ClockRule::INITIAL.end()],
            increment: [*ClockRule::INCREMENT.start(), *ClockRule::INCREMENT.end()],
            bank: true,
            byo_yomi: true,
            only: Vec::new(),
            refused: Vec::new(),
        }
    }
}

impl Default for Offers {
    fn default() -> Self {
        Self {
            takeback: Takeback::Unrated,
            draw: OfferPolicy::Never,
            finish: OfferPolicy::Ahead,
        }
    }
}

impl Default for Seek {
    fn default() -> Self {
        Self {
            whom: OpponentKind::Nobody,
            every: 60,
            clock: ClockRule::Fischer {
                initial: 300,
                increment: 5,
            },
            rated: true,
        }
    }
}

impl Default for EngineRules {
    fn default() -> Self {
        Self {
            move_time: 5.0,
            depth: None,
            overhead: 300,
            idle_timeout: 60,
            clocks: false,
            restarts: 3,
        }
    }
}

impl Rules {
    /// Reads a file; without one the rules are the default.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let shown = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| format!("cannot read the rules {shown}: {error}"))?;
        Self::parse(&text).map_err(|why| format!("{shown}: {why}").into())
    }

    /// Parses the rules. An error has the line it is in.
    fn parse(text: &str) -> Result<Self, String> {
        let rules: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        rules.check().map(|()| rules)
    }

    /// Checks the rules that the types do not express.
    fn check(&self) -> Result<(), String> {
        for (name, [least, most], range) in [
            ("initial", self.accept.initial, ClockRule::INITIAL),
            ("increment", self.accept.increment, ClockRule::INCREMENT),
        ] {
            if least > most || !range.contains(&least) || !range.contains(&most) {
                let (from, to) = (range.start(), range.end());
                return Err(format!(
                    "accept.{name} is [least, most], both from {from} to {to}"
                ));
            }
        }
        if self.games == 0 {
            return Err("games is at least 1".into());
        }
        let least = limits::BOT_MIN_CHALLENGE_INTERVAL;
        if self.challenge.every() < least {
            return Err(format!("challenge.every is at least {}", least.as_secs()));
        }
        if !(0.05..=600.0).contains(&self.engine.move_time) {
            return Err("engine.move_time is 0.05 to 600".into());
        }
        if self.engine.idle_timeout == 0 {
            return Err("engine.idle_timeout is at least 1".into());
        }
        if self.boards.values().any(Vec::is_empty) {
            return Err(
                "a list of boards is empty; leave the game out of --game, or the list away".into(),
            );
        }
        Ok(())
    }

    /// Returns whether a challenge is accepted, or the reason why it is not.
    pub(crate) fn judge(&self, challenge: &Challenge, games: &[GameKind]) -> Result<(), String> {
        let game = challenge.setup.kind();
        if !games.contains(&game) {
            return Err(format!("{game} is not played"));
        }
        if let Some(boards) = self.boards.get(&game)
            && !boards.contains(&challenge.setup)
        {
            return Err("this board is not played".into());
        }
        match self.accept.rated {
            RatedFilter::Rated if !challenge.rated => return Err("only rated games".into()),
            RatedFilter::Unrated if challenge.rated => return Err("only unrated games".into()),
            _ => {}
        }
        match challenge.clock {
            ClockRule::None if !self.accept.untimed => return Err("only with a clock".into()),
            ClockRule::Fischer { initial, increment }
                if !is_in(initial, self.accept.initial)
                    || !is_in(increment, self.accept.increment) =>
            {
                return Err(format!("not with the clock {}", challenge.clock));
            }
            ClockRule::None | ClockRule::Fischer { .. } => {}
            ClockRule::Bank { .. } if self.accept.bank && self.has_time(challenge.clock) => {}
            ClockRule::ByoYomi { .. } if self.accept.byo_yomi && self.has_time(challenge.clock) => {
            }
            _ => return Err(format!("not with the clock {}", challenge.clock)),
        }
        self.opponent(&challenge.from.name, challenge.from.bot, self.accept.from)
    }

    /// Returns whether so much time is accepted: that of a bank with a move, or of the clock with its periods.
    fn has_time(&self, clock: ClockRule) -> bool {
        let all = clock.initial().map_or(0, |all| all.0 / 1000);
        let all = u32::try_from(all).unwrap_or(u32::MAX);
        is_in(all.min(*ClockRule::INITIAL.end()), self.accept.initial)
    }

    /// Returns whether the bot takes live clocks of all kinds, in which case it has to say so.
    pub(crate) const fn takes_all_clocks(&self) -> bool {
        self.accept.bank || self.accept.byo_yomi
    }

    /// Returns whether a player may be played by these rules.
    pub(crate) fn opponent(
        &self,
        name: &str,
        is_bot: bool,
        kind: OpponentKind,
    ) -> Result<(), String> {
        match kind {
            OpponentKind::Nobody => return Err("no challenges".into()),
            OpponentKind::People if is_bot => return Err("only people".into()),
            OpponentKind::Bots if !is_bot => return Err("only bots".into()),
            _ => {}
        }
        let has = |names: &[String]| names.iter().any(|one| one.eq_ignore_ascii_case(name));
        if has(&self.accept.refused) {
            return Err("this player is refused".into());
        }
        if !self.accept.only.is_empty() && !has(&self.accept.only) {
            return Err("this player is not one of those that are allowed".into());
        }
        Ok(())
    }

    /// Returns the terms of a challenge of the bot's own.
    pub(crate) fn terms(&self, game: GameKind) -> Terms {
        let boards = self.boards.get(&game).and_then(|boards| boards.first());
        Terms {
            setup: boards.copied().unwrap_or_else(|| game.default_setup()),
            clock: self.challenge.clock,
            rated: self.challenge.rated,
        }
    }

    /// Returns whether an offer of the other side is accepted.
    pub(crate) fn accepts(&self, kind: OfferKind, game: &Match, seat: Seat) -> bool {
        let policy = match kind {
            OfferKind::Takeback => {
                return match self.offers.takeback {
                    Takeback::Never => false,
                    Takeback::Unrated => !game.terms().rated,
                    Takeback::Always => true,
                };
            }
            // A bot seals no moves.
            OfferKind::Adjourn => return false,
            OfferKind::Draw => self.offers.draw,
            OfferKind::Finish => self.offers.finish,
        };
        let score = game.score();
        match policy {
            OfferPolicy::Never => false,
            OfferPolicy::Ahead => score[seat.index()] > score[seat.other().index()],
            OfferPolicy::Always => true,
        }
    }
}

impl Seek {
    pub(crate) fn every(&self) -> Duration {
        Duration::from_secs(u64::from(self.every))
    }
}

impl EngineRules {
    pub(crate) fn move_time(&self) -> Duration {
        Duration::from_secs_f64(self.move_time)
    }

    pub(crate) fn overhead(&self) -> Duration {
        Duration::from_millis(u64::from(self.overhead))
    }

    pub(crate) fn idle_timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.idle_timeout))
    }
}

/// Returns a player in words, for the log. Names have letters, digits, `_` and `-` alone.
pub(crate) fn shown(player: &PlayerCard) -> String {
    let kind = if player.bot { " (bot)" } else { "" };
    format!("{}{kind}", player.name)
}

fn is_in(number: u32, [least, most]: [u32; 2]) -> bool {
    (least..=most).contains(&number)
}

fn read_clock<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ClockRule, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

fn read_boards<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<HashMap<GameKind, Vec<Setup>>, D::Error> {
    let read = HashMap::<String, Vec<String>>::deserialize(deserializer)?;
    let mut boards = HashMap::new();
    for (game, words) in read {
        let unknown = |_| de::Error::custom(format!("there is no game {game:?}"));
        let kind: GameKind = game.parse().map_err(unknown)?;
        let setups = words.iter().map(|words| {
            setup_in_words(kind, words)
                .ok_or_else(|| de::Error::custom(format!("{words:?} is no board of {kind}")))
        });
        boards.insert(kind, setups.collect::<Result<_, _>>()?);
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_client::play::Timestamp;
    use tochki_client::protocol::{ChallengeId, PlayerId};

    /// Returns the example of the documentation.
    fn example() -> String {
        let docs = include_str!("../../../docs/bots.md");
        let begin = docs.split("```toml\n").nth(1).expect("an example");
        begin.split("```").next().unwrap().to_owned()
    }

    fn challenge(name: &str, board: &str, clock: &str) -> Challenge {
        let player = |name: &str| PlayerCard {
            id: PlayerId(1),
            name: name.into(),
            rating: 1600.0,
            guest: false,
            provisional: false,
            bot: name.ends_with("Bot"),
        };
        Challenge {
            id: ChallengeId(1),
            from: player(name),
            to: player("me"),
            setup: setup_in_words(GameKind::Gomoku, board).unwrap(),
            clock: clock.parse().unwrap(),
            rated: false,
            expires_at: Timestamp(0),
        }
    }

    #[test]
    fn the_documented_example_is_what_holds_without_a_file() {
        let read = Rules::parse(&example()).unwrap();
        assert!(read.boards.contains_key(&GameKind::Gomoku));
        let usual = Rules {
            boards: HashMap::new(),
            accept: Accept {
                refused: Vec::new(),
                ..read.accept.clone()
            },
            ..read.clone()
        };
        assert_eq!(usual, Rules::default());
        assert_eq!(Rules::parse("").unwrap(), Rules::default());
    }

    #[test]
    fn clocks_with_a_bank_or_periods_are_accepted_as_the_rules_say() {
        let judged = |text: &str, clock: &str| {
            let rules = Rules::parse(text).unwrap();
            let asked = challenge("ann", "15 standard", clock);
            rules.judge(&asked, &[GameKind::Gomoku]).is_ok()
        };
        for clock in ["25/300", "600~30x5", "0~5x1"] {
            assert_eq!(judged("", clock), clock != "0~5x1", "{clock}");
        }
        assert!(!judged("", "3d"), "no bot plays for days");
        let neither = "[accept]\nbank = false\nbyo_yomi = false\n";
        assert!(!judged(neither, "25/300") && !judged(neither, "600~30x5"));
        assert!(!Rules::parse(neither).unwrap().takes_all_clocks());
        let short = "[accept]\nbyo_yomi = false\ninitial = [10, 330]\n";
        assert!(judged(short, "25/300") && !judged(short, "31/300") && !judged(short, "60~30x5"));
        assert!(Rules::parse(short).unwrap().takes_all_clocks());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line, word) in [
            ("games = 2\ngame = 3\n", "line 2", "game"),
            ("[accept]\nrated = true\n", "line 2", "rated"),
            ("[accept]\nfrom = \"bots\"\nclock = 3\n", "line 3", "clock"),
            ("[offers]\ntakeback = \"ahead\"\n", "line 2", "takeback"),
            ("[challenge]\nclock = \"5+5\"\n", "line 2", "clock"),
            ("[boards]\nchess = [\"8x8\"]\n", "line 1", "chess"),
            ("[boards]\ngomoku = [\"3x4\"]\n", "line 1", "3x4"),
            ("games = \n", "line 1", ""),
        ] {
            let error = Rules::parse(text).unwrap_err();
            assert!(
                error.contains(line) && error.contains(word),
                "{text}: {error}"
            );
        }
        for (text, word) in [
            ("games = 0", "games"),
            ("[accept]\ninitial = [60, 30]", "initial"),
            ("[accept]\nincrement = [0, 61]", "increment"),
            ("[challenge]\nevery = 1", "every"),
            ("[engine]\nmove_time = 0.0", "move_time"),
            ("[engine]\nidle_timeout = 0", "idle_timeout"),
            ("[boards]\ndots = []", "boards"),
        ] {
            let error = Rules::parse(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn challenges_are_judged() {
        let games = [GameKind::Gomoku];
        let judge = |rules: &str, challenge: &Challenge| {
            Rules::parse(rules).unwrap().judge(challenge, &games)
        };
        let asked = challenge("ann", "15 standard", "300+5");
        for (rules, accepted) in [
            ("", true),
            ("[accept]\nfrom = \"people\"", true),
            ("[accept]\nfrom = \"bots\"", false),
            ("[accept]\nfrom = \"nobody\"", false),
            ("[accept]\nrated = \"rated\"", false),
            ("[accept]\nrated = \"unrated\"", true),
            ("[accept]\nuntimed = false", true),
            ("[accept]\ninitial = [60, 299]", false),
            ("[accept]\nincrement = [0, 4]", false),
            ("[accept]\nrefused = [\"Ann\"]", false),
            ("[accept]\nonly = [\"bob\"]", false),
            ("[accept]\nonly = [\"bob\", \"ANN\"]", true),
            ("[boards]\ngomoku = [\"15\", \"19\"]", false),
            ("[boards]\ngomoku = [\"15 standard\"]", true),
            ("[boards]\ndots = [\"20x20\"]", true),
        ] {
            let judged = judge(rules, &asked);
            assert_eq!(judged.is_ok(), accepted, "{rules}: {judged:?}");
        }
        let untimed = challenge("SomeBot", "15", "none");
        assert!(judge("[accept]\nuntimed = false", &untimed).is_err());
        assert!(judge("[accept]\nfrom = \"people\"", &untimed).is_err());
        let other = Rules::default().judge(&untimed, &[GameKind::Dots]);
        assert!(other.is_err(), "another game");
    }

    #[test]
    fn offers_are_answered() {
        let terms = Terms {
            rated: false,
            ..Rules::default().terms(GameKind::Reversi)
        };
        let mut game = Match::new(terms, Timestamp(0));
        let accepts = |rules: &str, kind, game: &Match, seat| {
            Rules::parse(rules).unwrap().accepts(kind, game, seat)
        };
        let (takeback, draw, finish) = (OfferKind::Takeback, OfferKind::Draw, OfferKind::Finish);
        assert!(accepts("", takeback, &game, Seat::First));
        assert!(!accepts(
            "offers.takeback = \"never\"",
            takeback,
            &game,
            Seat::First
        ));
        assert!(!accepts("", draw, &game, Seat::First));
        assert!(accepts(
            "offers.draw = \"always\"",
            draw,
            &game,
            Seat::First
        ));
        assert!(!accepts("", finish, &game, Seat::First), "equal");
        let event = tochki_client::play::Event::Moved {
            seat: Seat::First,
            mv: "d3".into(),
            score: [4, 1],
            to_move: Some(Seat::Second),
            passed: false,
            clock: None,
            client_id: None,
            move_by: None,
        };
        game.apply(&event).unwrap();
        assert!(accepts("", finish, &game, Seat::First));
        assert!(!accepts("", finish, &game, Seat::Second));
    }
}
