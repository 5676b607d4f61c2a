-- Both players of an adjourned match are called when the time has come to go on live that they have agreed on.

-- From when until when they may come; null where no time was agreed on. The release before calls nobody.
alter table sealed_moves
    add column live_from  timestamptz,
    add column live_until timestamptz;

-- Whether an adjourned match can go on live now.
create function goes_on_live(match_id bigint) returns boolean
    language sql stable
    begin atomic
        select exists (
            select from sealed_moves s
            where s.match_id = goes_on_live.match_id and s.live_from <= now() and now() < s.live_until);
    end;
