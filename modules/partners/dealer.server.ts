import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { orgRelationRules, otherSide } from '#modules/partners/org-relation.server.ts'
import type { Change, RecordRules } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** What binds a seller to those who sell for it: DV for a maker, DD for a dealer. */
const relationOf = (session: Session) => (session.org.type === 'V' ? 'DV' : 'DD')

/** Receivables, and what reviewed orders will add once they are shipped. */
const creditUsed = (tx: Tx, org: string) =>
  tx`coalesce((select c.used from credit_use c where c.org_id = ${org} and c.counterparty_id = t.partner_id), 0)::numeric(18,2)`

export const dealerRules: RecordRules = {
  kind: 'dealer',
  visible: (tx, session) =>
    tx`t.relation = ${relationOf(session)} and t.org_id = ${session.org.id}
       and ${session.org.type === 'V' || session.org.type === 'D'}`,
  columns(tx, session) {
    const own = (what: ReturnType<Tx>) => tx`(
      select ${what} from dealer_authorisation a
       where a.org_id = ${session.org.id} and a.dealer_id = t.id and a.status = 'enabled' and a.valid_to >= ${today()})`
    const used = creditUsed(tx, session.org.id)
    return {
      product_count: own(tx`count(distinct a.product_id)::int`),
      hospital_count: own(tx`count(distinct a.hospital_id)::int`),
      authorised_to: own(tx`max(a.valid_to)`),
      credit_used: used,
      credit_free: tx`case when t.credit_limit is not null then (t.credit_limit - ${used})::numeric(18,2) end`,
    }
  },
  async check(tx, session, change) {
    if (!change.before) change.after.relation = relationOf(session)
    if (change.after.upper_dealer_sn && change.after.upper_dealer_sn === change.after.partner_sn)
      return [{ field: 'upper_dealer_sn', msg: '上级经销商不能是其本身' }]
    return orgRelationRules.check?.(tx, session, change)
  },
  alsoWrites: orgRelationRules.alsoWrites!,
  async saved(tx, session, id, change) {
    if (change.before) return
    const after = { default_tax_rate: 13, ...change.after }
    await orgRelationRules.saved?.(tx, session, id, { ...change, after })
  },
  mayWrite(_session, action, row) {
    if (action === 'stop' && row?.status !== 'enabled') throw new Refusal('wrongState', '只能终止合作中的经销商')
    if (action === 'resume' && !(row?.status === 'ended' && row.end_reason !== null))
      throw new Refusal('wrongState', '只能恢复由本机构终止的合作')
    // Switching belongs to the address book; here a cooperation is ended and resumed.
    if (action === 'enable' || action === 'disable') throw new Refusal('forbidden', '请使用终止或恢复合作')
  },
  async mayLeave(tx, session, action, row) {
    const [authorised] = await tx`
      select 1 from dealer_authorisation where org_id = ${session.org.id} and dealer_id = ${String(row.dealer_sn)} limit 1`
    if (authorised) throw new Refusal('blocked', '存在业务往来，不能删除')
    await orgRelationRules.mayLeave?.(tx, session, action, row)
  },
  actions: {
    async stop(tx, session, row, reason) {
      await tx`update org_relation set status = 'ended', opinion = ${reason}, version = version + 1 where ${otherSide(tx, session.org.id, row)}`
      return { status: 'ended', end_reason: reason }
    },
    async resume(tx, session, row) {
      await tx`update org_relation set status = 'enabled', opinion = null, version = version + 1 where ${otherSide(tx, session.org.id, row)} and status = 'ended'`
      return { status: 'enabled', end_reason: null }
    },
  },
  afterwards: orgRelationRules.afterwards!,
}

type Authorised = {
  readonly product: string
  readonly hospital: string | null
  readonly from: string
  readonly to: string
}
const authorisedIn = (change: Change): Authorised => ({
  product: String(change.after.product_sn),
  hospital: (change.after.hospital_sn ?? null) as string | null,
  from: String(change.after.valid_from),
  to: String(change.after.valid_to),
})

export const dealerAuthorisationRules: RecordRules = {
  kind: 'dealerAuthorisation',
  columns: tx => ({
    dealer_name: tx`(select o.name from organisation o where o.id = ${tx('to_dealer_sn.partner_id')})`,
  }),
  async check(tx, session, change) {
    const asked = authorisedIn(change)
    const [dealer] = await tx<{ partner_id: string }[]>`
      select partner_id from org_relation where org_id = ${session.org.id} and id = ${String(change.after.dealer_sn)} and relation = ${relationOf(session)}`
    if (!dealer) return [{ field: 'dealer_sn', msg: '请选择相关机构。' }]
    if (asked.hospital !== null) {
      const [hospital] = await tx`select 1 from organisation where id = ${asked.hospital} and system_type = 1`
      if (!hospital) return [{ field: 'hospital_sn', msg: '授权医院应为医院' }]
    }
    if (!(await isOursToGive(tx, session, asked))) return [{ field: 'product_sn', msg: '授权范围超出上级授权' }]
    const rival = await exclusiveRival(tx, session, change, asked)
    return rival ? [{ field: 'is_exclusive', msg: rival }] : []
  },
}

/** A maker gives what it makes; a dealer what its own supplier gave it, not beyond the end of that relation. */
async function isOursToGive(tx: Tx, session: Session, asked: Authorised): Promise<boolean> {
  if (session.org.type === 'V') {
    const [own] = await tx`select 1 from product where id = ${asked.product} and manufacturer_id = ${session.org.id}`
    return own !== undefined
  }
  const [given] = await tx`
    select 1 from dealer_product p join specification s on s.id = p.specification_id
      join org_relation r on r.org_id = ${session.org.id} and r.partner_id = p.supplier_id and r.status = 'enabled'
     where p.org_id = ${session.org.id} and s.product_id = ${asked.product} and p.status = 'enabled'
       and (r.valid_from is null or r.valid_from <= ${asked.from}) and (r.valid_to is null or r.valid_to >= ${asked.to}) limit 1`
  return given !== undefined
}

/** An exclusive authorisation stands alone: for its product, its hospital and its days nobody else has one. */
async function exclusiveRival(tx: Tx, session: Session, change: Change, asked: Authorised): Promise<string | null> {
  const [rival] = await tx<{ dealer: string; hospital: string | null }[]>`
    select o.name as dealer, h.name as hospital from dealer_authorisation a
      join org_relation r on r.id = a.dealer_id join organisation o on o.id = r.partner_id
      left join organisation h on h.id = coalesce(a.hospital_id, ${asked.hospital})
     where a.org_id = ${session.org.id} and a.product_id = ${asked.product} and a.dealer_id <> ${String(change.after.dealer_sn)} and a.status = 'enabled'
       and a.id is distinct from ${change.id}::bigint
       and (a.is_exclusive or ${change.after.is_exclusive === true})
       and (a.hospital_id is null or ${asked.hospital}::bigint is null or a.hospital_id = ${asked.hospital})
       and a.valid_from <= ${asked.to} and a.valid_to >= ${asked.from}
     order by a.id limit 1`
  return rival ? `【${rival.hospital ?? '全部医院'}】该产品已独家授权给【${rival.dealer}】` : null
}
