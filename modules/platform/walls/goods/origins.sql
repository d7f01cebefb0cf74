with
  {{ part(platform/reports/use/use-rows) }}
select
  case
    when coalesce(p.country, '中国') in ('中国', '中华人民共和国', 'CN', '国产') then 'domestic'
    else 'imported'
  end as origin,
  x.amount::numeric(18, 2) as amount,
  x.base_quantity::numeric(18, 3) as quantity
from
  use_rows x {{ product_of(x.specification_id) }}
where
  x.role = 'own'
