import { byName, type TypedDocument } from '#server/public/documents.ts'
import type { surgeryUse } from '#modules/hospital/ward/usage/surgery-use.doc.ts'
import { departmentUse } from '#modules/hospital/ward/usage/department-use.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { waitsForCharge } from '#modules/hospital/charges/checking/charge-in-advance.server.ts'
import { chargedUse } from '#modules/hospital/ward/usage/charged-use.server.ts'
import { licencesAtUse } from '#modules/hospital/ward/usage/licence-check-at-use.server.ts'
import { type SpecificationFacts, specificationFacts } from '#modules/base/items/item-data.server.ts'

/** Both kinds of records of use: of a department, and of an operation. */
export type UseContext = ActionContext<TypedDocument<typeof departmentUse> | TypedDocument<typeof surgeryUse>>
type Line = UseContext['doc']['lines'][number]

const hasPatient = ({ doc }: UseContext): boolean => Boolean(doc.patient_name || doc.admission_no)

/** Fields that an implant still lacks to be traced to its patient (植入物使用须可追溯到患者); a name alone is not enough. */
function missingOf(ctx: UseContext, line: Line): string | null {
  const { doc } = ctx
  if (!hasPatient(ctx)) return '患者'
  if (!doc.patient_name) return '患者姓名'
  if (!doc.admission_no && !doc.patient_no) return '住院号或患者编号'
  if (!doc.doctor_inner_sn) return '手术医生'
  const site = 'use_site' in line ? line.use_site : line.implant_part
  return doc.implant_site || site ? null : '植入部位'
}

function checkLine(ctx: UseContext, line: Line, fact: SpecificationFacts): void {
  const { settings } = ctx
  const name = `第${line.line_no}行【${fact.product_name}】`
  const refuse = (msg: string, field?: string) => {
    throw new BusinessError('rule', msg, [{ line: line.line_no, ...(field ? { field } : {}), msg }])
  }
  const missing = fact.is_implant ? missingOf(ctx, line) : null
  if (missing) refuse(`${name}为植入物，请填写${missing}`)
  if (settings.high_value_needs_patient && fact.is_high_value && !hasPatient(ctx)) refuse(`${name}高值耗材必须关联患者`)
  if (!fact.is_unit_coded || line.unit_codes.length > 0) return
  const msg = `${name}请扫描院内码后使用`
  if (settings.use_needs_scan === 'refuse' || fact.is_implant) refuse(msg, 'unit_codes')
  ctx.warnings.push({ rule: 'useNeedsScan', line: line.line_no, msg })
}

/** The fields by which a record of an operation names an implant's patient. */
const ofPatient = {
  patient_name: '患者姓名',
  admission_no: '住院号',
  business_date: '手术日期',
  doctor_inner_sn: '主刀医生',
} as const

/** Implants of an operation: its record names the patient by name and admission number, its day and its surgeon. */
export async function needsOperatedPatient(ctx: UseContext): Promise<void> {
  const missing = Object.entries(ofPatient).filter(([name]) => !byName(ctx.doc)[name])
  if (missing.length === 0 || !(await hasImplants(ctx))) return
  const problems = missing.map(([field, label]) => ({ field, msg: `植入类产品必须录入患者信息，请填写【${label}】` }))
  throw new BusinessError('rule', problems[0]!.msg, problems)
}

async function hasImplants({ tx, doc }: ActionContext): Promise<boolean> {
  const named = doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : []))
  const rows = await tx`
    select 1 from specification s join product p on p.id = s.product_id
     where s.id = any(${named}::bigint[]) and p.is_implant limit 1`
  return rows.length > 0
}

/**
 * Implants need patient, surgeon, site and a named piece; other high-value goods a patient, if the organisation's
 * setting says so.
 */
export async function needsPatient(ctx: UseContext): Promise<void> {
  const { tx, session, doc } = ctx
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (fact) checkLine(ctx, line, fact)
  }
}

async function checked(ctx: ContextOf<typeof departmentUse>): Promise<void> {
  await needsPatient(ctx)
  await licencesAtUse(ctx)
}

export const departmentUseRules = documentHooks(departmentUse, {
  prepare: chargedUse.prepare,
  validate: { ...chargedUse.validate, submit: checked, review: [checked, waitsForCharge] },
  afterAction: chargedUse.afterAction,
})
