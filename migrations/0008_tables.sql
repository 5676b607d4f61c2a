-- Open tables: who sits at them, and whether they are ready to play.

create table open_tables (
    id         bigint generated always as identity primary key,
    -- The end of its address. Whoever knows it may sit down, so it cannot be guessed.
    link       text not null,
    name       text not null,
    creator_id bigint not null references players (id) on delete cascade,
    game       text not null,
    setup      jsonb not null,
    clock      text not null,
    rated      boolean not null,
    created_at timestamptz not null default now(),
    -- The creator's last sign of life.
    seen_at    timestamptz not null default now(),
    closed_at  timestamptz,
    -- The match that has begun at it.
    match_id   bigint references matches (id),
    constraint open_tables_link_unique unique (link),
    constraint open_tables_match_closes check (match_id is null or closed_at is not null)
);

create index open_tables_open on open_tables (game, id) where closed_at is null;
create index open_tables_of_creator on open_tables (creator_id);
create index open_tables_closed on open_tables (closed_at) where closed_at is not null;
create index open_tables_of_match on open_tables (match_id) where match_id is not null;

create table seated (
    table_id  bigint not null references open_tables (id) on delete cascade,
    -- Which of the two chairs; who moves first is drawn when the match starts.
    chair     smallint not null check (chair in (1, 2)),
    player_id bigint not null references players (id) on delete cascade,
    ready     boolean not null default false,
    -- The last sign of life.
    seen_at   timestamptz not null default now(),
    primary key (table_id, chair),
    constraint seated_once unique (player_id)
);

-- For signs of life, which come from several places.
create index presence_of_player on presence (player_id);

-- Guests are looked for by their age.
create index players_guests on players (created_at) where guest and deleted_at is null;

-- A player as everybody sees them.
create function card(player bigint, in_game text) returns jsonb
    language sql stable
    return (
        select jsonb_build_object('id', p.id, 'name', p.name, 'rating', coalesce(r.rating, 1600), 'guest', p.guest)
        from players p left join ratings r on r.player_id = p.id and r.game = in_game
        where p.id = player);

-- Who sits on a chair; nothing where it is free.
create function sitter(of_table bigint, of_chair smallint, in_game text) returns jsonb
    language sql stable
    return (
        select card(s.player_id, in_game) || jsonb_build_object('ready', s.ready)
        from seated s where s.table_id = of_table and s.chair = of_chair);

-- Open tables as they travel. A match with a guest in it is not rated, whatever was chosen.
create view laid_tables as
    select t.id, t.link, t.game, t.closed_at,
        t.closed_at is null and t.seen_at > now() - interval '30 seconds'
            and (select count(*) from seated s where s.table_id = t.id) < 2 as listed,
        jsonb_build_object(
            'id', t.id, 'name', t.name, 'link', t.link, 'game', t.game, 'setup', t.setup, 'clock', t.clock,
            'rated', t.rated and not exists (
                select from seated s join players p on p.id = s.player_id where s.table_id = t.id and p.guest),
            'creator', card(t.creator_id, t.game),
            'seats', jsonb_build_array(sitter(t.id, 1::smallint, t.game), sitter(t.id, 2::smallint, t.game)),
            'match', t.match_id, 'closed', t.closed_at is not null) as laid,
        (select jsonb_build_object(
            'match', m.id, 'game', m.game, 'players', jsonb_build_array(card(m.seat1, m.game), card(m.seat2, m.game)))
            from matches m where m.id = t.match_id) as called
    from open_tables t;
