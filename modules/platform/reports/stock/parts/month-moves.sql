-- The moves of a month and its opening, by store, goods and owner, from the opening of a sealed month on, by the moment
-- of posting; `with_last` adds the moves of the month before, until the same day that this month has reached. Moves of
-- one direction are summed. Those of own goods are summed over all lots, unless `with_lots` has a value; others' goods
-- by lot and by the quantity of a single move (`each`, so many `times`), since the worth of each move is rounded. Goods
-- on the way, and used ones, are in no store. The class is that of the last day (`class_then`, beside `finance-class`).
-- The first day is a constant to the planner; a text that is cast to a day would be no constant, and would be cast for
-- every move.
month as not materialized (
  select
    x.day,
    x.first,
    x.next,
    x.before,
    x.same,
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
        d.day,
        d.day::timestamp at time zone 'Asia/Shanghai' as first,
        (d.day + interval '1 month') at time zone 'Asia/Shanghai' as next,
        (d.day - interval '1 month') at time zone 'Asia/Shanghai' as before,
        (
          case
            when n.today + 1 >= (d.day + interval '1 month')::date then d.day
            else least(d.day, n.day_before + 1)
          end
        )::timestamp at time zone 'Asia/Shanghai' as same
      from
        (
          select
            make_date(left(:period, 4)::int, right(:period, 2)::int, 1) as day
        ) d
        cross join (
          select
            t.today,
            (t.today - interval '1 month')::date as day_before
          from
            (
              select
                (posting_now () at time zone 'Asia/Shanghai')::date as today
            ) t
        ) n
    ) x
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
        y.warehouse_id,
        y.specification_id,
        y.owner_id,
        case
          when y.owner_id <> :organisation
          or :with_lots is not null then y.lot_id
        end as lot_id,
        y.stage,
        y.kind,
        y.is_undo,
        case
          when y.owner_id <> :organisation then y.quantity
        end as each,
        y.quantity,
        y.value
      from
        (
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
            month
            join month_opening m on m.org_id = :organisation
            and m.month = month.base
          union all
          select
            m.warehouse_id,
            m.specification_id,
            m.lot_id,
            m.owner_id,
            case
              when m.at < month.before then 'before'
              when m.at < month.same then 'last'
              when m.at < month.first then 'rest'
              else 'month'
            end,
            m.document_kind,
            m.quantity,
            m.value,
            m.undo_of is not null
          from
            month
            join stock_move m on m.org_id = :organisation
            and m.at >= month_start (month.base)
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
