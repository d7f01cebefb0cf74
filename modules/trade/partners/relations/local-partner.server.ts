import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { orgTypeName, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { openChangesOf } from '#modules/trade/compliance/changed-partners.server.ts'
import { joinPartner, registeredAs } from '#modules/trade/partners/relations/link-partner.server.ts'
import { applyFor, orgRelationRules, relationBetween } from '#modules/trade/partners/relations/org-relation.server.ts'
import { divisionPath, pinyinInitials } from '#server/public/organisations.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { type Change, everUsed, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** The relation that follows from the two types, live at once, because nobody on the other side could agree to it. */
async function openRelation(tx: Tx, session: Session, id: string, { after }: Change): Promise<void> {
  await tx`
    insert into org_relation (org_id, partner_id, relation, contact, phone, email, status)
    values (${session.org.id}, ${id}, ${relationBetween(session.org.type, parseInteger(after.system_type))!},
            ${(after.registrant ?? null) as string}, ${(after.registrant_phone ?? null) as string},
              ${(after.registrant_email ?? null) as string}, 'enabled')`
}

async function nextCode(tx: Tx, org: string): Promise<string> {
  const [last] = await tx<{ number: number }[]>`
    select coalesce(max(substring(code from 2)::int), 0) as number from organisation
      where kept_by_id = ${org} and code ~ '^W[0-9]{1,8}$'`
  return `W${String((last?.number ?? 0) + 1).padStart(4, '0')}`
}

export const localPartnerRules: RecordRules = {
  kind: 'localPartner',
  visible: (tx, session, { one }) => tx`t.kept_by_id = ${session.org.id} and (t.joined_id is null or ${one === true})`,
  columns: (tx, session) => ({
    relation: tx`(select r.relation from org_relation r where r.org_id = ${session.org.id} and r.partner_id = t.id
      limit 1)`,
    match_state: tx`case when t.joined_id is not null then 'matched' else coalesce((
      select case when exists (select 1 from org_relation r where r.org_id = ${session.org.id} and r.partner_id = o.id
        and r.status = 'pending'
                                  and r.applicant_id = ${session.org.id}) then 'asked' else 'joined' end
        from organisation o where o.kept_by_id is null and o.system_type = t.system_type
          and o.social_credit_code = upper(t.social_credit_code)
         and o.status = 'enabled' and o.audit_state = 'passed'), 'absent') end`,
    licence_count: tx`(select count(*)::int from licence l where l.org_id = ${session.org.id} and l.holder_id = t.id
      and l.status = 'enabled')`,
  }),
  mayWrite(_session, _action, row) {
    if (row?.match_state === 'matched')
      throw new BusinessError('wrongState', '该机构已匹配到平台机构，请在往来机构中维护')
  },
  async check(tx, session, change) {
    const { after, before } = change
    after.social_credit_code = String(after.social_credit_code).toUpperCase()
    if (before && String(before.system_type) !== String(after.system_type))
      return [{ field: 'system_type', msg: '机构类型建立后不能修改' }]
    if (relationBetween(session.org.type, parseInteger(after.system_type)) === null)
      return [
        { field: 'system_type', msg: `与${orgTypeName[orgTypeOf(parseInteger(after.system_type))]}不能建立往来关系` },
      ]
    const [known] = await tx<{ name: string; kept: boolean }[]>`
      select name, kept_by_id is not null as kept from organisation
       where system_type = ${parseInteger(after.system_type)}
         and upper(social_credit_code) = ${after.social_credit_code as string}
         and joined_id is null and id is distinct from ${change.id}::bigint order by kept_by_id nulls first limit 1`
    if (!before) after.code = await nextCode(tx, session.org.id)
    if (!known) return []
    const msg = known.kept
      ? `统一社会信用代码已登记为未入驻机构【${known.name}】`
      : `【${known.name}】已入驻平台，请在往来机构中申请建立关系`
    return [{ field: 'social_credit_code', msg }]
  },
  alsoWrites: async (_tx, session, { after, before }) => ({
    pinyin: pinyinInitials(`${String(after.name ?? '')}${String(after.alias ?? '')}`),
    division_name: divisionPath((after.administrative_division_sn ?? null) as string | null),
    social_credit_code: String(after.social_credit_code),
    ...(before ? {} : { kept_by_id: session.org.id, uses_system: false }),
  }),
  async saved(tx, session, id, change) {
    if (!change.before) await openRelation(tx, session, id, change)
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const local = String(row.local_partner_sn)
    const used = await everUsed(
      tx,
      session,
      {
        document: 'counterparty_id',
        account_balance: 'counterparty_id',
        stock_balance: 'owner_id',
        price_agreement: ['seller_id', 'buyer_id'],
        licence: 'holder_id',
      },
      local,
    )
    if (used) throw new BusinessError('blocked', '存在业务往来，不能删除')
    await tx`delete from org_relation where org_id = ${session.org.id} and partner_id = ${local}`
  },
  actions: {
    /**
     * If the relation is already live, the documents follow at once; otherwise they follow when the counterparty
     * agrees.
     */
    async merge(tx, session, row) {
      const local = String(row.local_partner_sn)
      const target = await registeredAs(tx, local)
      if (!target)
        throw new BusinessError(
          'rule',
          `平台上还没有统一社会信用代码为${String(row.social_credit_code)}的机构，待其注册通过后再匹配`,
        )
      const [standing] = await tx<{ status: string; applicant_id: string | null }[]>`
        select status, applicant_id from org_relation where org_id = ${session.org.id} and partner_id = ${target.id}
          and relation = ${String(row.relation)}`
      if (standing?.status === 'enabled') return joinPartner(tx, session.org.id, local, target.id)
      if (standing?.status === 'pending')
        throw new BusinessError(
          'wrongState',
          standing.applicant_id === session.org.id
            ? `已向【${target.name}】申请建立关系，对方通过后自动匹配`
            : `【${target.name}】已申请建立关系，请在机构关系审核中匹配已有机构`,
        )
      if (standing && standing.status !== 'refused')
        throw new BusinessError('wrongState', `与【${target.name}】的关系已停用或终止，请先在往来机构中恢复`)
      await applyFor(tx, session, target.id, String(row.relation))
    },
  },
  async afterwards(sql, session, action, row) {
    if (action === 'edit') await openChangesOf(sql, session.org.id, String(row.local_partner_sn))
    if (action !== 'merge' || row.match_state !== 'asked') return
    const asked = await inOrganisation(sql, session.org.id, session.userId, async tx => {
      const target = await registeredAs(tx, String(row.local_partner_sn))
      return target ? { partner_sn: target.id, relation: row.relation } : null
    })
    if (asked) await orgRelationRules.afterwards?.(sql, session, 'add', asked)
  },
}

/** Notifies organisations with a local record that the partner has joined the platform; once for each. */
export async function announceRegistered(_app: Sql, owner: Sql): Promise<void> {
  const found = await owner<{ id: string; keeper: string; name: string; target: string }[]>`
    select k.id, k.kept_by_id as keeper, o.name, o.id as target from organisation k
      join organisation o on o.kept_by_id is null and o.system_type = k.system_type
        and o.social_credit_code = upper(k.social_credit_code)
     where k.kept_by_id is not null and k.joined_id is null and k.announced_id is null and o.status = 'enabled'
       and o.audit_state = 'passed'
     order by k.id limit 200`
  for (const { id, keeper, name, target } of found)
    await inOrganisation(owner, keeper, '0', async tx => {
      await tx`update organisation set announced_id = ${target} where id = ${id}`
      await sendMessage(tx, keeper, {
        title: '机构已入驻',
        body: `【${name}】已入驻平台，可以在相关机构管理中匹配，原有单据随之转到该机构`,
        uri:
          `/commonView/agencyManage/AgencyManagementNew?tab=${encodeURIComponent('未入驻机构')}&name=` +
          `${encodeURIComponent(name)}`,
        objectId: id,
        kind: 'localPartner',
        type: 'audit',
      })
    })
}
