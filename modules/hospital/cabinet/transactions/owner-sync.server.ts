import type { Sql } from 'postgres'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { Fragment } from '#server/public/records.ts'

type Row = Readonly<Record<string, never>>
type Unsent = {
  readonly org_id: string
  readonly owner_id: string
  readonly id: string
  readonly version: number
  readonly row: Row
}

/**
 * Sends owners what happened to their goods in customers' cabinets, each in a transaction of the owner; sending
 * again updates the same row.
 */
async function shareTransactions(owner: Sql): Promise<void> {
  const unsent = await owner<Unsent[]>`
    select t.org_id, t.owner_id, t.id, t.version,
      jsonb_build_object('from_org_id', t.org_id, 'of_id', t.id, 'serial_no', t.serial_no, 'department_name', dp.name,
      'cabinet_name', c.name, 'door_no', d.door_no,
             'operation', t.operation, 'opened_at', t.opened_at, 'closed_at', t.closed_at, 'specification_id',
               t.specification_id, 'lot_no', t.lot_no, 'unit_code', t.unit_code, 'quantity', t.quantity,
             'document_sn', t.document_sn, 'state', t.state) as row
      from cabinet_transaction t join cabinet c on c.org_id = t.org_id and c.id = t.cabinet_id left
        join cabinet_door d on d.org_id = t.org_id and d.id = t.door_id
      left join department dp on dp.org_id = t.org_id and dp.id = t.department_id
     where t.owner_id is not null and t.owner_id <> t.org_id and t.sent_version <> t.version order by t.org_id,
       t.owner_id, t.id limit 1000`
  for (const rows of Map.groupBy(unsent, row => `${row.org_id}/${row.owner_id}`).values()) {
    const { org_id: from, owner_id: to } = rows[0]!
    await inOrganisation(owner, to, '0', tx =>
      receiveTransactions(
        tx,
        to,
        rows.map(row => row.row),
      ),
    )
    await inOrganisation(
      owner,
      from,
      '0',
      tx => tx`
      update cabinet_transaction t set sent_version = k.version
        from jsonb_to_recordset(${tx.json(rows.map(({ id, version }) => ({ id, version })))}) k(id bigint,
        version int)
       where t.org_id = ${from} and t.id = k.id`,
    )
  }
}

const receiveTransactions = (tx: Tx, to: string, rows: readonly Row[]) => tx`
  insert into shared_cabinet_transaction (org_id, from_org_id, of_id, serial_no, department_name, cabinet_name,
    door_no, operation, opened_at, closed_at, specification_id, lot_no, unit_code, quantity, document_sn, state)
  select ${to}, r.from_org_id, r.of_id, r.serial_no, r.department_name, r.cabinet_name, r.door_no, r.operation,
    r.opened_at, r.closed_at, r.specification_id, r.lot_no, r.unit_code, r.quantity, r.document_sn, r.state
    from jsonb_to_recordset(${tx.json(rows)}) r(from_org_id bigint, of_id bigint, serial_no text,
      department_name text, cabinet_name text, door_no text, operation text, opened_at timestamptz,
      closed_at timestamptz,
         specification_id bigint, lot_no text, unit_code text, quantity numeric(18,3), document_sn text, state text)
  on conflict (org_id, from_org_id, of_id) do update set document_sn = excluded.document_sn, state = excluded.state`

type Held = { readonly owner_id: string }

/** The contents of a hospital's cabinets, sent again to each owner when goods of the organisation moved. */
async function shareStock(owner: Sql): Promise<void> {
  const moved = await owner<{ org_id: string; owners: string[]; move_id: string }[]>`
    select c.org_id, coalesce(k.owners, '{}') as owners,
      (select max(m.id) from stock_move m where m.org_id = c.org_id) as move_id
      from (select distinct org_id from cabinet) c left join cabinet_shared k on k.org_id = c.org_id
     where exists (select 1 from stock_move m where m.org_id = c.org_id and m.id > coalesce(k.move_id, 0))`
  for (const { org_id: from, owners, move_id } of moved) {
    const held = await owner<(Held & Row)[]>`
      select b.owner_id, dp.name as department_name, c.name as cabinet_name, b.door_no, b.slot, b.specification_id,
        b.product_id, b.lot_no, b.expiry_date, sum(b.quantity) as quantity, c.read_at,
             (select count(*)::int from unit u where u.lot_id = b.lot_id and u.id > 0 and u.holder_org_id = b.org_id
               and u.warehouse_id = b.warehouse_id and u.status = 'in_stock' and u.owner_id = b.owner_id) as unit_count
        from cabinet_stock b join cabinet c on c.org_id = b.org_id and c.id = b.cabinet_id left
          join department dp on dp.org_id = b.org_id and dp.id = b.department_id
       where b.org_id = ${from} and b.owner_id <> ${from}
       group by b.org_id, b.owner_id, dp.name, c.name, c.read_at, b.door_no, b.slot, b.specification_id, b.product_id,
         b.lot_id, b.lot_no, b.expiry_date, b.warehouse_id`
    const byOwner = Map.groupBy(held, row => row.owner_id)
    for (const to of new Set([...owners, ...byOwner.keys()]))
      await inOrganisation(owner, to, '0', tx => receiveStock(tx, to, from, byOwner.get(to) ?? []))
    await inOrganisation(
      owner,
      from,
      '0',
      tx => tx`
      insert into cabinet_shared (org_id, move_id, owners)
        values (${from}, ${move_id}, ${[...byOwner.keys()]}::bigint[])
      on conflict (org_id) do update set move_id = excluded.move_id, owners = excluded.owners`,
    )
  }
}

async function receiveStock(tx: Tx, to: string, from: string, rows: readonly Row[]): Promise<void> {
  await tx`delete from shared_cabinet_stock where org_id = ${to} and from_org_id = ${from}`
  if (rows.length === 0) return
  await tx`
    insert into shared_cabinet_stock (org_id, from_org_id, department_name, cabinet_name, door_no, slot,
      specification_id, product_id, lot_no, expiry_date, quantity, unit_count, read_at)
    select ${to}, ${from}, r.department_name, r.cabinet_name, r.door_no, r.slot, r.specification_id, r.product_id,
      r.lot_no, r.expiry_date, r.quantity, r.unit_count, r.read_at
      from jsonb_to_recordset(${tx.json(rows)}) r(department_name text, cabinet_name text, door_no text,
        slot text, specification_id bigint, product_id bigint, lot_no text, expiry_date date, quantity numeric(18,3),
        unit_count int, read_at timestamptz)
    returning id`
}

/** One run: the owners' view of customers' cabinets follows within seconds. */
export async function shareCabinets(_app: Sql, owner: Sql): Promise<void> {
  await shareTransactions(owner)
  await shareStock(owner)
}

/** Rows of cabinet_transaction as the owner of goods sees them at a customer: no operator, no patient, no recording. */
export const transactionsOfOthers = (tx: Tx): Fragment => tx`
  (select s.org_id, s.id, 1 as version, s.serial_no, null::bigint as department_id, null::bigint as cabinet_id,
    null::bigint as door_id, null::bigint as warehouse_id, null::bigint as user_id, s.operation,
          null::text as operator_name, null::text as auth, s.opened_at, s.closed_at, s.specification_id, s.lot_no,
            s.unit_code, s.quantity, null::numeric as stock_after, s.org_id as owner_id,
          null::text as patient_no, null::text as patient_name, null::text as admission_no, null::text as surgery_name,
            s.document_sn, null::text as document_kind, false as is_wrong_cabinet, null::text as note,
          null::text as explanation, null::text as explained_by, null::timestamptz as explained_at,
            null::text as video, s.state, s.department_name, s.cabinet_name, s.door_no, s.from_org_id
            from shared_cabinet_transaction s)`

/** Rows of cabinet_stock as the owner of goods sees them at a customer: limits and refills belong to the hospital. */
export const stockOfOthers = (tx: Tx): Fragment => tx`
  (select s.org_id, s.id::text as id, null::bigint as department_id, null::bigint as cabinet_id, s.door_no, s.slot,
    null::bigint as warehouse_id, s.product_id, s.specification_id, s.lot_no, s.expiry_date, s.quantity,
          null::numeric as lower_limit, null::numeric as upper_limit, s.org_id as owner_id, s.department_name,
            s.cabinet_name, s.unit_count, s.read_at, s.from_org_id from shared_cabinet_stock s)`

/** Columns that both lists show in place of the name of a record of the customer. */
export const customerColumns = (tx: Tx): Readonly<Record<string, Fragment>> => ({
  hospital_name: tx`(select o.name from organisation o where o.id = t.from_org_id)`,
  cabinet_name: tx`t.cabinet_name`,
  department_name: tx`t.department_name`,
})
