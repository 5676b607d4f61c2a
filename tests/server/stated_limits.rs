//! Limits that texts for people state: the pages in both languages, and the documents.

use clap::{Args as _, Command};
use std::fmt::Display;
use std::time::Duration;
use tochki_play::Rating;
use tochki_protocol::limits;
use tochki_server::settings::Settings;

const API: &str = include_str!("../../docs/api.md");
const LINE: &str = include_str!("../../docs/line.md");
const OPERATING: &str = include_str!("../../docs/operating.md");
const ENGLISH: &str = include_str!("../../locales/en.json");
const RUSSIAN: &str = include_str!("../../locales/ru.json");

/// Checks that a text has all these phrases, wherever its lines break.
fn check(name: &str, text: &str, phrases: &[String]) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in phrases {
        assert!(text.contains(phrase), "{name} does not say: {phrase}");
    }
}

const fn seconds(limit: Duration) -> u64 {
    limit.as_secs()
}

const fn minutes(limit: Duration) -> u64 {
    seconds(limit) / 60
}

const fn hours(limit: Duration) -> u64 {
    minutes(limit) / 60
}

const fn days(limit: Duration) -> u64 {
    hours(limit) / 24
}

/// Returns a number as a text spells it out, which is the same in all these phrases.
fn spelled<const N: usize>(number: u64, words: [(u64, &'static str); N]) -> &'static str {
    let found = words.into_iter().find(|(value, _)| *value == number);
    found.map_or("a number that is not spelled here", |(_, word)| word)
}

fn in_english(number: u64) -> &'static str {
    let words = [
        (1, "one"),
        (2, "two"),
        (3, "three"),
        (4, "four"),
        (5, "five"),
        (7, "seven"),
        (10, "ten"),
    ];
    spelled(number, words)
}

/// Fills a phrase with these numbers in the places of `{}`. `{en}` is a number in an English word, and `{2=двое}` one that this
/// text spells so.
fn fill(phrase: &str, numbers: &[&dyn Display]) -> String {
    let mut filled = String::new();
    let mut numbers = numbers.iter().map(ToString::to_string);
    let mut rest = phrase;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').expect("a place ends");
        let number = numbers.next().expect("a number for each place");
        filled.push_str(before);
        match place.split_once('=') {
            Some((value, word)) => {
                assert_eq!(value, number, "{phrase}");
                filled.push_str(word);
            }
            None if place == "en" => filled.push_str(in_english(number.parse().expect("whole"))),
            None => filled.push_str(&number),
        }
        rest = after;
    }
    assert!(
        numbers.next().is_none(),
        "a place for each number: {phrase}"
    );
    filled + rest
}

#[test]
fn pages_state_the_limits_in_both_languages() {
    let name: [&dyn Display; 2] = [&limits::NAME_MIN_CHARS, &limits::NAME_MAX_CHARS];
    let password: [&dyn Display; 2] = [&limits::PASSWORD_MIN_CHARS, &limits::PASSWORD_MAX_CHARS];
    let guest: [&dyn Display; 1] = [&days(limits::GUEST_LIFETIME)];
    let rows: &[(&str, &str, &[&dyn Display])] = &[
        (
            "Mute for {1=an hour}",
            "Запретить писать на {1=час}",
            &[&hours(limits::MUTE_SHORT)],
        ),
        (
            "Mute for {1=a day}",
            "Запретить писать на {1=день}",
            &[&days(limits::MUTE_LONG)],
        ),
        ("\"{} to {} characters", "От {} до {} знаков", &name),
        (
            "A name has {} to {} visible",
            "В имени от {} до {} видимых",
            &name,
        ),
        (
            "\"password_hint\": \"{} to {} characters.",
            "\"password_hint\": \"От {} до {} знаков.",
            &password,
        ),
        (
            "A password has {} to {} characters",
            "В пароле от {} до {} знаков",
            &password,
        ),
        ("deleted after {} days", "Через {} дней их удаляют", &guest),
        (
            "name is kept for {} days",
            "Имя гостя хранится {} дней",
            &guest,
        ),
        ("removed after {} days", "удалён через {} дней", &guest),
        (
            "stays reserved for {} days",
            "Имя {} дней никто",
            &[&days(limits::NAME_QUARANTINE)],
        ),
        (
            "Your rating starts at {}.",
            "Начальный рейтинг — {}",
            &[&Rating::START.0],
        ),
        (
            "Level {} is a beginner, level {} is the strongest",
            "Уровень {} — новичок, уровень {} — самый сильный",
            &[limits::LEVELS.start(), limits::LEVELS.end()],
        ),
        (
            "(rated: {} minutes per move)",
            "на рейтинг: {} минут на ход",
            &[&minutes(limits::UNTIMED_MOVE_TIMEOUT)],
        ),
        (
            "too large: {} KiB at most",
            "до {} КиБ",
            &[&(limits::RECORD_MAX_BYTES / 1024)],
        ),
        (
            "name has at most {} characters",
            "не больше {} знаков обычного",
            &[&limits::TABLE_NAME_MAX_CHARS],
        ),
        (
            "aborted {} of the last {} games. Wait {} minutes",
            "прервал {} из последних {} партий. До рейтинговой подождите {} минут",
            &[
                &limits::ABORTS_MAX,
                &limits::ABORTS_WINDOW_LEN,
                &minutes(limits::ABORTS_PAUSE),
            ],
        ),
        (
            "at most {} passkeys",
            "не больше {} ключей доступа",
            &[&limits::PASSKEYS_MAX],
        ),
        (
            "at most {} characters.",
            "не больше {} знаков.",
            &[&limits::MESSAGE_MAX_CHARS],
        ),
        (
            "at most {} messages in {} seconds",
            "не больше {} сообщений за {} секунд",
            &[
                &limits::MESSAGES_PER_WINDOW,
                &seconds(limits::MESSAGE_WINDOW),
            ],
        ),
        (
            "Reports are kept for {} days, this list for {365=a year}.",
            "Жалобы хранятся {} дней, этот список — {365=год}.",
            &[
                &days(limits::REPORT_LIFETIME),
                &days(limits::AUDIT_LIFETIME),
            ],
        ),
        (
            "addresses are kept for {en} days",
            "адреса хранятся {2=двое} суток",
            &[&days(limits::ADDRESS_LIFETIME)],
        ),
        (
            "Create {en} new codes",
            "Создать {10=десять} новых кодов",
            &[&limits::RECOVERY_CODES],
        ),
        (
            "\"month\": \"{} days\"",
            "\"month\": \"{} дней\"",
            &[&days(limits::TOKEN_MONTH)],
        ),
        (
            "For {en} minutes you can choose a new password",
            "В течение {10=десяти} минут можете выбрать новый пароль",
            &[&minutes(limits::PASSKEY_RESET_TIMEOUT)],
        ),
        (
            "at least every {en} seconds",
            "не реже чем раз в {3=три} секунды",
            &[&seconds(limits::STREAM_HEARTBEAT_INTERVAL)],
        ),
        (
            "Without it, the game is lost after {} seconds",
            "Без потока через {} секунд партия проиграна",
            &[&seconds(limits::ABSENCE_TIMEOUT)],
        ),
        (
            "\"top\": \"Top {}\"",
            "Первая {10=десятка}",
            &[&limits::TOP_LEN],
        ),
    ];
    for (english, russian, numbers) in rows {
        check("en.json", ENGLISH, &[fill(english, numbers)]);
        check("ru.json", RUSSIAN, &[fill(russian, numbers)]);
    }
}

#[test]
fn the_contract_for_programs_states_the_limits() {
    let away = seconds(limits::ABSENCE_NOTICE_DELAY);
    let phrases = [
        format!(
            "It lives for {} days after the last use, and for {} days at most.",
            days(limits::SESSION_LIFETIME),
            days(limits::SESSION_MAX_LIFETIME)
        ),
        format!(
            "with a passkey, for {} minutes",
            minutes(limits::PASSKEY_CHALLENGE_TIMEOUT)
        ),
        format!(
            "A name has {} to {} characters",
            limits::NAME_MIN_CHARS,
            limits::NAME_MAX_CHARS
        ),
        format!(
            "A password has {} to {} characters",
            limits::PASSWORD_MIN_CHARS,
            limits::PASSWORD_MAX_CHARS
        ),
        format!("more than {} characters", limits::MESSAGE_MAX_CHARS),
        format!("The account has {} passkeys.", limits::PASSKEYS_MAX),
        format!("The caller has {} tokens.", limits::TOKENS_PER_PLAYER),
        format!(
            "within the last {} seconds (`CHALLENGE_PAUSE`)",
            seconds(limits::CHALLENGE_PAUSE)
        ),
        format!(
            "has aborted {} of their last {} matches, and waits {} minutes",
            limits::ABORTS_MAX,
            limits::ABORTS_WINDOW_LEN,
            minutes(limits::ABORTS_PAUSE)
        ),
        format!("larger than {} KiB", limits::BODY_MAX_BYTES / 1024),
        format!(
            "More than {} messages in {} seconds",
            limits::MESSAGES_PER_WINDOW,
            seconds(limits::MESSAGE_WINDOW)
        ),
        format!(
            "It goes on in {} seconds",
            seconds(limits::MATCH_SUSPENSION)
        ),
        format!(
            "took longer than {} seconds",
            seconds(limits::RESPONSE_TIMEOUT)
        ),
        format!(
            "within the last {} minutes, so `reset_password`",
            minutes(limits::PASSKEY_RESET_TIMEOUT)
        ),
        format!(
            "`name` has 1 to {} characters",
            limits::TOKEN_NAME_MAX_CHARS
        ),
        format!(
            "from {} seconds after the end on",
            seconds(limits::ARCHIVE_DELAY)
        ),
        format!(
            "challenges of the last {} seconds ended",
            seconds(limits::LOBBY_HISTORY)
        ),
        format!(
            "fewer than {} rated games, or of fewer than {} opponents",
            in_english(limits::RANKED_MATCHES.into()),
            in_english(limits::RANKED_OPPONENTS.into())
        ),
        format!(
            "closes the table after {} minutes; another player who is away gets up after {} seconds, and is not ready any \
             more after {}.",
            minutes(limits::TABLE_TIMEOUT),
            seconds(limits::SEAT_TIMEOUT),
            seconds(limits::READY_TIMEOUT)
        ),
        format!(
            "their first move within {} seconds",
            seconds(limits::FIRST_MOVE_TIMEOUT)
        ),
        format!(
            "each other {} times a day",
            in_english(limits::RATED_MATCHES_PER_PAIR.into())
        ),
        format!(
            "gives each move {} minutes",
            minutes(limits::UNTIMED_MOVE_TIMEOUT)
        ),
        format!(
            "{} rated games of that kind against at least {} opponents, or against all others while fewer than {} play it",
            in_english(limits::RANKED_MATCHES.into()),
            in_english(limits::RANKED_OPPONENTS.into()),
            in_english((limits::RANKED_OPPONENTS + 1).into())
        ),
        format!(
            "has not moved yet in {} running matches by correspondence",
            in_english(limits::UNBEGUN_GAMES_PER_GUEST.unsigned_abs())
        ),
        format!(
            "guests of one address sit down at {} before they move",
            in_english(limits::UNBEGUN_GAMES_BY_ADDRESS.unsigned_abs())
        ),
        format!("`resume_in` are hours, 1 to {}", limits::RESUME_HOURS),
        format!(
            "from {} minutes before it until {} minutes after it",
            minutes(limits::LIVE_RESUME_LEAD),
            minutes(limits::LIVE_RESUME_WINDOW)
        ),
        format!(
            "Who has not come {} days after the seal",
            limits::RESUME_TIMEOUT.as_secs() / 86_400
        ),
        format!(
            "without a clock there are {} minutes",
            minutes(limits::UNTIMED_MOVE_TIMEOUT)
        ),
        format!(
            "An offer expires after {} seconds",
            seconds(limits::OFFER_TIMEOUT)
        ),
        format!(
            "for {} seconds loses, and so does whoever has been away for {} seconds in all, not counting absences of less \
             than {away} seconds. Whoever never opens one is absent from the start of the match. For a program that plays \
             without streams, each command, and each `GET /api/match` of its running match, counts as presence for {} minutes",
            seconds(limits::ABSENCE_TIMEOUT),
            seconds(limits::TOTAL_ABSENCE_TIMEOUT),
            minutes(limits::STREAMLESS_PRESENCE)
        ),
        format!("a player has been away for {away} seconds"),
        format!(
            "in the lobby are kept for {} days",
            days(limits::LOBBY_MESSAGE_LIFETIME)
        ),
        format!(
            "after at most {} seconds without an event",
            seconds(limits::STREAM_HEARTBEAT_INTERVAL)
        ),
        format!(
            "acknowledges nothing for {} seconds",
            seconds(limits::PEER_TIMEOUT)
        ),
        format!(
            "`graph` has at most {} points",
            limits::RATING_GRAPH_MAX_POINTS
        ),
        format!(
            "{} seconds in a waiting room, {} at a table or match",
            seconds(limits::LOBBY_PAGE_PRESENCE),
            seconds(limits::TABLE_PAGE_PRESENCE)
        ),
        format!(
            "| body of a request, to any address | {} KiB, sent within {} seconds; a form with a record (`POST /sgf`) {} KiB, within {} |",
            limits::BODY_MAX_BYTES / 1024,
            seconds(limits::BODY_TIMEOUT),
            limits::RECORD_FORM_MAX_BYTES / 1024,
            2 * seconds(limits::BODY_TIMEOUT)
        ),
        format!(
            "at once, event streams included | {} |",
            limits::HTTP2_CONNECTION_REQUESTS
        ),
        format!(
            "of which nothing is taken | {} seconds",
            seconds(limits::STALLED_RESPONSE_TIMEOUT)
        ),
        format!(
            "under way | {} of a player, {} of an address |",
            limits::DOWNLOADS_BY_PLAYER,
            limits::DOWNLOADS_BY_ADDRESS
        ),
        format!("| `/api/my_data` | {} an hour |", limits::MY_DATA_PER_HOUR),
        format!(
            "read at once, by address | {} |",
            limits::RECORDS_AT_ONCE_BY_ADDRESS
        ),
        format!(
            "{} requests in a row and then {} a second, of these {} at once",
            limits::REQUESTS_BY_PLAYER,
            limits::REQUESTS_BY_PLAYER / 10,
            limits::REQUESTS_AT_ONCE_BY_PLAYER
        ),
        format!(
            "| head of a request | sent within {} seconds |",
            seconds(limits::HEAD_TIMEOUT)
        ),
        format!(
            "| answer | {} seconds, then 503; {} seconds for one statement of the database, {} for a lock |",
            seconds(limits::RESPONSE_TIMEOUT),
            seconds(limits::STATEMENT_TIMEOUT),
            seconds(limits::LOCK_TIMEOUT)
        ),
        format!(
            "closed after {} seconds without one of these, or as soon as there are {}",
            seconds(limits::PROVISIONAL_CONNECTION_TIMEOUT),
            limits::PROVISIONAL_CONNECTIONS_BY_ADDRESS
        ),
        format!(
            "and {} connections ({} of all such players",
            limits::CONNECTIONS_BY_PLAYER,
            limits::CONNECTIONS_BY_PLAYERS_AT_ADDRESS
        ),
        format!("| topics of a stream | {} |", limits::STREAM_MAX_TOPICS),
        format!("At most {} topics", limits::STREAM_MAX_TOPICS),
        format!(
            "| failed pages reported, by address | {} a minute |",
            limits::FAILURE_REPORTS_PER_MINUTE
        ),
        format!("| sessions of a player | {};", limits::SESSIONS_PER_PLAYER),
        format!("| tokens of a player | {} |", limits::TOKENS_PER_PLAYER),
        format!("| passkeys of an account | {} |", limits::PASSKEYS_MAX),
        format!(
            "`SIGN_IN_BY_NAME` ({}) in a row, then one in {} seconds",
            limits::SIGN_IN_BY_NAME,
            seconds(limits::SIGN_IN_PERIOD_BY_NAME)
        ),
        format!(
            "`REGISTRATIONS_BY_ADDRESS` ({}) in a row, then one in {} minutes",
            limits::REGISTRATIONS_BY_ADDRESS,
            minutes(limits::REGISTRATION_PERIOD_BY_ADDRESS)
        ),
        format!(
            "process ends within {} seconds",
            seconds(limits::SHUTDOWN_TIMEOUT)
        ),
        format!(
            "A new account has {} days, gets 1 more in {} days, and has {} at most",
            limits::VACATION_DAYS_AT_START,
            days(limits::VACATION_DAY_INTERVAL),
            limits::MAX_VACATION_DAYS
        ),
        format!(
            "A match takes {} days of each player",
            days(limits::MAX_VACATION_IN_MATCH)
        ),
        format!(
            "when less than {} hour is left on a clock",
            spelled(hours(limits::AUTOMATIC_VACATION_BEFORE), [(1, "an")])
        ),
        format!(
            "`break_seconds` is {} to {}, {} by default",
            seconds(*limits::ROUND_BREAK.start()),
            seconds(*limits::ROUND_BREAK.end()),
            seconds(limits::DEFAULT_ROUND_BREAK)
        ),
        format!(
            "with {} to {} `rounds`",
            limits::SWISS_ROUNDS.start(),
            limits::SWISS_ROUNDS.end()
        ),
        format!(
            "{} minutes before the round or as long as the break",
            minutes(limits::PRESENCE_WINDOW)
        ),
        format!(
            "enters no other for {} hours, twice as long each time up to {} days",
            hours(limits::NO_SHOW_BAN),
            days(limits::NO_SHOW_BAN_MAX)
        ),
    ];
    check("api.md", API, &phrases);
}

#[test]
fn the_line_protocol_states_the_limits() {
    let per_second = 1000 / limits::LINES_PERIOD.as_millis();
    assert_eq!(hours(limits::LINE_MEMORY), 1);
    let phrases = [
        "For an hour after the loss".to_owned(),
        format!("at most {} bytes with its end", limits::LINE_MAX_BYTES),
        format!(
            "After {} lines in a row that cannot be read",
            limits::LINE_UNREADABLE_MAX
        ),
        format!(
            "more than {} lines at once is read at {per_second} lines a second",
            limits::LINES_BURST
        ),
        format!(
            "After {} seconds without a line the server sends `PING`. After {} seconds more the client is unresponsive.",
            seconds(limits::LINE_PING_AFTER),
            seconds(limits::LINE_PONG_TIMEOUT)
        ),
        format!(
            "`OP_LEAVE` after {} seconds",
            seconds(limits::ABSENCE_NOTICE_DELAY)
        ),
        format!(
            "After {} seconds the game is over.",
            seconds(limits::ABSENCE_TIMEOUT)
        ),
        format!(
            "A game that waits is kept for {} seconds.",
            seconds(limits::TABLE_LISTING_TIMEOUT)
        ),
        format!(
            "any line within {} seconds",
            seconds(limits::LINE_PROBE_TIMEOUT)
        ),
        format!("`OK|0` for {} seconds", seconds(limits::LINE_ALIVE_TIMEOUT)),
        format!("up to {} MiB", limits::LINE_DROPPED_MAX_BYTES >> 20),
        format!(
            "after {} minutes without a login",
            minutes(limits::LINE_LOGIN_TIMEOUT)
        ),
    ];
    check("line.md", LINE, &phrases);
}

#[test]
fn the_guide_for_operators_states_the_limits() {
    let phrases = [
        format!(
            "exits within {} seconds",
            in_english(seconds(limits::SHUTDOWN_TIMEOUT))
        ),
        format!(
            "then one more every {} seconds. |",
            in_english(seconds(limits::SIGN_IN_PERIOD_BY_NAME))
        ),
        format!(
            "then one more every {} minutes. |",
            in_english(minutes(limits::REGISTRATION_PERIOD_BY_ADDRESS))
        ),
        format!(
            "the clock is within {} ms of that of the database",
            limits::CLOCK_TOLERANCE.as_millis()
        ),
        format!(
            "its request gives up after {} s, a statement after {} s",
            seconds(limits::LOCK_TIMEOUT),
            seconds(limits::STATEMENT_TIMEOUT)
        ),
        format!("set aside for {} s", seconds(limits::MATCH_SUSPENSION)),
        format!(
            "{} rated games of that kind against at least {} opponents (against all others, while fewer than {} play the game)",
            in_english(limits::RANKED_MATCHES.into()),
            in_english(limits::RANKED_OPPONENTS.into()),
            in_english((limits::RANKED_OPPONENTS + 1).into())
        ),
        format!(
            "the instances poll every {} s",
            seconds(limits::POLL_INTERVAL)
        ),
        fill(
            "all games that ended {1=an hour} ago",
            &[&hours(limits::PACKING_DELAY)],
        ),
        fill(
            "packs, {50=fifty} games in a transaction",
            &[&limits::PACKING_BATCH_LEN],
        ),
    ];
    check("operating.md", OPERATING, &phrases);
}

#[test]
fn the_table_of_settings_has_their_defaults() {
    let command = Settings::augment_args(Command::new("tochki"));
    let mut compared = 0;
    for argument in command.get_arguments() {
        let Some(variable) = argument.get_env().and_then(|name| name.to_str()) else {
            continue;
        };
        let start = format!("| `{variable}` | ");
        let row = OPERATING.lines().find_map(|line| line.strip_prefix(&start));
        let row = row.unwrap_or_else(|| panic!("operating.md has no row for {variable}"));
        let stated = row.split('|').next().unwrap_or_default();
        let stated = stated.trim().trim_matches('`');
        // Those without a default have one of their own only where the server uses them.
        let defaults = argument.get_default_values();
        if let Some(default) = defaults.first() {
            assert_eq!(stated, default, "{variable}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}
