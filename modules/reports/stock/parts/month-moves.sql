-- The moves of a month and its opening, by store, goods, lot and owner, from the opening of a sealed month on: by the
-- moment of posting; `with_last` with the moves of the month before. What is on the way is in no store, and what was
-- used up is none. What goods are booked under is that of the last day (`class_then`, beside `finance-class`).
month as not materialized (
  select
    x.day,
    x.first,
    x.next,
    x.before,
    (x.next::date - x.first::date) as days,
    sealed_month (
      case
        when :with_last then x.before
        else x.first
      end
    ) as base
  from
    (
      select
        (:period || '-01')::date as day,
        (:period || '-01')::date::timestamp at time zone 'Asia/Shanghai' as first,
        ((:period || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai' as next,
        ((:period || '-01')::date - interval '1 month') at time zone 'Asia/Shanghai' as before
    ) x
),
month_rows as materialized (
  select
    m.warehouse_id,
    m.specification_id,
    m.lot_id,
    m.owner_id,
    'before' as stage,
    null::text as kind,
    m.quantity,
    m.value,
    false as is_undo
  from
    month,
    month_opening m
  where
    m.org_id = :organisation
    and m.month = month.base
  union all
  select
    m.warehouse_id,
    m.specification_id,
    m.lot_id,
    m.owner_id,
    case
      when m.at < month.before then 'before'
      when m.at < month.first then 'last'
      else 'month'
    end,
    d.kind,
    m.quantity,
    m.value,
    m.undo_of is not null
  from
    month,
    stock_move m
    -- Looked up move by move: most moves of a document follow each other, and a month has few of all documents.
    cross join lateral (
      select
        x.kind
      from
        document x
      where
        x.org_id = :organisation
        and x.id = m.document_id
      limit
        1
    ) d
  where
    m.org_id = :organisation
    and m.at >= month_start (month.base)
    and m.at < month.next
),
class_then as materialized (
  select
    fc.specification_id,
    fc.name,
    fc.account_code
  from
    month
    join finance_class fc on month.day + month.days - 1 between fc.valid_from and fc.valid_to
)
