import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Ended = { readonly session: Session; readonly ids: readonly string[]; readonly from: string }

/** Ends the pairs that are in force for these rows of the catalogue, on the day before; they stay in the history. */
const endVersions = (tx: Tx, { session, ids, from }: Ended) => tx`
  update his_match_version v set valid_to = ${from}::date - 1, ended_by = ${session.userName}, ended_at = now()
    from hospital_product h
   where h.org_id = ${session.org.id} and h.id = any(${ids as string[]}::bigint[]) and v.org_id = h.org_id
     and v.specification_id = h.specification_id and v.valid_to is null`

/** The catalogue says under which codes the HIS knows a product: those of its pair. */
const codesOfCatalogue = (tx: Tx, org: string, ids: readonly string[]) => tx`
  update hospital_product h set his_code = i.material_code, his_charge_code = i.item_code, version = h.version + 1
    from his_match m left join his_item i on i.org_id = m.org_id and i.id = m.his_item_id
   where h.org_id = ${org} and h.id = any(${ids as string[]}::bigint[]) and m.org_id = h.org_id and m.id = h.id
     and (h.his_code, h.his_charge_code) is distinct from (i.material_code, i.item_code)`

/** A pair begins no earlier than the one before it: uses of those days were charged by that one. */
export async function refuseEarlier(tx: Tx, org: string, ids: readonly string[], from: string): Promise<void> {
  const [later] = await tx<{ name: string; valid_from: string }[]>`
    select p.name || ' ' || s.name as name, max(v.valid_from)::text as valid_from
      from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      join his_match_version v on v.org_id = h.org_id and v.specification_id = h.specification_id
     where h.org_id = ${org} and h.id = any(${ids as string[]}::bigint[]) and v.valid_from > ${from}
     group by p.name, s.name limit 1`
  if (later)
    throw new BusinessError('rule', `【${later.name}】上一次对照自${later.valid_from}生效，新的生效日期不能早于它`)
}

/** The pairs of these rows are in force from their day on: what was in force before ends, and the catalogue follows. */
export async function bringIntoForce(tx: Tx, session: Session, ids: readonly string[], from: string): Promise<void> {
  const org = session.org.id
  await refuseEarlier(tx, org, ids, from)
  await endVersions(tx, { session, ids, from })
  await tx`
    insert into his_match_version (org_id, specification_id, his_item_id, factor, valid_from, matched_by)
    select m.org_id, m.specification_id, m.his_item_id, m.factor, ${from}, ${session.userName} from his_match m
     where m.org_id = ${org} and m.id = any(${ids as string[]}::bigint[])`
  await codesOfCatalogue(tx, org, ids)
}

/** They are in force no more, from today on. */
export async function takeOutOfForce(tx: Tx, session: Session, ids: readonly string[]): Promise<void> {
  await endVersions(tx, { session, ids, from: today() })
  await codesOfCatalogue(tx, session.org.id, ids)
}
