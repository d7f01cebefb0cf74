-- What else a house says of its sheets: facts at the head, sums below, capitals, and how the number is written for machines.
alter table print_template
  add column head_layout text, add column total_items text, add column has_capitals boolean not null default true, add column carrier text;
