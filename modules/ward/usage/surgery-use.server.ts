import { BusinessError } from '#kernel/rules/errors.ts'
import {
  chargeUse,
  holdUncharged,
  refundUse,
  refuseCharged,
  refuseUnconnected,
} from '#modules/charges/checking/charge-use.server.ts'
import { refillOrder } from '#modules/ward/usage/replenishment-order.server.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import { withSuppliers } from '#modules/ward/usage/used-suppliers.server.ts'
import { needsPatient } from '#modules/ward/usage/department-use.server.ts'
import { licencesAtUse } from '#modules/ward/usage/licence-check-at-use.server.ts'
import { bindSignature, withdrawSignatures } from '#modules/signatures/signature.server.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import { patchDocument, type StoredDocument } from '#server/public/documents.ts'
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

export const surgeryUseRules: DocumentHooks = {
  kind: 'surgeryUse',
  afterEdit: edited,
  prepare: { submit: withSuppliers },
  validate: {
    submit: checked,
    review: checked,
    charge: refuseUnconnected,
    refund: refuseUnconnected,
    unreview: refuseCharged,
    redReverse: refuseCharged,
  },
  afterAction: {
    sign,
    unsign: ctx => withdrawSignatures(ctx, ['nurse', 'surgeon']),
    replenish: refillOrder,
    charge: chargeUse,
    refund: refundUse,
    async review(ctx) {
      await openSettlementLines(ctx)
      await holdUncharged(ctx)
    },
    unreview: netSettlementLines,
    redReverse: netSettlementLines,
  },
}
