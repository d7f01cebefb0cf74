import { addDays, today } from '#kernel/values/date.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { claimProposals, parProposals } from '#modules/hospital/ward/requisition/par-levels.server.ts'
import type { ListActionHandler } from '#server/public/records.ts'

/** Daily use is averaged over this many days. */
const LOOK_BACK = 90
const chosen = (keys: readonly string[]) => keys as string[]

/** 批量设置上下限: the same limits for all selected rows. */
export const setLimit: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const [least, point, most] = [asked.least, asked.point, asked.most].map(value => String(value) as Decimal) as [
    Decimal,
    Decimal,
    Decimal,
  ]
  if (compare(least, point) > 0 || compare(point, most) > 0)
    throw new BusinessError('invalid', '补货点应在上下限之间', [{ field: 'point', msg: '补货点应在上下限之间' }])
  await tx`select keep_limits(${session.org.id}, array(
    select id from warehouse_product where org_id = ${session.org.id} and id::text = any(${chosen(ids)})))`
  const rows = await tx`
    update warehouse_product set min_quantity = ${least}, reorder_point = ${point}, max_quantity = ${most},
      limits_since = posting_now(), version = version + 1
     where org_id = ${session.org.id} and id::text = any(${chosen(ids)}) returning id`
  return { said: `已设置${rows.length}行的上下限` }
}

/** 批量设置货位. */
export const setShelf: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const rows = await tx<{ id: string }[]>`
    update warehouse_product set location = ${String(asked.place)}, version = version + 1
      where org_id = ${session.org.id} and id::text = any(${chosen(ids)}) returning id`
  return { said: `已设置${rows.length}行的默认货位` }
}

type Measured = { id: string; place: string; least: string; most: string }
/** The maximum number of results shown before they are saved. */
const NOTIFIED = 10

/**
 * 按用量测算: limits from the average daily use in ninety days; lower = use × (supply + safety days), upper = lower + use
 * × cycle, both rounded up. A proposal until the user confirms saving.
 */
export const calcLimit: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const [supply, safety, cycle] = [
    parseInteger(asked.supply_days),
    parseInteger(asked.safety_days),
    parseInteger(asked.cycle_days),
  ]
  const rows = await tx<Measured[]>`
    select u.id, u.place, ceil(u.daily * ${supply + safety}::int)::text as least,
      (ceil(u.daily * ${supply + safety}::int) + ceil(u.daily * ${cycle}::int))::text as most
      from (select p.id, w.name || ' ' || s.name as place, coalesce(-m.quantity, 0) / ${LOOK_BACK} as daily
              from warehouse_product p join warehouse w on w.org_id = p.org_id and w.id = p.warehouse_id
                join specification s on s.id = p.specification_id
              left join lateral (
                select sum(m.quantity) as quantity from stock_move m
                 where m.org_id = p.org_id and m.warehouse_id = p.warehouse_id
                   and m.specification_id = any((select same_sizes(p.specification_id))::bigint[])
                   and m.quantity < 0 and m.undo_of is null
                   and m.at >= (${addDays(today(), -LOOK_BACK)}::date)::timestamp at time zone 'Asia/Shanghai') m
                on true
             where p.org_id = ${session.org.id} and p.id::text = any(${chosen(ids)})) u
     where u.daily > 0 order by u.place`
  const idle = ids.length - rows.length
  const rest = idle > 0 ? `；${idle}行近${LOOK_BACK}天没有用量，未改动` : ''
  if (asked.save !== true) {
    const notified = rows.slice(0, NOTIFIED).map(row => `${row.place} 下限${row.least}、上限${row.most}`)
    const more = rows.length > NOTIFIED ? `等${rows.length}行` : ''
    return { said: rows.length === 0 ? rest.slice(1) : `测算结果（尚未保存）：${notified.join('；')}${more}${rest}` }
  }
  await tx`select keep_limits(${session.org.id}, ${rows.map(row => row.id)}::bigint[])`
  await tx`
    update warehouse_product k set min_quantity = u.least, reorder_point = u.least, max_quantity = u.most,
      limits_since = posting_now(), version = k.version + 1
      from jsonb_to_recordset(${tx.json(rows)}) as u(id bigint, least numeric, most numeric)
        where k.org_id = ${session.org.id} and k.id = u.id`
  return { said: `已测算并保存${rows.length}行${rest}` }
}

/** 复制: what one warehouse may hold is copied to another. */
export const copyTo: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const rows = await tx`
    insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity,
      replenishment, source_warehouse_id, pack_size, used_on_receipt, single_limit, month_quota)
    select org_id, ${String(asked.target_sn)}, specification_id, min_quantity, reorder_point, max_quantity,
      replenishment, source_warehouse_id, pack_size, used_on_receipt, single_limit, month_quota
      from warehouse_product where org_id = ${session.org.id} and id::text = any(${chosen(ids)})
    on conflict (org_id, warehouse_id, specification_id) do nothing returning id`
  if (rows.length === 0) throw new BusinessError('duplicate', '该仓库已存在此产品')
  return { said: `已复制${rows.length}行${rows.length < ids.length ? `，${ids.length - rows.length}行已存在` : ''}` }
}

/** 生成补货申领: drafts for everything in the wards' stores that reached its reorder point. */
export const replenish: ListActionHandler = async ({ tx, session }) => {
  const short = await parProposals(tx, session, { which: tx`w.model = 'ward'` })
  if (short.length === 0) throw new BusinessError('rule', '没有低于补货点的科室库产品')
  const made = await claimProposals(tx, session, short, '按补货点生成')
  return { said: `已生成${made.length}张申领单：${made.join('、')}` }
}
