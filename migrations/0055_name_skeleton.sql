-- The skeleton of a name under its word of UTS 39: `name_skeleton` instead of `name_look`.

alter trigger whom_to_list on players rename to update_rating_listed;

alter table players add column name_skeleton text;

update players set name_skeleton = name_look where name_look is not null;

create unique index players_name_skeleton_unique on players (name_skeleton) where name_mark is distinct from 'clash';
create index players_by_name_skeleton on players (name_skeleton) where name_skeleton is not null;
create index players_with_old_skeleton on players (id)
    where name_key is not null and (name_skeleton is null or name_skeleton ~ '[w_]|--');

-- The release before reads and writes `name_look`, so the two columns are kept equal while both releases run. A migration of the
-- release after this one may drop the trigger, its function and the old column with its indexes.
create function sync_name_skeleton() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        new.name_skeleton := coalesce(new.name_skeleton, new.name_look);
    elsif new.name_skeleton is not distinct from old.name_skeleton then
        -- Only the old column can have changed.
        new.name_skeleton := new.name_look;
    end if;
    new.name_look := new.name_skeleton;
    return new;
end $$;

create trigger sync_name_skeleton before insert or update of name_skeleton, name_look on players
    for each row execute function sync_name_skeleton();
