import { isCheckedCreditCode } from '#kernel/values/credit-code.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { settleInvitations } from '#modules/trade/partners/registration/dealer-invitation.server.ts'
import { archiveScans, createScans } from '#modules/trade/partners/registration/registration-scans.server.ts'
import { bareName, nextOrgCode } from '#modules/trade/partners/organisations/organisation.server.ts'
import { extraFlags, permissionsOf } from '#server/public/menu.ts'
import { askSms, beginWithPhone, NO_PASSWORD } from '#server/public/accounts.ts'
import { pinyinInitials } from '#server/public/organisations.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const text = (row: Readonly<RecordRow>, name: string): string | null => (row[name] ?? null) as string | null

/** The fields of the registration that a decision sets. */
const decided = (session: Session, state: 'passed' | 'refused', more: RecordRow = {}): RecordRow => ({
  state,
  decided_by: session.userName,
  decided_at: new Date().toISOString(),
  ...more,
})

export const registrationRules: RecordRules = {
  kind: 'registrationAudit',
  readFlag: 'page:/ptm/agencyManage/RegistAudit',
  columns: tx => ({
    similar: tx`(select string_agg(m.name || '（' || (array['信用代码相同', '名称相同', '手机号相同'])[m.why] || '）', '；'
      order by m.why, m.id) from (
      select o.id, o.name, case when upper(o.social_credit_code) = t.social_credit_code then 1
        when ${bareName(tx, 'o.name')} = ${bareName(tx, 't.name')} then 2 else 3 end as why
        from organisation o where o.system_type = t.system_type and t.state = 'pending'
         and (upper(o.social_credit_code) = t.social_credit_code
           or ${bareName(tx, 'o.name')} = ${bareName(tx, 't.name')} or o.registrant_phone = t.registrant_phone)) m)`,
    code_hint: tx`null::text`,
  }),
  async complete(_tx, _session, rows) {
    return rows.map(row => ({
      ...row,
      code_hint: isCheckedCreditCode(String(row.social_credit_code)) ? null : '校验位不符，请核对证照',
    }))
  },
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('forbidden', '注册申请由机构自行提交，只能审核')
    if (row && row.state !== 'pending') throw new BusinessError('wrongState', '该申请已审核，请刷新列表')
  },
  async afterwards(sql) {
    await createScans(sql)
    await settleInvitations(sql)
  },
  actions: {
    async pass(tx, session, row) {
      const [taken] = await tx`
        select 1 from organisation where system_type = ${parseInteger(row.system_type)}
          and upper(social_credit_code) = ${String(row.social_credit_code)} limit 1`
      if (taken) throw new BusinessError('organisationTaken', '统一社会信用代码已存在，请使用匹配')
      const org = await openOrganisation(tx, row)
      await openAccount(tx, session, row, org)
      await archiveScans(tx, session.org.id, org, String(row.sn))
      return decided(session, 'passed')
    },
    async noPass(_tx, session, _row, reason) {
      return decided(session, 'refused', { reason })
    },
    async match(tx, session, row, _reason, answers) {
      const chosen = text(answers, 'org_sn')
      if (chosen === null)
        throw new BusinessError('invalid', '请选择相关机构。', [{ field: 'org_sn', msg: '请选择相关机构。' }])
      const [org] = await tx<{ id: string; name: string; system_type: number }[]>`
        select id, name, system_type from organisation where id = ${chosen} and status = 'enabled'`
      if (!org)
        throw new BusinessError('invalid', undefined, [{ field: 'org_sn', msg: '被编辑过的相关机构名称不存在。' }])
      if (org.system_type !== parseInteger(row.system_type))
        throw new BusinessError('invalid', undefined, [
          { field: 'org_sn', msg: `【${org.name}】与申请的机构类型不同，请重新选择` },
        ])
      await openAccount(tx, session, row, org.id)
      await archiveScans(tx, session.org.id, org.id, String(row.sn))
      return decided(session, 'passed', { matched_sn: org.id })
    },
  },
}

/** Creates the organisation of a passed registration, under the next code of its kind, with an administrator role. */
async function openOrganisation(tx: Tx, row: Readonly<RecordRow>): Promise<string> {
  const type = parseInteger(row.system_type)
  const [org] = await tx<{ id: string }[]>`
    insert into organisation (code, name, alias, system_type, social_credit_code, administrative_division_sn,
      division_name, address, registrant,
                              registrant_phone, registrant_email, description, pinyin)
    values (${await nextOrgCode(tx, type)}, ${text(row, 'name')}, ${text(row, 'alias')}, ${type},
      ${text(row, 'social_credit_code')}, ${text(row, 'administrative_division_sn')},
            ${text(row, 'division_name') ?? ''}, ${text(row, 'address') ?? ''}, ${text(row, 'registrant')},
              ${text(row, 'registrant_phone')}, ${text(row, 'registrant_email')},
            ${text(row, 'description')}, ${pinyinInitials(`${text(row, 'name') ?? ''}${text(row, 'alias') ?? ''}`)})
    returning id`
  if (!org) throw new Error('the new organisation did not come back')
  return org.id
}

/** The SMS to the registrant. */
const ADMITTED =
  '您的机构注册已审核通过。登录账号和初始密码均为本手机号码，24小时内有效；首次登录须凭短信验证码修改密码，过期请点登录页的【重置密码】。'

/** The administrator role of an organisation, with everything its kind may have; created once. */
async function administratorRole(tx: Tx, org: string, type: number): Promise<string> {
  const flags = [...permissionsOf(orgTypeOf(type)), ...Object.keys(extraFlags)]
  const [role] = await tx<{ id: string }[]>`
    insert into role (org_id, name, description, flags, is_system) values (${org}, '管理员', '本机构的全部权限', ${flags}, true)
    on conflict (org_id, name) do update set is_system = role.is_system returning id`
  if (!role) throw new Error('the role did not come back')
  return role.id
}

/**
 * The registrant becomes a user with the phone number as login name and first password, and is notified by SMS that the
 * password is now valid for one day.
 */
async function openAccount(tx: Tx, session: Session, row: Readonly<RecordRow>, org: string): Promise<void> {
  const phone = String(row.registrant_phone)
  const [other] = await tx`select 1 from app_user where login = ${phone} or phone = ${phone} limit 1`
  if (other) throw new BusinessError('phoneTaken', `登录账号【${phone}】已存在，请先处理该账号`)
  const [user] = await tx<{ id: string }[]>`
    insert into app_user (org_id, login, password_hash, name, phone, must_change, is_administrator)
    select ${org}, registrant_phone, ${NO_PASSWORD}, registrant, registrant_phone, true, true from registration
     where id = ${String(row.sn)}
    returning id`
  if (!user) throw new Error('the registration has gone')
  await beginWithPhone(tx, { id: user.id, phone })
  await askSms(tx, session.org.id, { phone, template: 'announcement', text: ADMITTED }, phone)
  await tx`insert into user_role (org_id, user_id, role_id)
    values (${org}, ${user.id}, ${await administratorRole(tx, org, parseInteger(row.system_type))})`
}
