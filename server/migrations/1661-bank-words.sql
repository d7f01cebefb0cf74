-- Meanings of the words in the state column of a bank's return file, as an organisation entered them.
create table bank_word (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  bank text,
  column_title text,
  word text not null,
  outcome text not null,
  version int not null default 1,
  constraint bank_word_pk primary key (org_id, id),
  constraint bank_word_outcome check (outcome in ('paid', 'failed', 'accepted', 'returned'))
);
create unique index bank_word_once on bank_word (org_id, coalesce(bank, ''), coalesce(column_title, ''), word);
call isolate_by_organisation('bank_word');
grant select, insert, update, delete on bank_word to :app_role;
