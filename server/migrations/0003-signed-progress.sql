-- A line of less than nothing (a use taken back after its settlement) is executed in its own sign. What is taken stays between
-- nothing and the line: the engine refuses the rest in words, before this table would.
alter table line_progress drop constraint line_progress_never_negative;
