import type { surgeryUse } from '#modules/hospital/ward/usage/surgery-use.doc.ts'
import { byName, loadDocument, patchDocument, replaceLines, sumLines, transition } from '#server/public/documents.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { randomUUID } from 'node:crypto'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { patientImplantForm } from '#modules/hospital/ward/implants/patient-implant-form.doc.ts'
import { formLines, type UsageRecord, usageRecord } from '#modules/hospital/ward/implants/implants-of-use.server.ts'
import { implantFormSheet } from '#modules/hospital/ward/implants/implant-form-print.server.ts'
import { runAction } from '#server/public/actions.ts'
import { completeLines, createSystemDraft, type LineInput } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof patientImplantForm>

/** The fields that a form takes over from the usage record where they are empty. */
const taken = [
  'surgery_name',
  'patient_no',
  'admission_no',
  'patient_name',
  'patient_sex',
  'patient_age',
  'bed_no',
  'diagnosis',
  'implant_site',
  'doctor_inner_sn',
  'nurse_inner_sn',
] as const

const headOf = ({ sn, surgery_no, business_date, department_inner_sn, fields }: UsageRecord) => ({
  use_sn: sn,
  surgery_no,
  business_date,
  department_inner_sn,
  ...Object.fromEntries(taken.map(name => [name, fields[name] ?? null])),
})

type Standing = { readonly id: string; readonly sn: string; readonly state: string }

/** The form of an operation that counts: the one in force, or one that is being written; the newest first. */
const formsOf = (tx: Tx, org: string, { sn, surgery_no }: Pick<UsageRecord, 'sn' | 'surgery_no'>) => tx<Standing[]>`
  select d.id, d.sn, d.state from document d
   where d.org_id = ${org} and d.kind = 'patientImplantForm' and d.state not in ('deleted', 'cancelled', 'stopped')
     and (d.fields->>'use_sn' = ${sn} or d.fields->>'surgery_no' = ${surgery_no})
   order by d.id desc for update`

const writable = new Set(['draft', 'rejected', 'submitted'])

/** Writes the lines of a form that nobody has put in force. */
async function writeLines(tx: Tx, session: Session, sn: string, lines: readonly LineInput[]): Promise<void> {
  const org = session.org.id
  const doc = await loadDocument(tx, org, patientImplantForm, sn, { lock: true })
  const completed = await completeLines(
    tx,
    session,
    patientImplantForm,
    { business_date: doc.business_date },
    lines,
    0,
    doc.id,
  )
  await replaceLines(tx, org, patientImplantForm, doc.id, completed)
  await sumLines(tx, session, [doc.id], 'derived')
  await patchDocument(tx, session, doc, { line_count: completed.length }, 'derived')
}

/**
 * A reviewed usage record with implants has its form: made by itself, or its lines read again where nobody has put it
 * in force. One form for an operation, whatever number of records it has.
 */
export async function keepForm(tx: Tx, session: Session, use: UsageRecord): Promise<void> {
  const org = session.org.id
  const lines = await formLines(tx, session, use)
  const [known] = await formsOf(tx, org, use)
  const system = await systemSessionOf(tx, org)
  if (!known) {
    if (lines.length > 0) await createSystemDraft(tx, session, 'patientImplantForm', headOf(use), lines)
  } else if (writable.has(known.state)) {
    if (lines.length > 0) await writeLines(tx, session, known.sn, lines)
    else await runAction(tx, system, 'patientImplantForm', known.sn, 'cancel', { reason: '手术使用已撤销，没有植入物' })
  }
}

/** After the review of a usage record. */
export async function makeForm({ tx, session, doc }: ActionContext): Promise<void> {
  const use = await usageRecord(tx, session.org.id, doc.sn, doc.id)
  if (use) await keepForm(tx, session, use)
}

/** A usage record was taken back, wholly or in part: its form keeps what is left, or ends. */
export async function followTakeBack({ tx, session, doc, action }: ContextOf<typeof surgeryUse>): Promise<void> {
  const org = session.org.id
  if (action !== 'unreview') {
    const use = await usageRecord(tx, org, doc.sn, doc.id)
    return use ? keepForm(tx, session, use) : undefined
  }
  const surgery_no = (doc.surgery_no as string | null | undefined) || null
  const [known] = await formsOf(tx, org, { sn: doc.sn, surgery_no })
  if (!known) return
  if (!writable.has(known.state))
    throw new BusinessError('blocked', `已生成患者信息单${known.sn}并审核，不能反审核，请红冲后更正信息单`)
  const system = await systemSessionOf(tx, org)
  await runAction(tx, system, 'patientImplantForm', known.sn, 'cancel', { reason: '手术使用记录已反审核' })
}

/** The values of lines that a person might have typed, as one text to compare. */
const saidBy = (lines: readonly LineInput[]): string =>
  JSON.stringify(
    lines.map(line => [line.specification_sn, line.lot_no, line.unit_codes, String(line.quantity), line.supplier_sn]),
  )

/**
 * A person writes only the head of a form: the lines, and the fields left empty, come from the usage record that it
 * names.
 */
async function afterSave(tx: Tx, session: Session, sn: string): Promise<void> {
  const org = session.org.id
  const doc = await loadDocument(tx, org, patientImplantForm, sn, { lock: true })
  const use = await usageRecord(tx, org, String(doc.use_sn ?? ''))
  const refuse = (msg: string): never => {
    throw new BusinessError('rule', msg, [{ field: 'use_sn', msg }])
  }
  // One that the review of its record makes is complete.
  if (!use) return doc.lines.length > 0 ? undefined : refuse(`没有已审核的手术使用记录${String(doc.use_sn ?? '')}`)
  const [other] = (await formsOf(tx, org, use)).filter(form => form.id !== doc.id && form.sn !== doc.previous_sn)
  if (other) refuse(`该手术已生成患者信息单（${other.sn}）`)
  const lines = await formLines(tx, session, use)
  if (lines.length === 0) refuse(`手术使用记录${use.sn}没有植入物，不需要患者信息单`)
  const isByHand = session.userId !== '0' && doc.lines.length > 0
  if (isByHand && saidBy(doc.lines as unknown as LineInput[]) !== saidBy(lines))
    throw new BusinessError('rule', '植入物明细由手术使用记录带出，不能手工填写；有误请更正手术使用记录')
  const head = headOf(use) as Readonly<Record<string, unknown>>
  const empty = Object.entries(head).filter(([name]) => (byName(doc)[name] ?? '') === '')
  const values = { ...Object.fromEntries(empty), surgery_no: use.surgery_no, business_date: use.business_date }
  await patchDocument(tx, session, doc, values, 'derived')
  await writeLines(tx, session, sn, lines)
}

/**
 * 更正: creates the next version from the usage record as it is now; this version stays in force until the next one is.
 */
async function revise(ctx: Context): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const org = session.org.id
  const use = await usageRecord(tx, org, String(doc.use_sn))
  if (!use) throw new BusinessError('rule', `手术使用记录${String(doc.use_sn)}已红冲，没有植入物可以登记`)
  const [other] = (await formsOf(tx, org, use)).filter(form => form.id !== doc.id)
  if (other) throw new BusinessError('rule', `更正版本${other.sn}正在登记，请先审核或作废`)
  const written = Object.keys(patientImplantForm.header).filter(
    name => !['form_version', 'previous_sn', 'revision_reason', 'label_state', 'signed_by'].includes(name),
  )
  const head = {
    ...Object.fromEntries(written.map(name => [name, byName(doc)[name] ?? null])),
    ...headOf(use),
    form_version: parseInteger(doc.form_version ?? 1) + 1,
    previous_sn: doc.sn,
    revision_reason: reason,
  }
  await createSystemDraft(tx, session, 'patientImplantForm', head, await formLines(tx, session, use))
}

/**
 * In force, it has a card that opens by a token nobody guesses. The version before is history from now on; it stays as
 * it is, for ever.
 */
async function comeIntoForce({ tx, session, doc }: Context): Promise<void> {
  await patchDocument(tx, session, doc, { card_token: randomUUID() }, 'withAction')
  if (!doc.previous_sn) return
  const before = await loadDocument(tx, session.org.id, patientImplantForm, String(doc.previous_sn), { lock: true })
  await transition(tx, session, before, {
    action: 'superseded',
    label: '已更正',
    from: ['reviewed'],
    to: 'stopped',
    reason: `由${doc.sn}更正：${String(doc.revision_reason ?? '')}`,
  })
}

export const patientImplantFormRules = documentHooks(patientImplantForm, {
  afterSave,
  afterAction: { revise, review: comeIntoForce },
  printFields: implantFormSheet,
})
