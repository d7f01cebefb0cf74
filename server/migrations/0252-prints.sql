-- How often a paper was printed, by whom last; and how an organisation wants its sheets.
create table document_print (
  org_id bigint not null, document_id bigint not null, times int not null, last_by text not null, last_at timestamptz not null default now(),
  constraint document_print_pk primary key (org_id, document_id));
create table print_template (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  name text not null, sheet text not null, paper text, lines_per_page int, title text, hidden_columns text, signatures text, note text,
  warehouse_id bigint, counterparty_id bigint, is_default boolean not null default false, for_everybody boolean not null default false, revision int not null default 1, changed_at timestamptz not null default now(),
  status text not null default 'enabled', version int not null default 1,
  constraint print_template_pk primary key (org_id, id),
  constraint print_template_lines check (lines_per_page between 1 and 60));
create unique index print_template_default on print_template (org_id, sheet) where is_default;
-- Labels printed of a piece: the second needs a reason.
create table label_print (
  org_id bigint not null, lot_id bigint not null, unit_id bigint not null, seq int not null, layout text not null, printed_by text not null, reason text, at timestamptz not null default now(),
  constraint label_print_pk primary key (org_id, lot_id, unit_id, seq));

do $$ declare t text; begin
  foreach t in array array['document_print', 'label_print'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
-- The platform's templates are the last resort of everybody.
alter table print_template enable row level security;
create policy own_rows on print_template using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
create policy platform_rows on print_template for select using (for_everybody);
grant select, insert, update, delete on document_print, print_template, label_print to :app_role;
