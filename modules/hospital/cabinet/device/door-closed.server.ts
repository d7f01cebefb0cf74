import { BusinessError } from '#kernel/rules/errors.ts'
import { lowValue } from '#modules/hospital/cabinet/device/weight-readings.server.ts'
import { putUnits, refuseBoth, takenUnits } from '#modules/hospital/cabinet/device/tag-changes.server.ts'
import { bookUse, type Patient, tried } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import {
  countAfter,
  type Done,
  writeTransactions,
} from '#modules/hospital/cabinet/transactions/transaction-log.server.ts'
import {
  codesIn,
  incident,
  type OpenSession,
  payloadText,
  said,
  type Working,
} from '#modules/hospital/cabinet/device/event-context.server.ts'

async function openSession({ tx, device }: Working, no: string): Promise<OpenSession> {
  const [found] = await tx<(OpenSession & { closed_at: string | null })[]>`
    select s.id, s.door_id, d.door_no, s.user_id, u.employee_id, s.operator_name, s.auth, s.purpose, s.is_remote,
      s.opened_at, s.closed_at
      from cabinet_session s join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id left
        join app_user u on u.id = s.user_id
     where s.org_id = ${device.org.id} and s.cabinet_id = ${device.id} and s.session_no = ${no}`
  if (!found) throw new BusinessError('notFound', `没有会话${no}的开门记录，请先上传开门事件`)
  if (found.closed_at !== null) throw new BusinessError('wrongState', `会话${no}已关门`)
  return found
}

async function shut({ tx, device, event }: Working, open: OpenSession): Promise<void> {
  const org = device.org.id
  await tx`update cabinet_session set closed_at = ${event.at} where org_id = ${org} and id = ${open.id}`
  await tx`update cabinet_door set is_open = false, opened_at = null, open_notified = false
    where org_id = ${org} and id = ${open.door_id}`
  await tx`
    update weighing_plate p set is_door_open = false from cabinet_slot s
      where s.org_id = ${org} and s.door_id = ${open.door_id} and p.org_id = s.org_id and p.id = s.plate_id`
  await tx`
    update error_record set state = 'done', note = '柜门已关闭', handled_by = coalesce(handled_by, '系统'),
      handled_at = now(), version = version + 1
     where org_id = ${org} and error_kind = 'door'
       and object = (select c.name || ' 柜门' || ${open.door_no} from cabinet c
       where c.org_id = ${org} and c.id = ${device.id}) and state in ('waiting', 'working')`
}

/** The patient the nurse chose on the cabinet's screen, if any. */
async function patientOf({ tx, device, event }: Working): Promise<Patient | null> {
  const given = event.payload.patient
  if (given === undefined || given === null) return null
  if (typeof given !== 'object' || Array.isArray(given)) throw new BusinessError('invalid', 'patient应为一个对象')
  const fields = given as Readonly<Record<string, unknown>>
  const doctor = said(fields, 'doctor_code', 40)
  const [known] =
    doctor === null
      ? []
      : await tx<{ id: string }[]>`
    select id from employee where org_id = ${device.org.id} and code = ${doctor} and status = 'enabled'`
  return {
    patient_no: said(fields, 'patient_no', 40),
    patient_name: said(fields, 'patient_name', 40),
    admission_no: said(fields, 'admission_no', 40),
    surgery_name: said(fields, 'surgery_name', 100),
    implant_site: said(fields, 'implant_site', 100),
    doctor_inner_sn: known?.id ?? null,
  }
}

/**
 * Pieces taken for a named patient are used on the patient at once. Pieces that the user could not book this way wait,
 * with the reason.
 */
async function usedOn(working: Working, open: OpenSession, patient: Patient, done: readonly Done[]): Promise<Done[]> {
  const { tx, session, cabinet, event, documents: docs } = working
  const mine = done.filter(one => one.state === 'pending' && one.operation === 'take')
  if (mine.length === 0) return [...done]
  const booked = await tried(tx, inner =>
    bookUse(
      inner,
      { ...session, userName: open.operator_name },
      {
        warehouse: cabinet.warehouse_id,
        department: cabinet.department_id,
        handler: open.employee_id,
        used_at: event.at,
        patient,
        type: 'patient',
        remark: `${cabinet.name}柜门${open.door_no}取用`,
      },
      mine as never,
    ),
  )
  if ('why' in booked) return done.map(one => (mine.includes(one) ? { ...one, note: booked.why.slice(0, 300) } : one))
  docs.push(booked.done)
  return done.map(one =>
    mine.includes(one)
      ? { ...one, state: 'linked' as const, document_kind: 'departmentUse', document_sn: booked.done }
      : one,
  )
}

/**
 * 关门: missing goods were taken, new ones were put in. Each becomes a row under the user who opened the door; goods
 * without codes are booked at once, pieces as soon as the patient is known.
 */
export async function closeDoor(working: Working): Promise<string> {
  const { tx, device, event } = working
  const [taken, put] = [await codesIn(working, 'taken_codes'), await codesIn(working, 'put_codes')]
  refuseBoth(taken, put)
  const open = await openSession(working, payloadText(event.payload, 'session', 64))
  const patient = await patientOf(working)
  await shut(working, open)
  const out = await takenUnits(working, open, taken)
  const done = [
    ...(patient === null ? out : await usedOn(working, open, patient, out)),
    ...(await putUnits(working, open, put)),
    ...(await lowValue(working, open)),
  ]
  const rows = done.length > 0 ? done : nothingDone(open, event.at)
  const ids = await writeTransactions(working, { ...open, session_id: open.id }, rows)
  await linkPatients(working, ids, patient)
  await countAfter(tx, device.org.id, ids)
  if (open.is_remote && done.length > 0)
    await incident(
      working,
      'stock',
      `远程开门后有${done.length}项差异，请说明`,
      `柜门${open.door_no} ${event.event_id}`,
      open.operator_name,
    )
  return done.length === 0 ? '已关门，无存取' : `已关门，${done.length}项`
}

/** A door was opened and nothing moved: that is recorded, too; a remote opening already has its row. */
const nothingDone = (open: OpenSession, at: string): Done[] =>
  open.is_remote
    ? []
    : [{ operation: open.purpose as Done['operation'], state: 'settled', closed_at: at, note: '开门未存取' }]

async function linkPatients({ tx, device }: Working, ids: readonly string[], patient: Patient | null): Promise<void> {
  if (patient === null) return
  await tx`
    update cabinet_transaction set patient_no = ${patient.patient_no ?? null},
      patient_name = ${patient.patient_name ?? null}, admission_no = ${patient.admission_no ?? null},
      surgery_name = ${patient.surgery_name ?? null}
     where org_id = ${device.org.id} and id = any(${ids as string[]}::bigint[]) and operation = 'take'`
}
