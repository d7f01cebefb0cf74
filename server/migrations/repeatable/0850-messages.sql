-- To whom a notice was given, and who of them read and confirmed it.
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
