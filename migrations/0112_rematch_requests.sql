-- Requests for a rematch by correspondence that wait for an answer, which *Your games* lists.
create index matches_rematch_asked1 on matches (seat1)
    where correspondence and rematch1 <> rematch2 and next_match is null and finished_at is not null;
create index matches_rematch_asked2 on matches (seat2)
    where correspondence and rematch1 <> rematch2 and next_match is null and finished_at is not null;
