import { kindsAdding, kindsTakingBack } from '#kernel/measure/feeding.ts'
import type { Working } from '#modules/hospital/cabinet/device/event-context.server.ts'
import type { Tx } from '#server/public/database.ts'

/** The values that an opening shares with everything done during it. */
export type Opening = {
  readonly door_id: string | null
  readonly session_id: string | null
  readonly user_id: string | null
  readonly operator_name: string
  readonly auth: string | null
  readonly opened_at: string
}

/** One step of a user: the operation, its goods and its state. */
export type Done = {
  readonly operation: 'take' | 'return' | 'refill' | 'withdraw' | 'count' | 'remote_open' | 'abnormal_open'
  readonly state: 'pending' | 'linked' | 'returned' | 'abnormal' | 'settled'
  readonly closed_at: string | null
  readonly note?: string | null
  readonly specification_id?: string | null
  readonly lot_id?: string | null
  readonly lot_no?: string | null
  readonly unit_code?: string | null
  readonly owner_id?: string | null
  readonly quantity?: string
  readonly document_kind?: string | null
  readonly document_sn?: string | null
  readonly is_wrong_cabinet?: boolean
}

/**
 * Writes what was done in one statement. A row's number is the event's number and its position in it, so a repeated
 * event finds it already there. Returns the ids.
 */
export async function writeTransactions(working: Working, opening: Opening, done: readonly Done[]): Promise<string[]> {
  if (done.length === 0) return []
  const { tx, device, cabinet, event, rows } = working
  const list = done.map(one => ({ ...one, serial_no: `${cabinet.code}-${event.event_id}-${(rows.count += 1)}` }))
  const made = await tx<{ id: string }[]>`
    insert into cabinet_transaction (org_id, serial_no, cabinet_id, door_id, session_id, warehouse_id, department_id,
      operation, user_id, operator_name, auth, opened_at, closed_at,
                                     specification_id, lot_id, lot_no, unit_code, owner_id, quantity, video,
                                       document_kind, document_sn, is_wrong_cabinet, state, note)
    select ${device.org.id}, d.serial_no, ${device.id}, ${opening.door_id}, ${opening.session_id},
      ${cabinet.warehouse_id}, ${cabinet.department_id}, d.operation, ${opening.user_id}, ${opening.operator_name},
           ${opening.auth}, ${opening.opened_at}, d.closed_at, d.specification_id, d.lot_id, d.lot_no, d.unit_code,
             d.owner_id, coalesce(d.quantity, 0), ${videoOf(event.payload)}, d.document_kind, d.document_sn,
           coalesce(d.is_wrong_cabinet, false), d.state, d.note
      from jsonb_to_recordset(${tx.json(list)}) d(serial_no text, operation text, closed_at timestamptz,
        specification_id bigint, lot_id bigint, lot_no text, unit_code text, owner_id bigint,
           quantity numeric(18,3), document_kind text, document_sn text, is_wrong_cabinet boolean, state text,
             note text)
    on conflict (org_id, serial_no) do nothing returning id`
  return made.map(row => row.id)
}

const videoOf = (payload: Readonly<Record<string, unknown>>): string | null =>
  typeof payload.video === 'string' ? payload.video.slice(0, 200) : null

/** Kinds of documents by which goods leave a cabinet for another store. */
const leaving = () => [...kindsAdding('moved'), ...kindsTakingBack('granted')]

/** 变动后库存: the stock of the cabinet after all steps: the ledger quantity less the goods taken and not booked yet. */
export const countAfter = (tx: Tx, org: string, ids: readonly string[]) => tx`
  update cabinet_transaction t set stock_after =
    (select coalesce(sum(b.quantity), 0) from stock_balance b
      where b.org_id = t.org_id and b.warehouse_id = t.warehouse_id and b.specification_id = t.specification_id)
    - (select coalesce(sum(x.quantity), 0) from cabinet_transaction x
        where x.org_id = t.org_id and x.warehouse_id = t.warehouse_id and x.specification_id = t.specification_id
          and x.operation in ('take', 'withdraw') and x.lot_id is not null
          and (x.state in ('pending', 'abnormal') and x.document_sn is null
               or x.operation = 'withdraw' and x.document_kind = any(${leaving()})
                 and exists (select 1 from document d where d.org_id = x.org_id and d.sn = x.document_sn
                 and d.state in ('draft', 'submitted', 'rejected'))))
   where t.org_id = ${org} and t.id = any(${ids as string[]}::bigint[]) and t.specification_id is not null`
