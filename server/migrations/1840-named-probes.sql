-- Which of several probes of a recorder measured it; null: the recorder has one.
alter table temperature_reading
  add column probe text;
