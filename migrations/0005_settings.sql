-- How a player wants the pages, as text: `theme=night&sound=off`. Nothing, as long as they have never chosen.
alter table players add column settings text;
