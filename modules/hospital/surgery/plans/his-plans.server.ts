import { today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { surgeryPlan } from '#modules/hospital/surgery/plans/surgery-plan.doc.ts'
import { markPlan, planById } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { connectedHis, type HisOperation, type HisReceived } from '#server/public/outbound.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import { hasAccount, sendUpdate } from '#server/public/intercompany.ts'
import { patchDocument, transition } from '#server/public/documents.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { kindShownTo, sendMessage } from '#server/public/notifications.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Standing = { id: string; sn: string; state: string; surgery_at: string | null; theatre: string | null }

/** The plan of a HIS operation: its number is the key. */
async function planOf(tx: Tx, org: string, surgeryNo: string): Promise<Standing | undefined> {
  const [row] = await tx<Standing[]>`
    select id, sn, state, fields->>'surgery_at' as surgery_at, fields->>'theatre' as theatre from document
     where org_id = ${org} and kind = 'surgeryPlan' and role = 'own' and state <> 'deleted'
       and fields->>'his_surgery_no' = ${surgeryNo} order by id desc limit 1 for update`
  return row
}

/** The HIS's values of an operation in our own keys: mapped department and surgeon, and the patient's stay. */
async function valuesOf(tx: Tx, org: string, operation: HisOperation): Promise<Record<string, unknown>> {
  const [row] = await tx<Record<string, string | null>[]>`
    select (select s.employee_id from his_staff s
             where s.org_id = ${org} and s.staff_no = ${operation.surgeon_no} limit 1)
             as doctor_inner_sn,
           (select h.department_id from his_department h
             where h.org_id = ${org} and h.his_department_code = ${operation.department_code} limit 1)
             as department_inner_sn,
           v.patient_name, v.sex, v.bed_no, to_char(v.birth_date, 'YYYY-MM-DD') as birth_date
      from (select 1) one
      left join his_visit v on v.org_id = ${org} and v.visit_no = ${operation.visit_no}`
  const age = row?.birth_date
    ? `${parseInteger(today().slice(0, 4)) - parseInteger(row.birth_date.slice(0, 4))}岁`
    : null
  return {
    his_surgery_no: operation.surgery_no,
    origin: 'his',
    surgery_at: operation.planned_at ?? operation.started_at,
    theatre: operation.theatre,
    procedure_name: operation.surgery_name,
    surgeon_name: operation.surgeon_name,
    doctor_inner_sn: row?.doctor_inner_sn ?? null,
    department_inner_sn: row?.department_inner_sn ?? null,
    patient_no: operation.patient_no,
    admission_no: operation.visit_no,
    patient_name: row?.patient_name ?? null,
    patient_sex: row?.sex === 'male' || row?.sex === 'female' ? row.sex : null,
    patient_age: age,
    bed_no: row?.bed_no ?? null,
  }
}

/** The fields that the plans of suppliers take over when the HIS moves an operation. */
const movedNames = ['surgery_at', 'theatre', 'procedure_name', 'surgeon_name'] as const

type BonePlanRow = {
  id: string
  kind: 'bonePlan'
  sn: string
  state: string
  counterparty_id: string
  surgery_at: string | null
  deliver_by: string | null
}
const bonePlansOf = (tx: Tx, org: string, plan: string) => tx<BonePlanRow[]>`
  select distinct d.id, d.kind, d.sn, d.state, d.counterparty_id, d.fields->>'surgery_at' as surgery_at,
         d.fields->>'deliver_by' as deliver_by
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
   where d.org_id = ${org} and d.kind = 'bonePlan' and d.role = 'own' and l.source_document_id = ${plan}
     and d.state not in ('cancelled', 'deleted') order by d.id`

/** As long before the operation as it was. */
function deliveryOf({ surgery_at, deliver_by }: BonePlanRow, at: unknown): Record<string, string> {
  if (surgery_at === null || deliver_by === null || typeof at !== 'string') return {}
  return { deliver_by: new Date(Date.parse(deliver_by) + Date.parse(at) - Date.parse(surgery_at)).toISOString() }
}

/**
 * Moves an operation on the plans of all suppliers too, with its delivery, and notifies them. Fields that the message
 * leaves out keep their values.
 */
export async function movePlans(
  tx: Tx,
  session: Session,
  plan: { readonly id: string },
  values: Record<string, unknown>,
): Promise<void> {
  const moved: Record<string, unknown> = Object.fromEntries(
    movedNames.flatMap(name => (values[name] === null || values[name] === undefined ? [] : [[name, values[name]]])),
  )
  for (const row of await bonePlansOf(tx, session.org.id, plan.id)) {
    const sets = { ...moved, ...deliveryOf(row, moved.surgery_at) }
    await patchDocument(tx, session, row, sets, 'version')
    if (['reviewed', 'partial'].includes(row.state) && (await hasAccount(tx, row.counterparty_id)))
      await sendUpdate(tx, session, row, [row.counterparty_id], {
        label: '手术安排已变更',
        text: '手术时间或手术间已变更，请核对送达与跟台安排',
        sets,
      })
  }
}

/**
 * An operation was called off in the HIS: if nothing went out, the plans become void; if goods are out, their suppliers
 * are notified to take them back.
 */
async function callOff(tx: Tx, session: Session, plan: Standing): Promise<void> {
  const org = session.org.id
  const plans = await bonePlansOf(tx, org, plan.id)
  const [out] = await tx<{ n: number }[]>`
    select count(*)::int as n from document c
     where c.org_id = ${org} and c.kind = 'bonePresale' and c.role = 'counterparty'
       and c.state in ('reviewed', 'partial')
       and c.fields->>'plan_sn' = any(${plans.map(row => row.sn)})`
  for (const row of plans)
    if (['reviewed', 'partial'].includes(row.state) && (await hasAccount(tx, row.counterparty_id)))
      await sendUpdate(tx, session, row, [row.counterparty_id], {
        label: '手术已取消，请办理套包退回',
        text: out!.n > 0 ? '手术已取消，请办理套包退回' : '手术已取消，无需备货',
        sets: {},
      })
  if (out!.n > 0) {
    await sendMessage(tx, org, {
      title: '手术已取消',
      body: `手术计划${plan.sn}已在HIS取消，跟台货物尚未退回`,
      uri: 'surgeryPlan',
      objectId: plan.sn,
      kind: kindShownTo('H', ['surgeryPlan']),
    })
    return
  }
  const ends = { action: 'cancel', label: 'HIS取消手术', to: 'cancelled', reason: 'HIS已取消手术' } as const
  for (const row of plans)
    await transition(tx, session, row, { ...ends, from: ['draft', 'submitted', 'rejected', 'reviewed', 'partial'] })
  await transition(
    tx,
    session,
    { id: plan.id, kind: 'surgeryPlan' },
    { ...ends, from: ['draft', 'submitted', 'rejected', 'reviewed', 'partial', 'completed'] },
  )
}

/** 手术中: the goods of the plans that are in the theatre are being used. */
async function begin(tx: Tx, session: Session, plan: Standing): Promise<void> {
  for (const { id } of await bonePlansOf(tx, session.org.id, plan.id)) {
    const row = await planById(tx, session.org.id, id)
    if (row && ['2', '3'].includes(row.follow_state) && ['reviewed', 'partial'].includes(row.state))
      await markPlan(tx, session, row, { follow_state: '4' }, { label: '手术已开始', text: null })
  }
}

/** An operation of the HIS becomes a plan, once; the same message again changes the plan. */
async function keepPlan(
  tx: Tx,
  session: Session,
  operation: HisOperation,
): Promise<'made' | 'changed' | 'called off' | null> {
  const org = session.org.id
  const plan = await planOf(tx, org, operation.surgery_no)
  if (operation.state === 'cancelled') {
    if (!plan || plan.state === 'cancelled') return null
    await callOff(tx, session, plan)
    return 'called off'
  }
  if (!plan) {
    if (operation.state === 'done') return null
    const draft = await buildDraft(tx, session, surgeryPlan, await valuesOf(tx, org, operation), [])
    await saveDraft(tx, session, surgeryPlan, draft, 'draft', '来自HIS')
    return 'made'
  }
  if (['cancelled', 'stopped'].includes(plan.state)) return null
  const values = await valuesOf(tx, org, operation)
  const { department_inner_sn, ...own } = values
  const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null))
  await patchDocument(tx, session, { id: plan.id, kind: 'surgeryPlan' }, known, 'version')
  if (department_inner_sn)
    await patchDocument(tx, session, { id: plan.id, kind: 'surgeryPlan' }, { department_inner_sn }, 'derived')
  const isMoved = (name: 'surgery_at' | 'theatre') => known[name] !== undefined && known[name] !== plan[name]
  if (isMoved('surgery_at') || isMoved('theatre')) await movePlans(tx, session, plan, known)
  if (operation.state === 'started') await begin(tx, session, plan)
  return 'changed'
}

/** Handles the operation in a HIS message; a message that was overtaken by a later one changes nothing. */
export async function planReceived(tx: Tx, org: string, { operation }: HisReceived): Promise<void> {
  if (!operation) return
  const [later] = await tx`
    select from his_operation
     where org_id = ${org} and surgery_no = ${operation.surgery_no} and changed_at > ${operation.updated_at}`
  if (later) return
  const { org: organisation } = await systemSessionOf(tx as never, org)
  await keepPlan(tx, systemSession(organisation), operation)
}

/** 同步HIS: the operations that the HIS has for a day. */
export async function fetchPlans(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const day = typeof body.day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(body.day) ? body.day : today()
  const his = await connectedHis(tx, session.org.id)
  if (!his) throw new BusinessError('rule', '本院未连接HIS，请手工新增手术计划，或联系平台开通接口')
  const known = await his.operations({ day })
  const done: (string | null)[] = []
  for (const each of known) done.push(await keepPlan(tx, systemSession(session.org), each))
  const count = (what: string) => done.filter(each => each === what).length
  return {
    said: `${day}共${known.length}台手术：新增${count('made')}，更新${count('changed')}，取消${count('called off')}`,
  }
}
