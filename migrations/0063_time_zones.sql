-- No loss in one's sleep: a clock by correspondence that would run out at night runs out in the morning.

-- The time zones of players, by their IANA names, and since when.
create table time_zones (
    player_id  bigint primary key references players (id),
    zone       text not null,
    changed_at timestamptz not null default now()
);

-- By how much later the flag of the side falls whose clock this event has set, because of its night. No part of the event, which everybody
-- may read: only the two players are told. The release before does not write it, and its deadlines are those of the clock.
alter table match_events add column grace_ms bigint;
