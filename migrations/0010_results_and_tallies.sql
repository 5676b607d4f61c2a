-- What players have played, each from their own side: lists and counts that must not grow with all the matches there are.

-- A finished match as one of its players sees it. Both rows are written in the transaction that ends the match.
create table results (
    match_id    bigint not null references matches (id) on delete cascade,
    player_id   bigint not null references players (id),
    opponent_id bigint not null,
    game        text not null,
    seat        smallint not null,
    -- 1 is won, 0 drawn, -1 lost.
    outcome     smallint not null,
    finished_at timestamptz not null default now(),
    primary key (match_id, player_id)
);

-- The results of one player under one name, counted, so that nobody has to count them.
create table tallies (
    player_id bigint not null references players (id) on delete cascade,
    game      text not null,
    won1      integer not null,
    drawn1    integer not null,
    lost1     integer not null,
    won2      integer not null,
    drawn2    integer not null,
    lost2     integer not null,
    -- The outcome of the last match, and how many before it ended alike, itself included.
    run_of    smallint not null,
    run       integer not null,
    -- The most matches won in a row.
    best_run  integer not null,
    primary key (player_id, game)
);

-- Whether the player is in the standings: whoever has deleted their account, or whose account was closed, is not. Kept
-- here, so that a place is counted in one index.
alter table ratings add column listed boolean not null default true;

create function note_whom_to_list() returns trigger language plpgsql as $$
begin
    update ratings set listed = new.deleted_at is null and new.closed_at is null where player_id = new.id;
    return null;
end $$;

create trigger whom_to_list after update of deleted_at, closed_at on players
    for each row execute function note_whom_to_list();

create function ask_whether_to_list() returns trigger language plpgsql as $$
begin
    select deleted_at is null and closed_at is null into new.listed from players where id = new.player_id;
    return new;
end $$;

create trigger whether_to_list before insert on ratings
    for each row execute function ask_whether_to_list();

-- What has been played before there were these tables.
update ratings r set listed = false from players p
where p.id = r.player_id and (p.deleted_at is not null or p.closed_at is not null);

insert into results (match_id, player_id, opponent_id, game, seat, outcome, finished_at)
select m.id, side.player_id, side.opponent_id, m.game, side.seat,
    case m.winner when 0 then 0 when side.seat then 1 else -1 end, m.finished_at
from matches m, lateral (values (m.seat1, m.seat2, 1), (m.seat2, m.seat1, 2)) as side (player_id, opponent_id, seat)
where m.finished_at is not null;

with ordered as (
    -- A run goes on as long as the number in all and the number among those that ended alike grow together.
    select player_id, game, seat, outcome, finished_at, match_id,
        row_number() over (partition by player_id, game order by finished_at, match_id)
            - row_number() over (partition by player_id, game, outcome order by finished_at, match_id) as island
    from results
), runs as (
    select player_id, game, outcome, count(*) as length,
        row_number() over (partition by player_id, game order by max(finished_at) desc, max(match_id) desc) as back
    from ordered group by player_id, game, outcome, island
), streaks as (
    select player_id, game, max(outcome) filter (where back = 1) as run_of, max(length) filter (where back = 1) as run,
        coalesce(max(length) filter (where outcome = 1), 0) as best_run
    from runs group by player_id, game
)
insert into tallies (player_id, game, won1, drawn1, lost1, won2, drawn2, lost2, run_of, run, best_run)
select player_id, game,
    count(*) filter (where seat = 1 and outcome = 1),
    count(*) filter (where seat = 1 and outcome = 0),
    count(*) filter (where seat = 1 and outcome = -1),
    count(*) filter (where seat = 2 and outcome = 1),
    count(*) filter (where seat = 2 and outcome = 0),
    count(*) filter (where seat = 2 and outcome = -1),
    s.run_of, s.run, s.best_run
from results join streaks s using (player_id, game)
group by player_id, game, s.run_of, s.run, s.best_run;

-- Indexes come last, so that what is filled in above goes quickly. What they include spares the way to the table.
create index results_of_player on results (player_id, finished_at desc, match_id desc) include (game, outcome, opponent_id);
create index results_between on results (player_id, opponent_id) include (game, outcome);
create index standings on ratings (game, rating desc, player_id) include (games) where listed and games > 0;

drop index rating_history_of_player;
create index rating_history_of_player on rating_history (player_id, game, at) include (after);

-- The results of a player that a filter lets through; what is null asks for nothing. The opponent is a part of a name's
-- key, and looked for among those the player has met.
create function results_that_fit(player bigint, of_game text, of_outcome smallint, opponent text) returns setof results
    language sql stable
    begin atomic
        select r.* from results r
        where r.player_id = player
            and (of_game is null or r.game = of_game)
            and (of_outcome is null or r.outcome = of_outcome)
            and (opponent is null or r.opponent_id in (
                select met.opponent_id
                from (select distinct opponent_id from results where player_id = player) met,
                    -- One by one, however many they are: else all players there are might be read.
                    lateral (select from players o
                        where o.id = met.opponent_id and strpos(o.name_key, opponent) > 0 offset 0) named));
    end;
