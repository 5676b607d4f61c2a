-- Both players of an adjourned match are called when the time has come to go on live that they have agreed on.

-- From when until when they may come, null where no time was agreed on; and whether they were called. The release before calls nobody.
alter table sealed_moves
    add column live_from  timestamptz,
    add column live_until timestamptz,
    add column called     boolean not null default false;

create index sealed_moves_to_call on sealed_moves (live_from) where live_from is not null and not called;

-- Whether an adjourned match can go on live now.
create function goes_on_live(match_id bigint) returns boolean
    language sql stable
    begin atomic
        select exists (
            select from sealed_moves s
            where s.match_id = goes_on_live.match_id and s.live_from <= now() and now() < s.live_until);
    end;
