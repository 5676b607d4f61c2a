-- Matches that are aborted, limits on rated matches, time away, and the version of the rules.

-- An aborted match has no winner, and names who let it be, if anybody did.
alter table matches drop constraint matches_result_is_whole;
alter table matches
    add column aborted_by smallint,
    -- The version of the rules that the moves were checked against (`tochki_rules::RULES_VERSION`).
    add column rules_version smallint not null default 1,
    add constraint matches_result_is_whole check (
        (finished_at is null) = (reason is null)
        and (winner is null) = (finished_at is null or reason = 'aborted')
        and (aborted_by is null or reason = 'aborted')
    );


-- How long a player has been away from a running match in all, without the present absence.
create table time_away (
    match_id  bigint not null references matches (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    ms        bigint not null,
    primary key (match_id, player_id)
);

-- How long an absence of this player may be now: one absence at most, and all together at most.
create function time_left_away(of_match bigint, player bigint, one interval, all_together interval) returns interval
    language sql stable
    begin atomic
        select least(one, all_together - coalesce(
            (select ms * interval '1 millisecond' from time_away where match_id = of_match and player_id = player),
            interval '0'));
    end;

-- Ends the absences of players who are back, and adds them to the time they have been away. Those that the opponent was not
-- told of (the view `away`) do not count.
create function end_absences(players bigint[], places text[]) returns void
    language sql volatile
    begin atomic
        with back as (
            delete from absences a using unnest(players, places) as here (player_id, place)
            where a.player_id = here.player_id and here.place = 'match:' || a.match_id
            returning a.match_id, a.player_id, a.since
        )
        insert into time_away as t (match_id, player_id, ms)
        select match_id, player_id, (extract(epoch from now() - since) * 1000)::bigint from back
        where since <= now() - interval '3 seconds'
        on conflict (match_id, player_id) do update set ms = t.ms + excluded.ms;
    end;
