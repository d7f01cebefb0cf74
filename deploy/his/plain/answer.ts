import { dayOf } from '#kernel/values/date.ts'
import type {
  HisChargeOrder,
  HisItemOrder,
  HisReceiptOrder,
  HisRefundOrder,
  HisReversalOrder,
} from '#server/outbound/his/contract.ts'
import { type Books, Refused } from '../books.ts'
import type { Answer, Asked } from '../server.ts'
import { parseExact } from '#server/outbound/exact-json.ts'
import { inPinyin } from './pinyin.ts'

const TYPE = 'application/json; charset=utf-8'
const PAGE = 50

/** Each dialect has a place of its own for the words. */
export const plainError = (status: number, _code: string, text: string): Answer => ({
  status,
  type: TYPE,
  body: JSON.stringify({ code: status, msg: text, success: '0', message: text }),
})

type Row = Readonly<Record<string, unknown>>
type Found = (books: Books, query: URLSearchParams) => readonly object[]

const by =
  (list: (books: Books) => readonly object[], ...names: readonly string[]): Found =>
  (books, query) => {
    const name = names.find(each => query.has(each))
    if (name === undefined) return []
    return list(books).filter(row => (row as Row)[name] === query.get(name))
  }
const since =
  (list: (books: Books) => readonly object[]): Found =>
  (books, query) =>
    list(books).filter(row => String((row as Row).updated_at) >= (query.get('since') ?? ''))
const ofDay = (rows: readonly object[], field: string, day: string | null) =>
  rows.filter(row => dayOf(new Date(String((row as Row)[field]))) === day)

/** The answer of each address: rows of the books, under the names of the contract. */
const reads: Readonly<Record<string, Found>> = {
  patients: by(books => books.patients, 'patient_no', 'wristband'),
  visits: by(books => books.visits, 'visit_no', 'patient_no'),
  operations: (books, query) =>
    query.has('day')
      ? ofDay(books.operations, 'planned_at', query.get('day'))
      : books.operations.filter(each => each.visit_no === query.get('visit_no')),
  staff: since(books => books.staff),
  departments: since(books => books.departments),
  items: since(books => books.items),
  charges: (books, query) =>
    query.has('day')
      ? ofDay(books.charges, 'charged_at', query.get('day'))
      : books.charges.filter(each => each.request_key === query.get('request_key')),
  receipts: (books, query) =>
    query.has('day')
      ? ofDay(books.receipts, 'booked_at', query.get('day'))
      : books.receipts.filter(each => each.request_key === query.get('request_key')),
}

const writes: Readonly<Record<string, (books: Books, key: string, order: never) => readonly object[]>> = {
  charges: (books, key, order: HisChargeOrder) => books.charge(key, order),
  refunds: (books, key, order: HisRefundOrder) => books.refund(key, order),
  receipts: (books, key, order: HisReceiptOrder) => [books.book(key, order)],
  reversals: (books, key, order: HisReversalOrder) => [books.reverse(key, order)],
  items: (books, key, order: HisItemOrder) => [books.publishItem(key, order)],
}

/** Plain JSON over HTTP: `/json` under the names of the contract, `/pinyin` as many a HIS names them. */
export function answerPlain(books: Books, dialect: 'json' | 'pinyin', asked: Asked): Answer {
  try {
    return asked.method === 'POST' ? written(books, dialect, asked) : read(books, dialect, asked)
  } catch (error) {
    if (error instanceof Refused) return plainError(422, 'refused', error.message)
    if (error instanceof SyntaxError) return plainError(400, 'structure', '不是JSON')
    throw error
  }
}

function read(books: Books, dialect: 'json' | 'pinyin', { path, query }: Asked): Answer {
  const found = reads[path]?.(books, query)
  if (!found) return plainError(404, 'not-found', '没有这个地址')
  const page = /^\d{1,6}$/.test(query.get('page') ?? '') ? parseInt(query.get('page')!, 10) : 1
  const rows = found.slice((page - 1) * PAGE, page * PAGE)
  return enveloped(dialect, path, rows, page * PAGE < found.length ? String(page + 1) : null)
}

function written(books: Books, dialect: 'json' | 'pinyin', { path, headers, body }: Asked): Answer {
  const write = writes[path]
  if (!write) return plainError(404, 'not-found', '没有这个地址')
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return plainError(400, 'required', '缺少Idempotency-Key')
  return enveloped(dialect, path, write(books, key, orderIn(body) as never), null)
}

/** Figures keep their digits; numbers of lines are numbers. */
function orderIn(body: string): object {
  const order = parseExact(body) as { lines?: { line_no: string }[] }
  if (!order.lines) return order
  return { ...order, lines: order.lines.map(line => ({ ...line, line_no: parseInt(line.line_no, 10) })) }
}

function enveloped(dialect: 'json' | 'pinyin', path: string, rows: readonly object[], next: string | null): Answer {
  const value =
    dialect === 'json'
      ? { code: 0, msg: '', rows, next }
      : { success: '1', message: '', data: { list: rows.map(row => inPinyin(path, row as Row)), nextPage: next } }
  return { status: 200, type: TYPE, body: JSON.stringify(value) }
}
