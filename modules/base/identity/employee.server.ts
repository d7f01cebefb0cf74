import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { syncStaff } from '#modules/hospital/his/staff/synchronise.server.ts'
import { refuseAccountOfAdministrator } from '#modules/base/checks/granted-rights.server.ts'
import { addAccount } from '#modules/base/identity/user.server.ts'
import { sendFirstPasswords } from '#server/public/accounts.ts'
import { askUnseen, reassignDocuments } from '#modules/base/identity/reassign-documents.server.ts'
import { everUsed, type RecordRow, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Every account the employee ever had here. */
async function accountsOf(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<readonly string[]> {
  const users = await tx<{ id: string }[]>`
    select id from app_user where org_id = ${session.org.id} and employee_id = ${String(row.employee_inner_sn)}`
  return users.map(user => user.id)
}

export const employeeRules: RecordRules = {
  kind: 'employee',
  remoteCalls: { sync: syncStaff },
  platformReads: 'P',
  columns: (tx, session) => ({
    has_account: tx`exists (select 1 from app_user u where u.org_id = ${session.org.id} and u.employee_id = t.id
      and u.status = 'enabled')`,
    login: tx`(select u.login from app_user u where u.org_id = ${session.org.id} and u.employee_id = t.id
      and u.status = 'enabled' order by u.id limit 1)`,
    certificates: tx`(select string_agg(distinct s.subject, '、') from staff_file s where s.org_id = t.org_id
      and s.employee_id = t.id and s.file_kind = 'certificate' and s.result = 'passed'
      and (s.valid_to is null or s.valid_to >= ${today()}::date))`,
    health_valid_to: tx`(select max(s.valid_to) from staff_file s where s.org_id = t.org_id and s.employee_id = t.id
      and s.file_kind = 'health' and s.result = 'passed')`,
    last_training: tx`(select concat_ws(' ', s.done_on, s.subject) from staff_file s where s.org_id = t.org_id
      and s.employee_id = t.id and s.file_kind = 'training' order by s.done_on desc, s.id desc limit 1)`,
  }),
  /** An account can be opened for a current employee who has none. */
  mayWrite(_session, action, row) {
    if (action !== 'openAccount' || !row) return
    if (row.status !== 'enabled') throw new BusinessError('wrongState', '员工已离职，不能开通账号')
    if (row.login) throw new BusinessError('duplicate', `员工已有登录账号【${String(row.login)}】`)
  },
  async check(tx, session, change) {
    if (!change.after.phone || change.after.status === 'disabled') return []
    const [duplicate] = await tx`
      select 1 from employee where org_id = ${session.org.id} and phone = ${String(change.after.phone)}
        and status = 'enabled' and id is distinct from ${change.id}::bigint limit 1`
    if (duplicate)
      throw new BusinessError('duplicate', `手机号码【${String(change.after.phone)}】已存在`, [
        { field: 'phone', msg: '手机号码已存在' },
      ])
    return []
  },
  /** Employees who leave can no longer sign in, are signed out at once, and lose their roles and cabinet doors. */
  async saved(tx, session, id, change) {
    if (change.after.status !== 'disabled' || change.before?.status !== 'enabled') return
    const users = await tx<{ id: string; is_administrator: boolean }[]>`
      update app_user set status = 'disabled', version = version + 1
        where org_id = ${session.org.id} and employee_id = ${id} and status = 'enabled' returning id, is_administrator`
    for (const user of users) refuseAccountOfAdministrator(session, user)
    const left = users.map(user => user.id)
    await tx`delete from session where user_id = any(${left}::bigint[])`
    await tx`delete from user_role where user_id = any(${left}::bigint[])`
    await tx`delete from cabinet_permission where org_id = ${session.org.id} and user_id = any(${left}::bigint[])`
  },
  async mayLeave(tx, session, action, row) {
    const id = String(row.employee_inner_sn)
    if (action === 'disable') {
      const [self] = await tx`select 1 from app_user where org_id = ${session.org.id} and id = ${session.userId}
          and employee_id = ${id}`
      if (self) throw new BusinessError('rule', '不能办理本人离职')
      return
    }
    if (await everUsed(tx, session, { document: 'handler_id', warehouse: 'manager_id' }, id))
      throw new BusinessError('blocked', '员工已被业务单据引用，不能删除')
    if (await everUsed(tx, session, { department: 'leader_id' }, id))
      throw new BusinessError('blocked', '员工是科室负责人，请先在【组织架构】中更换负责人')
    if (await everUsed(tx, session, { staff_file: 'employee_id' }, id))
      throw new BusinessError('blocked', '员工有质量档案，不能删除，请办理离职')
    if (await everUsed(tx, session, { app_user: 'employee_id' }, id))
      throw new BusinessError('blocked', '员工已有登录账号，请先在【用户管理】中删除账号')
  },
  /** Unfinished documents of the leaving employee: another user takes them over. */
  async asks(tx, session, action, row, sent) {
    if (action === 'handOver')
      return askUnseen(tx, session, await accountsOf(tx, session, row), String(sent.to_user_sn))
    if (action !== 'disable') return []
    const docs = await tx<{ sn: string; total: number }[]>`
      select d.sn, (count(*) over ())::int as total from document d join app_user u on u.id = d.created_by
        and u.org_id = ${session.org.id} and u.employee_id = ${String(row.employee_inner_sn)}
       where d.org_id = ${session.org.id} and d.role = 'own' and d.state in ('draft', 'submitted', 'rejected')
         order by d.id desc limit 10`
    if (docs.length === 0) return []
    const named = docs.map(doc => doc.sn).join('、')
    const rest = docs[0]!.total > docs.length ? '等' : ''
    return [
      {
        rule: 'handOver',
        msg: `【${String(row.name)}】还有${docs[0]!.total}张未完成的单据需要交接：${named}${rest}，可用【交接单据】一次交给他人`,
      },
    ]
  },
  async afterwards(sql, session, action) {
    if (action === 'openAccount') await sendFirstPasswords(sql, session.org.id)
  },
  actions: {
    async handOver(tx, session, row, _reason, answers) {
      const from = { users: await accountsOf(tx, session, row), name: String(row.name) }
      await reassignDocuments(tx, session, from, String(answers.to_user_sn))
    },
    /** The phone number becomes the login name, the first password is sent to it; the account begins with one role. */
    async openAccount(tx, session, row, _reason, answers) {
      if (!row.phone)
        throw new BusinessError('invalid', '请先填写员工的手机号', [{ field: 'phone', msg: '请先填写员工的手机号' }])
      await addAccount(tx, session, {
        login: String(row.phone),
        name: String(row.name),
        phone: String(row.phone),
        employee: String(row.employee_inner_sn),
        role: String(answers.role_sn),
      })
    },
  },
}
