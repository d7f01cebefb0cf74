import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { dayOf, instant } from '#kernel/values/date.ts'
import { compare, isPositive, multiply, negate, sum, type Decimal } from '#kernel/values/decimal.ts'
import type {
  HisCharge,
  HisChargeItem,
  HisChargeOrder,
  HisItemOrder,
  HisReceipt,
  HisReceiptOrder,
  HisRefundOrder,
  HisReversalOrder,
} from '#server/outbound/his/contract.ts'
import type { HospitalFacts } from './hospital.ts'

/** The HIS says no, in its own words. */
export class Refused extends Error {}

/** What was sent under a key, as the journal keeps it. */
type Entry = { readonly key: string; readonly at: string } & (
  | { readonly write: 'charge'; readonly order: HisChargeOrder }
  | { readonly write: 'refund'; readonly order: HisRefundOrder }
  | { readonly write: 'book'; readonly order: HisReceiptOrder }
  | { readonly write: 'reverse'; readonly order: HisReversalOrder }
  | { readonly write: 'publishItem'; readonly order: HisItemOrder }
)

export type Books = HospitalFacts & {
  readonly charges: HisCharge[]
  readonly receipts: HisReceipt[]
  readonly charge: (key: string, order: HisChargeOrder) => HisCharge[]
  readonly refund: (key: string, order: HisRefundOrder) => HisCharge[]
  readonly book: (key: string, order: HisReceiptOrder) => HisReceipt
  readonly reverse: (key: string, order: HisReversalOrder) => HisReceipt
  readonly publishItem: (key: string, order: HisItemOrder) => HisChargeItem
}

const JOURNAL = 'journal.jsonl'

/**
 * The books of the stand-in: what it was filled with, and what was sent to it since. With a folder they survive a
 * restart: each write is one line of a journal, read again at the start.
 */
export function openBooks(facts: HospitalFacts, folder: string | null): Books {
  const state: State = { ...facts, charges: [], receipts: [], numbers: new Map() }
  if (folder !== null) mkdirSync(folder, { recursive: true })
  const journal = folder === null ? null : path.join(folder, JOURNAL)
  if (journal !== null && existsSync(journal))
    for (const line of readFileSync(journal, 'utf8').split('\n').filter(Boolean))
      apply(state, JSON.parse(line) as Entry)
  const write = (entry: Entry): void => {
    apply(state, entry)
    if (journal !== null) appendFileSync(journal, `${JSON.stringify(entry)}\n`)
  }
  const charged = (key: string) => state.charges.filter(each => each.request_key === key)
  const received = (key: string) => state.receipts.find(each => each.request_key === key)
  const once = <T>(known: () => T, isKnown: (value: T) => boolean, entry: Entry): T => {
    if (!isKnown(known())) write(entry)
    return known()
  }
  const some = (rows: readonly unknown[]) => rows.length > 0
  const at = instant
  return {
    ...state,
    charge: (key, order) => once(() => charged(key), some, { key, at: at(), write: 'charge', order }),
    refund: (key, order) => once(() => charged(key), some, { key, at: at(), write: 'refund', order }),
    book: (key, order) => once(() => received(key), Boolean, { key, at: at(), write: 'book', order })!,
    reverse: (key, order) => once(() => received(key), Boolean, { key, at: at(), write: 'reverse', order })!,
    publishItem: (key, order) => {
      write({ key, at: at(), write: 'publishItem', order })
      return state.items.find(item => item.item_code === publishedCode(order))!
    },
  }
}

type State = HospitalFacts & {
  readonly charges: HisCharge[]
  readonly receipts: HisReceipt[]
  readonly numbers: Map<string, number>
}

function apply(state: State, entry: Entry): void {
  if (entry.write === 'charge') state.charges.push(...chargesOf(state, entry))
  else if (entry.write === 'refund') state.charges.push(...refundsOf(state, entry))
  else if (entry.write === 'book') state.receipts.push(receiptOf(state, entry))
  else if (entry.write === 'reverse') reverse(state, entry)
  else publish(state, entry)
}

/** Numbers of the HIS: a letter, the day, and a running number of that day. */
function nextNumber(state: State, letters: string, at: string): string {
  const stem = `${letters}${dayOf(new Date(at)).replaceAll('-', '')}`
  const next = (state.numbers.get(stem) ?? 0) + 1
  state.numbers.set(stem, next)
  return `${stem}${String(next).padStart(5, '0')}`
}

type Of<Write> = Extract<Entry, { write: Write }>

function openVisit(state: State, visitNo: string) {
  const visit = state.visits.find(each => each.visit_no === visitNo)
  if (!visit) throw new Refused('没有该就诊号')
  if (!visit.is_account_open) throw new Refused('患者已结账')
  return visit
}

function chargesOf(state: State, { key, at, order }: Of<'charge'>): HisCharge[] {
  const visit = openVisit(state, order.visit_no)
  if (visit.patient_no !== order.patient_no) throw new Refused('就诊号不是该患者的')
  const patient = state.patients.find(each => each.patient_no === order.patient_no)
  const named = order.lines.map(line => {
    const item = state.items.find(each => each.item_code === line.item_code)
    if (!item?.is_active) throw new Refused(`收费项目${line.item_code}不存在或已停用`)
    if (!isPositive(line.quantity)) throw new Refused('计费数量必须大于0')
    return { line, item }
  })
  return named.map(({ line, item }) => ({
    charge_no: nextNumber(state, 'F', at),
    charge_kind: 'charge',
    refunded_charge_no: null,
    request_key: key,
    request_line_no: line.line_no,
    patient_no: order.patient_no,
    patient_name: patient?.patient_name ?? null,
    visit_no: order.visit_no,
    visit_class: visit.visit_class,
    department_code: order.department_code,
    item_code: item.item_code,
    item_name: item.item_name,
    quantity: line.quantity,
    price: line.price,
    amount: line.amount,
    unit_code: line.unit_code,
    charged_at: at,
  }))
}

function refundsOf(state: State, { key, at, order }: Of<'refund'>): HisCharge[] {
  const found = order.lines.map(line => {
    const charge = state.charges.find(each => each.charge_no === line.charge_no && each.charge_kind === 'charge')
    if (!charge) throw new Refused(`没有计费流水号${line.charge_no}`)
    const before = state.charges.filter(each => each.refunded_charge_no === line.charge_no).map(each => each.quantity)
    if (compare(sum([...before, line.quantity], 4), charge.quantity) > 0) throw new Refused('退费数量大于已计费数量')
    openVisit(state, charge.visit_no)
    return { line, charge }
  })
  return found.map(({ line, charge }) => ({
    ...charge,
    charge_no: nextNumber(state, 'T', at),
    charge_kind: 'refund',
    refunded_charge_no: charge.charge_no,
    request_key: key,
    request_line_no: line.line_no,
    quantity: line.quantity,
    amount: multiply(charge.price, line.quantity, 2),
    charged_at: at,
  }))
}

const receiptOf = (state: State, { key, at, order }: Of<'book'>): HisReceipt => ({
  receipt_no: nextNumber(state, 'R', at),
  receipt_kind: order.receipt_kind,
  sn: order.sn,
  request_key: key,
  supplier_code: order.supplier_code,
  warehouse_code: order.warehouse_code,
  booked_at: at,
  is_reversed: false,
  amount: order.amount,
  lines: order.lines,
})

function reverse(state: State, { key, at, order }: Of<'reverse'>): void {
  const index = state.receipts.findIndex(each => each.receipt_no === order.receipt_no)
  const receipt = state.receipts[index]
  if (!receipt) throw new Refused(`没有入库单${order.receipt_no}`)
  if (receipt.is_reversed) throw new Refused(`入库单${order.receipt_no}已冲销`)
  state.receipts[index] = { ...receipt, is_reversed: true }
  state.receipts.push({
    ...receipt,
    receipt_no: nextNumber(state, 'C', at),
    sn: order.sn,
    request_key: key,
    booked_at: at,
    is_reversed: true,
    amount: negate(receipt.amount),
    lines: receipt.lines.map(line => ({
      ...line,
      quantity: negate(line.quantity),
      amount: negate(line.amount),
    })),
  })
}

const publishedCode = (order: HisItemOrder): string => `X${order.specification_code}`

function publish(state: State, { at, order }: Of<'publishItem'>): void {
  const { specification_code: code, price, ...said } = order
  const item: HisChargeItem = {
    ...said,
    item_code: publishedCode(order),
    material_code: `M${code}`,
    price: price ?? ('0' as Decimal),
    is_active: true,
    updated_at: at,
  }
  const index = state.items.findIndex(each => each.item_code === item.item_code)
  if (index < 0) state.items.push(item)
  else state.items[index] = item
}
