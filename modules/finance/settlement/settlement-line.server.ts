import { compare, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { openUses, settleUses, waitingStates } from '#modules/finance/settlement/open-uses.server.ts'
import {
  priceAgain,
  pricesOfTheDay,
  type UsedLine,
  writePrices,
} from '#modules/finance/settlement/settlement-lines.server.ts'
import { settlementLineStates } from '#modules/finance/settlement/settlement-line.entity.ts'
import type { Fragment, ListActionHandler, RecordRules } from '#server/public/records.ts'
import { requirePermission, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The chosen rows, and what takes back a part of one of them. */
const chosen = (tx: Tx, keys: readonly string[]): Fragment =>
  tx`(s.id = any(${keys as string[]}::bigint[]) or s.nets_id = any(${keys as string[]}::bigint[]))`

type Row = {
  readonly id: string
  readonly state: keyof typeof settlementLineStates
  readonly settlement_sn: string | null
}

/** The chosen rows in the order in which they were ticked; refuses those in none of these states. */
async function rowsIn(
  tx: Tx,
  session: Session,
  keys: readonly string[],
  states: readonly string[],
  what: string,
): Promise<void> {
  const rows = await tx<Row[]>`
    select s.id, s.state, t.sn as settlement_sn from settlement_line s
      left join document t on t.org_id = s.org_id and t.id = s.settlement_id
     where s.org_id = ${session.org.id} and s.id = any(${keys as string[]}::bigint[]) for update of s`
  for (const [at, key] of keys.entries()) {
    const row = rows.find(({ id }) => id === key)
    if (!row) throw new BusinessError('notFound', `记录${at + 1}不存在，请刷新后重新勾选`)
    if (states.includes(row.state)) continue
    throw new BusinessError(
      'wrongState',
      row.settlement_sn
        ? `记录${at + 1}已在结算单${row.settlement_sn}中`
        : `记录${at + 1}为${settlementLineStates[row.state]}，不能${what}`,
    )
  }
}

/** 暂缓: left out of settlements until it is released, with the reason. */
const hold: ListActionHandler = async ({ tx, session, asked: { held_reason: reason }, ids }) => {
  if (!reason) throw new BusinessError('invalid', undefined, [{ field: 'held_reason', msg: '请填写暂缓原因' }])
  await rowsIn(tx, session, ids, waitingStates, '暂缓')
  await tx`
    update settlement_line s set state = 'held', held_reason = ${String(reason)}
     where s.org_id = ${session.org.id} and s.state = any(${[...waitingStates]}) and ${chosen(tx, ids)}`
  return { said: `已暂缓${ids.length}条结算记录` }
}

const release: ListActionHandler = async ({ tx, session, ids }) => {
  await rowsIn(tx, session, ids, ['held'], '解除暂缓')
  await tx`
    update settlement_line s set state = case when s.price is null then 'unpriced' else 'waiting' end,
      held_reason = null
     where s.org_id = ${session.org.id} and s.state = 'held' and ${chosen(tx, ids)}`
  return { said: `已解除暂缓${ids.length}条结算记录` }
}

/** 重取结算价: the price agreed for the day of use, old and new; written only after the user confirms. */
const reprice: ListActionHandler = async ({ tx, session, asked: { save }, ids }) => {
  await rowsIn(tx, session, ids, waitingStates, '重取结算价')
  const lines = await tx<(UsedLine & { product_name: string })[]>`
    select s.id, s.owner_id, s.specification_id, s.price, p.name || ' ' || z.name as product_name,
           to_char(s.used_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
      from settlement_line s join specification z on z.id = s.specification_id join product p on p.id = z.product_id
     where s.org_id = ${session.org.id} and s.state = any(${[...waitingStates]}) and ${chosen(tx, ids)}
     order by s.id`
  const found = await pricesOfTheDay(tx, session.org.id, lines)
  const changed = found.filter(line => line.price === null || compare(line.price, line.agreed) !== 0)
  if (changed.length === 0) return { said: '所选记录的结算价没有变化' }
  const shown = changed.map(({ id, price, agreed }) => {
    const { product_name } = lines.find(line => line.id === id)!
    return `${product_name} ${price === null ? '无' : plain(price)}→${plain(agreed)}`
  })
  const list = [...new Set(shown)].join('；')
  if (save !== true) return { said: `${changed.length}条结算价有变化，尚未保存：${list}` }
  await writePrices(tx, session.org.id, changed)
  return { said: `已更新${changed.length}条结算价：${list}` }
}

/** 生成结算单 of the ticked rows: one for each supplier and 结算类型. */
const settle: ListActionHandler = async ({ tx, session, ids }) => {
  requirePermission(session, 'settlement.add')
  await rowsIn(tx, session, ids, waitingStates, '结算')
  await priceAgain(tx, session.org.id, null)
  const uses = await openUses(tx, session.org.id, chosen(tx, ids))
  if (uses.length === 0) throw new BusinessError('rule', '所选记录已全部退用，没有可结算的数量')
  const made = await settleUses(tx, session, uses, null)
  return { said: `已生成结算单${made.map(({ sn }) => sn).join('、')}` }
}

export const settlementLineRules: RecordRules = {
  kind: 'settlementLine',
  calls: { hold, release, reprice, settle },
}
