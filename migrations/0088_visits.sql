-- Who is at a page of the site while a flag falls loses that game rated, whenever they signed in.
alter table time_losses add column was_here boolean not null default false;
