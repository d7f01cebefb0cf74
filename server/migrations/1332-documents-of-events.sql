-- Which of its organisation's documents an event belongs to: copies of several senders may have the same number. Events
-- from before know the number alone.
alter table trace_event add column document_id bigint;
