import { today } from '#kernel/values/date.ts'
import { relationCodes } from '#kernel/values/organisation-type.ts'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { permits } from '#modules/trade/licensing/licence-types.ts'
import { joinPartner, unregisteredOf } from '#modules/trade/partners/relations/link-partner.server.ts'
import { sendAuthorisations, stopWithRelation } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { settingsFor } from '#server/public/settings.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { type Change, everUsed, type RecordRow, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

const letters = ['P', 'H', 'D', 'V'] as const
/** The relation's name on the other side; only a hospital and its dealer use two names. */
const reciprocal: Readonly<Record<string, string>> = { DH: 'HD', HD: 'DH' }
export const reciprocalOf = (relation: string) => reciprocal[relation] ?? relation

/** The only relation possible between the two types, from our own side; null if there is none. */
export function relationBetween(own: string, partnerType: number): string | null {
  const partner = letters[partnerType] ?? 'P'
  return relationCodes.find(code => isPossible(own, partner, code)) ?? null
}

/** True if an organisation of the first type may have this relation with one of the second. */
function isPossible(own: string, partner: string, relation: string): boolean {
  if (relation === 'DH' || relation === 'HD') return relation === own + partner
  return relation === own + partner || relation === partner + own
}

/**
 * The counterparty's row of the same relation. A relation belongs to both: it is agreed, refused and ended in one
 * step.
 */
export const otherSide = (tx: Tx, own: string, row: Readonly<Record<string, unknown>>) =>
  tx`org_id = ${row.partner_sn as string} and partner_id = ${own} and relation = ${reciprocalOf(String(row.relation))}`

/** The partner's licences in our own archive, the newest of each kind: each organisation decides by its own copies. */
function licenceColumns(tx: Tx, session: Session) {
  const filed = (what: ReturnType<Tx>, rest: ReturnType<Tx>) => tx`(
    select ${what} from licence l
     where l.org_id = ${session.org.id} and l.holder_id = t.partner_id and l.status = 'enabled'
       and l.audit_state = 'passed' ${rest})`
  const newest = (column: string) =>
    filed(
      tx`${tx(`l.${column}`)}`,
      tx`and l.licence_type = any(${permits as string[]}::text[]) order by l.valid_from desc limit 1`,
    )
  return {
    licence_state: tx`licence_standing(${session.org.id}, t.partner_id, ${today()}::date)`,
    missing_papers: tx`(select string_agg(m.licence_type, '、')
      from licence_missing(${session.org.id}, t.partner_id) m)`,
    permit_no: newest('licence_no'),
    permit_valid_to: newest('valid_to'),
    permit_scope: newest('scope'),
  }
}

/** A partner that may be asked for a relation of this kind, or the problem. */
async function checkPartner(tx: Tx, session: Session, change: Change): Promise<{ field: string; msg: string } | null> {
  const partner = String(change.after.partner_sn)
  if (partner === session.org.id) return { field: 'partner_sn', msg: '请选择相关机构。' }
  const [found] = await tx<{ system_type: number; name: string }[]>`
    select system_type, name from organisation where id = ${partner} and status = 'enabled' and audit_state = 'passed'
      and system_type > 0 and kept_by_id is null`
  if (!found) return { field: 'partner_sn', msg: '被编辑过的相关机构名称不存在。' }
  if (!isPossible(session.org.type, letters[found.system_type] ?? 'P', String(change.after.relation)))
    return { field: 'relation', msg: `与【${found.name}】不能建立${String(change.after.relation)}关系` }
  const [open] = await tx`
    select 1 from org_relation where ${otherSide(tx, session.org.id, change.after)} and status = 'pending' limit 1`
  return open ? { field: 'partner_sn', msg: '已存在待审核的申请' } : null
}

/** A refused partner may ask again: the refused application is removed on both sides. */
async function clearRefused(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  await tx`
    delete from org_relation where org_id = ${session.org.id} and partner_id = ${String(row.partner_sn)}
      and relation = ${String(row.relation)} and status = 'refused'`
  await tx`delete from org_relation where ${otherSide(tx, session.org.id, row)} and status = 'refused'`
}

/** The applicant's licences, as we hold them, must be in force. */
async function refuseExpired(tx: Tx, session: Session, partner: string): Promise<void> {
  const settings = await settingsFor(tx, session.org.id)
  if (settings.certificate_check === 'warn') return
  const [expired] = await tx<{ licence_type: string }[]>`
    select l.licence_type from licence l
     where l.org_id = ${session.org.id} and l.holder_id = ${partner} and l.status = 'enabled'
       and l.licence_type = any(${permits as string[]}::text[])
       and not l.long_term and l.valid_to < ${today()}
       and not exists (select 1 from licence n where n.org_id = l.org_id and n.holder_id = l.holder_id
         and n.licence_type = l.licence_type
                          and n.status = 'enabled' and (n.long_term or n.valid_to >= ${today()}))
     order by l.valid_to limit 1`
  if (expired) throw new BusinessError('expiredLicence', `申请机构【${expired.licence_type}】已过期`)
}

/** The same application on the counterparty's side, waiting for its answer. */
const createThere = (tx: Tx, session: Session, row: Readonly<RecordRow>) => tx`
  insert into org_relation (org_id, partner_id, relation, default_tax_rate, settlement_method, payment_days,
    authorisation_no, valid_from, valid_to, apply_note, status, applicant_id)
  values (${String(row.partner_sn)}, ${session.org.id}, ${reciprocalOf(String(row.relation))},
    ${parseInteger(row.default_tax_rate ?? 13)}, ${String(row.settlement_method ?? 'monthly')},
          ${parseInteger(row.payment_days ?? 0)}, ${(row.authorisation_no ?? null) as string},
            ${(row.valid_from ?? null) as string},
          ${(row.valid_to ?? null) as string}, ${(row.apply_note ?? null) as string}, 'pending', ${session.org.id})`

/** Applies to a platform organisation for a relation, on both sides. */
export async function applyFor(tx: Tx, session: Session, partner: string, relation: string): Promise<void> {
  const row = { partner_sn: partner, relation }
  await clearRefused(tx, session, row)
  await tx`
    insert into org_relation (org_id, partner_id, relation, status, applicant_id)
      values (${session.org.id}, ${partner}, ${relation}, 'pending', ${session.org.id})`
  await createThere(tx, session, row)
}

const decided = (session: Session, opinion: string | null) => ({
  decided_by: session.userName,
  decided_at: new Date().toISOString(),
  opinion,
})

/** Writes the same decision into the other side's row. */
const decideThere = (tx: Tx, session: Session, row: Readonly<RecordRow>, status: string, opinion: string | null) => tx`
  update org_relation set status = ${status}, opinion = ${opinion}, decided_by = ${session.org.name},
    decided_at = now(),
         valid_from = case when ${status} = 'enabled' then coalesce(valid_from, ${today()}::date) else valid_from end,
           version = version + 1
   where ${otherSide(tx, session.org.id, row)}`

/**
 * If the applicant had the other as a local record, its documents follow now. Obstacles are reported when the user
 * joins them by hand.
 */
const joinUnregistered = (sql: Sql, keeper: string, partner: string): Promise<void> =>
  inOrganisation(sql, keeper, '0', async tx => {
    const unregistered = await unregisteredOf(tx, keeper, partner)
    if (unregistered) await joinPartner(tx, keeper, unregistered.id, partner)
  }).catch((error: unknown) => {
    if (!(error instanceof BusinessError)) throw error
  })

export const relationSentences: Readonly<Record<string, string>> = {
  add: '申请与贵机构建立关系',
  review: '已同意建立关系',
  reject: '未同意建立关系',
  revoke: '已撤销关系',
  stop: '已终止合作，相关授权随之停用',
  resume: '已恢复合作',
}

export const orgRelationRules: RecordRules = {
  kind: 'orgRelation',
  columns: (tx, session) => ({
    org_sn: tx`t.partner_id`,
    name: tx`${tx('to_partner_sn.name')}`,
    system_type: tx`${tx('to_partner_sn.system_type')}`,
    direction: tx`case when t.applicant_id is not null then case when t.applicant_id = ${session.org.id}
      then 'outgoing' else 'incoming' end end`,
    first_state: tx`coalesce((
      select case when d.state in ('reviewed', 'partial', 'completed') then 'passed' when d.state = 'rejected'
        then 'refused' else 'waiting' end
        from document d where d.org_id = ${session.org.id} and d.kind = 'firstTierOrg'
          and d.fields->>'partner_sn' = t.partner_id::text
         and d.state not in ('draft', 'cancelled', 'stopped', 'reversed') order by d.id desc limit 1), 'none')`,
    partner_state: tx`case when ${tx('to_partner_sn.status')} <> 'enabled' then 'stopped'
      when ${tx('to_partner_sn.uses_system')} then 'joined' else 'absent' end`,
    apply_no: tx`'GX' || t.id`,
    is_local: tx`${tx('to_partner_sn.kept_by_id')} is not null`,
    twin_name: tx`(
      select k.name from organisation k where t.status = 'pending' and k.kept_by_id = ${session.org.id}
        and k.joined_id is null
         and k.system_type = ${tx('to_partner_sn.system_type')}
           and upper(k.social_credit_code) = upper(${tx('to_partner_sn.social_credit_code')}) limit 1)`,
    ...licenceColumns(tx, session),
  }),
  async check(tx, session, change) {
    if (change.before) {
      const moved = (['partner_sn', 'relation'] as const).filter(
        name => name in change.sent && change.sent[name] !== change.before?.[name],
      )
      return moved.map(name => ({ field: name, msg: '机构和关系类型建立后不能修改' }))
    }
    const problem = await checkPartner(tx, session, change)
    if (problem) return [problem]
    await clearRefused(tx, session, change.after)
    return []
  },
  alsoWrites: async (_tx, session, change) => (change.before ? {} : { applicant_id: session.org.id }),
  async saved(tx, session, _id, change) {
    if (!change.before) await createThere(tx, session, change.after)
  },
  mayWrite(_session, action, row) {
    const isWaiting = row?.status === 'pending'
    if (['review', 'reject', 'match'].includes(action) && !(isWaiting && row?.direction === 'incoming'))
      throw new BusinessError('wrongState', '只能审核对方发来的、待审核的申请')
    if (action === 'revoke' && row?.status !== 'enabled') throw new BusinessError('wrongState', '只能撤销已建立的关系')
    if ((action === 'enable' || action === 'disable') && (isWaiting || row?.status === 'refused'))
      throw new BusinessError('wrongState', '申请尚未通过，不能启用或停用')
    if (action === 'del' && row?.is_local === true)
      throw new BusinessError('rule', '未入驻机构请在【未入驻机构】页签中删除')
    if (action === 'enable' && row?.status === 'ended' && row.end_reason === null)
      throw new BusinessError('wrongState', '关系已由对方终止，请重新申请')
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const partner = String(row.partner_sn)
    if (
      await everUsed(
        tx,
        session,
        { document: 'counterparty_id', account_balance: 'counterparty_id', price_agreement: ['seller_id', 'buyer_id'] },
        partner,
      )
    )
      throw new BusinessError('blocked', '存在业务往来，不能删除')
    await tx`delete from org_relation where ${otherSide(tx, session.org.id, row)}`
  },
  actions: {
    bank: async (_tx, _session, _row, _reason, answers) => answers,
    async review(tx, session, row, opinion) {
      if (await unregisteredOf(tx, session.org.id, String(row.partner_sn)))
        throw new BusinessError('blocked', '已存在相同统一社会信用代码的机构，请先匹配')
      await refuseExpired(tx, session, String(row.partner_sn))
      await decideThere(tx, session, row, 'enabled', opinion)
      return { status: 'enabled', valid_from: row.valid_from ?? today(), ...decided(session, opinion) }
    },
    async match(tx, session, row) {
      const unregistered = await unregisteredOf(tx, session.org.id, String(row.partner_sn))
      if (!unregistered) throw new BusinessError('rule', '没有统一社会信用代码相同的未入驻机构，可以直接审核')
      await joinPartner(tx, session.org.id, unregistered.id, String(row.partner_sn))
    },
    async reject(tx, session, row, reason) {
      await decideThere(tx, session, row, 'refused', reason)
      return { status: 'refused', ...decided(session, reason) }
    },
    async revoke(tx, session, row, reason) {
      await stopWithRelation(tx, session.org.id, String(row.relation_sn))
      await tx`update org_relation set status = 'ended', opinion = ${reason}, version = version + 1
        where ${otherSide(tx, session.org.id, row)}`
      return { status: 'ended', end_reason: reason }
    },
  },
  async afterwards(sql, session, action, row) {
    const sentence = relationSentences[action]
    if (!sentence || row.partner_sn === undefined) return
    const partner = String(row.partner_sn)
    // A partner outside the platform has no users here and is not notified.
    const [reached] = await sql`select 1 from organisation where id = ${partner} and kept_by_id is null`
    if (!reached) return
    if (action === 'review') {
      await joinUnregistered(sql, partner, session.org.id)
      // Sends the authorisations that were granted before the counterparty agreed.
      await sendAuthorisations(sql, partner)
    }
    // Authorisations granted under the relation end with it, in either direction.
    if (action === 'revoke') for (const giver of [session.org.id, partner]) await sendAuthorisations(sql, giver)
    await inOrganisation(sql, partner, '0', tx =>
      sendMessage(tx, partner, {
        title: '机构关系',
        body: `${session.org.name}${sentence}（${reciprocalOf(String(row.relation))}）`,
        uri:
          `/commonView/agencyManage/${action === 'add' ? 'ReviewOrg' : 'AgencyManagementNew'}` +
          `?name=${encodeURIComponent(session.org.name)}`,
        objectId: String(row.relation_sn ?? ''),
        kind: 'orgRelation',
        type: 'audit',
        extra: { org_name: session.org.name, kind: 'orgRelation' },
      }),
    )
  },
}
