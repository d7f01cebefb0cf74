-- A hospital's catalogue beside the dictionary of its HIS.
create view product_comparison with (security_invoker = true) as
select
  h.org_id, h.id, s.product_id, h.specification_id, h.is_chargeable, h.charge_price, h.insurance_code,
  coalesce(m.match_state, 'none') as match_state, m.his_item_id, i.material_code, i.item_code, i.item_name,
  i.his_specification, i.his_unit, i.his_price, i.insurance_code as his_insurance_code,
  trim_scale(coalesce(m.factor, 1))::text as factor, m.valid_from,
  m.basis, coalesce(m.differences, '{}') as differences, m.remark, m.matched_by, m.matched_at, i.read_at,
  case c.state
    when 'succeeded' then 'answered'
    when 'waiting' then 'failed'
    when 'pending' then 'underway'
    when 'retrying' then 'underway'
  end as push_state, c.error as push_answer, coalesce(m.version, 1) as version
from hospital_product h
join specification s on s.id = h.specification_id
left join his_match m on m.org_id = h.org_id and m.id = h.id
left join his_item i on i.org_id = m.org_id and i.id = m.his_item_id
left join outbound_call c on c.org_id = m.org_id and c.id = m.push_call_id
where h.status = 'enabled';
grant select on product_comparison to :app_role;

-- The pairs that were or are in force.
create view his_match_history with (security_invoker = true) as
select
  v.org_id, v.id, s.product_id, v.specification_id, v.his_item_id, i.item_code, i.item_name, i.material_code,
  trim_scale(v.factor)::text as factor, v.valid_from, v.valid_to, v.matched_by, v.matched_at, v.ended_by, v.ended_at
from his_match_version v
join specification s on s.id = v.specification_id
join his_item i on i.org_id = v.org_id and i.id = v.his_item_id;
grant select on his_match_history to :app_role;

-- Charges and refunds with the amount that is left of them: refunded charges are none, and a charge is used up as far
-- as uses are matched with it. Refunds that name no charge are rows of their own, with a minus.
create view his_charge_left with (security_invoker = true) as
select
  h.*,
  case when h.charge_kind = 'charge' then h.quantity - coalesce(r.refunded, 0)
    when h.refunds_id is null then - h.quantity
    else 0
  end as net_quantity,
  coalesce(r.refunded, 0) as refunded_quantity, coalesce(k.linked, 0) as linked_quantity
from his_charge h
left join lateral (
  select sum(x.quantity) as refunded
  from his_charge x
  where x.org_id = h.org_id and x.refunds_id = h.id
) r on true
left join lateral (
  select sum(l.quantity) as linked
  from charge_link l
  where l.org_id = h.org_id and l.his_charge_id = h.id
) k on true;
grant select on his_charge_left to :app_role;

-- The share of an amount for a part of a whole that comes after `before` of it: to two decimals. The parts add up to
-- the amount, since the last takes what rounding left.
create function share_between(amount numeric, before numeric, part numeric, whole numeric) returns numeric
  language sql immutable
return round(amount * (before + part) / whole, 2) - round(amount * before / whole, 2);

-- The amount of a charge that pays for each use, in yuan: uses share the charge in the order of their rows.
create view charge_link_amount with (security_invoker = true) as
select
  l.org_id, l.use_check_id, l.his_charge_id, l.quantity, h.charge_no, h.charged_at, h.day,
  share_between(h.amount, b.quantity, l.quantity, h.quantity) as amount
from charge_link l
join his_charge h on h.org_id = l.org_id and h.id = l.his_charge_id
cross join lateral (
  select coalesce(sum(x.quantity), 0) as quantity
  from charge_link x
  where x.org_id = l.org_id and x.his_charge_id = l.his_charge_id and x.use_check_id < l.use_check_id
) b;
grant select on charge_link_amount to :app_role;

-- Each use that is to be charged, as the clerk sees it: the amount due, the amount that the HIS charged, and the
-- patient. A use that is charged in advance of its review is left out until then.
create view use_check_row with (security_invoker = true) as
select
  c.org_id, c.id, c.state, d.kind as source_kind, d.sn as source_no, c.department_id,
  c.warehouse_id, d.fields->>'patient_no' as patient_no, d.fields->>'patient_name' as patient_name,
  d.fields->>'admission_no' as admission_no, s.product_id,
  c.specification_id, p.is_high_value, t.lot_no, c.unit_code, c.supplier_id, c.item_code, i.item_name,
  trim_scale(coalesce(c.factor, 1))::text as factor, c.quantity - c.returned as quantity, c.returned,
  round((c.quantity - c.returned) * coalesce(c.factor, 1), 4) as due_quantity,
  c.charged_quantity::numeric as charged_quantity,
  round((c.quantity - c.returned) * coalesce(c.factor, 1), 4) - c.charged_quantity as difference,
  round((c.quantity - c.returned) * c.charge_price, 2) as charge_amount, c.used_at, c.charged_at,
  c.state = 'missed' as is_overdue, c.handling, c.free_reason, c.note, c.handled_by, c.handled_at
from use_check c
join document d on d.org_id = c.org_id and d.id = c.use_document_id
join specification s on s.id = c.specification_id
join product p on p.id = s.product_id
left join lot t on t.id = c.lot_id
left join his_item i on i.org_id = c.org_id and i.item_code = c.item_code
where not c.in_advance;
grant select on use_check_row to :app_role;

-- Uses and charges of goods side by side, in a period or ever: a row for each use with the part of charges that pays
-- for it, and a row for the part of a charge that pays for no use. Each quantity of either side is in one row, so that
-- sums over rows are sums over uses and over charges.
create function charge_comparison(p_org bigint, p_begin date, p_end date)
returns table (
  org_id bigint, id bigint, source text, side text, department_id bigint, warehouse_id bigint, visit_type text,
  patient_no text, patient_name text, admission_no text, specification_id bigint, unit_code text, use_no text,
  item_code text, used_quantity numeric, converted_quantity numeric, used_amount numeric, used_at timestamptz,
  charge_nos text, charged_quantity numeric, refunded_quantity numeric, net_quantity numeric, charged_amount numeric,
  charged_at timestamptz, cause text, cause_note text, difference_state text, difference_by text,
  difference_at timestamptz
) language sql stable as $$
  select
    c.org_id, c.id, 'use', case
      when c.item_code is null then 'unmatched'
      when c.charged_quantity = round((c.quantity - c.returned) * coalesce(c.factor, 1), 4) then 'matched'
      when c.charged_quantity = 0 then 'use_only'
      else 'differs'
    end, c.department_id, c.warehouse_id, d.fields->>'visit_type', d.fields->>'patient_no',
    d.fields->>'patient_name', d.fields->>'admission_no', c.specification_id, c.unit_code, d.sn, c.item_code,
    coalesce(u.quantity, 0), round(coalesce(u.quantity, 0) * coalesce(c.factor, 1), 4),
    round(coalesce(u.quantity, 0) * c.charge_price, 2), c.used_at, k.charge_nos, coalesce(k.quantity, 0),
    0::numeric, coalesce(k.quantity, 0), coalesce(k.amount, 0), k.charged_at, c.cause, c.cause_note,
    c.difference_state, c.difference_by, c.difference_at
  from use_check c
  join document d on d.org_id = c.org_id and d.id = c.use_document_id
  left join lateral (
    select sum(case e.event when 'use' then e.quantity else - e.quantity end) as quantity
    from use_check_event e
    where e.org_id = c.org_id
      and e.use_check_id = c.id
      and e.event in ('use', 'back')
      and (p_begin is null or e.at >= p_begin::timestamp at time zone 'Asia/Shanghai')
      and (p_end is null or e.at < (p_end + 1)::timestamp at time zone 'Asia/Shanghai')
  ) u on true
  left join lateral (
    select
      string_agg(l.charge_no, '、' order by l.charged_at, l.his_charge_id) filter (where l.quantity > 0) as charge_nos,
      sum(l.quantity) as quantity, sum(l.amount) as amount,
      max(l.charged_at) filter (where l.quantity > 0) as charged_at
    from charge_link_amount l
    where l.org_id = c.org_id
      and l.use_check_id = c.id
      and (p_begin is null or l.day >= p_begin)
      and (p_end is null or l.day <= p_end)
  ) k on true
  where c.org_id = p_org
    and not c.in_advance
    and (
      p_begin is null
      or c.id in (
        select e.use_check_id
        from use_check_event e
        where e.org_id = p_org
          and e.at >= p_begin::timestamp at time zone 'Asia/Shanghai'
          and e.at < (p_end + 1)::timestamp at time zone 'Asia/Shanghai'
        union
        select l.use_check_id
        from his_charge h
        join charge_link l on l.org_id = h.org_id and l.his_charge_id = h.id
        where h.org_id = p_org and h.day between p_begin and p_end
      )
    )
  union all
  select
    h.org_id, h.id, 'charge', 'charge_only', h.department_id, null::bigint,
    case when h.visit_class = 'inpatient' then 'inpatient' else 'outpatient' end,
    h.patient_no, h.patient_name, h.visit_no, null::bigint, h.unit_code, null::text, h.item_code, 0, 0, 0, null,
    h.charge_no, q.charged, q.refunded, q.charged - q.refunded, q.amount, h.charged_at, h.cause, h.cause_note,
    h.difference_state, h.difference_by, h.difference_at
  from his_charge h
  left join lateral (
    select sum(l.quantity) as quantity, sum(l.amount) as amount
    from charge_link_amount l
    join use_check c on c.org_id = l.org_id and c.id = l.use_check_id and not c.in_advance
    where l.org_id = h.org_id and l.his_charge_id = h.id
  ) k on true
  left join lateral (
    select sum(r.quantity) as quantity, sum(r.amount) as amount
    from his_charge r
    where r.org_id = h.org_id
      and r.refunds_id = h.id
      and (p_begin is null or r.day >= p_begin)
      and (p_end is null or r.day <= p_end)
  ) r on true
  cross join lateral (
    select (p_begin is null or h.day >= p_begin) and (p_end is null or h.day <= p_end) as inside
  ) w
  cross join lateral (
    select
      case when w.inside and h.charge_kind = 'charge' then h.quantity - coalesce(k.quantity, 0) else 0 end as charged,
      case when w.inside and h.charge_kind = 'refund' then h.quantity else coalesce(r.quantity, 0) end as refunded,
      case when not w.inside then 0
        when h.charge_kind = 'refund' then - h.amount
        else h.amount - coalesce(k.amount, 0)
      end - coalesce(r.amount, 0) as amount
  ) q
  where h.org_id = p_org
    and (h.charge_kind = 'charge' or h.refunds_id is null)
    and (
      p_begin is null
      or h.day between p_begin and p_end
      or h.id in (
        select x.refunds_id
        from his_charge x
        where x.org_id = p_org and x.day between p_begin and p_end and x.refunds_id is not null
      )
    )
    and (q.charged <> 0 or q.refunded <> 0)
    and (
      exists (
        select 1
        from his_item i
        where i.org_id = h.org_id
          and i.item_code = h.item_code
          and (
            i.material_code is not null
            or exists (select 1 from his_match_version v where v.org_id = i.org_id and v.his_item_id = i.id)
          )
      )
    )
$$;

-- The same as a list, ever.
create view charge_difference with (security_invoker = true) as
select
  x.*, s.product_id, i.item_name, x.converted_quantity - x.net_quantity as difference,
  x.used_amount - x.charged_amount as amount_difference, coalesce(x.used_at, x.charged_at) as day
from organisation o
cross join lateral charge_comparison(o.id, null, null) x
left join specification s on s.id = x.specification_id
left join his_item i on i.org_id = x.org_id and i.item_code = x.item_code;
grant select on charge_difference to :app_role;

-- Days of which charges were read, or could not be.
create view his_charge_day_row with (security_invoker = true) as
select
  d.org_id, to_char(d.day, 'YYYYMMDD')::bigint as id, d.day, case
    when d.asked_at is not null then 'asked'
    when d.error is not null then 'failed'
    when d.read_at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai' then 'part'
    else 'read'
  end as state, d.row_count, d.read_at, d.asked_by, d.failed_at, d.error
from his_charge_day d;
grant select on his_charge_day_row to :app_role;

-- Closed months by their names.
create view charge_month_row with (security_invoker = true) as
select
  m.org_id, to_char(m.month, 'YYYYMM')::bigint as id, to_char(m.month, 'YYYY-MM') as month, m.closed_by, m.closed_at
from charge_month m;
grant select on charge_month_row to :app_role;
