import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { bookUse, type Patient, type Taken } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { customerColumns, transactionsOfOthers } from '#modules/hospital/cabinet/transactions/owner-sync.server.ts'
import type { CallContext, RecordRow, RecordRules } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Row = Taken & {
  id: string
  serial_no: string
  warehouse_id: string
  department_id: string | null
  employee_id: string | null
  opened_at: string
  operation: string
  state: string
  lot_id: string | null
  document_sn: string | null
}

/** The selected takes that wait for their patient or department; any others are listed. */
async function openRows(tx: Tx, session: Session, keys: readonly string[]): Promise<Row[]> {
  const ids = keys.filter(key => /^\d{1,18}$/.test(key))
  const rows = await tx<Row[]>`
    select t.id, t.serial_no, t.warehouse_id, t.department_id, u.employee_id, t.opened_at, t.operation, t.state,
      t.lot_id, t.document_sn, t.specification_id, t.lot_no, t.unit_code, t.owner_id, t.quantity
      from cabinet_transaction t left join app_user u on u.id = t.user_id
     where t.org_id = ${session.org.id} and t.id = any(${ids}::bigint[]) and ${visibleTo(tx, session)}
       order by t.id for update of t`
  if (rows.length < keys.length) throw new BusinessError('notFound', '柜体存取记录不存在或已被删除')
  const settled = rows.find(
    row =>
      row.operation !== 'take' ||
      !['pending', 'abnormal'].includes(row.state) ||
      row.document_sn !== null ||
      row.specification_id === null,
  )
  if (settled) throw new BusinessError('wrongState', `流水${settled.serial_no}不是待关联的取用，请取消勾选`)
  return [...rows]
}

const visibleTo = (tx: Tx, session: Session) =>
  scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: tx`t.department_id`, people: [tx`t.user_id`] })

const named = (asked: Readonly<RecordRow>): boolean =>
  [asked.patient_no, asked.patient_name, asked.admission_no].some(value => Boolean(value))

/**
 * 关联: the takes of each cabinet become one usage document, on the patient or for the department; it is booked at
 * once.
 */
async function link({ tx, session, asked, ids }: CallContext) {
  const onPatient = asked.use === 'patient'
  if (onPatient && !named(asked)) throw new BusinessError('invalid', '请填写患者编号、姓名或住院号/门诊号')
  const { use: _use, ...given } = asked
  const patient = onPatient ? (given as Patient) : null
  const docs: string[] = []
  for (const rows of Map.groupBy(await openRows(tx, session, ids), row => row.warehouse_id).values()) {
    const first = rows[0]!
    const sn = await bookUse(
      tx,
      session,
      {
        warehouse: first.warehouse_id,
        department: first.department_id,
        handler: first.employee_id,
        used_at: first.opened_at,
        patient,
        type: onPatient ? 'patient' : 'cabinet',
        remark: `智能柜取用关联，流水${first.serial_no}${rows.length > 1 ? `等${rows.length}条` : ''}`,
      },
      rows,
    )
    docs.push(sn)
    await tx`
      update cabinet_transaction set state = 'linked', document_kind = 'departmentUse', document_sn = ${sn},
        patient_no = ${patient?.patient_no ?? null}, patient_name = ${patient?.patient_name ?? null},
             admission_no = ${patient?.admission_no ?? null}, surgery_name = ${patient?.surgery_name ?? null},
               note = null, version = version + 1
       where org_id = ${session.org.id} and id = any(${rows.map(row => row.id)}::bigint[])`
  }
  return { said: `已关联${ids.length}条，生成使用单${docs.join('、')}`, documents: docs }
}

export const cabinetTransactionRules: RecordRules = {
  kind: 'cabinetTransaction',
  readFlag: 'page:/commonView/consumableCabinetManagement/cabinetTransactionRecords',
  visible: (tx, session) => tx`${visibleTo(tx, session)}`,
  source: (tx, session) => (session.org.type === 'H' ? tx`cabinet_transaction` : transactionsOfOthers(tx)),
  columns: (tx, session) => ({
    ...(session.org.type === 'H'
      ? { hospital_name: tx`null::text` }
      : { ...customerColumns(tx), door_name: tx`t.door_no` }),
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
  }),
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '存取记录由设备上传，不能新增、修改或删除')
    if (action === 'explain' && row !== null && row.state !== 'abnormal')
      throw new BusinessError('wrongState', '只有异常的记录需要说明')
  },
  actions: {
    async explain(_tx, session, _row, _reason, answers) {
      return { explanation: answers.explanation, explained_by: session.userName, explained_at: instant() }
    },
  },
  calls: { link },
}
