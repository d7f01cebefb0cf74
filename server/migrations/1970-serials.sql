-- The serial in the code of a piece (AI 21 of GS1, or that of an MA code or HIBC); any other code as a whole.
create function serial_of(bare text) returns text
language sql immutable strict parallel safe
return regexp_replace(bare, '^(\(01\)\d{14}\(21\)|MA\.\d{3}\.[^.]+\.[^.]+\.[^.]+\.S|\+[0-9A-Z]+/S)', '');

-- People type the serial that they read on a label, without what stands around it.
create index unit_code_serial on unit_code (same_name(serial_of(bare)));
