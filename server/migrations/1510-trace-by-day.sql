-- The platform counts what moved between organisations in a period. Events are written in the order of time.
create index trace_event_at on trace_event using brin (at);
