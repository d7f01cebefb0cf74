import type { StoredDocument } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  askCharges,
  askRefunds,
  withdrawCharges,
  withdrawFailedRefunds,
} from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { checksInAdvance, checksOfUse } from '#modules/hospital/charges/checking/checks.server.ts'
import { noteChargeStates } from '#modules/hospital/charges/checking/charge-state.server.ts'
import { raiseChecks } from '#modules/hospital/charges/checking/raise-checks.server.ts'
import { namedRows } from '#server/public/actions.ts'
import { connectedHis } from '#server/public/outbound.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** A record of use, with its 计费状态. */
export type Charged = StoredDocument & { readonly charge_state?: string | null }

/** Nothing is charged where the hospital has no HIS. */
export async function refuseUnconnected({ tx, session, settings }: ActionContext): Promise<void> {
  if (!settings.his_enabled) throw new BusinessError('rule', '本机构未开通HIS接口，不能计费或退费，请联系平台')
  if ((await connectedHis(tx, session.org.id)) === null)
    throw new BusinessError('rule', 'HIS接口未接通，不能计费或退费，请联系管理员配置')
}

/** 推送计费 by hand: the part of a use that is neither charged nor on its way. */
export async function chargeUse(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const org = session.org.id
  // A use from before the HIS was connected has no checks yet; calls that failed are repeated.
  const isWaiting = doc.state === 'submitted'
  const known = await (isWaiting ? checksInAdvance : checksOfUse)(tx, org, doc.id)
  const checks = known.length > 0 || isWaiting ? known : await raiseChecks(tx, org, [doc.id])
  await withdrawCharges(tx, org, doc.id, ['failed'])
  const asked = await askCharges(tx, org, checks, { name: session.userName, reason })
  if (asked === 0)
    throw new BusinessError('rule', '没有可计费的耗材：须为可收费产品、已与HIS收费项目对照，并填写患者编号或住院号')
}

/** True if something of a use is charged or was sent to be charged: only that can be refunded. */
const isChargedOrAsked = async ({ tx, session, doc }: ActionContext): Promise<boolean> => {
  const [row] = await tx<{ some: boolean }[]>`
    select exists (select 1 from use_check c where c.org_id = ${session.org.id} and c.use_document_id = ${doc.id}
             and c.charged_quantity > 0)
        or exists (select 1 from charge_request r where r.org_id = ${session.org.id} and r.use_document_id = ${doc.id}
             and r.request_kind = 'charge' and r.state = 'asked') as some`
  return row!.some
}

/**
 * 退费 of everything charged for a use; charges still on their way are withdrawn. The HIS cannot refund what it never
 * charged.
 */
export async function refundUse(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const org = session.org.id
  if (!(await isChargedOrAsked(ctx))) throw new BusinessError('rule', '尚未计费，不需要退费')
  await withdrawCharges(tx, org, doc.id)
  await withdrawFailedRefunds(tx, org, doc.id)
  await askRefunds(tx, org, await checksOfUse(tx, org, doc.id), 'all', { name: session.userName, reason })
  await noteChargeStates(tx, org, [doc.id])
}

type Standing = { readonly charged: boolean; readonly charging: boolean; readonly refunding: boolean }

type AskedLine = { readonly line_no: number; readonly unit_codes?: readonly string[] }

/** 退用前须先退费: charges of these goods must be refunded first, and the HIS must have confirmed it. */
export async function refuseCharged(ctx: ActionContext<Charged>): Promise<void> {
  const { tx, session, doc, settings, action } = ctx
  if (!settings.refund_first || (doc.charge_state ?? '1') === '1') return
  const lines = action === 'redReverse' ? await namedRows<AskedLine>(ctx, 'lines') : null
  const [standing] = await tx<Standing[]>`
    select coalesce(bool_or(c.charged_quantity > 0), false) as charged,
           coalesce(bool_or(r.request_kind = 'charge'), false) as charging,
           coalesce(bool_or(r.request_kind = 'refund'), false) as refunding
      from use_check c
      left join charge_request_line l on l.org_id = c.org_id and l.use_check_id = c.id
      left join charge_request r on r.org_id = l.org_id and r.id = l.request_id and r.state in ('asked', 'failed')
     where c.org_id = ${session.org.id} and c.use_document_id = ${doc.id} and c.quantity > c.returned
       and (${lines === null} or exists (
         select 1 from jsonb_to_recordset(${tx.json(lines ?? [])}) as k(line_no int, unit_codes jsonb)
          where k.line_no = c.use_line_no
            and (c.unit_code is null or coalesce(k.unit_codes, '[]') in ('[]', 'null')
              or k.unit_codes @> to_jsonb(c.unit_code))))`
  if (standing?.refunding) throw new BusinessError('rule', '退费还没有得到HIS的答复，请稍后再试')
  if (standing?.charged || standing?.charging) throw new BusinessError('rule', '请先在HIS退费')
}
