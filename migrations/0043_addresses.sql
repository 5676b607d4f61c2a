-- The address (of IPv6: the site) from which a challenge was sent: one address has one share of the challenges that a player
-- gets. It goes with the challenge, a day after that was closed.

alter table challenges add column address text;

-- Where the solution of a puzzle is known without a rated try: an address that had it shown as a visitor, or by somebody whose
-- rating it cost. Whoever solves it from there gets no rating for it. Forgotten after two days.

create table puzzles_shown (
    puzzle_id bigint not null references puzzles (id) on delete cascade,
    -- Of IPv6 the site.
    address   text not null,
    shown_at  timestamptz not null default now(),
    primary key (puzzle_id, address)
);

create index puzzles_shown_by_time on puzzles_shown (shown_at);
