import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isDirection, partnerTypes, partnerTypesByRelation, VENDOR_BUYS } from '#kernel/values/organisation-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { partnerChanged } from '#modules/trade/compliance/changed-partners.server.ts'
import { asksOfMerge, createMerged, merge } from '#modules/trade/partners/organisations/organisation-merge.server.ts'
import { orderFirstPassword, sendFirstPasswords, unlock } from '#server/public/accounts.ts'
import { divisionPath, pinyinInitials } from '#server/public/organisations.ts'
import type { Fragment, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** Other organisations only see the public register entry. */
const privateColumns = [
  'registrant',
  'registrant_phone',
  'registrant_email',
  'bank_name',
  'bank_account',
  'description',
] as const
/** Names compared without spaces and brackets. */
export const bareName = (tx: Tx, column: string) => tx`regexp_replace(${tx(column)}, '[\\s()（）]', '', 'g')`
const letters = ['P', 'H', 'D', 'V'] as const

/**
 * How likely a row is the organisation of a registration: the same code, name or phone, or a name that begins alike.
 */
function likenessTo(tx: Tx, registration: unknown): Fragment {
  if (typeof registration !== 'string' || !/^\d{1,18}$/.test(registration)) return tx`null::text`
  return tx`(select case when upper(t.social_credit_code) = g.social_credit_code then '1'
    when ${bareName(tx, 't.name')} = ${bareName(tx, 'g.name')} then '2'
      when t.registrant_phone = g.registrant_phone then '3'
      when left(${bareName(tx, 't.name')}, 4) =
        left(${bareName(tx, 'g.name')}, 4) or strpos(${bareName(tx, 't.name')}, ${bareName(tx, 'g.name')}) > 0
        or strpos(${bareName(tx, 'g.name')}, ${bareName(tx, 't.name')}) > 0 then '4' end
    from registration g where g.id = ${registration})`
}

/** H03 after H02: the next code of a kind of organisation. */
export async function nextOrgCode(tx: Tx, systemType: number): Promise<string> {
  const letter = letters[systemType] ?? 'P'
  const [last] = await tx<{ number: number }[]>`
    select coalesce(max(substring(code from 2)::int), 0) as number from organisation
      where code ~ ${`^${letter}[0-9]{2,6}$`}`
  return `${letter}${String((last?.number ?? 0) + 1).padStart(2, '0')}`
}

/** The platform's own archive of other organisations' licences. */
export const organisationLicenceRules: RecordRules = {
  kind: 'organisationLicence',
  visible: (tx, session) => tx`${session.org.type === 'P'}`,
}

/** Partners an organisation keeps for itself are not visible to the platform. */
export const tradeRelationRules: RecordRules = {
  kind: 'tradeRelation',
  readFlag: 'page:/ptm/agencyManage/AgencyManagement',
  visible: (tx, session) =>
    tx`${session.org.type === 'P'}
      and exists (select 1 from organisation o where o.id = t.partner_id and o.kept_by_id is null)`,
  columns: tx => ({
    org_type: tx`${tx('to_org_sn.system_type')}`,
    partner_type: tx`${tx('to_partner_sn.system_type')}`,
    partner_name: tx`${tx('to_partner_sn.name')}`,
  }),
}

export const organisationRules: RecordRules = {
  kind: 'organisation',
  visible(tx, session, parameters) {
    const me = session.org.id
    if (parameters.relation) {
      const relation = String(parameters.relation)
      const types = isDirection(relation) ? partnerTypes(relation, session.org.type) : [1, 2, 3]
      const related = isDirection(relation) ? partnerTypesByRelation(relation, session.org.type) : []
      return tx`(t.system_type = any(${[...types]}::int[]) or t.system_type = any(${[...related]}::int[])
          and exists (select 1 from org_relation r where r.org_id = ${me} and r.partner_id = t.id
            and r.relation = ${VENDOR_BUYS} and r.status = 'enabled')) and t.status = 'enabled'
        and exists (select 1 from org_relation r where r.org_id = ${me} and r.partner_id = t.id
          and r.status = 'enabled' and (r.valid_from is null or r.valid_from <= ${today()})
             and (${parameters.relation !== 'sibling'} or r.relation in ('HH', 'DD')))`
    }
    if (session.org.type === 'P') return tx`t.id::text is distinct from ${(parameters.except ?? null) as string | null}`
    if (parameters.scope === 'all') return tx`t.audit_state = 'passed' and t.kept_by_id is null`
    if (parameters.one) return tx`t.audit_state = 'passed'`
    return tx`t.id = ${me} or exists (select 1 from org_relation r where r.org_id = ${me} and r.partner_id = t.id)`
  },
  columns(tx, session, parameters) {
    // The platform reads licences of its own archive; it has no copy of an organisation's own.
    const counts = {
      likeness: session.org.type === 'P' ? likenessTo(tx, parameters.resembles) : tx`null::text`,
      licence_state: tx`licence_standing(${session.org.id}, t.id, ${today()}::date)`,
      vip_level: tx`t.vip_level`,
      vip_until: tx`t.vip_until`,
      user_count: tx`coalesce((select u.accounts from organisation_in_use u where u.org_id = t.id), 0)`,
      partner_count: tx`(
        select count(distinct r.partner_id)::int from org_relation r join organisation o on o.id = r.partner_id
          and o.kept_by_id is null
         where r.org_id = t.id and r.status = 'enabled')`,
    }
    if (session.org.type === 'P') return counts
    const known = tx`(t.id = ${session.org.id}
      or exists (select 1 from org_relation r where r.org_id = ${session.org.id} and r.partner_id = t.id))`
    return Object.fromEntries([
      ...privateColumns.map(name => [name, tx`case when ${known} then ${tx(`t.${name}`)} end`]),
      ...Object.keys(counts).map(name => [
        name,
        name === 'licence_state' || name === 'likeness'
          ? tx`null::text`
          : name === 'vip_until'
            ? tx`null::date`
            : tx`null::int`,
      ]),
    ])
  },
  async check(tx, _session, change) {
    if (!change.before) {
      change.after.code = await nextOrgCode(tx, parseInteger(change.after.system_type))
      return []
    }
    const isMoved =
      'system_type' in change.sent && String(change.sent.system_type) !== String(change.before.system_type)
    return isMoved ? [{ field: 'system_type', msg: '机构类型建立后不能修改' }] : []
  },
  alsoWrites: async (_tx, _session, change) => ({
    pinyin: pinyinInitials(`${change.after.name ?? ''}${change.after.alias ?? ''}`),
    division_name: divisionPath((change.after.administrative_division_sn ?? null) as string | null),
  }),
  mayWrite(_session, action, row) {
    if (action === 'del') throw new BusinessError('blocked', '机构不能删除，请停用')
    if (action === 'resetPwd' && parseInteger(row?.system_type) === 0)
      throw new BusinessError('rule', '平台账号的密码请在用户管理中重置')
    if (action === 'merge' && (parseInteger(row?.system_type) === 0 || row?.status !== 'enabled'))
      throw new BusinessError('rule', '平台机构和已停用的机构不能合并')
    if (action === 'disable' && parseInteger(row?.system_type) === 0)
      throw new BusinessError('rule', '不能停用平台机构')
  },
  asks: async (tx, session, action, row, answers) => (action === 'merge' ? asksOfMerge(tx, session, row, answers) : []),
  async afterwards(sql, session, action, row) {
    if (action === 'edit') await partnerChanged(sql, String(row.org_sn))
    if (action === 'resetPwd') await sendFirstPasswords(sql, session.org.id)
    if (action === 'merge') await createMerged(sql)
  },
  /**
   * The users of a disabled organisation are signed out at once; a new organisation gets the two locations every
   * ledger needs.
   */
  async saved(tx, _session, id, change) {
    const former = change.before?.name
    if (typeof former === 'string' && former !== change.after.name)
      await tx`
        insert into organisation_past (organisation_id, until_day, name, former)
          values (${id}, ${today()}, ${former}, ${tx.json({ name: former })})`
    if (change.after.status === 'disabled' && change.before?.status === 'enabled')
      await tx`delete from session where org_id = ${id}`
  },
  actions: {
    merge,
    /** The first administrator gets a first password by SMS, to be changed at the next sign-in. */
    async resetPwd(tx, session, row) {
      const [administrator] = await tx<{ id: string; login: string; phone: string | null }[]>`
        select id, login, phone from app_user where org_id = ${String(row.org_sn)} and is_administrator
          and status = 'enabled' order by id limit 1`
      if (!administrator) throw new BusinessError('rule', `【${String(row.name)}】没有启用的管理员`)
      if (!administrator.phone)
        throw new BusinessError('rule', `管理员【${administrator.login}】没有登记手机号，请先在用户管理中补充`)
      await orderFirstPassword(tx, session.org.id, { ...administrator, phone: administrator.phone })
      await unlock(tx, administrator.login)
    },
  },
}
