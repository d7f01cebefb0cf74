-- The moves of a month and its opening, by store, goods and owner, from the opening of a sealed month on, by the moment
-- of posting; `with_last` adds the moves of the month before, until the same day that this month has reached. Moves of
-- one direction are summed. Those of own goods are summed over all lots, unless `with_lots` has a value; others' goods
-- by lot and by the quantity of a single move (`each`, so many `times`), since the worth of each move is rounded. Goods
-- on the way, and used ones, are in no store. The class is that of the last day (`class_then`, beside `finance-class`).
-- The first day is a constant to the planner; a text that is cast to a day would be no constant, and would be cast for
-- every move.
month as not materialized (
  select
    {{ columns_of(x, day, first, next, before, same) }},
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
        {{ begin_of(d.day) }} as first,
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
                {{ day_of(posting_now()) }} as today
            ) t
        ) n
    ) x
),
month_rows as materialized (
  select
    {{ columns_of(x, warehouse_id, specification_id, owner_id, lot_id, stage, kind, is_undo, each) }},
    count(*) as times,
    sum(x.quantity) as quantity,
    sum(x.value) as value
  from
    (
      select
        {{ columns_of(y, warehouse_id, specification_id, owner_id) }},
        {{ only_where(y.lot_id, y.owner_id <> :organisation or :with_lots is not null) }} as lot_id,
        {{ columns_of(y, stage, kind, is_undo) }},
        {{ only_where(y.quantity, y.owner_id <> :organisation) }} as each,
        y.quantity,
        y.value
      from
        (
          select
            {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id) }},
            'before' as stage,
            null::text as kind,
            m.quantity,
            m.value,
            false as is_undo
          from
            month
            join {{ own(month_opening, m, month = month.base) }}
          union all
          select
            {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id) }},
            case
              when m.at < month.before then 'before'
              when m.at < month.same then 'last'
              when m.at < month.first then 'rest'
              else 'month'
            end,
            {{ columns_of(m, document_kind, quantity, value) }},
            m.undo_of is not null
          from
            month
            join stock_move m on m.org_id = :organisation
            and m.at >= month_start (month.base)
            and m.at < month.next
        ) y
    ) x
  group by
    {{ columns_of(x, warehouse_id, specification_id, owner_id, lot_id, stage, kind, is_undo, each) }},
    x.quantity > 0,
    x.value > 0
),
class_then as materialized (
  select
    {{ columns_of(fc, specification_id, name, account_code) }}
  from
    month
    join finance_class fc on month.day + month.days - 1 between fc.valid_from and fc.valid_to
)
