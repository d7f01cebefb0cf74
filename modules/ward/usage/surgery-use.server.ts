import { isPositive, multiply, subtract, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { refillOrder } from '#modules/ward/usage/replenishment-order.server.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import { withSuppliers } from '#modules/ward/usage/used-suppliers.server.ts'
import { needsPatient } from '#modules/ward/usage/department-use.server.ts'
import { licencesAtUse } from '#modules/ward/usage/licence-check-at-use.server.ts'
import { bindSignature, withdrawSignatures } from '#modules/signatures/signature.server.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import { patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { askOutbound, carrierOf } from '#server/public/outbound.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** One live record per operation. */
async function refuseSecond({ tx, session, doc }: ActionContext): Promise<void> {
  if (!doc.surgery_no || doc.form_type !== 'report') return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document
     where org_id = ${session.org.id} and kind = 'surgeryUse' and role = 'own' and id <> ${doc.id} and red_of_id is null
       and state in ('draft', 'submitted', 'rejected', 'reviewed')
         and fields->>'surgery_no' = ${String(doc.surgery_no)} and fields->>'form_type' = 'report' order by id limit 1`
  if (other) throw new BusinessError('rule', `该手术已存在报告单（${other.sn}）`)
}

async function checked(ctx: ActionContext): Promise<void> {
  await refuseSecond(ctx)
  await needsPatient(ctx)
  await licencesAtUse(ctx)
}

/** Nurse and surgeon of the operation sign themselves; a signed record cannot be changed until that is withdrawn. */
async function sign(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const isNurse = doc.signer === 'nurse'
  const employee = (isNurse ? doc.nurse_inner_sn : doc.doctor_inner_sn) as string | null
  const { name } = await bindSignature(ctx, { role: isNurse ? 'nurse' : 'surgeon', employee })
  await patchDocument(tx, session, doc, { [isNurse ? 'nurse_signed_by' : 'surgeon_signed_by']: name }, 'withAction')
}

async function edited(_tx: Tx, _session: Session, before: StoredDocument): Promise<void> {
  if (before.nurse_signed_by || before.surgeon_signed_by)
    throw new BusinessError('rule', '已签字，不能修改，请先撤销签字')
}

/** What the HIS is asked to charge or to refund: what was used, less what was opened without being used. */
const itemsOf = (doc: StoredDocument) =>
  doc.lines.flatMap(line => {
    const charged = subtract(line.quantity, (line.wasted_quantity as Decimal | null | undefined) ?? '0', 3)
    if (!isPositive(charged)) return []
    const { charge_item, specification_sn, lot_no, unit_codes, price } = line
    return [
      {
        line_no: line.line_no,
        charge_item,
        specification_sn,
        lot_no,
        unit_codes,
        quantity: charged,
        price,
        amount: multiply(price, charged, 2),
      },
    ]
  })

/**
 * A charge is sent to the HIS with the action that requested it, is retried until it arrives, and is listed among
 * the outbound calls.
 */
const toHis =
  (name: string, action: 'charge' | 'refund') =>
  async ({ tx, session, doc, reason }: ActionContext): Promise<void> => {
    const items = itemsOf(doc)
    const patient = { patient_no: doc.patient_no, admission_no: doc.admission_no }
    await askOutbound(tx, session.org.id, {
      system: 'his',
      name,
      subject: 'surgeryUse',
      objectNo: doc.sn,
      payload: { action, sn: doc.sn, surgery_no: doc.surgery_no ?? null, ...patient, reason, items },
      // No patient data in the readable part of the call.
      request: JSON.stringify({ action, sn: doc.sn, items: items.length }),
    })
  }

async function refuseUnconnected({ settings }: Pick<ActionContext, 'settings'>): Promise<void> {
  if (!settings.his_enabled) throw new BusinessError('rule', '本机构未开通HIS接口，不能计费或退费，请联系平台')
  if (!carrierOf('his')) throw new BusinessError('rule', 'HIS接口未接通，不能计费或退费，请联系管理员配置')
}

export const surgeryUseRules: DocumentHooks = {
  kind: 'surgeryUse',
  afterEdit: edited,
  prepare: { submit: withSuppliers },
  validate: { submit: checked, review: checked, charge: refuseUnconnected, refund: refuseUnconnected },
  afterAction: {
    sign,
    unsign: ctx => withdrawSignatures(ctx, ['nurse', 'surgeon']),
    replenish: refillOrder,
    charge: toHis('手术耗材计费', 'charge'),
    refund: toHis('手术耗材退费', 'refund'),
    review: openSettlementLines,
    unreview: netSettlementLines,
    redReverse: netSettlementLines,
  },
}
