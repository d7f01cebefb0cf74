import { today } from '#kernel/values/date.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { dealerAuthorisation } from '#modules/trade/partners/dealers/dealer-authorisation.entity.ts'
import { orgRelationRules, otherSide } from '#modules/trade/partners/relations/org-relation.server.ts'
import { sendAuthorisations, stopWithRelation } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { addRecord, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The relation of a seller to its dealers: DV for a manufacturer, DD for a dealer. */
export const relationUnder = (type: OrgType): 'DV' | 'DD' => (type === 'V' ? 'DV' : 'DD')
export const relationOf = (session: Session) => relationUnder(session.org.type)

/** Receivables, plus reviewed orders that are not shipped yet. */
const creditUsed = (tx: Tx, org: string) =>
  tx`coalesce((select c.used from credit_use c where c.org_id = ${org} and c.counterparty_id = t.partner_id),
    0)::numeric(18,2)`

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
      product_count: tx`(
        select count(distinct g.id)::int from dealer_authorisation a
         cross join lateral (
           select a.product_id as id where a.product_id is not null
           union all
           select p.id from product p
            where a.product_id is null
              and speaks_of(null, a.manufacturer_id, a.class_code, p.id, p.manufacturer_id, p.class_code,
              p.class_code_2002)) g
         where a.org_id = ${session.org.id} and a.dealer_id = t.id and a.status = 'enabled'
           and a.valid_to >= ${today()})`,
      hospital_count: own(tx`count(distinct a.hospital_id)::int`),
      product_names: own(tx`string_agg(distinct goods_name(a.product_id, a.manufacturer_id, a.class_code), '、')`),
      hospital_names: own(
        tx`string_agg(distinct (select h.name from organisation h where h.id = a.hospital_id), '、')`,
      ),
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
    if (action === 'stop' && row?.status !== 'enabled') throw new BusinessError('wrongState', '只能终止合作中的经销商')
    if (['hospital', 'price', 'credit'].includes(action) && (row?.status === 'ended' || row?.status === 'refused'))
      throw new BusinessError('wrongState', '合作已终止或未建立，请先恢复合作')
    if (action === 'resume' && !(row?.status === 'ended' && row.end_reason !== null))
      throw new BusinessError('wrongState', '只能恢复由本机构终止的合作')
    // Enabling and disabling belong to the partner list; here a cooperation is ended and resumed.
    if (action === 'enable' || action === 'disable') throw new BusinessError('forbidden', '请使用终止或恢复合作')
  },
  async mayLeave(tx, session, action, row) {
    const [authorised] = await tx`
      select 1 from dealer_authorisation where org_id = ${session.org.id} and dealer_id = ${String(row.dealer_sn)}
        limit 1`
    if (authorised) throw new BusinessError('blocked', '存在业务往来，不能删除')
    await orgRelationRules.mayLeave?.(tx, session, action, row)
  },
  actions: {
    /** One authorisation for each product at each hospital, as if each had been entered by hand. */
    async hospital(tx, session, row, _reason, { hospitals, products, ...rest }) {
      for (const product_sn of products as readonly string[])
        for (const hospital_sn of hospitals as readonly string[])
          await addRecord(tx, session, dealerAuthorisation, {
            dealer_sn: row.dealer_sn,
            product_sn,
            hospital_sn,
            ...rest,
            is_exclusive: rest.is_exclusive === true,
          })
    },
    price: async (_tx, _session, _row, _reason, { price_level }) => ({ price_level }),
    credit: async (_tx, _session, _row, _reason, { credit_limit }) => ({ credit_limit }),
    async stop(tx, session, row, reason) {
      await stopWithRelation(tx, session.org.id, String(row.dealer_sn))
      await tx`update org_relation set status = 'ended', opinion = ${reason}, version = version + 1
        where ${otherSide(tx, session.org.id, row)}`
      return { status: 'ended', end_reason: reason }
    },
    async resume(tx, session, row) {
      await tx`update org_relation set status = 'enabled', opinion = null, version = version + 1
        where ${otherSide(tx, session.org.id, row)} and status = 'ended'`
      return { status: 'enabled', end_reason: null }
    },
  },
  async afterwards(sql, session, action, row) {
    await orgRelationRules.afterwards?.(sql, session, action, row)
    if (action === 'hospital' || action === 'stop') await sendAuthorisations(sql, session.org.id)
  },
}
