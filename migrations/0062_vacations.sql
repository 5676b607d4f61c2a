-- Vacation: the days of a player in which the clocks of their matches by correspondence stand still. A match has events of its own for
-- it, which say until when; so nothing has to happen when a vacation ends by itself. The release before cannot read these events.

create table vacations (
    player_id  bigint primary key references players (id),
    -- The days before the last vacation, and since when the next one is waited for. A player without a row has those of a new account.
    days       smallint not null,
    counted_at timestamptz not null,
    -- The last vacation, on or over, unless it is counted in the days.
    began_at   timestamptz,
    ends_at    timestamptz,
    -- Whether a vacation begins by itself before a clock of the player runs out.
    automatic  boolean not null default false,
    constraint vacations_last_is_whole check ((began_at is null) = (ends_at is null))
);

create index vacations_automatic on vacations (player_id) where automatic;
