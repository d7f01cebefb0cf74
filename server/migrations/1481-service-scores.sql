-- 服务评分: how well a supplier serves, 0 to 100, as somebody of the hospital judged it from a day on.
create table supplier_service_score (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  supplier_id bigint not null,
  valid_from date not null,
  score numeric(18,3) not null,
  remark text,
  scored_by text,
  version int not null default 1,
  constraint supplier_service_score_pk primary key (org_id, id),
  constraint supplier_service_score_once unique (org_id, supplier_id, valid_from),
  constraint supplier_service_score_range check (score >= 0 and score <= 100)
);
call isolate_by_organisation('supplier_service_score');
grant select, insert, update, delete on supplier_service_score to :app_role;
