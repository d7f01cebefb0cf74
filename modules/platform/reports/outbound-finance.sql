with
  {{ part(outbound-lines) }}
select
  *
from
  outbound
order by
  at desc,
  document_sn,
  line_no
