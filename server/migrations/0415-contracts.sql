-- A contract printed from an order: its clauses, where it is signed and how long it holds stand in the template.
alter table print_template add column clauses text;
alter table print_template add column signing_place text;
alter table print_template add column valid_days int;
alter table print_template add constraint print_template_valid_days check (valid_days between 1 and 3650);
