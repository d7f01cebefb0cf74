import { BusinessError } from '#kernel/rules/errors.ts'
import { askCharges, askRefunds, withdrawCharges } from '#modules/charges/checking/charge-requests.server.ts'
import { noteChargeStates } from '#modules/charges/checking/charge-state.server.ts'
import { raiseChecks } from '#modules/charges/checking/raise-checks.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import type { ActionContext } from '#server/public/hooks.ts'

const checksOf = async ({ tx, session, doc }: ActionContext): Promise<readonly string[]> =>
  (
    await tx<{ id: string }[]>`
    select id from use_check where org_id = ${session.org.id} and use_document_id = ${doc.id} order by id`
  ).map(row => row.id)

/** Nothing is charged where the hospital has no HIS. */
export async function refuseUnconnected({ tx, session, settings }: ActionContext): Promise<void> {
  if (!settings.his_enabled) throw new BusinessError('rule', '本机构未开通HIS接口，不能计费或退费，请联系平台')
  if ((await connectedHis(tx, session.org.id)) === null)
    throw new BusinessError('rule', 'HIS接口未接通，不能计费或退费，请联系管理员配置')
}

/** 推送计费 by hand: what of a use is not charged and not on its way. */
export async function chargeUse(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const org = session.org.id
  // A use from before the HIS was connected has no checks yet; calls that failed are made anew.
  const known = await checksOf(ctx)
  const checks = known.length > 0 ? known : await raiseChecks(tx, org, [doc.id])
  await tx`
    update charge_request set state = 'void', answered_at = now()
     where org_id = ${org} and use_document_id = ${doc.id} and request_kind = 'charge' and state = 'failed'`
  const asked = await askCharges(tx, org, checks, { name: session.userName, reason })
  if (asked === 0)
    throw new BusinessError('rule', '没有可计费的耗材：须为可收费产品、已与HIS收费项目对照，并填写患者编号或住院号')
}

/** 退费 of all that is charged for a use; what is still on its way is called back. */
export async function refundUse(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const org = session.org.id
  await withdrawCharges(tx, org, doc.id)
  await askRefunds(tx, org, await checksOf(ctx), 'all', { name: session.userName, reason })
  await noteChargeStates(tx, org, [doc.id])
}

/** 退用前须先退费: what is charged is given back first, and the HIS has said so. */
export function refuseCharged({ doc, settings }: ActionContext): void {
  if (!settings.refund_first) return
  if (doc.charge_state === '6') throw new BusinessError('rule', '退费还没有得到HIS的答复，请稍后再试')
  if (doc.charge_state === '2' || doc.charge_state === '4') throw new BusinessError('rule', '请先退费')
}
