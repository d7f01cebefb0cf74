-- What was sent under a control id: the same again is a repetition, anything else an error.
alter table his_message add column digest text;
