import { BusinessError } from '#kernel/rules/errors.ts'
import { documents } from '#kernel/registry.ts'
import { orderFirstPassword, sendFirstPasswords, unlock } from '#server/public/accounts.ts'
import { refuseAccountOfAdministrator, refuseRolesBeyond } from '#modules/base/checks/granted-rights.server.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import { checkSegregation } from '#modules/base/checks/segregation-of-duties.server.ts'
import { may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const hiddenPhone = (phone: unknown): unknown =>
  typeof phone === 'string' && phone.length === 11 ? `${phone.slice(0, 3)}****${phone.slice(7)}` : phone

const WINDOW = "interval '15 minutes'"
const PLACES = 5

export const accountRules: RecordRules = {
  kind: 'account',
  readFlag: 'page:/ptm/accountList',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    system_type: tx`(select o.system_type::text from organisation o where o.id = t.org_id)`,
    vip_level: tx`(select o.vip_level from organisation o where o.id = t.org_id)`,
    department_name: tx`(select x.name from employee e
      join department x on x.org_id = e.org_id and x.id = e.department_id
      where e.org_id = t.org_id and e.id = t.employee_id)`,
    role_names: tx`(select string_agg(r.name, '，' order by r.id) from user_role g join role r on r.id = g.role_id
      where g.user_id = t.id)`,
    last_seen_at: tx`(select max(s.seen_at) from session s where s.user_id = t.id)`,
    session_count: tx`(select count(*)::int from session s where s.user_id = t.id and s.expires_at > now())`,
    locked_until: tx`(select max(x.at) + ${tx.unsafe(WINDOW)} from sign_in_failure x
      where x.org_id = 0 and x.login = same_name(t.login)
        and x.at > now() - ${tx.unsafe(WINDOW)} having count(*) >= ${PLACES})`,
  }),
  complete: async (_tx, session, rows) =>
    may(session, 'account.exportFull') ? rows : rows.map(row => ({ ...row, phone: hiddenPhone(row.phone) })),
  mayWrite(session, action, row) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '账号由注册、人力资源和用户管理产生，不能在这里新增、修改或删除')
    refuseAccountOfAdministrator(session, row)
    if (row?.account_sn === session.userId && ['disable', 'kick'].includes(action))
      throw new BusinessError('rule', '不能停用当前登录账号')
  },
  async saved(tx, _session, id, change) {
    if (change.after.status !== 'enabled') await tx`delete from session where user_id = ${id}`
  },
  actions: {
    /** The holder gets a first password by SMS, to be changed at the next sign-in; every session ends. */
    async resetPwd(tx, session, row) {
      const [user] = await tx<
        { phone: string | null }[]
      >`select phone from app_user where id = ${String(row.account_sn)}`
      if (!user?.phone) throw new BusinessError('rule', '该账号没有手机号，请先变更手机号')
      await orderFirstPassword(tx, session.org.id, {
        id: String(row.account_sn),
        login: String(row.login),
        phone: user.phone,
      })
    },
    unlock: async (tx, _session, row) => void (await unlock(tx, row.login)),
    kick: async (tx, _session, row) => endSessions(tx, row),
    async changePhone(tx, _session, row, _reason, answers) {
      const phone = String(answers.phone)
      const [other] = await tx`
        select 1 from app_user where (phone = ${phone} or login = ${phone}) and id <> ${String(row.account_sn)} limit 1`
      if (other)
        throw new BusinessError('duplicate', '手机号码已被其他账号使用', [
          { field: 'phone', msg: '手机号码已被其他账号使用' },
        ])
      return { phone }
    },
  },
  async afterwards(sql, session, action) {
    if (action === 'resetPwd') await sendFirstPasswords(sql, session.org.id)
  },
}

const endSessions = async (tx: Tx, row: Readonly<RecordRow>): Promise<void> =>
  void (await tx`delete from session where user_id = ${String(row.account_sn)}`)

async function giveRoles(tx: Tx, session: Session, row: Readonly<RecordRow>, roles: readonly string[]): Promise<void> {
  const id = String(row.user_inner_sn)
  await checkSegregation(tx, session.org.id, String(row.name ?? '同一人'), roles)
  await tx`delete from user_role where user_id = ${id}`
  if (roles.length > 0)
    await tx`insert into user_role (org_id, user_id, role_id) select ${session.org.id}, ${id}, role_id
      from unnest(${[...new Set(roles)]}::bigint[]) role_id on conflict do nothing`
}

const rolesOf = (row: Readonly<RecordRow>): string[] => ((row.roles ?? []) as unknown[]).map(String)

/** Kinds that one user may both write and review. */
function conflictsOf(flags: readonly string[]): string | null {
  const had = new Set(flags)
  const titles = documents()
    .filter(({ kind }) => had.has(`${kind}.add`) && had.has(`${kind}.review`))
    .map(({ title }) => title)
  return titles.length === 0 ? null : `同时可制单和审核：${titles.join('、')}`
}

export const userRoleRules: RecordRules = {
  kind: 'userRoleAssignment',
  readFlag: 'page:/ptm/userManage/userRoles',
  kept: ['roles'],
  columns: (tx, session) => ({
    roles: tx`(select coalesce(array_agg(g.role_id::text order by g.role_id), '{}') from user_role g
      where g.user_id = t.id)`,
    role_names: tx`(select string_agg(r.name, '，' order by r.id) from user_role g join role r on r.id = g.role_id
      where g.user_id = t.id)`,
    department_name: tx`(select d.name from employee e join department d on d.org_id = ${session.org.id}
      and d.id = e.department_id where e.org_id = ${session.org.id} and e.id = t.employee_id)`,
    account_status: tx`t.status`,
    conflicts: tx`array_to_string(array(select flag from user_role g join role r on r.id = g.role_id cross
      join unnest(r.flags) flag where g.user_id = t.id and (flag like '%.add' or flag like '%.review')), ' ')`,
    changed_by: tx`(select g.actor_name from operation_log g
      where g.org_id = ${session.org.id} and g.object_key = t.id::text and g.subject in ('user', 'userRoleAssignment')
      order by g.id desc limit 1)`,
    changed_at: tx`(select g.at from operation_log g where g.org_id = ${session.org.id} and g.object_key = t.id::text
      and g.subject in ('user', 'userRoleAssignment') order by g.id desc limit 1)`,
  }),
  complete: async (_tx, _session, rows) =>
    rows.map(row => ({ ...row, conflicts: conflictsOf(String(row.conflicts ?? '').split(' ')) })),
  mayWrite(session, action, row) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '用户在用户管理中新增和删除')
    refuseAccountOfAdministrator(session, row)
  },
  async check(tx, session, { sent }) {
    if (sent.roles !== undefined) await refuseRolesBeyond(tx, session, (sent.roles ?? []) as string[])
    return []
  },
  async saved(tx, session, id, { sent, after }) {
    if ('roles' in sent) await giveRoles(tx, session, { ...after, user_inner_sn: id }, rolesOf(after))
  },
  actions: {
    async assign(tx, session, row, _reason, answers) {
      await refuseRolesBeyond(tx, session, [String(answers.role_sn)])
      await giveRoles(tx, session, row, [...rolesOf(row), String(answers.role_sn)])
    },
    async remove(tx, session, row, _reason, answers) {
      await giveRoles(
        tx,
        session,
        row,
        rolesOf(row).filter(role => role !== String(answers.role_sn)),
      )
    },
    async copy(tx, session, row, _reason, answers) {
      const rows = await tx<
        { role_id: string }[]
      >`select role_id from user_role where user_id = ${String(answers.from_sn)}`
      const roles = rows.map(one => one.role_id)
      await refuseRolesBeyond(tx, session, roles)
      await giveRoles(tx, session, row, roles)
    },
  },
}
