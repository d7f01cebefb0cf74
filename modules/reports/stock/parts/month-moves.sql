-- The moves of a month and its opening, by store, goods and owner, from the opening of a sealed month on: by the moment
-- of posting; `with_last` with the moves of the month before. Moves of one direction are summed. Those of own goods are
-- summed over all lots, unless `with_lots` says something; others' goods by lot and by the quantity that was moved at
-- once (`each`, so many `times`), since it is each move whose worth is rounded. What is on the way is in no store, and
-- what was used up is none. What goods are booked under is that of the last day (`class_then`, beside `finance-class`).
month as not materialized (
  select
    x.day,
    x.first,
    x.next,
    x.before,
    (x.next::date - x.first::date) as days,
    b.base,
    month_start (b.base) as since
  from
    (
      select
        (:period || '-01')::date as day,
        (:period || '-01')::date::timestamp at time zone 'Asia/Shanghai' as first,
        ((:period || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai' as next,
        ((:period || '-01')::date - interval '1 month') at time zone 'Asia/Shanghai' as before
    ) x
    cross join lateral (
      select
        sealed_month (
          case
            when :with_last then x.before
            else x.first
          end
        ) as base
    ) b
),
month_rows as materialized (
  select
    x.warehouse_id,
    x.specification_id,
    x.owner_id,
    x.lot_id,
    x.stage,
    x.kind,
    x.is_undo,
    x.each,
    count(*) as times,
    sum(x.quantity) as quantity,
    sum(x.value) as value
  from
    (
      select
        y.*,
        case
          when y.owner_id <> :organisation then y.quantity
        end as each
      from
        (
          select
            m.warehouse_id,
            m.specification_id,
            case
              when m.owner_id <> :organisation
              or :with_lots is not null then m.lot_id
            end as lot_id,
            m.owner_id,
            'before' as stage,
            null::text as kind,
            m.quantity,
            m.value,
            false as is_undo
          from
            month
            join month_opening m on m.org_id = :organisation
            and m.month = month.base
          union all
          select
            m.warehouse_id,
            m.specification_id,
            case
              when m.owner_id <> :organisation
              or :with_lots is not null then m.lot_id
            end,
            m.owner_id,
            'before',
            null,
            m.quantity,
            m.value,
            m.undo_of is not null
          from
            month
            join stock_move m on m.org_id = :organisation
            and m.at >= month.since
            and m.at < month.before
          union all
          select
            m.warehouse_id,
            m.specification_id,
            case
              when m.owner_id <> :organisation
              or :with_lots is not null then m.lot_id
            end,
            m.owner_id,
            'last',
            m.document_kind,
            m.quantity,
            m.value,
            m.undo_of is not null
          from
            month
            join stock_move m on m.org_id = :organisation
            and m.at >= greatest(month.since, month.before)
            and m.at < month.first
          union all
          select
            m.warehouse_id,
            m.specification_id,
            case
              when m.owner_id <> :organisation
              or :with_lots is not null then m.lot_id
            end,
            m.owner_id,
            'month',
            m.document_kind,
            m.quantity,
            m.value,
            m.undo_of is not null
          from
            month
            join stock_move m on m.org_id = :organisation
            and m.at >= month.first
            and m.at < month.next
        ) y
    ) x
  group by
    x.warehouse_id,
    x.specification_id,
    x.owner_id,
    x.lot_id,
    x.stage,
    x.kind,
    x.is_undo,
    x.each,
    x.quantity > 0,
    x.value > 0
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
