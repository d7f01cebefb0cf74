-- What a call used of its caller's rights: a repetition gets the reply only of whoever still has them.
alter table request add column rights jsonb;
