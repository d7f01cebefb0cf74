-- The life of a product in the catalogue: who submitted, judged, released and withdrew it, what it was matched with, its pictures, and each step it took.
alter table product
  add column submitted_by text, add column submitted_at timestamptz, add column submitter_id bigint,
  add column audited_by text, add column audited_at timestamptz, add column opinion text,
  add column state_since timestamptz not null default now(), add column created_at timestamptz not null default now(), add column issued_at timestamptz,
  add column withdrawn_on date, add column withdrawn_reason text, add column refusals int not null default 0, add column revision int not null default 1,
  add column matched_id bigint, add column taken_by text, add column taken_until timestamptz, add column no_di_reason text,
  add column sterilisation text, add column temperature_low int, add column temperature_high int, add column is_collective boolean not null default false,
  add column pictures text[] not null default '{}', add column manuals text[] not null default '{}', add column remark text,
  add column offered_types text, add column offered_to bigint[];
create index product_state on product (status, state_since);
create index product_matched on product (matched_id) where matched_id is not null;
alter table specification add column mapped_to_id bigint, add column pictures text[] not null default '{}', add column no_di_reason text;

create table product_step (
  id bigint not null default nextval('reference_id_seq'), product_id bigint not null,
  from_state text, to_state text not null, deed text not null, org_id bigint not null, by_name text not null, at timestamptz not null default now(), note text, version int not null default 1,
  constraint product_step_pk primary key (id), constraint product_step_product foreign key (product_id) references product (id) on delete cascade);
create index product_step_list on product_step (product_id, id);

-- What a maker or the platform wants changed in a released product. Until it is passed, everybody sees what was released.
create table product_revision (
  id bigint not null default nextval('reference_id_seq'), code text not null, product_id bigint not null,
  name text, generic_name text, brand text, registrant_name text, country text, class_code text, class_code_2002 text, storage_condition text, shelf_life_months int, scope text, structure text,
  note text not null, changed text not null, before_text text not null, after_text text not null, org_id bigint not null, applied_by text not null, applied_by_id bigint not null, applied_at timestamptz not null default now(),
  state text not null default 'pending', decided_by text, decided_at timestamptz, reason text, revision int, version int not null default 1,
  constraint product_revision_pk primary key (id), constraint product_revision_code unique (code),
  constraint product_revision_product foreign key (product_id) references product (id),
  constraint product_revision_state check (state in ('pending', 'passed', 'refused')));
create unique index product_revision_open on product_revision (product_id) where state = 'pending';
-- The name that papers written before a change bear.
create table product_past (
  id bigint not null default nextval('reference_id_seq'), product_id bigint not null, until_day date not null, revision int not null, name text not null, former jsonb not null,
  constraint product_past_pk primary key (id), constraint product_past_product foreign key (product_id) references product (id));
create index product_past_ix on product_past (product_id, until_day);

-- Who took a released product into its catalogue: the platform and the maker may know how many, never whose prices.
create table product_pick (
  product_id bigint not null, picker_id bigint not null, at timestamptz not null default now(),
  constraint product_pick_pk primary key (product_id, picker_id),
  constraint product_pick_product foreign key (product_id) references product (id) on delete cascade);

-- 发布批次: complete products that are published together.
create table product_release (
  id bigint not null default nextval('reference_id_seq'), code text not null, note text, planned_at timestamptz, audience text not null default 'all', audience_types text, audience_orgs text[] not null default '{}',
  created_by text not null, created_by_id bigint not null, created_at timestamptz not null default now(), reviewed_by text, published_at timestamptz, reason text,
  state text not null default 'draft', version int not null default 1,
  constraint product_release_pk primary key (id), constraint product_release_code unique (code),
  constraint product_release_state check (state in ('draft', 'submitted', 'planned', 'published', 'cancelled')));
create table product_release_line (
  id bigint not null default nextval('reference_id_seq'), product_release_id bigint not null, product_id bigint not null, change_kind text not null default 'new', check_result text, version int not null default 1,
  constraint product_release_line_pk primary key (id), constraint product_release_line_once unique (product_release_id, product_id),
  constraint product_release_line_release foreign key (product_release_id) references product_release (id),
  constraint product_release_line_product foreign key (product_id) references product (id));

grant select, insert, update, delete on product_step, product_revision, product_release, product_release_line to :app_role;
grant select, insert, delete on product_pick to :app_role;
grant select, insert on product_past to :app_role;
