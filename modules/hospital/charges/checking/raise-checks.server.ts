import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { askCharges, askRefunds, withdrawCharges } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { isUse, noteEvents } from '#modules/hospital/charges/checking/checks.server.ts'
import { settleChecks } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { isSkippedOn } from '#modules/hospital/charges/matching/match-versions.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import type { Hooks } from '#server/public/hooks.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { StoredDocument } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Raised = { readonly id: string; readonly quantity: Decimal; readonly at: Date }
type Part = { readonly id: string; readonly quantity: Decimal }

/**
 * A row for each line of chargeable goods of these uses, and for each piece if pieces have codes. Goods that were
 * opened and not used are charged to nobody: of pieces with codes, the last ones of their line.
 */
const insertChecks = (tx: Tx, org: string, documents: readonly string[], inAdvance: boolean) => tx<Raised[]>`
  insert into use_check (org_id, use_document_id, use_line_no, unit_code, specification_id, lot_id, department_id,
    warehouse_id, supplier_id, quantity, item_code, factor, charge_price, cost_price, used_at,
    in_advance)
  select d.org_id, d.id, l.line_no, p.unit_code, l.specification_id, l.lot_id, d.department_id, d.warehouse_id,
         coalesce(nullif(l.owner_org_id, d.org_id), h.supplier_id), p.quantity, i.item_code, v.factor,
         coalesce(h.charge_price, 0), coalesce(l.taxed_amount / nullif(l.base_quantity, 0), 0), u.used_at,
         ${inAdvance}
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
    join hospital_product h on h.org_id = d.org_id and h.specification_id = l.specification_id and h.is_chargeable
    cross join lateral (
      select coalesce((d.fields->>'used_at')::timestamptz, d.reviewed_at, posting_now()) as used_at) u
    left join lateral (
      select x.his_item_id, x.factor from his_match_version x
       where x.org_id = d.org_id and x.specification_id = l.specification_id
         and x.valid_from <= (u.used_at at time zone 'Asia/Shanghai')::date
         and (x.valid_to is null or x.valid_to >= (u.used_at at time zone 'Asia/Shanghai')::date)
       order by x.valid_from desc, x.id desc limit 1) v on true
    left join his_item i on i.org_id = d.org_id and i.id = v.his_item_id
    cross join lateral (
      select coalesce((l.fields->>'wasted_quantity')::numeric, 0) * l.base_quantity / nullif(l.quantity, 0) as wasted) w
    cross join lateral (
      select c.code as unit_code, 1::numeric as quantity
        from unnest(l.unit_codes) with ordinality c(code, place)
       where l.coded_quantity is null and c.place <= cardinality(l.unit_codes) - w.wasted
      union all
      select null, l.base_quantity - w.wasted where cardinality(l.unit_codes) = 0 or l.coded_quantity is not null) p
   where d.org_id = ${org} and d.id = any(${documents as string[]}::bigint[]) and p.quantity > 0
     and not ${isSkippedOn(tx, org, tx`h.specification_id`, tx`(u.used_at at time zone 'Asia/Shanghai')::date`)}
   order by d.id, l.line_no, p.unit_code
  returning id, quantity, used_at as at`

/**
 * Creates the checks of a use that is charged before its review, at its submit. Returns them; no event is booked yet.
 */
export const raiseInAdvance = async (tx: Tx, org: string, document: string): Promise<readonly string[]> =>
  (await insertChecks(tx, org, [document], true)).map(row => row.id)

/** Checks that were created in advance count from now on, because their use is in force. */
const countInAdvance = (tx: Tx, org: string, documents: readonly string[]) => tx<Raised[]>`
  update use_check c set in_advance = false, version = c.version + 1,
    used_at = coalesce((d.fields->>'used_at')::timestamptz, d.reviewed_at, posting_now()),
    cost_price = coalesce(l.taxed_amount / nullif(l.base_quantity, 0), 0)
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
   where c.org_id = ${org} and c.use_document_id = any(${documents as string[]}::bigint[]) and c.in_advance
     and c.returned < c.quantity and d.org_id = c.org_id and d.id = c.use_document_id
     and l.line_no = c.use_line_no
  returning c.id, c.quantity, c.used_at as at`

/** Creates the checks of uses that came into force, and books the use. */
export async function raiseChecks(tx: Tx, org: string, documents: readonly string[]): Promise<readonly string[]> {
  const before = await countInAdvance(tx, org, documents)
  const raised = before.length > 0 ? before : await insertChecks(tx, org, documents, false)
  if (raised.length === 0) return []
  await noteEvents(
    tx,
    org,
    'use',
    raised.map(row => ({ ...row, at: new Date(row.at).toISOString() })),
  )
  if (before.length > 0)
    await settleChecks(
      tx,
      org,
      before.map(row => row.id),
    )
  return raised.map(row => row.id)
}

/** The quantities by which the checks of a use are taken back: those of the given reversal, or all. */
const returnedBy = (tx: Tx, org: string, use: string, red: string | null) => tx<Part[]>`
  update use_check c set returned = c.returned + k.quantity, version = c.version + 1
    from (
      select x.id, least(x.quantity - x.returned,
               case when ${red}::bigint is null then x.quantity when x.unit_code is null then - l.base_quantity
                 else 1 end) as quantity
        from use_check x
        left join document_line l on l.org_id = x.org_id and l.document_id = ${red} and l.line_no = x.use_line_no
       where x.org_id = ${org} and x.use_document_id = ${use} and x.returned < x.quantity and not x.in_advance
         and (${red}::bigint is null or (l.line_no is not null
           and (x.unit_code is null or x.unit_code = any(l.unit_codes))))) k
   where c.org_id = ${org} and c.id = k.id and k.quantity > 0
  returning c.id, k.quantity`

/** A use was taken back, in part or wholly: charges beyond the rest are refunded. */
async function takeBack(tx: Tx, session: Session, use: string, red: string | null): Promise<void> {
  const org = session.org.id
  const parts = await returnedBy(tx, org, use, red)
  if (parts.length === 0) return
  const at = new Date().toISOString()
  await noteEvents(
    tx,
    org,
    'back',
    parts.map(part => ({ ...part, at })),
  )
  if (red === null) await withdrawCharges(tx, org, use)
  const ids = parts.map(part => part.id)
  await settleChecks(tx, org, ids)
  await askRefunds(tx, org, ids, 'surplus', { name: session.userName, reason: '退用' })
}

const concerns = (session: Session, definition: AnyDocument): boolean =>
  session.org.type === 'H' && isUse(definition.kind)

async function cameIntoForce(tx: Tx, session: Session, definition: AnyDocument, doc: StoredDocument): Promise<void> {
  if (!concerns(session, definition)) return
  const org = session.org.id
  const [row] = await tx<{ red_of_id: string | null }[]>`
    select red_of_id from document where org_id = ${org} and id = ${doc.id}`
  if (row?.red_of_id) return takeBack(tx, session, row.red_of_id, doc.id)
  if ((await connectedHis(tx, org)) === null) return
  const raised = await raiseChecks(tx, org, [doc.id])
  const place = { warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const { charge_on_review: onReview, charge_timing: timing } = await settingsFor(tx, org, place)
  // Uses that nobody submitted (out of a cabinet, from a kit) are charged once they are known, even if charges come
  // before the use.
  if (onReview || timing === 'before') await askCharges(tx, org, raised, { name: session.userName, reason: null })
}

/** A reviewed use is charged, its reversal refunded. Nobody is blocked while the HIS is down. */
export const useCharges: Hooks['effects'][number] = {
  onEffective: cameIntoForce,
  async onVoided(tx, session, definition, document) {
    if (concerns(session, definition)) await takeBack(tx, session, document, null)
  },
}
