-- Round a match: who is away from it, who watches it, who wants another one.

-- Who has asked for another match, and the match that came of it.
alter table matches
    add column rematch1   boolean not null default false,
    add column rematch2   boolean not null default false,
    add column next_match bigint references matches (id);

-- Players of a running match who are not at its table: a row from the end of their last stream until they are back.
create table absences (
    match_id  bigint not null references matches (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    -- Since when. Those who have not come yet are waited for: their absence begins in the future.
    since     timestamptz not null,
    awaited   boolean not null,
    primary key (match_id, player_id)
);

create index absences_by_start on absences (since);

-- How long somebody may take to come to a table they have never been at.
create function welcome() returns interval
    language sql immutable return interval '2 minutes';

insert into absences (match_id, player_id, since, awaited)
select m.id, seat, now() + welcome(), true
from matches m, unnest(array[m.seat1, m.seat2]) as seat where m.finished_at is null;

-- Absences that the other player is told of. A reload, which is shorter, makes no noise; and whoever has come back in the
-- very moment in which they were found to be gone has a row that counts for nothing.
create view away as
    select a.match_id, a.player_id, a.since
    from absences a join matches m on m.id = a.match_id
    where a.since <= now() - interval '3 seconds' and m.finished_at is null
        and not exists (
            select from presence p
            where p.place = 'match:' || a.match_id and p.player_id = a.player_id and is_alive(p.beat_at, p.gone_at));

-- How many people who do not play have a stream of a match open, as each instance says it every few seconds.
create table audiences (
    match_id bigint not null references matches (id) on delete cascade,
    instance text not null,
    count    integer not null,
    beat_at  timestamptz not null default now(),
    primary key (match_id, instance)
);

create index audiences_by_beat on audiences (beat_at);
