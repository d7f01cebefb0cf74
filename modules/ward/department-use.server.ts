import { Refusal } from '#kernel/refusal.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'

const own = (acting: Acting, name: string) => acting.doc[name] as string | null | undefined

/** Implants need patient, surgeon, site and a named piece; class III and implants are used by scan (植入物使用须可追溯到患者). */
async function needsPatient(acting: Acting): Promise<void> {
  const { tx, session, doc, settings } = acting
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact) continue
    const name = `第${line.line_no}行【${fact.product_name}】`
    if (fact.is_implant) {
      const missing =
        !own(acting, 'patient_name') && !own(acting, 'admission_no')
          ? '患者'
          : !own(acting, 'doctor_inner_sn')
            ? '手术医生'
            : !own(acting, 'implant_site') && !line.use_site
              ? '植入部位'
              : null
      if (missing)
        throw new Refusal('rule', `${name}为植入物，请填写${missing}`, [
          { line: line.line_no, msg: `${name}为植入物，请填写${missing}` },
        ])
    }
    if (fact.is_unit_coded && line.unit_codes.length === 0) {
      const msg = `${name}请扫描院内码后使用`
      if (settings.use_needs_scan === 'refuse' || fact.is_implant)
        throw new Refusal('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
      acting.questions.push({ rule: 'useNeedsScan', line: line.line_no, msg })
    }
  }
}

export const departmentUseRules: DocumentRules = {
  kind: 'departmentUse',
  before: { submit: needsPatient, review: needsPatient },
  after: { review: openSettlementLines, unreview: netSettlementLines, redReverse: netSettlementLines },
}
