import { compare, type Decimal, isNegative, isPositive, negate, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { receiveArrived } from '#modules/hospital/cabinet/replenishment/replenishment-receipts.server.ts'
import { bookUse, type Taken, tried } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { giveBack } from '#modules/hospital/cabinet/transactions/return-to-store.server.ts'
import type { Done } from '#modules/hospital/cabinet/transactions/transaction-log.server.ts'
import { piecesOf } from '#modules/hospital/cabinet/weighing/weighing.server.ts'
import { type OpenSession, incident, type Working } from '#modules/hospital/cabinet/device/event-context.server.ts'

/** A reading counts when the plate was steady for this many seconds. */
const STEADY_SECONDS = 5
const MOST = 500

/** The change in a slot for goods without codes: less is minus, more is plus. */
type Changed = {
  readonly specification_id: string
  readonly lot_no: string | null
  readonly by: Decimal
  readonly isWeighed: boolean
}

const QUANTITY = /^\d{1,9}(\.\d{1,3})?$/
function figureIn(row: Readonly<Record<string, unknown>>, name: string): Decimal {
  const value = row[name] ?? '0'
  if (!QUANTITY.test(String(value))) throw new BusinessError('invalid', `${name}应为不小于0、至多三位小数的数`)
  return String(value) as Decimal
}

function rowsIn(payload: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>>[] {
  const given = payload[name] ?? []
  if (!Array.isArray(given) || given.length > MOST || given.some(row => typeof row !== 'object' || row === null))
    throw new BusinessError('invalid', `${name}应为不超过${MOST}行的列表`)
  return given as Readonly<Record<string, unknown>>[]
}

/** Key presses: how many left a slot and how many came into it. */
async function counted({ tx, device, event }: Working): Promise<Changed[]> {
  const rows = rowsIn(event.payload, 'counts')
  if (rows.length === 0) return []
  const slots = await tx<{ location: string; specification_id: string | null }[]>`
    select s.location, s.specification_id from cabinet_slot s join cabinet_door d on d.org_id = s.org_id
      and d.id = s.door_id
     where s.org_id = ${device.org.id} and d.cabinet_id = ${device.id}
       and s.location = any(${rows.map(row => String(row.slot))})`
  const known = new Map(slots.map(slot => [slot.location, slot.specification_id]))
  return rows.map(row => {
    const specification_id = known.get(String(row.slot))
    if (!specification_id)
      throw new BusinessError('notFound', `货格【${String(row.slot).slice(0, 60)}】不存在或未绑定产品`)
    return {
      specification_id,
      lot_no: null,
      by: subtract(figureIn(row, 'put'), figureIn(row, 'taken'), 3),
      isWeighed: false,
    }
  })
}

type Plate = {
  id: string
  code: string
  specification_id: string | null
  lot_no: string | null
  tare_g: Decimal
  piece_g: Decimal
  pieces: Decimal | null
}

/**
 * Weights of this cabinet's plates as the event reports them; plates that cannot be counted are reported and change
 * nothing.
 */
async function weighed(working: Working, open: OpenSession | null): Promise<Changed[]> {
  const { tx, device, event, cabinet } = working
  const rows = rowsIn(event.payload, 'weights')
  if (rows.length === 0) return []
  const plates = await tx<Plate[]>`
    select id, code, specification_id, lot_no, tare_g, piece_g, pieces from weighing_plate
     where org_id = ${device.org.id} and warehouse_id = ${cabinet.warehouse_id} and status = 'enabled'
       and code = any(${rows.map(row => String(row.plate))}) for update`
  const known = new Map(plates.map(plate => [plate.code, plate]))
  const changed: Changed[] = []
  for (const row of rows) {
    const plate = known.get(String(row.plate))
    if (!plate) throw new BusinessError('notFound', `托盘【${String(row.plate).slice(0, 40)}】不在本柜或已停用`)
    const grams = figureIn(row, 'grams')
    if (parseInteger(row.steady_seconds ?? 0) < STEADY_SECONDS) {
      await incident(
        working,
        'device',
        `托盘【${plate.code}】读数未稳定${STEADY_SECONDS}秒，未采用`,
        `${plate.code} 未稳定`,
        open?.operator_name,
      )
      continue
    }
    const pieces = await countedBy(working, plate, grams, open)
    if (pieces === null) continue
    await tx`
      update weighing_plate set weight_g = ${grams}, pieces = ${pieces}, read_at = ${event.at}, is_door_open = false,
        version = version + 1 where org_id = ${device.org.id} and id = ${plate.id}`
    if (plate.specification_id && plate.pieces !== null)
      changed.push({
        specification_id: plate.specification_id,
        lot_no: plate.lot_no,
        by: subtract(pieces, plate.pieces, 3),
        isWeighed: true,
      })
  }
  return changed
}

async function countedBy(
  working: Working,
  plate: Plate,
  grams: Decimal,
  open: OpenSession | null,
): Promise<Decimal | null> {
  if (!plate.specification_id) return null
  try {
    return piecesOf(plate, grams)
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    await incident(working, 'device', error.message, `${plate.code} 重量异常`, open?.operator_name)
    return null
  }
}

const isMore = ({ by }: Changed) => isPositive(by)
const isLess = ({ by }: Changed) => isNegative(by)

/**
 * Goods without codes: goods taken out count as used by the department at once; goods put in are received up to the
 * issued quantity, the rest has to be counted.
 */
export async function lowValue(working: Working, open: OpenSession): Promise<Done[]> {
  const changed = [...(await counted(working)), ...(await weighed(working, open))]
  return [...(await used(working, open, changed.filter(isLess))), ...(await filled(working, changed.filter(isMore)))]
}

async function used(working: Working, open: OpenSession, less: readonly Changed[]): Promise<Done[]> {
  if (less.length === 0) return []
  const { tx, session, cabinet, event, documents: docs } = working
  const taken: Taken[] = less.map(one => ({ ...one, unit_code: null, owner_id: null, quantity: negate(one.by) }))
  const done = (more: Pick<Done, 'state' | 'note'> & Partial<Done>): Done[] =>
    taken.map(({ specification_id, lot_no, quantity }) => ({
      operation: 'take',
      closed_at: event.at,
      specification_id,
      lot_no,
      quantity,
      ...more,
    }))
  if (open.is_remote) return done({ state: 'abnormal', note: '远程开门后取出，请说明' })
  if (open.purpose === 'withdraw') return withdrawn(working, open, done({ state: 'pending', note: null }))
  const booked = await tried(tx, inner =>
    bookUse(
      inner,
      { ...session, userName: open.operator_name },
      {
        warehouse: cabinet.warehouse_id,
        department: cabinet.department_id,
        handler: open.employee_id,
        used_at: event.at,
        patient: null,
        type: less.every(one => one.isWeighed) ? 'weighing' : 'cabinet',
        remark: `${cabinet.name}柜门${open.door_no}取用`,
      },
      taken,
    ),
  )
  if ('done' in booked) {
    docs.push(booked.done)
    return done({ state: 'linked', note: null, document_kind: 'departmentUse', document_sn: booked.done })
  }
  await incident(
    working,
    'stock',
    `取用未能记账：${booked.why}`,
    `柜门${open.door_no} ${event.event_id}`,
    open.operator_name,
  )
  return done({ state: 'abnormal', note: booked.why.slice(0, 300) })
}

/** Goods without codes that go back to the warehouse. */
async function withdrawn(working: Working, open: OpenSession, out: readonly Done[]): Promise<Done[]> {
  const goods = out.map(one => ({
    specification_id: one.specification_id!,
    lot_no: one.lot_no ?? null,
    unit_code: null,
    quantity: one.quantity as Decimal,
  }))
  const answers = await giveBack(working, open, goods)
  return out.map((one, at) => {
    const answer = answers[at]!
    const goes = { ...one, operation: 'withdraw' } as const
    return 'sn' in answer
      ? { ...goes, state: 'linked', document_kind: answer.kind, document_sn: answer.sn }
      : { ...goes, state: 'abnormal', note: answer.why.slice(0, 300) }
  })
}

async function filled(working: Working, more: readonly Changed[]): Promise<Done[]> {
  if (more.length === 0) return []
  const { event } = working
  const arrived = await receiveArrived(
    { ...working, warehouse: working.cabinet.warehouse_id },
    {
      codes: [],
      counts: more.map(one => ({ specification_id: one.specification_id, quantity: one.by })),
    },
  )
  return more.map(one => {
    const receipt = arrived.bySpecification.get(one.specification_id)
    const goods = {
      operation: 'refill',
      closed_at: event.at,
      specification_id: one.specification_id,
      lot_no: one.lot_no,
      quantity: one.by,
    } as const
    if (receipt === undefined)
      return { ...goods, state: 'abnormal' as const, note: '没有对应的待收货单，多出部分请盘点' }
    const isWhole = compare(receipt.quantity, one.by) >= 0
    return {
      ...goods,
      state: isWhole ? ('settled' as const) : ('abnormal' as const),
      note: isWhole ? null : `收货${receipt.quantity}，多出部分请盘点`,
      document_kind: 'wardReceipt',
      document_sn: receipt.sn,
    }
  })
}

/** Weights outside an opening book nothing: they are the plates' current reading, for the comparison. */
export const weighOnly = (working: Working): Promise<unknown> => weighed(working, null)
