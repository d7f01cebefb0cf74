import { refillOrder } from '#modules/refill-order.server.ts'
import { Refusal } from '#kernel/refusal.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import { papersAtUse } from '#modules/papers-at-use.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { type SpecificationFacts, specificationFacts } from '#modules/items/item-data.server.ts'
import type { StoredLine } from '#server/public/documents.ts'

const own = (acting: Acting, name: string) => acting.doc[name] as string | null | undefined
const hasPatient = (acting: Acting): boolean => Boolean(own(acting, 'patient_name') || own(acting, 'admission_no'))

/** What an implant still lacks to be followed to the patient: 植入物使用须可追溯到患者. */
function missingOf(acting: Acting, line: StoredLine): string | null {
  if (!hasPatient(acting)) return '患者'
  if (!own(acting, 'doctor_inner_sn')) return '手术医生'
  return own(acting, 'implant_site') || line.use_site || line.implant_part ? null : '植入部位'
}

function judgeLine(acting: Acting, line: StoredLine, fact: SpecificationFacts): void {
  const { settings } = acting
  const name = `第${line.line_no}行【${fact.product_name}】`
  const refuse = (msg: string, field?: string) => {
    throw new Refusal('rule', msg, [{ line: line.line_no, ...(field ? { field } : {}), msg }])
  }
  const missing = fact.is_implant ? missingOf(acting, line) : null
  if (missing) refuse(`${name}为植入物，请填写${missing}`)
  if (settings.high_value_needs_patient && fact.is_high_value && !hasPatient(acting))
    refuse(`${name}高值耗材必须关联患者`)
  if (!fact.is_unit_coded || line.unit_codes.length > 0) return
  const msg = `${name}请扫描院内码后使用`
  if (settings.use_needs_scan === 'refuse' || fact.is_implant) refuse(msg, 'unit_codes')
  acting.questions.push({ rule: 'useNeedsScan', line: line.line_no, msg })
}

/** Implants need patient, surgeon, site and a named piece; other goods of high value a patient, where the house says so. */
export async function needsPatient(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (fact) judgeLine(acting, line, fact)
  }
}

async function judged(acting: Acting): Promise<void> {
  await needsPatient(acting)
  await papersAtUse(acting)
}

export const departmentUseRules: DocumentRules = {
  kind: 'departmentUse',
  before: { submit: judged, review: judged },
  after: {
    replenish: refillOrder,
    review: openSettlementLines,
    unreview: netSettlementLines,
    redReverse: netSettlementLines,
  },
}
