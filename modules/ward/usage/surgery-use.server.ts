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

/** The signers are recorded by name; a signed record cannot be changed until the signature is withdrawn. */
async function sign({ tx, session, doc, dialogValues: answers }: ActionContext): Promise<void> {
  const who = (answers?.signer ?? doc.signer) === 'nurse' ? 'nurse_signed_by' : 'surgeon_signed_by'
  await patchDocument(tx, session, doc, { [who]: session.userName }, 'withAction')
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
