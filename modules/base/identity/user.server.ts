import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { pinyinInitials } from '#server/public/organisations.ts'
import { MOBILE } from '#kernel/values/patterns.ts'
import { sameName } from '#kernel/values/same-name.ts'
import { configNumberSql } from '#server/public/settings.ts'
import { messageTypes } from '#server/public/notifications.ts'
import { NO_PASSWORD, orderFirstPassword, sendFirstPasswords, unlock } from '#server/public/accounts.ts'
import {
  isAdministrator,
  refuseAccountOfAdministrator,
  refuseRolesBeyond,
  refuseScopeBeyond,
} from '#modules/base/checks/granted-rights.server.ts'
import { askUnseen, reassignDocuments } from '#modules/base/identity/reassign-documents.server.ts'
import type { Change, RecordRules } from '#server/public/records.ts'
import { checkSegregation } from '#modules/base/checks/segregation-of-duties.server.ts'
import type { Session } from '#server/public/session.ts'
import { refuseBeyondVip } from '#modules/base/settings/plan-limits.server.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Login names are unique in the whole network, and none is the phone of another account: codes sent to that phone
 * would open the wrong one.
 */
async function refuseTakenName(
  tx: Tx,
  { login, phone }: { readonly login: string; readonly phone: string },
  except: string | null,
): Promise<void> {
  const refuse = (field: string, msg: string, label = msg): never => {
    throw new BusinessError('duplicate', msg, [{ field, msg: label }])
  }
  const asPhone = sameName(login)
  const rows = await tx<{ login: string; phone: string | null }[]>`
    select login, phone from account_at_door
     where (login = any(${[login, phone]}) or phone = ${asPhone}) and id is distinct from ${except}::bigint`
  if (rows.some(row => row.login === login)) refuse('login', `登录账号【${login}】已存在`, '登录账号已存在')
  if (rows.some(row => row.phone === asPhone)) refuse('login', '登录账号是其他账号的手机号，请另取一个')
  if (rows.some(row => row.login === phone)) refuse('phone', '手机号是其他账号的登录账号，请核对')
}

/**
 * A login name that is a phone number must be the user's own: the holder of another number may join the platform later.
 */
function refuseForeignPhone({ before, after: { login, phone } }: Change): void {
  const asPhone = sameName(String(login))
  if (login === before?.login || asPhone === phone || !MOBILE.test(asPhone)) return
  const msg = '登录账号是手机号的，须是本人的手机号'
  throw new BusinessError('invalid', msg, [{ field: 'login', msg }])
}

export async function addAccount(
  tx: Tx,
  session: Session,
  account: { login: string; name: string; phone: string; employee: string; role: string },
): Promise<void> {
  await refuseTakenName(tx, account, null)
  await refuseBeyondVip(tx, session, 'user')
  await refuseRolesBeyond(tx, session, [account.role])
  const [user] = await tx<{ id: string }[]>`
    insert into app_user (org_id, login, password_hash, name, phone, employee_id, must_change, pinyin)
    values (${session.org.id}, ${account.login}, ${NO_PASSWORD}, ${account.name},
      ${account.phone}, ${account.employee}, true, ${pinyinInitials(account.name)})
    returning id`
  await saveRoles(tx, session.org.id, user!.id, [account.role])
  await orderFirstPassword(tx, session.org.id, { ...account, id: user!.id })
}

async function saveRoles(tx: Tx, org: string, id: string, roles: readonly string[]): Promise<void> {
  await tx`delete from user_role where user_id = ${id}`
  if (roles.length > 0)
    await tx`insert into user_role (org_id, user_id, role_id) select ${org}, ${id}, role_id
      from unnest(${[...new Set(roles)]}::bigint[]) role_id on conflict do nothing`
}

async function saveStores(tx: Tx, session: Session, id: string, stores: readonly string[]): Promise<void> {
  await tx`delete from user_scope where org_id = ${session.org.id} and user_id = ${id}`
  if (stores.length > 0) {
    await tx`
      insert into user_scope (org_id, user_id, warehouse_id) select ${session.org.id}, ${id}, store
        from unnest(${[...new Set(stores)]}::bigint[]) store on conflict do nothing`
  }
}

async function saveDepartments(tx: Tx, session: Session, id: string, departments: readonly string[]): Promise<void> {
  await tx`delete from user_department where org_id = ${session.org.id} and user_id = ${id}`
  if (departments.length > 0) {
    await tx`
      insert into user_department (org_id, user_id, department_id) select ${session.org.id}, ${id}, d
        from unnest(${[...new Set(departments)]}::bigint[]) d on conflict do nothing`
  }
}

/** Named warehouses or departments restrict the user, even if the request does not say so explicitly. */
function nameScopes(change: Change): void {
  const { sent, after } = change
  const named = (name: string) => ((sent[name] ?? []) as string[]).length > 0
  if (named('warehouses') && sent.store_scope === undefined) after.store_scope = 'chosen'
  if (named('departments') && sent.data_scope === undefined) after.data_scope = 'chosen'
}

/** Users may not grant rights they do not have themselves, and an organisation keeps one administrator. */
async function checkRights(tx: Tx, session: Session, change: Change): Promise<void> {
  const wasAdministrator = change.before?.is_administrator === true
  const staysAdministrator = change.after.is_administrator === true && change.after.status === 'enabled'
  if (change.after.is_administrator === true && !wasAdministrator && !isAdministrator(session))
    throw new BusinessError('forbidden', '只有管理员可以设置管理员')
  if (!wasAdministrator || staysAdministrator) return
  const [other] = await tx`
    select 1 from app_user where org_id = ${session.org.id} and is_administrator and status = 'enabled'
      and id <> ${change.id} limit 1`
  if (!other) throw new BusinessError('rule', '至少保留一名管理员')
}

/** Roles that the change gives and that the user did not have. */
function addedRoles({ before, sent }: Change): readonly string[] {
  const had = new Set(((before?.roles ?? []) as unknown[]).map(String))
  return ((sent.roles ?? []) as unknown[]).map(String).filter(role => !had.has(role))
}

/** Message types are named by their labels. */
function unknownTypes({ after }: Change): Problem[] {
  const words: readonly string[] = Object.values(messageTypes)
  const wrong = ((after.message_types ?? []) as string[]).find(word => !words.includes(word))
  return wrong === undefined ? [] : [{ field: 'message_types', msg: `没有“${wrong.slice(0, 20)}”这种消息类型` }]
}

export const userRules: RecordRules = {
  kind: 'user',
  readFlag: 'page:/ptm/userManage/user',
  kept: ['roles', 'warehouses', 'departments'],
  columns: (tx, session) => ({
    roles: tx`(select coalesce(array_agg(g.role_id::text order by g.role_id), '{}') from user_role g
      where g.user_id = t.id)`,
    warehouses: tx`(select coalesce(array_agg(s.warehouse_id::text order by s.warehouse_id), '{}') from user_scope s
      where s.org_id = ${session.org.id} and s.user_id = t.id)`,
    departments: tx`(select coalesce(array_agg(s.department_id::text order by s.department_id), '{}')
      from user_department s where s.org_id = ${session.org.id} and s.user_id = t.id)`,
    role_names: tx`(select string_agg(r.name, '，' order by r.id) from user_role g join role r on r.id = g.role_id
      where g.user_id = t.id)`,
    warehouse_names: tx`(select string_agg(w.name, '，' order by w.id) from user_scope s
      join warehouse w on w.org_id = ${session.org.id} and w.id = s.warehouse_id
      where s.org_id = ${session.org.id} and s.user_id = t.id)`,
    cabinet_count: tx`(select count(*)::int from cabinet_permission c
      where c.org_id = ${session.org.id} and c.user_id = t.id)`,
    department_name: tx`(select d.name from employee e join department d on d.org_id = ${session.org.id}
      and d.id = e.department_id where e.org_id = ${session.org.id} and e.id = t.employee_id)`,
    password_until: tx`case when ${configNumberSql(tx, session.org.id, 'password_cycle')} > 0
      then (t.password_changed_at at time zone 'Asia/Shanghai')::date +
      ${configNumberSql(tx, session.org.id, 'password_cycle')} end`,
    last_seen_at: tx`(select max(s.seen_at) from session s where s.user_id = t.id)`,
    last_address: tx`(select s.address from session s where s.user_id = t.id order by s.created_at desc limit 1)`,
    failure_count: tx`(select count(*)::int from sign_in_failure f where f.org_id = 0 and f.login = same_name(t.login)
      and f.at > now() - interval '15 minutes')`,
  }),
  async check(tx, session, change) {
    nameScopes(change)
    if (change.before === null) await refuseBeyondVip(tx, session, 'user')
    await refuseTakenName(tx, { login: String(change.after.login), phone: String(change.after.phone) }, change.id)
    refuseForeignPhone(change)
    await checkRights(tx, session, change)
    await refuseRolesBeyond(tx, session, addedRoles(change))
    refuseScopeBeyond(session, change)
    return unknownTypes(change)
  },
  alsoWrites: async (_tx, _session, change) => (change.before ? {} : { password_hash: NO_PASSWORD, must_change: true }),
  async saved(tx, session, id, change) {
    const roles = (change.after.roles ?? []) as string[]
    if ('roles' in change.sent) await checkSegregation(tx, session.org.id, String(change.after.name), roles)
    if (!change.before || 'roles' in change.sent) await saveRoles(tx, session.org.id, id, roles)
    if (change.after.store_scope === 'all') await saveStores(tx, session, id, [])
    else if (!change.before || 'warehouses' in change.sent)
      await saveStores(tx, session, id, (change.after.warehouses ?? []) as string[])
    if (!change.before || 'departments' in change.sent)
      await saveDepartments(tx, session, id, (change.after.departments ?? []) as string[])
    if (change.before && change.after.status !== 'enabled') await tx`delete from session where user_id = ${id}`
    if (change.before === null)
      await orderFirstPassword(tx, session.org.id, {
        id,
        login: String(change.after.login),
        phone: String(change.after.phone),
      })
  },
  asks: async (tx, session, action, row, sent) =>
    action === 'handOver' ? askUnseen(tx, session, [String(row.user_inner_sn)], String(sent.to_user_sn)) : [],
  mayWrite(session, action, row) {
    if (action !== 'add') refuseAccountOfAdministrator(session, row)
    if (row?.user_inner_sn !== session.userId) return
    if (action === 'disable') throw new BusinessError('rule', '不能停用当前登录账号')
    if (action === 'del') throw new BusinessError('rule', '不能删除当前登录账号')
  },
  async mayLeave(tx, session, action, row) {
    await checkRights(tx, session, {
      id: String(row.user_inner_sn),
      before: row,
      after: { ...row, is_administrator: false },
      sent: {},
    })
    if (action === 'disable') return
    const id = String(row.user_inner_sn)
    const [named] = await tx`select 1 from document
        where org_id = ${session.org.id} and (created_by = ${id} or submitted_by = ${id} or reviewed_by = ${id})
        limit 1`
    if (named) throw new BusinessError('blocked', '用户已有业务记录，不能删除，可以停用')
    await saveStores(tx, session, id, [])
    await saveDepartments(tx, session, id, [])
    await tx`delete from session where user_id = ${id}`
  },
  actions: {
    async resetPwd(tx, session, row) {
      if (!row.phone)
        throw new BusinessError('invalid', '请先填写用户的手机号', [{ field: 'phone', msg: '请先填写用户的手机号' }])
      await orderFirstPassword(tx, session.org.id, {
        id: String(row.user_inner_sn),
        login: String(row.login),
        phone: String(row.phone),
      })
    },
    async handOver(tx, session, row, _reason, answers) {
      const from = { users: [String(row.user_inner_sn)], name: String(row.name) }
      await reassignDocuments(tx, session, from, String(answers.to_user_sn))
    },
    async unlock(tx, _session, row) {
      await unlock(tx, row.login)
    },
  },
  async afterwards(sql, session, action) {
    if (action === 'resetPwd' || action === 'add') await sendFirstPasswords(sql, session.org.id)
  },
}
