import { Refusal } from '#kernel/refusal.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { employeeOf } from '#server/engine/identity/employee.ts'

/** Whoever inspected does not sign his own inspection, whatever the settings say. */
async function refuseInspector(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const inspector = doc.handler_inner_sn
  const own = inspector ? inspector === (await employeeOf(tx, session)) : doc.created_by === session.userId
  if (own && session.userId !== '0') throw new Refusal('forbidden', '验收员不能复核本人验收单，请由他人复核')
}

export const inspectionOrderRules: DocumentRules = { kind: 'inspectionOrder', before: { review: refuseInspector } }
