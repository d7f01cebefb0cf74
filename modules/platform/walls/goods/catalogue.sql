select
  h.specification_id::text as specification_sn,
  s.product_id::text as product_sn,
  case p.device_class
    when '1' then 'I'
    when '2' then 'II'
    when '3' then 'III'
    else p.device_class
  end as device_class,
  coalesce(c.name, '未分类') as class_name,
  (h.status = 'enabled')::int as sizes,
  (
    h.status = 'enabled'
    and h.admitted_on >= date_trunc('month', posting_now () at time zone 'Asia/Shanghai')::date
  )::int as admitted,
  (h.status <> 'enabled')::int as stopped
from
  hospital_product h {{ product_of(h.specification_id) }}
  left join device_class c on c.catalogue = '2017'
  and c.code = left(p.class_code, 2)
where
  h.org_id = :organisation
