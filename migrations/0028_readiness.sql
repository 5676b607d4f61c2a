-- What an instance writes to learn whether the database takes changes. One row.
create table readiness (
    only_one   boolean primary key default true check (only_one),
    checked_at timestamptz not null default now()
);

insert into readiness default values;
