-- First-level classes of the list of 2017 are official where their names were compared with the published list; the others may be corrected.
update device_class set is_official = false where catalogue = '2017' and parent_id is not null and is_official and code not in ('01-01', '01-02', '01-03', '01-04', '01-05');
