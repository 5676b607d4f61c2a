-- The trigger that lists a rating in the standings, or not, named by its effect.
alter trigger whether_to_list on ratings rename to set_rating_listed;
