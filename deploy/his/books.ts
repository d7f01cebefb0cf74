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

/** Rows as a write left them: what the journal keeps. */
type Written = {
  readonly charges?: readonly HisCharge[]
  readonly receipts?: readonly HisReceipt[]
  readonly items?: readonly HisChargeItem[]
}

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
 * The books of the stand-in: its first rows, and what was sent to it since. With a folder they survive a restart: the
 * rows of each write are one line of a journal, which is read again at the start.
 */
export function openBooks(facts: HospitalFacts, folder: string | null): Books {
  const state: State = { ...facts, charges: [], receipts: [] }
  if (folder !== null) mkdirSync(folder, { recursive: true })
  const journal = folder === null ? null : path.join(folder, JOURNAL)
  if (journal !== null && existsSync(journal))
    for (const line of readFileSync(journal, 'utf8').split('\n').filter(Boolean))
      keep(state, JSON.parse(line) as Written)
  const write = (written: Written): void => {
    keep(state, written)
    if (journal !== null) appendFileSync(journal, `${JSON.stringify(written)}\n`)
  }
  const charged = (key: string) => state.charges.filter(each => each.request_key === key)
  const received = (key: string) => state.receipts.find(each => each.request_key === key)
  return {
    ...state,
    charge(key, order) {
      if (charged(key).length === 0) write({ charges: chargesOf(state, key, order) })
      return charged(key)
    },
    refund(key, order) {
      if (charged(key).length === 0) write({ charges: refundsOf(state, key, order) })
      return charged(key)
    },
    book(key, order) {
      if (!received(key)) write({ receipts: [receiptOf(state, key, order)] })
      return received(key)!
    },
    reverse(key, order) {
      if (!received(key)) write({ receipts: reversed(state, key, order) })
      return received(key)!
    },
    publishItem(_key, order) {
      const item = published(order)
      write({ items: [item] })
      return item
    },
  }
}

type State = HospitalFacts & Pick<Books, 'charges' | 'receipts'>

function keep({ charges, receipts, items }: State, written: Written): void {
  for (const row of written.charges ?? []) put(charges, 'charge_no', row)
  for (const row of written.receipts ?? []) put(receipts, 'receipt_no', row)
  for (const row of written.items ?? []) put(items, 'item_code', row)
}

/** In the place of the row with its key, or behind all. */
function put<Row>(rows: Row[], key: keyof Row, row: Row): void {
  const index = rows.findIndex(each => each[key] === row[key])
  if (index < 0) rows.push(row)
  else rows[index] = row
}

/** The next numbers of the HIS: a letter, the day, and a running number of that day. */
function numbersAfter(taken: readonly string[], letter: string, at: string): (index: number) => string {
  const stem = `${letter}${dayOf(new Date(at)).replaceAll('-', '')}`
  const before = taken.filter(number => number.startsWith(stem)).length
  return index => `${stem}${String(before + index + 1).padStart(5, '0')}`
}
const chargeNumbers = ({ charges }: State, letter: string, at: string) =>
  numbersAfter(
    charges.map(each => each.charge_no),
    letter,
    at,
  )
const receiptNumber = ({ receipts }: State, letter: string, at: string) =>
  numbersAfter(
    receipts.map(each => each.receipt_no),
    letter,
    at,
  )(0)

function openVisit(state: State, visitNo: string) {
  const visit = state.visits.find(each => each.visit_no === visitNo)
  if (!visit) throw new Refused('没有该就诊号')
  if (!visit.is_account_open) throw new Refused('患者已结账')
  return visit
}

function chargesOf(state: State, key: string, order: HisChargeOrder): HisCharge[] {
  const at = instant()
  const visit = openVisit(state, order.visit_no)
  if (visit.patient_no !== order.patient_no) throw new Refused('就诊号不是该患者的')
  const patient = state.patients.find(each => each.patient_no === order.patient_no)
  const named = order.lines.map(line => {
    const item = state.items.find(each => each.item_code === line.item_code)
    if (!item?.is_active) throw new Refused(`收费项目${line.item_code}不存在或已停用`)
    if (!isPositive(line.quantity)) throw new Refused('计费数量必须大于0')
    return { line, item }
  })
  const numberOf = chargeNumbers(state, 'F', at)
  return named.map(({ line, item }, index) => ({
    charge_no: numberOf(index),
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

function refundsOf(state: State, key: string, order: HisRefundOrder): HisCharge[] {
  const at = instant()
  const found = order.lines.map(line => {
    const charge = state.charges.find(each => each.charge_no === line.charge_no && each.charge_kind === 'charge')
    if (!charge) throw new Refused(`没有计费流水号${line.charge_no}`)
    const before = state.charges.filter(each => each.refunded_charge_no === line.charge_no).map(each => each.quantity)
    if (compare(sum([...before, line.quantity], 4), charge.quantity) > 0) throw new Refused('退费数量大于已计费数量')
    openVisit(state, charge.visit_no)
    return { line, charge }
  })
  const numberOf = chargeNumbers(state, 'T', at)
  return found.map(({ line, charge }, index) => ({
    ...charge,
    charge_no: numberOf(index),
    charge_kind: 'refund',
    refunded_charge_no: charge.charge_no,
    request_key: key,
    request_line_no: line.line_no,
    quantity: line.quantity,
    amount: multiply(charge.price, line.quantity, 2),
    charged_at: at,
  }))
}

function receiptOf(state: State, key: string, order: HisReceiptOrder): HisReceipt {
  const at = instant()
  return {
    receipt_no: receiptNumber(state, 'R', at),
    receipt_kind: order.receipt_kind,
    sn: order.sn,
    request_key: key,
    supplier_code: order.supplier_code,
    warehouse_code: order.warehouse_code,
    booked_at: at,
    is_reversed: false,
    amount: order.amount,
    lines: order.lines,
  }
}

/** The receipt that is taken back, and the one that takes it back. */
function reversed(state: State, key: string, order: HisReversalOrder): HisReceipt[] {
  const at = instant()
  const receipt = state.receipts.find(each => each.receipt_no === order.receipt_no)
  if (!receipt) throw new Refused(`没有入库单${order.receipt_no}`)
  if (receipt.is_reversed) throw new Refused(`入库单${order.receipt_no}已冲销`)
  const taken = { ...receipt, is_reversed: true }
  return [
    taken,
    {
      ...taken,
      receipt_no: receiptNumber(state, 'C', at),
      sn: order.sn,
      request_key: key,
      booked_at: at,
      amount: negate(receipt.amount),
      lines: receipt.lines.map(line => ({
        ...line,
        quantity: negate(line.quantity),
        amount: negate(line.amount),
      })),
    },
  ]
}

function published({ specification_code: code, price, ...said }: HisItemOrder): HisChargeItem {
  return {
    ...said,
    item_code: `X${code}`,
    material_code: `M${code}`,
    price: price ?? ('0' as Decimal),
    is_active: true,
    updated_at: instant(),
  }
}
