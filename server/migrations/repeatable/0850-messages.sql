-- The receivers of a notice, and who of them read and confirmed it.
create view notice_receiver with (security_invoker = true) as
select
  x.org_id,
  x.notice_id * 1000000
    + row_number() over (partition by x.org_id, x.notice_id order by x.to_org_id, x.to_user_id) as id,
  x.notice_id, x.to_org_id, o.name as receiver_org, u.name as receiver_name, x.delivered_at, r.read_at, r.readers,
  r.confirmed_at, r.confirmed_by, x.reminded_on
from notice_delivery x
join organisation o on o.id = x.to_org_id
left join app_user u on u.id = x.to_user_id
left join lateral (
  select
    min(m.read_at) as read_at, count(*)::int as readers, min(m.confirmed_at) as confirmed_at,
    (array_agg(m.user_name order by m.confirmed_at) filter (where m.confirmed_at is not null))[1] as confirmed_by
  from message_receipt m
  where m.org_id = x.org_id
    and m.of_kind = 'notice'
    and m.of_id = x.notice_id
    and m.to_org_id = x.to_org_id
    and (x.to_user_id = 0 or m.user_id = x.to_user_id)
) r on true;
grant select on notice_receiver to :app_role;

-- The holders whom a recall reached, and their answers. Only the maker of the goods and the platform read the holders'
-- names; another organisation that recalls reads their type and province, and its own name.
create view recall_progress with (security_invoker = true) as
select
  x.org_id, x.id, x.document_id, x.line_no, case when n.is_named then x.to_org_id end as to_org_id,
  x.specification_id, x.lot_id, x.delivered_at, x.answered_at,
  case when n.is_named then x.answered_by end as answered_by,
  x.received, x.on_hand, x.blocked, x.used, x.returned, x.passed_on, x.gone,
  case when n.is_named then x.note end as note, x.remind_on, x.reminded_on, x.ended_at,
  case when n.is_named then h.name end as holder_name, h.system_type as holder_type,
  left(h.administrative_division_sn, 2) as holder_province
from recall_delivery x
join specification s on s.id = x.specification_id
join product p on p.id = s.product_id
join organisation i on i.id = x.org_id
join organisation h on h.id = x.to_org_id
cross join lateral (
  select p.manufacturer_id = x.org_id or i.system_type = 0 or x.to_org_id = x.org_id as is_named
) n;
grant select on recall_progress to :app_role;
