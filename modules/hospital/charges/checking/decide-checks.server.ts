import { BusinessError } from '#kernel/rules/errors.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { askCharges } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { bookDecisions } from '#modules/hospital/charges/checking/checks.server.ts'
import { matchCharges } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { releaseSettlements } from '#modules/hospital/charges/checking/release-settlements.server.ts'
import { checkStates } from '#modules/hospital/charges/checking/use-check.entity.ts'
import { runAction } from '#server/public/actions.ts'
import { connectedHis } from '#server/public/outbound.ts'
import type { ListActionHandler } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { scopeOfChecks } from '#modules/hospital/charges/checking/check-scope.server.ts'
import type { Tx } from '#server/public/database.ts'

type State = keyof typeof checkStates
type Row = {
  readonly id: string
  readonly state: State
  readonly document: string
  readonly kind: string
  readonly sn: string
  readonly line_no: number
  readonly unit_code: string | null
  readonly rest: Decimal
  readonly charged: Decimal
  readonly is_high_value: boolean
  readonly handling: string | null
  readonly handled_by_id: string | null
}

/**
 * The ticked rows that the caller sees, locked; rows in another state than these are refused, with the number of their
 * use.
 */
async function rowsIn(tx: Tx, session: Session, keys: readonly string[], states: readonly State[], what: string) {
  const rows = await tx<Row[]>`
    select c.id, c.state, d.id as document, d.kind, d.sn, c.use_line_no as line_no, c.unit_code,
           c.quantity - c.returned as rest, c.charged_quantity as charged, p.is_high_value, c.handling, c.handled_by_id
      from use_check c join document d on d.org_id = c.org_id and d.id = c.use_document_id
      join specification s on s.id = c.specification_id join product p on p.id = s.product_id
     where c.org_id = ${session.org.id} and c.id = any(${keys as string[]}::bigint[]) and not c.in_advance
       and ${scopeOfChecks(tx, session)}
     order by c.id for update of c`
  if (rows.length < keys.length) throw new BusinessError('notFound', '有的记录不存在或不可见，请刷新后重新勾选')
  const other = rows.find(row => !states.includes(row.state))
  if (other) throw new BusinessError('wrongState', `使用单${other.sn}为${checkStates[other.state]}，不能${what}`)
  return rows
}

type Decision = { readonly state: State | null; readonly handling: string; readonly reason?: unknown; note?: unknown }

/** A person's decision on these rows, with the events and settlement records that follow. */
async function decide(tx: Tx, session: Session, ids: readonly string[], decision: Decision): Promise<void> {
  const org = session.org.id
  const { state, handling, reason = null, note = null } = decision
  await tx`
    update use_check set state = coalesce(${state}, state), handling = ${handling},
      free_reason = coalesce(${reason as string | null}, free_reason), note = coalesce(${note as string | null}, note),
      handled_by = ${session.userName}, handled_by_id = ${session.userId}, handled_at = now(), version = version + 1
     where org_id = ${org} and id = any(${ids as string[]}::bigint[])`
  await bookDecisions(tx, org, ids)
  await releaseSettlements(tx, org, ids)
}

const idsOf = (rows: readonly Row[]) => rows.map(row => row.id)
const open = ['waiting', 'missed', 'refunded'] as const

/** 补计费: asks the HIS once more. */
export const charge: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  if ((await connectedHis(tx, org)) === null)
    throw new BusinessError('rule', 'HIS接口未接通，不能计费或退费，请联系管理员配置')
  const rows = await rowsIn(tx, session, ids, open, '补计费')
  const asked = await askCharges(tx, org, idsOf(rows), { name: session.userName, reason: '补计费' })
  if (asked === 0)
    throw new BusinessError('rule', '所选记录没有可补的计费：须已对照HIS收费项目、填写患者，且没有正在进行的计费')
  await decide(tx, session, idsOf(rows), { state: null, handling: 'charge' })
  return { said: `已推送${asked}条补计费，HIS答复后自动核对` }
}

/** 免计费: uses that nobody is charged for, with the reason; for high-value goods a second person must agree. */
export const free: ListActionHandler = async ({ tx, session, asked: { free_reason: reason, note }, ids }) => {
  if (!reason)
    throw new BusinessError('invalid', '请填写免计费原因', [{ field: 'free_reason', msg: '请填写免计费原因' }])
  if (reason === 'other' && !note)
    throw new BusinessError('invalid', '请填写免计费原因', [{ field: 'note', msg: '请填写免计费原因' }])
  const rows = await rowsIn(tx, session, ids, open, '免计费')
  const charged = rows.find(row => isPositive(row.charged))
  if (charged) throw new BusinessError('rule', `使用单${charged.sn}已部分计费，请先退费或补计费`)
  const [high, low] = [true, false].map(is => rows.filter(row => row.is_high_value === is))
  await decide(tx, session, idsOf(low!), { state: 'waived', handling: 'free', reason, note })
  await decide(tx, session, idsOf(high!), { state: null, handling: 'free_asked', reason, note })
  const waits = high!.length > 0 ? `，${high!.length}条高值耗材待另一人复核` : ''
  return { said: `已免计费${low!.length}条${waits}` }
}

/** 复核免计费, by another person than the one who requested it. */
export const approveFree: ListActionHandler = async ({ tx, session, ids }) => {
  const rows = await rowsIn(tx, session, ids, open, '复核免计费')
  const unasked = rows.find(row => row.handling !== 'free_asked')
  if (unasked) throw new BusinessError('wrongState', `使用单${unasked.sn}没有待复核的免计费`)
  if (rows.some(row => row.handled_by_id === session.userId))
    throw new BusinessError('rule', '高值耗材免计费须由另一人复核')
  await decide(tx, session, idsOf(rows), { state: 'waived', handling: 'free' })
  return { said: `已复核${rows.length}条免计费` }
}

/** 转科室成本: the department pays for it. */
export const toDeptCost: ListActionHandler = async ({ tx, session, asked: { note }, ids }) => {
  const rows = await rowsIn(tx, session, ids, open, '转科室成本')
  const charged = rows.find(row => isPositive(row.charged))
  if (charged) throw new BusinessError('rule', `使用单${charged.sn}已部分计费，请先退费或补计费`)
  await decide(tx, session, idsOf(rows), { state: 'cost', handling: 'cost', note })
  return { said: `已将${rows.length}条转为科室成本` }
}

/** 退费核销: takes back the use itself, by a reversal of the rest of these rows. */
export const refund: ListActionHandler = async ({ tx, session, asked: { note }, ids }) => {
  const rows = await rowsIn(tx, session, ids, ['waiting', 'missed', 'over', 'refunded'], '退费核销')
  for (const of of Map.groupBy(rows, row => row.document).values()) {
    const lines = [...Map.groupBy(of, row => row.line_no)].map(([line_no, parts]) => {
      const codes = parts.flatMap(part => part.unit_code ?? [])
      return codes.length > 0 ? { line_no, unit_codes: codes } : { line_no, quantity: parts[0]!.rest }
    })
    await runAction(tx, session, of[0]!.kind, of[0]!.sn, 'redReverse', { reason: String(note), lines })
  }
  await decide(tx, session, idsOf(rows), { state: null, handling: 'refund', note })
  return { said: `已退用${rows.length}条，库存已恢复` }
}

/** 重新核对: removes the decision; charges are searched again. */
export const reopen: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  const rows = await rowsIn(tx, session, ids, Object.keys(checkStates) as State[], '重新核对')
  const [settled] = await tx`
    select 1 from use_check c join settlement_line s on s.org_id = c.org_id and s.use_document_id = c.use_document_id
      and s.use_line_no = c.use_line_no and s.unit_code is not distinct from c.unit_code
     where c.org_id = ${org} and c.id = any(${idsOf(rows)}::bigint[])
       and s.state in ('settling', 'settled', 'received', 'invoiced', 'paid') limit 1`
  if (settled) throw new BusinessError('blocked', '已结算，不能重新核对')
  await tx`
    delete from charge_link where org_id = ${org} and use_check_id = any(${idsOf(rows)}::bigint[])
      and linked_by <> 'request'`
  await tx`update use_check set by_hand = false where org_id = ${org} and id = any(${idsOf(rows)}::bigint[])`
  await decide(tx, session, idsOf(rows), { state: 'waiting', handling: 'reopen' })
  await matchCharges(tx, org, { checks: idsOf(rows) })
  return { said: `已重新核对${rows.length}条` }
}
