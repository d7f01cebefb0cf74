import { BusinessError } from '#kernel/rules/errors.ts'
import { syncStaff } from '#modules/hospital/his/staff/synchronise.server.ts'
import { pinyinInitials } from '#server/public/organisations.ts'
import type { Fragment, ListActionHandler, RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import { may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const onlyRead = '人员和科室只由HIS同步，不能新增、修改或删除'
const refuseWriting = (_session: Session, action: string): void => {
  if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('rule', onlyRead)
}
/** The page offers only possible actions: a linked person can be unlinked, others can be linked. */
function mayLink(session: Session, action: string, row: Readonly<RecordRow> | null): void {
  refuseWriting(session, action)
  if (row === null) return
  if (action === 'link' && row.employee_inner_sn)
    throw new BusinessError('wrongState', '该人员已关联员工，请先取消关联')
  if (action === 'unlink' && !row.employee_inner_sn) throw new BusinessError('wrongState', '该人员未关联员工')
}

/** An employee is one person of the HIS at most. */
const link: RecordAction = async (tx, session, row, _reason, answers) => {
  const employee = String(answers.employee_inner_sn)
  const [other] = await tx<{ staff_no: string }[]>`
    select staff_no from his_staff where org_id = ${session.org.id} and employee_id = ${employee}`
  if (other) throw new BusinessError('rule', `该员工已关联HIS工号${other.staff_no}`)
  await linkTo(tx, session, String(row.his_staff_sn), employee)
}

async function linkTo(tx: Tx, session: Session, staff: string, employee: string): Promise<void> {
  await tx`
    update his_staff set employee_id = ${employee}, is_kept_apart = false
     where org_id = ${session.org.id} and id = ${staff}`
  await tx`
    update employee e set his_staff_no = s.staff_no, version = e.version + 1 from his_staff s
     where e.org_id = ${session.org.id} and e.id = ${employee} and s.org_id = e.org_id and s.id = ${staff}`
}

const unlink: RecordAction = async (tx, session, row) => {
  await tx`
    update his_staff set employee_id = null, is_kept_apart = true
     where org_id = ${session.org.id} and id = ${String(row.his_staff_sn)}`
  await tx`
    update employee set his_staff_no = null, version = version + 1
     where org_id = ${session.org.id} and id = ${String(row.employee_inner_sn)}
       and his_staff_no = ${String(row.staff_no)}`
}

/** Maps a department of the HIS to one of ours from now on; null: to none. */
const mapCode = async (tx: Tx, session: Session, code: unknown, department: unknown): Promise<void> => {
  const mapped = await tx`
    update his_department set department_id = ${(department ?? null) as string | null}
     where org_id = ${session.org.id} and his_department_code = ${String(code ?? '')} returning id`
  if (mapped.length === 0) throw new BusinessError('rule', '该人员在HIS中没有科室')
}

type Person = {
  readonly id: string
  readonly staff_no: string
  readonly staff_name: string
  readonly sex: string
  readonly professional_title: string | null
  readonly position: string | null
  readonly mobile: string | null
  readonly is_active: boolean
  readonly employee_id: string | null
  readonly department_id: string | null
}

/** The reason why no employee can be created for this person. */
function refusePerson({ staff_name, employee_id, department_id, is_active }: Person): void {
  if (employee_id !== null) throw new BusinessError('wrongState', `【${staff_name}】已关联员工`)
  if (!is_active) throw new BusinessError('rule', `【${staff_name}】已离职，不能生成员工`)
  if (department_id === null) throw new BusinessError('rule', '请先完成科室对照')
}

/** 生成员工: an employee under the work number of the HIS, in the department that was mapped. */
const createEmployee: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  const people = await tx<Person[]>`
    select s.id, s.staff_no, s.staff_name, s.sex, s.professional_title, s.position, s.mobile, s.is_active,
           s.employee_id, d.department_id
      from his_staff s
      left join his_department d on d.org_id = s.org_id and d.his_department_code = s.his_department_code
     where s.org_id = ${org} and s.id::text = any(${ids as string[]}) order by s.id for update of s`
  if (people.length < ids.length) throw new BusinessError('notFound', '有的人员不存在，请刷新后重新勾选')
  people.forEach(refusePerson)
  await refuseKnown(tx, org, people)
  const values = people.map(person => ({
    org_id: org,
    code: person.staff_no,
    name: person.staff_name,
    sex: { male: '男', female: '女' }[person.sex] ?? null,
    department_id: person.department_id,
    position: person.position,
    title: person.professional_title,
    phone: /^1\d{10}$/.test(person.mobile ?? '') ? person.mobile : null,
    his_staff_no: person.staff_no,
    pinyin: pinyinInitials(person.staff_name),
  }))
  await tx`insert into employee ${tx(values)}`
  await tx`
    update his_staff s set employee_id = e.id, is_kept_apart = false, version = s.version + 1 from employee e
     where s.org_id = ${org} and e.org_id = ${org} and e.his_staff_no = s.staff_no
       and s.id = any(${people.map(({ id }) => id)}::bigint[])`
  return { said: `已生成${people.length}名员工` }
}

/** Work numbers and mobile numbers are those of one employee. */
async function refuseKnown(tx: Tx, org: string, people: readonly Person[]): Promise<void> {
  const [known] = await tx<{ code: string; name: string; is_number: boolean }[]>`
    select e.code, e.name, e.code = any(${people.map(({ staff_no }) => staff_no)}) as is_number
      from employee e
     where e.org_id = ${org} and (e.code = any(${people.map(({ staff_no }) => staff_no)})
       or (e.status = 'enabled' and e.phone = any(${people.flatMap(({ mobile }) => mobile ?? [])}))) limit 1`
  if (known)
    throw new BusinessError(
      'duplicate',
      `已有${known.is_number ? '工号' : '手机号'}相同的员工【${known.code} ${known.name}】，请关联员工`,
    )
}

export const hisStaffRules: RecordRules = {
  kind: 'hisStaff',
  table: 'his_staff',
  readFlag: 'page:/hospital/hisStaffInfoView',
  // Users who may not link people see masked phone numbers; filters do not reveal the rest either.
  columns: (tx, session): Record<string, Fragment> =>
    may(session, 'hisStaff.link')
      ? {}
      : { mobile: tx`regexp_replace(t.mobile, '^(\\d{3})\\d+(\\d{4})$', '\\1****\\2')` },
  mayWrite: mayLink,
  actions: {
    link,
    unlink,
    mapDept: (tx, session, row, _reason, answers) =>
      mapCode(tx, session, row.his_department_code, answers.department_inner_sn),
  },
  remoteCalls: { sync: syncStaff },
  calls: { createEmployee },
}

export const hisDepartmentRules: RecordRules = {
  kind: 'hisDepartment',
  readFlag: 'page:/hospital/hisStaffInfoView',
  columns: (tx, session) => ({
    staff_count: tx`(select count(*)::int from his_staff s where s.org_id = ${session.org.id}
      and s.his_department_code = t.his_department_code)`,
  }),
  mayWrite: refuseWriting,
  actions: {
    mapDept: (tx, session, row, _reason, answers) =>
      mapCode(tx, session, row.his_department_code, answers.department_inner_sn),
  },
}

export const hisStaffChangeRules: RecordRules = {
  kind: 'hisStaffChange',
  readFlag: 'page:/hospital/hisStaffInfoView',
}
