-- Matches by correspondence: their clocks are of days, and nobody has to be there. One live match at a time, one live challenge and one
-- open table of a player stay; of those by correspondence there may be many.
--
-- The release before writes none of them: it cannot read their clocks. So the columns have defaults and need no trigger.

alter table matches add column correspondence boolean not null default false;
alter table challenges add column correspondence boolean not null default false;
alter table open_tables
    add column correspondence boolean not null default false,
    -- The ratings that a player may have who sits down.
    add column min_rating integer,
    add column max_rating integer;

-- One outgoing live challenge at a time, and one by correspondence to the same player.
drop index challenges_one_open;
create unique index challenges_one_open on challenges (from_id) where closed_at is null and not correspondence;
create unique index challenges_one_by_correspondence on challenges (from_id, to_id) where closed_at is null and correspondence;
create index challenges_by_expiry on challenges (expires_at) where closed_at is null;

-- Whether a program takes live clocks of all kinds, as its last personal stream has said. Others get `none` and `300+5` alone.
alter table players add column takes_clocks boolean not null default false;

-- The running matches by correspondence of a player, and the live ones of a waiting room and of the front page.
create index correspondence_of_seat1 on matches (seat1) where finished_at is null and correspondence;
create index correspondence_of_seat2 on matches (seat2) where finished_at is null and correspondence;
create index matches_live on matches (game, started_at) where finished_at is null and not correspondence;
create index matches_live_by_start on matches (started_at desc) where finished_at is null and not correspondence;

-- The key of a rating in `ratings`, `rating_history` and `rating_corrections`: the game, and for matches by correspondence a second
-- one, so that slow and fast strength do not mix.
create function rating_kind(game text, correspondence boolean) returns text
    language sql immutable return case when correspondence then game || ':correspondence' else game end;

-- The game of such a key.
create function rated_game(kind text) returns text
    language sql immutable return split_part(kind, ':', 1);

-- The number of running matches by correspondence of a player.
create function correspondence_count(player bigint) returns bigint
    language sql stable
    begin atomic
        select (select count(*) from matches where seat1 = player and finished_at is null and correspondence)
            + (select count(*) from matches where seat2 = player and finished_at is null and correspondence);
    end;
