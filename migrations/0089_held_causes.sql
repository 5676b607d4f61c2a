-- Who has just left is told what happened since.

-- Until when the beginning of a turn is kept for a player whose page of the match is open: the connection may be lost already. Null for a
-- cause that nobody has looked at. The release before tells it at once, or not at all.
alter table notification_causes add column held_until timestamptz;

-- Who comes to the match has seen it.
create index notification_causes_held on notification_causes (player_id, subject) where held_until is not null;

-- Whether somebody with this presence at a match sees what happened there then: by an open stream, or on a page that was loaded since,
-- whose beat is that much ahead. Who has closed the page is alive for a moment longer, and sees nothing.
create function sees(beat_at timestamptz, gone_at timestamptz, instance text, happened_at timestamptz) returns boolean
    language sql stable
    return is_alive(beat_at, gone_at)
        and (gone_at is null or instance = 'page' and beat_at > happened_at + interval '2 seconds');
