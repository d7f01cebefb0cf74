import { isLow } from '#kernel/rules/stock-limit.ts'
import { today } from '#kernel/values/date.ts'
import { add, type Decimal, plain } from '#kernel/values/decimal.ts'
import { configNumberSql } from '#server/public/settings.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Content = {
  door_no: string | null
  slot: string | null
  specification_sn: string | null
  product_name: string
  specification_name: string
  manufacturer_name: string
  unit_name: string
  lot_no: string | null
  expiry_date: string | null
  lower_limit: Decimal | null
  upper_limit: Decimal | null
  quantity: Decimal
  near: boolean
  expired: boolean
}

/**
 * The contents of a cabinet, or of one door, as printed on the sheet at its door. Bound slots without goods are listed,
 * too.
 */
export async function contentOf(
  tx: Tx,
  session: Session,
  cabinet: Readonly<RecordRow>,
  door: string | null,
): Promise<RecordRow> {
  const id = String(cabinet.cabinet_sn)
  const held = await heldIn(tx, session, id, door)
  const [facts] = await tx<Record<string, string | null>[]>`
    select c.code as cabinet_code, c.name as cabinet_name, w.name as warehouse_name, d.name as department_name,
      e.name as manager_name,
           (select count(*) from cabinet_door o where o.org_id = c.org_id and o.cabinet_id = c.id) as door_count
      from cabinet c join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
      left join department d on d.org_id = w.org_id and d.id = w.department_id left
        join employee e on e.org_id = w.org_id and e.id = w.manager_id
     where c.org_id = ${session.org.id} and c.id = ${id}`
  const doors = await tx<RecordRow[]>`
    select d.id as cupboard_sn, d.door_no, d.name,
           (select string_agg(distinct p.name, '、') from cabinet_slot s
             join specification x on x.id = s.specification_id join product p on p.id = x.product_id
             where s.org_id = d.org_id and s.door_id = d.id) as products
      from cabinet_door d
     where d.org_id = ${session.org.id} and d.cabinet_id = ${id} and (${door}::bigint is null or d.id = ${door})
       order by d.door_no`
  return {
    ...facts,
    sn: String(facts?.cabinet_code ?? ''),
    title: `${session.org.name}智能耗材柜清单`,
    printed_moment: new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Asia/Shanghai',
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(new Date()),
    doors: doors.map(each => ({
      ...each,
      ...facts,
      code: `${facts?.cabinet_code ?? ''}-${String(each.door_no)}`,
      label: `柜门 ${String(each.door_no)}${each.name ? `　${String(each.name)}` : ''}`,
    })),
    lines: held.map(lineOf),
    ...totalsOf(held),
  }
}

const heldIn = (tx: Tx, session: Session, cabinet: string, door: string | null) => tx<Content[]>`
  select h.door_no, h.slot, h.specification_id as specification_sn, p.name as product_name,
    s.name as specification_name, o.name as manufacturer_name, s.unit_name, h.lot_no, h.expiry_date, h.lower_limit,
    h.upper_limit, h.quantity,
         coalesce(h.expiry_date < ${today()}::date, false) as expired,
         coalesce(h.expiry_date <= ${today()}::date + ${configNumberSql(tx, session.org.id, 'expiry_warning_days')},
           false) as near
    from (
      select b.door_no, b.door_id, b.slot, b.specification_id, b.lot_no, b.expiry_date, b.lower_limit, b.upper_limit,
        b.quantity
        from cabinet_stock b where b.org_id = ${session.org.id} and b.cabinet_id = ${cabinet}
      union all
      select d.door_no, d.id, s.location, s.specification_id, null, null, s.lower_limit, s.upper_limit, 0
        from cabinet_slot s join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id
       where s.org_id = ${session.org.id} and d.cabinet_id = ${cabinet} and s.status = 'enabled'
         and s.specification_id is not null
         and not exists (select 1 from cabinet_stock b where b.org_id = s.org_id and b.cabinet_id = ${cabinet}
           and b.slot_id = s.id)) h
    join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id
   where ${door}::bigint is null or h.door_id = ${door}
   order by h.door_no nulls last, h.slot nulls last, p.name, s.name, h.expiry_date nulls last`

/** ◆ close to expiry, ■ expired. */
const lineOf = (row: Content) => ({
  ...row,
  group: row.door_no === null ? '未分配柜门' : `柜门 ${row.door_no}`,
  door_no: row.door_no ?? '-',
  slot: row.slot ?? '-',
  expiry_date: row.expiry_date === null ? '' : `${row.expired ? '■' : row.near ? '◆' : ''}${row.expiry_date}`,
})

function totalsOf(rows: readonly Content[]): RecordRow {
  const sum = (some: readonly Content[]) => some.reduce<Decimal>((all, row) => add(all, row.quantity, 3), '0')
  const bySpecification = Map.groupBy(rows, row => String(row.specification_sn))
  const short = [...bySpecification.values()].filter(
    some => some[0]!.lower_limit !== null && isLow(sum(some), some[0]!.lower_limit),
  )
  return {
    kind_count: `${bySpecification.size}`,
    piece_total: `${plain(sum(rows))}`,
    near_total: `${plain(sum(rows.filter(row => row.near)))}`,
    short_total: `${short.length}`,
  }
}
