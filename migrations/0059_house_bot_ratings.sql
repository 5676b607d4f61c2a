-- Ratings of the house bots. The ladder of their levels is in the program; this is the rating of level 2 of each game, fitted to the
-- games of people with them.

create table house_bot_ratings (
    game       text primary key,
    level2     double precision not null,
    -- The games that it was fitted to.
    games      integer not null default 0,
    fitted_at  timestamptz not null default '-infinity'
);
