import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isOursToGive } from '#modules/trade/partners/dealers/dealer-authorisation.server.ts'
import { relationUnder } from '#modules/trade/partners/dealers/dealer.server.ts'
import { joinPartner, unregisteredOf } from '#modules/trade/partners/relations/link-partner.server.ts'
import { sendAuthorisations } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { parseDivisions, platformId, releaseInvitation } from '#server/public/organisations.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordRules } from '#server/public/records.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

const [USUAL_DAYS, MOST_DAYS] = [7, 30]
const newToken = () => randomBytes(24).toString('base64url')

export const dealerInvitationRules: RecordRules = {
  kind: 'dealerInvitation',
  readFlag: 'page:/commonView/dealerManagement',
  columns: tx => ({
    // The link is a secret for its recipient: a used one is not shown.
    token: tx`case when t.state = 'open' and t.expires_on >= ${today()} then t.org_id || '-' || t.token end`,
    link_state: tx`case when t.state in ('used', 'joined') then 'used' when t.state = 'revoked' then 'revoked'
      when t.expires_on < ${today()} then 'expired' else 'valid' end`,
  }),
  mayWrite(_session, action, row) {
    if (row === null || action === 'add') return
    if (row.state === 'joined' || row.state === 'used')
      throw new BusinessError(
        'wrongState',
        row.state === 'joined' ? '对方已加入，邀请不能再修改' : '对方已注册，请等待平台审核',
      )
    if (action === 'revoke' && row.state !== 'open') throw new BusinessError('wrongState', '邀请已撤销')
  },
  async check(tx, session, { after, before }) {
    after.expires_on ??= addDays(today(), USUAL_DAYS)
    const until = String(after.expires_on)
    if (until !== before?.expires_on && (until < today() || until > addDays(today(), MOST_DAYS)))
      return [{ field: 'expires_on', msg: `链接有效期应在今天到${MOST_DAYS}天内` }]
    const code = after.social_credit_code === null ? null : String(after.social_credit_code).toUpperCase()
    after.social_credit_code = code
    const [known] = await tx<{ name: string }[]>`
      select o.name from organisation o where o.system_type = 2 and o.kept_by_id is null
        and upper(o.social_credit_code) = ${code}
         and exists (select 1 from organisation_in_use u where u.org_id = o.id) limit 1`
    if (known) return [{ field: 'social_credit_code', msg: `【${known.name}】已入驻平台，请在经销商中直接新增` }]
    const area = parseDivisions(String(after.area ?? ''))
    if (area.unknown.length > 0)
      return [{ field: 'area', msg: `没有找到行政区划【${area.unknown[0]}】，请填写省、市或县的全称` }]
    after.area = area.names.length > 0 ? area.names.join('、') : null
    for (const product of (after.products ?? []) as string[]) {
      const asked = {
        product,
        maker: null,
        class: null,
        hospital: null,
        areas: area.stems,
        from: String(after.valid_from),
        to: String(after.valid_to),
      }
      if (!(await isOursToGive(tx, session, asked))) return [{ field: 'products', msg: '授权范围超出上级授权' }]
    }
    return []
  },
  alsoWrites: async (_tx, session, { before }): Promise<Record<string, string>> =>
    before === null ? { token: newToken(), invited_by: session.userName } : {},
  actions: {
    renew: async () => ({ token: newToken(), expires_on: addDays(today(), USUAL_DAYS), state: 'open', reason: null }),
    revoke: async () => ({ state: 'revoked' }),
  },
}

type Decided = {
  readonly id: string
  readonly state: string
  readonly reason: string | null
  readonly inviter_id: string
  readonly invitation_id: string
  readonly partner: string | null
}

/**
 * Decided registrations that came by a link: the relation and the promised terms take effect, or the link becomes
 * valid again. Repeated until done.
 */
export async function settleInvitations(sql: Sql): Promise<void> {
  const platform = await platformId(sql)
  if (platform === null) return
  const decided = await inOrganisation(
    sql,
    platform,
    '0',
    tx => tx<Decided[]>`
    select r.id, r.state, r.reason, r.inviter_id, r.invitation_id,
           coalesce(r.matched_id,
             (select o.id from organisation o where o.kept_by_id is null and o.system_type = r.system_type
             and o.social_credit_code = r.social_credit_code)) as partner
      from registration r where r.org_id = ${platform} and r.invitation_id is not null
        and r.invitation_notified_at is null and r.state in ('passed', 'refused')
     order by r.id limit 100`,
  )
  for (const one of decided) {
    if (one.state === 'passed' && one.partner !== null) await settle(sql, one, one.partner)
    else await releaseInvitation(sql, { org: one.inviter_id, id: one.invitation_id }, `平台未通过：${one.reason ?? ''}`)
    await inOrganisation(
      sql,
      platform,
      '0',
      tx => tx`update registration set invitation_notified_at = now() where org_id = ${platform} and id = ${one.id}`,
    )
  }
}

/**
 * In the inviter's data: the live relation on its terms, the authorisations, and the documents of a joined local
 * record.
 */
async function settle(sql: Sql, { inviter_id: org, invitation_id }: Decided, partner: string): Promise<void> {
  await inOrganisation(sql, org, '0', async tx => {
    const [inviter] = await tx<
      { name: string; type: number }[]
    >`select system_type as type from organisation where id = ${org}`
    const relation = relationUnder(orgTypeOf(inviter!.type))
    await relate(tx, org, partner, relation, invitation_id)
    await authorise(tx, org, partner, relation, invitation_id)
    const unregistered = await unregisteredOf(tx, org, partner)
    if (unregistered) await joinPartner(tx, org, unregistered.id, partner)
    await tx`
      update dealer_invitation set state = 'joined', partner_id = ${partner}, version = version + 1
        where org_id = ${org} and id = ${invitation_id} and state = 'used'`
    const [joined] = await tx<{ name: string }[]>`select name from organisation where id = ${partner}`
    await sendMessage(tx, org, {
      title: '经销商已加入',
      body: `【${joined?.name ?? ''}】已通过邀请链接入驻，合作关系已生效`,
      uri: '/commonView/dealerManagement',
      objectId: partner,
      kind: 'dealer',
      type: 'audit',
    })
  })
  await sendAuthorisations(sql, org)
}

/** Registering by the link means agreement: the relation is live on both sides from today. */
async function relate(tx: Tx, org: string, partner: string, relation: string, invitation: string): Promise<void> {
  const since: Day = today()
  await tx`
    insert into org_relation (org_id, partner_id, relation, dealer_level, sales_area, price_level, credit_limit,
      payment_days, settlement_method, contact, phone, valid_from, status)
    select i.org_id, ${partner}::bigint, ${relation}, i.dealer_level, i.area, i.price_level, i.credit_limit,
      i.payment_days, i.settlement_method, i.registrant, i.registrant_phone, ${since}::date, 'enabled'
      from dealer_invitation i where i.org_id = ${org} and i.id = ${invitation}
    on conflict (org_id, partner_id, relation) do update set status = 'enabled',
      valid_from = coalesce(org_relation.valid_from, excluded.valid_from), version = org_relation.version + 1`
  await tx`
    insert into org_relation (org_id, partner_id, relation, payment_days, settlement_method, valid_from, status)
    select ${partner}::bigint, i.org_id, ${relation}, i.payment_days, i.settlement_method, ${since}::date, 'enabled'
      from dealer_invitation i where i.org_id = ${org} and i.id = ${invitation}
    on conflict (org_id, partner_id, relation) do update set status = 'enabled',
      valid_from = coalesce(org_relation.valid_from, excluded.valid_from), version = org_relation.version + 1`
}

/** Creates the authorisations that the invitation promised, once. */
async function authorise(tx: Tx, org: string, partner: string, relation: string, invitation: string): Promise<void> {
  const [promised] = await tx<{ area: string | null }[]>`
    select area from dealer_invitation where org_id = ${org} and id = ${invitation} and state = 'used'`
  if (!promised) return
  await tx`
    insert into dealer_authorisation (org_id, dealer_id, product_id, area, area_codes, authorisation_no, valid_from,
      valid_to)
    select i.org_id, r.id, p.id::bigint, i.area, ${parseDivisions(promised.area ?? '').stems}::text[],
      i.authorisation_no, i.valid_from, i.valid_to
      from dealer_invitation i join org_relation r on r.org_id = i.org_id and r.partner_id = ${partner}
        and r.relation = ${relation}
      cross join unnest(i.products) p(id)
     where i.org_id = ${org} and i.id = ${invitation} and i.authorisation_no is not null and i.valid_from is not null
       and i.valid_to is not null returning id`
}
