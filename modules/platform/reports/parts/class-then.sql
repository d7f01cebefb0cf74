-- The class under which goods were booked on a day. Use it beside `finance-class`.
class_then as materialized (
  select
    {{ columns_of(fc, specification_id, class_id, name) }}
  from
    finance_class fc
    cross join taken_for_thousand ()
  where
    :day between fc.valid_from and fc.valid_to
)
