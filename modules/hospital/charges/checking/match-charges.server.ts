import { compare, type Decimal, isPositive, subtract } from '#kernel/values/decimal.ts'
import { dueSql, judgeChecks } from '#modules/hospital/charges/checking/checks.server.ts'
import { noteChargeStates } from '#modules/hospital/charges/checking/charge-state.server.ts'
import { releaseSettlements } from '#modules/hospital/charges/checking/release-settlements.server.ts'
import { shrinkLinks } from '#modules/hospital/charges/checking/stored-charges.server.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Tx } from '#server/public/database.ts'

/** The most rows of one round: the next round handles the others. */
const MOST = 5000
const MS_OF_AN_HOUR = 3_600_000

/** Only one process at a time links charges to uses: two could link the same charge twice. */
export const lockMatching = (tx: Tx, org: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended('match_charges', ${org}::bigint))`

/** Uses from before their product was matched are charged under the item of their day, once there is one. */
const nameItems = (tx: Tx, org: string) => tx`
  update use_check c set item_code = i.item_code, factor = v.factor, version = c.version + 1
    from his_match_version v join his_item i on i.org_id = v.org_id and i.id = v.his_item_id
   where c.org_id = ${org} and c.item_code is null and c.state in ('waiting', 'missed')
     and v.org_id = c.org_id and v.specification_id = c.specification_id
     and v.valid_from <= (c.used_at at time zone 'Asia/Shanghai')::date
     and (v.valid_to is null or v.valid_to >= (c.used_at at time zone 'Asia/Shanghai')::date)`

/** Links charges that were booked under the line of a request to the use of that line. */
export const linkRequested = (tx: Tx, org: string) => tx<{ use_check_id: string }[]>`
  insert into charge_link (org_id, use_check_id, his_charge_id, quantity, linked_by)
  select h.org_id, l.use_check_id, h.id, h.net_quantity - h.linked_quantity, 'request'
    from charge_request r
    join charge_request_line l on l.org_id = r.org_id and l.request_id = r.id
    join use_check c on c.org_id = l.org_id and c.id = l.use_check_id and not c.by_hand
    join his_charge_left h on h.org_id = r.org_id and h.request_key = 'useCharge:' || r.id
      and h.request_line_no = l.line_no and h.charge_kind = 'charge'
   where r.org_id = ${org} and r.request_kind = 'charge' and h.net_quantity > h.linked_quantity
  on conflict (org_id, use_check_id, his_charge_id) do nothing
  returning use_check_id`

/** A charge that names a piece belongs to the use of that piece. */
const linkCoded = (tx: Tx, org: string) => tx<{ use_check_id: string }[]>`
  insert into charge_link (org_id, use_check_id, his_charge_id, quantity, linked_by)
  select h.org_id, c.id, h.id, h.net_quantity - h.linked_quantity, 'code'
    from use_check c join his_charge_left h on h.org_id = c.org_id and h.unit_code = c.unit_code
      and h.charge_kind = 'charge'
   where c.org_id = ${org} and c.unit_code is not null and c.state in ('waiting', 'missed', 'refunded')
     and not c.by_hand and c.quantity > c.returned and h.net_quantity > h.linked_quantity
     and h.difference_state <> 'ignored'
     and c.id = (select max(x.id) from use_check x where x.org_id = c.org_id and x.unit_code = c.unit_code
       and x.quantity > x.returned)
  on conflict (org_id, use_check_id, his_charge_id) do update set quantity = charge_link.quantity + excluded.quantity
  returning use_check_id`

/** Frees the part of a linked charge that exceeds its use, so that another use of the patient can be linked to it. */
const freeSurplus = (tx: Tx, org: string) => tx<{ use_check_id: string }[]>`
  update charge_link l set quantity = l.quantity - least(l.quantity, c.charged_quantity - ${dueSql(tx)})
    from use_check c
   where c.org_id = ${org} and c.state = 'over' and l.org_id = c.org_id and l.use_check_id = c.id
     and l.linked_by = 'window' and l.his_charge_id = (select max(x.his_charge_id) from charge_link x
       where x.org_id = c.org_id and x.use_check_id = c.id and x.linked_by = 'window' and x.quantity > 0)
     and exists (
       select 1 from document d, use_check w join document o on o.org_id = w.org_id and o.id = w.use_document_id
        where d.org_id = c.org_id and d.id = c.use_document_id and w.org_id = c.org_id and w.item_code = c.item_code
          and w.unit_code is null and w.state in ('waiting', 'missed', 'refunded')
          and (o.fields->>'admission_no' = d.fields->>'admission_no'
            or o.fields->>'patient_no' = d.fields->>'patient_no'))
  returning l.use_check_id`

/** The quantity of a use or of a charge that is still to be paired. */
type Side = { readonly id: string; left: Decimal }
type Want = Side & {
  readonly item_code: string
  readonly patient_no: string | null
  readonly visit_no: string | null
  readonly used_ms: number
}
type Free = Side & {
  readonly item_code: string
  readonly patient_no: string
  readonly visit_no: string
  readonly charged_ms: number
  /** The use that the charge paid for last: a surplus counts as charged too much for that one. */
  readonly paid: string | null
}
type Given = { readonly check: string; readonly charge: string; readonly quantity: Decimal }

/** Uses that are not wholly charged, and for whose patient and item the HIS has a charge that is not used up. */
const wanting = (tx: Tx, org: string) => tx<Want[]>`
  select c.id, c.item_code, nullif(d.fields->>'patient_no', '') as patient_no,
         nullif(d.fields->>'admission_no', '') as visit_no,
         (extract(epoch from c.used_at) * 1000)::float8 as used_ms, ${dueSql(tx)} - coalesce(l.linked, 0) as left
    from use_check c join document d on d.org_id = c.org_id and d.id = c.use_document_id
    left join lateral (select sum(x.quantity) as linked from charge_link x
      where x.org_id = c.org_id and x.use_check_id = c.id) l on true
   where c.org_id = ${org} and c.unit_code is null and c.item_code is not null and not c.by_hand
     and c.state in ('waiting', 'missed', 'refunded', 'over') and ${dueSql(tx)} > coalesce(l.linked, 0)
     and exists (select 1 from his_charge_left h
       where h.org_id = c.org_id and h.item_code = c.item_code and h.charge_kind = 'charge' and h.unit_code is null
         and (h.visit_no = nullif(d.fields->>'admission_no', '') or h.patient_no = nullif(d.fields->>'patient_no', ''))
         and h.net_quantity > h.linked_quantity)
   order by c.used_at, c.id limit ${MOST}`

const freeFor = (tx: Tx, org: string, wants: readonly Want[]) => tx<Free[]>`
  select h.id, h.item_code, h.patient_no, h.visit_no, (extract(epoch from h.charged_at) * 1000)::float8 as charged_ms,
         h.net_quantity - h.linked_quantity as left,
         (select l.use_check_id from charge_link l where l.org_id = h.org_id and l.his_charge_id = h.id
           order by l.linked_at desc limit 1) as paid
    from his_charge_left h
   where h.org_id = ${org} and h.charge_kind = 'charge' and h.unit_code is null and h.difference_state <> 'ignored'
     and h.item_code = any(${[...new Set(wants.map(want => want.item_code))]})
     and (h.visit_no = any(${wants.flatMap(want => want.visit_no ?? [])})
       or h.patient_no = any(${wants.flatMap(want => want.patient_no ?? [])}))
     and h.net_quantity > h.linked_quantity
   order by h.charged_at, h.id limit ${MOST}`

const isSamePatient = (want: Want, charge: Free): boolean =>
  want.visit_no !== null ? want.visit_no === charge.visit_no : want.patient_no === charge.patient_no

/** Pairs the first use with the first charge, up to the quantity of each; the rest stays in them. */
export function pair<Use extends Side, Charge extends Side>(
  uses: readonly Use[],
  charges: readonly Charge[],
  fits: (use: Use, charge: Charge) => boolean = () => true,
): Given[] {
  const given: Given[] = []
  for (const use of uses)
    for (const charge of charges) {
      if (!isPositive(use.left)) break
      if (!isPositive(charge.left) || !fits(use, charge)) continue
      const quantity = compare(charge.left, use.left) < 0 ? charge.left : use.left
      use.left = subtract(use.left, quantity, 4)
      charge.left = subtract(charge.left, quantity, 4)
      given.push({ check: use.id, charge: charge.id, quantity })
    }
  return given
}

/** Pairs uses and charges of the same patient and item within the window. The rest of a charge is too much. */
function pairInWindow(wants: readonly Want[], frees: readonly Free[], windowMs: number): readonly Given[] {
  const charges = Map.groupBy(frees, charge => charge.item_code)
  const fits = (want: Want, charge: Free) =>
    isSamePatient(want, charge) && Math.abs(charge.charged_ms - want.used_ms) <= windowMs
  const given = [...Map.groupBy(wants, want => want.item_code)].flatMap(([item, uses]) =>
    pair(uses, charges.get(item) ?? [], fits),
  )
  const paid = new Map(given.map(({ charge, check }) => [charge, check]))
  const surplus = frees.flatMap(({ id, left, paid: before }): Given[] => {
    const check = paid.get(id) ?? before
    return check !== null && isPositive(left) ? [{ check, charge: id, quantity: left }] : []
  })
  return [...given, ...surplus]
}

async function linkInWindow(tx: Tx, org: string, hours: number): Promise<readonly string[]> {
  const wants = await wanting(tx, org)
  if (wants.length === 0) return []
  const given = pairInWindow(wants, await freeFor(tx, org, wants), hours * MS_OF_AN_HOUR)
  await writeLinks(tx, org, given, 'window', null)
  return given.map(one => one.check)
}

/** Writes links of uses and charges; further quantities of the same pair are added to its link. */
export const writeLinks = (tx: Tx, org: string, given: readonly Given[], by: string, actor: string | null) => tx`
  insert into charge_link (org_id, use_check_id, his_charge_id, quantity, linked_by, actor_name)
  select ${org}, k."check", k.charge, sum(k.quantity), ${by}, ${actor}
    from jsonb_to_recordset(${tx.json(given)}) as k("check" bigint, charge bigint, quantity numeric)
   group by 2, 3
  on conflict (org_id, use_check_id, his_charge_id) do update set quantity = charge_link.quantity + excluded.quantity`

/** Waiting checks come first, because they change by time alone. */
const openChecks = (tx: Tx, org: string) => tx<{ id: string }[]>`
  select id from use_check where org_id = ${org} and state in ('waiting', 'missed', 'over', 'refunded')
   order by state <> 'waiting', used_at limit ${MOST}`

/** Uses whose charge state on the document has to be updated. */
async function noteDocuments(tx: Tx, org: string, checks: readonly string[]): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select distinct use_document_id as id from use_check
     where org_id = ${org} and id = any(${checks as string[]}::bigint[])`
  await noteChargeStates(
    tx,
    org,
    rows.map(row => row.id),
  )
}

/** Updates the state of these checks, and of their documents. */
export async function settleChecks(tx: Tx, org: string, checks: readonly string[]): Promise<number> {
  const ids = [...new Set(checks)]
  const changed = await judgeChecks(tx, org, ids)
  if (changed.length > 0) await releaseSettlements(tx, org, changed)
  await noteDocuments(tx, org, ids)
  return changed.length
}

/**
 * 核对: finds charges of the HIS for open uses, by the line of our request, by the code of the piece, else by patient and
 * item within the window. `charges`, `checks`: the rows that changed since. Returns how many checks changed their
 * state.
 */
export async function matchCharges(
  tx: Tx,
  org: string,
  { charges = [], checks = [] }: { readonly charges?: readonly string[]; readonly checks?: readonly string[] } = {},
): Promise<number> {
  await lockMatching(tx, org)
  const { charge_window_hours: hours } = await settingsFor(tx, org)
  await nameItems(tx, org)
  const shrunk = await shrinkLinks(tx, org, charges)
  const freed = await freeSurplus(tx, org)
  const requested = await linkRequested(tx, org)
  const coded = await linkCoded(tx, org)
  const inWindow = await linkInWindow(tx, org, hours)
  const open = await openChecks(tx, org)
  const touched = [...shrunk, ...checks, ...inWindow]
  return settleChecks(tx, org, [
    ...touched,
    ...[...freed, ...requested, ...coded].map(row => row.use_check_id),
    ...open.map(row => row.id),
  ])
}
