import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { compare } from '#kernel/values/decimal.ts'
import type { Working } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { nextNumber } from '#server/public/documents.ts'
import { type KnownUnit, serialsByCode } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

export const READ_SECONDS = 60
export const TIMED_OUT = '设备读取超时，请重试'

/** One difference from the ledger. */
type Difference = {
  readonly kind: 'missing' | 'surplus' | 'misplaced' | 'unknown'
  readonly specification_id: string | null
  readonly lot_id: string | null
  readonly lot_no: string | null
  readonly unit_code: string | null
  readonly owner_id: string | null
  readonly book: Decimal
  readonly read: Decimal
  readonly other_warehouse_id: string | null
}
type BookUnit = {
  lot_id: string
  unit_id: string
  specification_id: string
  lot_no: string
  owner_id: string
  code: string
}

/** The number of a comparison: BD, date, and a counter per day. */
export const comparisonNo = (tx: Tx, org: string): Promise<string> =>
  nextNumber(tx, org, { kind: 'cabinetComparison', numberPrefix: 'BD' })

/**
 * Pieces the ledger has in the warehouse, each under one of its codes: the one the device last reported, or the
 * newest.
 */
const booked = (tx: Tx, org: string, warehouse: string) => tx<BookUnit[]>`
  select u.lot_id, u.id as unit_id, u.specification_id, t.lot_no, u.owner_id,
         (select c.bare from unit_code c where c.lot_id = u.lot_id and c.unit_id = u.id
           order by c.issuer_org_id = ${org} desc nulls last, c.kind, c.bare limit 1) as code
    from unit u join lot t on t.id = u.lot_id
   where u.holder_org_id = ${org} and u.warehouse_id = ${warehouse} and u.status = 'in_stock' and u.id > 0`

const idOf = (unit: { lot_id: string; unit_id: string }): string => `${unit.lot_id}/${unit.unit_id}`

/**
 * Compares tags with pieces: pieces that the ledger has and that were not read, and tags that were read but are
 * elsewhere, or nowhere, in the ledger.
 */
async function differencesOfTags(
  { tx, device, cabinet }: Working,
  codes: readonly string[],
): Promise<{ found: Difference[]; here: BookUnit[] }> {
  const org = device.org.id
  const [units, known] = [await booked(tx, org, cabinet.warehouse_id), await serialsByCode(tx, org, codes)]
  const read = new Set([...known.values()].map(idOf))
  const mine = new Map(units.map(unit => [idOf(unit), unit]))
  const cabinets = new Set(
    (await tx<{ id: string }[]>`select id from warehouse where org_id = ${org} and model = 'cabinet'`).map(
      row => row.id,
    ),
  )
  const missing = units
    .filter(unit => !read.has(idOf(unit)))
    .map(
      (unit): Difference => ({
        ...unit,
        kind: 'missing',
        unit_code: unit.code,
        book: '1',
        read: '0',
        other_warehouse_id: null,
      }),
    )
  const seen = new Set<string>()
  const unexpected = codes.flatMap((code): Difference[] => {
    const unit = known.get(code)
    if (unit === undefined) return [unknown(code)]
    if (mine.has(idOf(unit)) || seen.has(idOf(unit))) return []
    seen.add(idOf(unit))
    return [surplus(unit, code, org, cabinets)]
  })
  return { found: [...missing, ...unexpected], here: units.filter(unit => read.has(idOf(unit))) }
}

const unknown = (code: string): Difference => ({
  kind: 'unknown',
  specification_id: null,
  lot_id: null,
  lot_no: null,
  owner_id: null,
  unit_code: code,
  book: '0',
  read: '1',
  other_warehouse_id: null,
})

function surplus(unit: KnownUnit, code: string, org: string, cabinets: ReadonlySet<string>): Difference {
  const elsewhere = unit.holder_org_id === org && unit.status === 'in_stock' ? unit.warehouse_id : null
  return {
    ...unit,
    kind: elsewhere !== null && cabinets.has(elsewhere) ? 'misplaced' : 'surplus',
    unit_code: code,
    book: '0',
    read: '1',
    other_warehouse_id: elsewhere,
  }
}

/** Plates against lots: the total on all plates of a lot, and the ledger quantity. */
async function differencesOfPlates({
  tx,
  device,
  cabinet,
}: Working): Promise<{ found: Difference[]; read: { specification_id: string; lot_id: string; quantity: Decimal }[] }> {
  const rows = await tx<
    (Omit<Difference, 'kind' | 'unit_code' | 'other_warehouse_id' | 'owner_id'> & {
      lot_id: string
      specification_id: string
    })[]
  >`
    select p.specification_id, t.id as lot_id, p.lot_no, sum(p.pieces)::numeric(18,3) as read,
           (select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b
             where b.org_id = ${device.org.id} and b.warehouse_id = ${cabinet.warehouse_id} and b.lot_id = t.id
             and b.quality_state = 'qualified') as book
      from weighing_plate p join lot t on t.specification_id = p.specification_id and t.lot_no = p.lot_no
     where p.org_id = ${device.org.id} and p.warehouse_id = ${cabinet.warehouse_id} and p.status = 'enabled'
       and p.pieces is not null group by 1, 2, 3`
  return {
    found: rows
      .filter(row => row.read !== row.book)
      .map(row => ({
        ...row,
        kind: compare(String(row.read), String(row.book)) < 0 ? 'missing' : 'surplus',
        unit_code: null,
        owner_id: null,
        other_warehouse_id: null,
      })),
    read: rows.map(row => ({ specification_id: row.specification_id, lot_id: row.lot_id, quantity: row.read })),
  }
}

/** The reading requested by a user or by the schedule; one that the device made on its own gets a number of its own. */
async function askedFor({ tx, device }: Working, commandId: string | null): Promise<{ no: string; trigger: string }> {
  const org = device.org.id
  if (commandId === null) return { no: await comparisonNo(tx, org), trigger: 'device' }
  const [waiting] = await tx<{ compare_no: string; trigger: string }[]>`
    delete from cabinet_comparison where org_id = ${org} and cabinet_id = ${device.id}
      and command_id = ${/^\d{1,18}$/.test(commandId) ? commandId : '0'} and state = 'reading' returning compare_no,
      trigger`
  if (!waiting) throw new BusinessError('rule', '读取指令不存在、已完成或已超时')
  await tx`update cabinet_command set done_at = now(), said = '已读取' where org_id = ${org} and id = ${commandId}`
  return { no: waiting.compare_no, trigger: waiting.trigger }
}

/**
 * 比对: books nothing. A difference that existed before stays the same row and counts its readings; one that is gone
 * is closed.
 */
export async function compareReading(
  working: Working,
  codes: readonly string[],
  commandId: string | null,
): Promise<string> {
  const { tx, device, cabinet, event } = working
  const { no, trigger } = await askedFor(working, commandId)
  const tags = await differencesOfTags(working, codes)
  const plates = await differencesOfPlates(working)
  const found = [...tags.found, ...plates.found]
  const rows = tx.json(found)
  const shape = tx`(kind text, specification_id bigint, lot_id bigint, lot_no text, unit_code text, owner_id bigint,
    book numeric(18,3), read numeric(18,3), other_warehouse_id bigint)`
  const same = tx`w.difference_kind = f.kind and w.unit_code is not distinct
    from f.unit_code and (f.unit_code is not null or w.lot_id is not distinct from f.lot_id)`
  const open = tx`w.org_id = ${device.org.id} and w.cabinet_id = ${device.id} and w.state = 'waiting'`
  await tx`
    update cabinet_comparison w set state = 'gone', note = '再次读取已无差异', version = version + 1
     where ${open} and not exists (select 1 from jsonb_to_recordset(${rows}) f ${shape} where ${same})`
  await tx`
    update cabinet_comparison w set compare_no = ${no}, compared_at = ${event.at}, trigger = ${trigger},
      book_quantity = f.book, read_quantity = f.read, difference = f.read - f.book, reads = w.reads + 1,
      version = version + 1
      from jsonb_to_recordset(${rows}) f ${shape} where ${open} and ${same}`
  await tx`
    insert into cabinet_comparison (org_id, compare_no, compared_at, first_seen_at, cabinet_id, warehouse_id,
      department_id, trigger, specification_id, lot_id, lot_no, unit_code, owner_id, book_quantity, read_quantity,
      difference,
                                    difference_kind, other_warehouse_id, last_operator, last_at, state)
    select ${device.org.id}, ${no}, ${event.at}, ${event.at}, ${device.id}, ${cabinet.warehouse_id},
      ${cabinet.department_id}, ${trigger}, f.specification_id, f.lot_id, f.lot_no, f.unit_code, f.owner_id, f.book,
      f.read, f.read - f.book,
           f.kind, f.other_warehouse_id, l.operator_name, l.opened_at, 'waiting'
      from jsonb_to_recordset(${rows}) f ${shape}
      left join lateral (select t.operator_name, t.opened_at from cabinet_transaction t
        where t.org_id = ${device.org.id} and t.operation in ('take', 'return', 'refill', 'withdraw') and t.quantity > 0
                            and (t.unit_code = f.unit_code or f.unit_code is null
                              and t.warehouse_id = ${cabinet.warehouse_id} and t.specification_id = f.specification_id)
                              order by t.opened_at desc, t.id desc limit 1) l on true
     where not exists (select 1 from cabinet_comparison w where ${open} and ${same})
    returning id`
  if (found.length === 0) await noteAgreement(working, no, trigger)
  await keepReading(working, tags.here, plates.read)
  return found.length === 0 ? `比对${no}：账实一致` : `比对${no}：${found.length}项差异`
}

const noteAgreement = ({ tx, device, cabinet, event }: Working, no: string, trigger: string) => tx`
  insert into cabinet_comparison (org_id, compare_no, compared_at, first_seen_at, cabinet_id, warehouse_id,
    department_id, trigger, difference, difference_kind, state)
  values (${device.org.id}, ${no}, ${event.at}, ${event.at}, ${device.id}, ${cabinet.warehouse_id},
    ${cabinet.department_id}, ${trigger}, 0, 'none', 'none')`

/** The reading is kept beside the ledger until the next one. */
async function keepReading(
  { tx, device, event }: Working,
  here: readonly BookUnit[],
  plates: readonly { specification_id: string; lot_id: string; quantity: Decimal }[],
): Promise<void> {
  const org = device.org.id
  await tx`delete from cabinet_reading where org_id = ${org} and cabinet_id = ${device.id}`
  const rows = tx.json([
    ...here.map(({ specification_id, lot_id }) => ({ specification_id, lot_id, quantity: '1' })),
    ...plates,
  ] as never)
  await tx`
    insert into cabinet_reading (org_id, cabinet_id, specification_id, lot_id, quantity, read_at)
    select ${org}::bigint, ${device.id}::bigint, r.specification_id, r.lot_id, sum(r.quantity),
      ${event.at}::timestamptz from jsonb_to_recordset(${rows}) r(specification_id bigint, lot_id bigint,
      quantity numeric(18,3)) group by 2, 3, 4
    on conflict (org_id, cabinet_id, specification_id, lot_id) do nothing`
  await tx`update cabinet set read_at = ${event.at} where org_id = ${org} and id = ${device.id}`
}
