-- Who is present need not survive a crash of Postgres: open streams write it again within seconds. So beats write no log.
alter table presence set unlogged;
alter table audiences set unlogged;

-- Rows that are marked as gone are found by it several times a second. A beat does not change it.
create index presence_by_departure on presence (gone_at) where gone_at is not null;

-- Postgres empties unlogged tables after a crash, and so this one: its row tells that the others are complete.
create unlogged table presence_kept (
    kept boolean primary key default true check (kept)
);

insert into presence_kept default values;
