import type { Problem } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { type Relied, stepOf } from '#modules/trade/licensing/partner-licences.server.ts'
import { cachedInTx, type Tx } from '#server/public/database.ts'

/**
 * A product whose manufacturer authorises others to sell it, with the authorisation in our archive that covers this
 * supplier, if any.
 */
export type Authorisation = {
  readonly specifications: readonly string[]
  readonly product: string
  readonly relied: Relied | null
  /** The latest expired authorisation, if none is valid because of dates. */
  readonly ended_on: string | null
  readonly ended_no: string | null
  readonly control: 'refuse' | 'warn' | 'none'
  readonly here: boolean
}

/**
 * Goods of manufacturers that authorised the supplier by authorisations in our archive: each covers the goods, places
 * and days of its lines; one without lines covers everything its grantor makes. One that was disabled, or was never
 * filed, authorises nobody. An authorisation granted in the network is valid as if it were on file, while its whole
 * chain from the manufacturer is valid.
 */
export async function authorisationsOf(ctx: ActionContext): Promise<Authorisation[]> {
  const { tx, session, doc, definition } = ctx
  if (definition.compliance.party !== 'supplier' || !doc.counterparty_sn || doc.counterparty_sn === session.org.id)
    return []
  const ids = [...new Set(doc.lines.flatMap(line => line.specification_sn ?? []))]
  const key = JSON.stringify(['authorised', definition.kind, doc.counterparty_sn, doc.business_date, ids])
  return cachedInTx(tx, key, () => readAuthorisations(ctx, ids))
}

function readAuthorisations({ tx, session, doc, definition }: ActionContext, ids: readonly string[]) {
  const [org, supplier, day] = [session.org.id, doc.counterparty_sn, doc.business_date]
  return tx<Authorisation[]>`
    with goods as (
      select p.id, p.manufacturer_id as maker_id, p.name as product, array_agg(s.id::text) as specifications
        from specification s join product p on p.id = s.product_id
       where s.id = any(${ids as string[]}::bigint[]) and p.manufacturer_id <> ${supplier} group by p.id),
    licences as materialized (
      select l.*, case when not l.long_term then l.valid_to end as until,
        l.valid_from <= ${day} and (l.long_term or l.valid_to is null or l.valid_to >= ${day})
             and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, ${day}::date) as lasts,
             array(select coalesce(k.manufacturer_id, p.manufacturer_id) from licence_line k left
               join product p on p.id = k.product_id where k.org_id = l.org_id and k.licence_id = l.id) as makers
        from licence l
       where l.org_id = ${org} and l.licence_type in ('授权书', '产品授权书') and l.status in ('enabled', 'replaced')
         and l.audit_state = 'passed'
         and (l.grantee_id = ${supplier} or l.grantee_id is null and l.holder_id = ${supplier})),
    filed as (
      select g.id as product_id, l.id, l.licence_type, l.licence_no, l.until, l.lasts,
        l.lasts and licence_names(${org}, l.id, g.id, ${org}, ${day}::date) as holds
        from goods g join licences l on l.grantor_id = g.maker_id or l.holder_id = g.maker_id
          and l.grantee_id = ${supplier} or g.maker_id = any(l.makers)
       union all
      select g.id, c.id, c.licence_type, c.licence_no, c.valid_to, true, true
        from goods g cross join lateral granted_chain(${org}, g.id, ${supplier}, ${day}::date) c)
    select g.specifications, g.product, case when not bool_or(f.lasts) then max(f.until)::text end as ended_on,
           case when not bool_or(f.lasts) then (array_agg(f.licence_no order by f.until desc))[1] end as ended_no,
           (array_agg(json_build_object('id', f.id::text, 'licence_type', f.licence_type, 'licence_no', f.licence_no,
             'valid_to', f.until, 'holds', true) order by f.until desc nulls first,
             f.id) filter (where f.holds))[1] as relied,
           coalesce(min(s.control), 'warn') as control,
             coalesce(bool_and(s.status = 'enabled' and s.${tx(stepOf(definition))}), true) as here
      from goods g left join filed f on f.product_id = g.id
      left join licence_setting s on s.org_id = ${org} and s.licence_type = coalesce(f.licence_type, '授权书')
     group by g.id, g.product, g.specifications order by g.id`
}

/** Blocked or asked about, as the document kind is set. */
export const authorisationProblems = (
  { doc, definition }: ActionContext,
  authorisations: readonly Authorisation[],
  how: 'refuse' | 'warn',
): Problem[] =>
  authorisations
    .filter(one => one.relied === null && one.here && one.control === how)
    .map(({ specifications, product, ended_on, ended_no }) => {
      const line = doc.lines.find(each => specifications.includes(each.specification_sn ?? ''))?.line_no
      const at = line === undefined ? '' : `第${line}行：`
      const until = ended_on === null ? '' : `（授权书${ended_no ?? ''}于${ended_on}到期）`
      return {
        field: 'specification_sn',
        ...(line === undefined ? {} : { line }),
        msg: `${at}供应商未获得【${product}】的授权${until}，不能${definition.compliance.verb ?? '采购'}`,
      }
    })

/** A product as an application names it. */
export type Sought = { readonly product: string; readonly supplier: string; readonly day: string }

/** The authorisation by which a supplier may sell us a product, in words for its application; null if there is none. */
export async function authorisedBy(tx: Tx, org: string, { product, supplier, day }: Sought): Promise<string | null> {
  const [made] = await tx`select 1 from product where id = ${product} and manufacturer_id = ${supplier}`
  if (made) return '供应商即生产厂家'
  const [found] = await tx<{ licence_no: string; valid_to: string | null }[]>`
    select licence_no, valid_to::text from granted_chain(${org}, ${product}, ${supplier}, ${day}::date)
     order by valid_to desc nulls first, id limit 1`
  return found ? `${found.licence_no}（${found.valid_to === null ? '长期' : `至${found.valid_to}`}）` : null
}

/** The authorisations by which the goods may be bought from this supplier, without duplicates. */
export const licencesOf = (authorisations: readonly Authorisation[]): Relied[] => [
  ...new Map(
    authorisations.flatMap(({ relied: licence }) => (licence ? [[licence.id, licence] as const] : [])),
  ).values(),
]
