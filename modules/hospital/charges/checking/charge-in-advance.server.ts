import type { Charged } from '#modules/hospital/charges/checking/charge-use.server.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { askCharges, askRefunds, withdrawCharges } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { checksInAdvance } from '#modules/hospital/charges/checking/checks.server.ts'
import { noteChargeStates } from '#modules/hospital/charges/checking/charge-state.server.ts'
import { settleChecks } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { raiseInAdvance } from '#modules/hospital/charges/checking/raise-checks.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import { type ActionContext, atReviewOnly } from '#server/public/hooks.ts'

/*
 * 计费时机 = 使用前: a use that a person submits is charged at once, and its review waits for the answer of the HIS. If the
 * HIS cannot be reached, the use is reviewed first and its charge follows. The same holds for goods that were used
 * before the program learns of it: out of a cabinet, by a device, from a kit.
 */

const isWrittenByPerson = ({ doc }: ActionContext): boolean => doc.created_by !== null && doc.created_by !== '0'

/** Asks the HIS to charge a submitted use, if the hospital charges before the use. */
export async function chargeAtSubmit(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, settings } = ctx
  const org = session.org.id
  if (settings.charge_timing !== 'before' || !isWrittenByPerson(ctx)) return
  if ((await connectedHis(tx, org)) === null) return
  const checks = await raiseInAdvance(tx, org, doc.id)
  await askCharges(tx, org, checks, { name: session.userName, reason: null })
}

/** Withdraws the charges of a use that will not be reviewed, and refunds what the HIS has already charged for it. */
export async function giveBackAdvance({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  const checks = await checksInAdvance(tx, org, doc.id)
  if (checks.length === 0) return
  await withdrawCharges(tx, org, doc.id)
  await tx`
    update use_check set returned = quantity, version = version + 1
     where org_id = ${org} and id = any(${checks as string[]}::bigint[])`
  await settleChecks(tx, org, checks)
  await askRefunds(tx, org, checks, 'surplus', { name: session.userName, reason: '未使用' })
  await noteChargeStates(tx, org, [doc.id])
}

type Pending = { readonly error: string | null; readonly is_refused: boolean }

/** The charge requests that the HIS has not yet answered for a use that waits for its review. */
const pendingOf = (tx: ActionContext['tx'], org: string, document: string) => tx<Pending[]>`
  select r.error, r.is_refused from charge_request r
   where r.org_id = ${org} and r.use_document_id = ${document} and r.request_kind = 'charge'
     and r.state in ('asked', 'failed')
     and exists (select 1 from charge_request_line l join use_check c on c.org_id = l.org_id and c.id = l.use_check_id
       where l.org_id = r.org_id and l.request_id = r.id and c.in_advance and c.returned < c.quantity)
   order by r.id`

/**
 * The review waits until the HIS has charged; if the HIS cannot be reached, the reviewer is warned that the charge
 * follows.
 */
export const waitsForCharge = atReviewOnly(async (ctx: ActionContext<Charged>) => {
  const { tx, session, doc, settings } = ctx
  if (settings.charge_timing !== 'before' || (doc.charge_state ?? '1') === '1') return
  const pending = await pendingOf(tx, session.org.id, doc.id)
  const refused = pending.find(request => request.is_refused)
  if (refused) throw new BusinessError('rule', `HIS没有计费：${refused.error}；请更正后重新推送计费，或撤回提交后修改`)
  if (pending.some(request => request.error === null))
    throw new BusinessError('rule', '尚未计费：已推送HIS，请在计费状态变为已计费后审核')
  if (pending.length > 0 && session.userId !== '0')
    ctx.warnings.push({ rule: 'chargeTiming', msg: 'HIS暂时无法连接，尚未计费；审核后计费随后自动补推' })
})
