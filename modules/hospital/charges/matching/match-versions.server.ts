import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

type Ended = { readonly session: Session; readonly ids: readonly string[]; readonly from: string }

/** Ends the pairs in force for these rows of the catalogue, on the day before; they stay in the history. */
const endVersions = (tx: Tx, { session, ids, from }: Ended) => tx`
  update his_match_version v set valid_to = ${from}::date - 1, ended_by = ${session.userName}, ended_at = now()
    from hospital_product h
   where h.org_id = ${session.org.id} and h.id = any(${ids as string[]}::bigint[]) and v.org_id = h.org_id
     and v.specification_id = h.specification_id and v.valid_to is null`

/** 无需对照 is in force from its day on, until the goods are matched or opened again. */
export const keepSkips = (tx: Tx, org: string, ids: readonly string[], from: string) => tx`
  with standing as (
    select h.specification_id, coalesce(m.match_state = 'skipped', false) as is_skipped
      from hospital_product h left join his_match m on m.org_id = h.org_id and m.id = h.id
     where h.org_id = ${org} and h.id = any(${ids as string[]}::bigint[])
  ), ended as (
    update his_match_skip k set valid_to = ${from}::date - 1 from standing s
     where k.org_id = ${org} and k.specification_id = s.specification_id and k.valid_to is null and not s.is_skipped
  )
  insert into his_match_skip (org_id, specification_id, valid_from)
  select ${org}, s.specification_id, ${from} from standing s
   where s.is_skipped and not exists (select 1 from his_match_skip k where k.org_id = ${org}
     and k.specification_id = s.specification_id and k.valid_to is null)`

/** True if goods needed no pair on a day. */
export const isSkippedOn = (tx: Tx, org: string, specification: Fragment, day: Fragment) => tx`
  exists (select 1 from his_match_skip k where k.org_id = ${org} and k.specification_id = ${specification}
    and k.valid_from <= ${day} and (k.valid_to is null or k.valid_to >= ${day}))`

/** Writes the HIS's codes of a product's pair to the catalogue. */
const codesOfCatalogue = (tx: Tx, org: string, ids: readonly string[]) => tx`
  update hospital_product h set his_code = i.material_code, his_charge_code = i.item_code, version = h.version + 1
    from his_match m left join his_item i on i.org_id = m.org_id and i.id = m.his_item_id
   where h.org_id = ${org} and h.id = any(${ids as string[]}::bigint[]) and m.org_id = h.org_id and m.id = h.id
     and (h.his_code, h.his_charge_code) is distinct from (i.material_code, i.item_code)`

/** A pair may not begin earlier than the one before it: uses of those days were charged by the earlier one. */
async function refuseEarlier(tx: Tx, org: string, ids: readonly string[], from: string): Promise<void> {
  const [later] = await tx<{ name: string; valid_from: string }[]>`
    select p.name || ' ' || s.name as name, max(v.valid_from)::text as valid_from
      from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      join his_match_version v on v.org_id = h.org_id and v.specification_id = h.specification_id
     where h.org_id = ${org} and h.id = any(${ids as string[]}::bigint[]) and v.valid_from > ${from}
     group by p.name, s.name limit 1`
  if (later)
    throw new BusinessError('rule', `【${later.name}】上一次对照自${later.valid_from}生效，新的生效日期不能早于它`)
}

/** Brings the pairs of these rows into force from their day on: earlier pairs end, and the catalogue follows. */
export async function bringIntoForce(tx: Tx, session: Session, ids: readonly string[], from: string): Promise<void> {
  const org = session.org.id
  await refuseEarlier(tx, org, ids, from)
  await endVersions(tx, { session, ids, from })
  await tx`
    insert into his_match_version (org_id, specification_id, his_item_id, factor, valid_from, matched_by)
    select m.org_id, m.specification_id, m.his_item_id, m.factor, ${from}, ${session.userName} from his_match m
     where m.org_id = ${org} and m.id = any(${ids as string[]}::bigint[])`
  await keepSkips(tx, org, ids, from)
  await codesOfCatalogue(tx, org, ids)
}

/** Ends these pairs from today on. */
export async function takeOutOfForce(tx: Tx, session: Session, ids: readonly string[]): Promise<void> {
  await endVersions(tx, { session, ids, from: today() })
  await keepSkips(tx, session.org.id, ids, today())
  await codesOfCatalogue(tx, session.org.id, ids)
}
