import { dayOf } from '#kernel/values/date.ts'
import type { HisCharge } from '#server/public/outbound.ts'
import { storedCodes } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

/** Rows of charges; the pieces that they name by the codes under which we keep them. */
async function chargeRows(tx: Tx, org: string, charges: readonly HisCharge[]) {
  const named = charges.filter(({ unit_code }) => unit_code !== null)
  const codes = await storedCodes(
    tx,
    org,
    named.map(({ unit_code }) => unit_code!),
  )
  const stored = new Map(named.map((charge, at) => [charge, codes[at]!]))
  return charges.map(charge => ({
    ...charge,
    unit_code: stored.get(charge) ?? null,
    day: dayOf(new Date(charge.charged_at)),
  }))
}

/**
 * Stores charges of the HIS in our copy, by their number; a repeated charge updates the same row. Returns their keys.
 */
export async function storeCharges(tx: Tx, org: string, charges: readonly HisCharge[]): Promise<readonly string[]> {
  if (charges.length === 0) return []
  const rows = await chargeRows(tx, org, charges)
  const stored = await tx<{ id: string }[]>`
    insert into his_charge as h (org_id, charge_no, charge_kind, refunded_charge_no, request_key, request_line_no,
      patient_no, patient_name, visit_no, visit_class, department_code, department_id, item_code, item_name, quantity,
      price, amount, unit_code, charged_at, day)
    select distinct on (k.charge_no) ${org}, k.charge_no, k.charge_kind, k.refunded_charge_no, k.request_key,
           k.request_line_no, k.patient_no, k.patient_name, k.visit_no, k.visit_class, k.department_code, d.id,
           k.item_code, k.item_name, k.quantity, k.price, k.amount, k.unit_code, k.charged_at, k.day
      from jsonb_to_recordset(${tx.json(rows)}) as k(charge_no text, charge_kind text,
        refunded_charge_no text, request_key text, request_line_no int, patient_no text, patient_name text,
        visit_no text, visit_class text, department_code text, item_code text, item_name text, quantity numeric,
        price numeric, amount numeric, unit_code text, charged_at timestamptz, day date)
      left join department d on d.org_id = ${org} and d.his_code = k.department_code
     order by k.charge_no, d.id
    on conflict (org_id, charge_no) do update set charge_kind = excluded.charge_kind,
      refunded_charge_no = excluded.refunded_charge_no, patient_no = excluded.patient_no,
      patient_name = coalesce(excluded.patient_name, h.patient_name), visit_no = excluded.visit_no,
      visit_class = excluded.visit_class, department_code = excluded.department_code,
      department_id = excluded.department_id, item_code = excluded.item_code,
      item_name = coalesce(excluded.item_name, h.item_name), quantity = excluded.quantity, price = excluded.price,
      amount = excluded.amount, unit_code = excluded.unit_code, charged_at = excluded.charged_at, day = excluded.day,
      request_key = coalesce(excluded.request_key, h.request_key),
      request_line_no = coalesce(excluded.request_line_no, h.request_line_no), read_at = now()
    returning h.id`
  const ids = stored.map(row => row.id)
  const refunded = await nameRefunded(tx, org, ids)
  return [...new Set([...ids, ...refunded])]
}

/**
 * Links each refund to the charge that it names; if the HIS names none, to the oldest charge of the same patient and
 * item with enough left.
 */
async function nameRefunded(tx: Tx, org: string, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await tx<{ refunds_id: string }[]>`
    update his_charge r set refunds_id = k.refunds_id
      from (
        select r.id, coalesce(
            (select h.id from his_charge h where h.org_id = r.org_id and h.charge_no = r.refunded_charge_no),
            (select h.id from his_charge_left h where h.org_id = r.org_id and h.charge_kind = 'charge'
              and r.refunded_charge_no is null and h.visit_no = r.visit_no and h.item_code = r.item_code
              and h.unit_code is not distinct from r.unit_code and h.net_quantity >= r.quantity
              order by h.charged_at, h.id limit 1)) as refunds_id
          from his_charge r
         where r.org_id = ${org} and r.charge_kind = 'refund' and r.refunds_id is null
           and r.id = any(${ids as string[]}::bigint[])) k
     where r.org_id = ${org} and r.id = k.id and k.refunds_id is not null
    returning r.refunds_id`
  const known = await tx<{ refunds_id: string }[]>`
    select refunds_id from his_charge where org_id = ${org} and refunds_id is not null
      and id = any(${ids as string[]}::bigint[])`
  return [...rows, ...known].map(row => row.refunds_id)
}

/** Reduces links to the rest of these charges after refunds: the newest link is reduced first. */
export async function shrinkLinks(tx: Tx, org: string, charges: readonly string[]): Promise<readonly string[]> {
  const rows = await tx<{ use_check_id: string }[]>`
    update charge_link l set quantity = l.quantity - k.less
      from (
        select x.use_check_id, x.his_charge_id, least(x.quantity, greatest(x.surplus - x.before, 0)) as less
          from (
            select l.use_check_id, l.his_charge_id, l.quantity,
                   h.linked_quantity - greatest(h.net_quantity, 0) as surplus,
                   sum(l.quantity) over (partition by l.his_charge_id order by l.linked_at desc, l.use_check_id desc)
                     - l.quantity as before
              from charge_link l join his_charge_left h on h.org_id = l.org_id and h.id = l.his_charge_id
             where l.org_id = ${org} and l.his_charge_id = any(${charges as string[]}::bigint[])
               and h.linked_quantity > h.net_quantity) x) k
     where l.org_id = ${org} and l.use_check_id = k.use_check_id and l.his_charge_id = k.his_charge_id and k.less > 0
    returning l.use_check_id`
  return rows.map(row => row.use_check_id)
}

/**
 * Replaces the charges of a day: stored charges of that day that are not among these are deleted, with their matches.
 * Returns the keys of the charges and checks concerned.
 */
export async function replaceDay(tx: Tx, org: string, day: string, charges: readonly HisCharge[]) {
  const gone = await tx<{ id: string }[]>`
    select id from his_charge where org_id = ${org} and day = ${day}
      and not charge_no = any(${charges.map(charge => charge.charge_no)})`
  const ids = gone.map(row => row.id)
  const freed = await tx<{ use_check_id: string }[]>`
    delete from charge_link where org_id = ${org} and his_charge_id = any(${ids}::bigint[]) returning use_check_id`
  await tx`update his_charge set refunds_id = null where org_id = ${org} and refunds_id = any(${ids}::bigint[])`
  await tx`
    delete from his_charge h where h.org_id = ${org} and h.id = any(${ids}::bigint[])
      and not exists (select 1 from charge_request_line l where l.org_id = h.org_id and l.his_charge_id = h.id)`
  return { charges: await storeCharges(tx, org, charges), checks: freed.map(row => row.use_check_id) }
}
