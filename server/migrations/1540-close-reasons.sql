-- What stood open when a month was closed all the same, and why it was.
alter table accounting_period add column close_note text;
alter table accounting_period add column close_reason text;
