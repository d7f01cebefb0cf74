import type { Day } from '#kernel/values/date.ts'
import {
  allRows,
  type His,
  type HisCharge,
  type HisChargeItem,
  type HisDepartment,
  HisError,
  type HisOperation,
  type HisPages,
  type HisPatient,
  type HisReads,
  type HisReceipt,
  type HisStaff,
  type HisVisit,
  type HisWrites,
  type Moment,
  type NamesPatient,
  patientIn,
} from '#server/outbound/his/contract.ts'
import { type HisHttp, shownWords, type WordsOf } from '#server/outbound/his/http.ts'
import { type FieldMap, valueAt } from '#server/outbound/his/json/field-map.ts'
import { type ReadResource, type SentResource, SUCCESS } from '#server/outbound/his/json/shapes.ts'
import { readRow, writeRow } from '#server/outbound/his/json/values.ts'

export const JSON_TYPE = 'application/json'

type Rows = {
  patient: HisPatient
  visit: HisVisit
  operation: HisOperation
  staff: HisStaff
  department: HisDepartment
  charge_item: HisChargeItem
  charge: HisCharge
  receipt: HisReceipt
}
type Listed = keyof Rows & ReadResource
type Query = Readonly<Record<string, string>>

const MOST_PAGES = 5000
/** Parameters with numbers of a patient: a HIS often repeats them in a refusal. */
const NUMBERS = ['patient_no', 'wristband', 'visit_no']

/** The words of a refusal, at the place where the HIS has them. */
export const wordsIn =
  (map: FieldMap): WordsOf =>
  body => {
    const said = valueAt(body, map.envelope('words'))
    return typeof said === 'string' && said !== '' ? said : null
  }

/** A HIS that speaks plain JSON, its fields as the hospital mapped them. */
export const jsonHis = (http: HisHttp, map: FieldMap): His => ({ ...reads(http, map), ...writes(http, map) })

function reads(http: HisHttp, map: FieldMap): HisReads {
  const pages = <Name extends Listed>(title: string, name: Name, query: Query) => paged(http, map, title, name, query)
  const all = <Name extends Listed>(title: string, name: Name, query: Query) => allRows(pages(title, name, query))
  const since = (at: Moment | null): Query => (at === null ? {} : { since: at })
  const newest = (one: HisVisit, other: HisVisit) => (other.began_at ?? '').localeCompare(one.began_at ?? '')
  return {
    patient: async by => (await all('查询患者', 'patient', by))[0] ?? null,
    visit: async visitNo => (await all('查询就诊', 'visit', { visit_no: visitNo }))[0] ?? null,
    visits: async patientNo => (await all('查询就诊', 'visit', { patient_no: patientNo })).toSorted(newest),
    operations: of => all('查询手术', 'operation', of),
    staff: at => pages('同步人员', 'staff', since(at)),
    departments: at => pages('同步科室', 'department', since(at)),
    chargeItems: at => pages('同步收费目录', 'charge_item', since(at)),
    chargesOf: (day: Day) => pages('获取计费', 'charge', { day }),
    chargesBy: requestKey => all('查询计费', 'charge', { request_key: requestKey }),
    receiptsOf: (day: Day) => pages('获取入库', 'receipt', { day }),
    receiptBy: async requestKey => (await all('查询入库', 'receipt', { request_key: requestKey }))[0] ?? null,
  }
}

/** Pages are numbered, or named by the answer before: whatever it says of the next one is sent back as `page`. */
async function* paged<Name extends Listed>(
  http: HisHttp,
  map: FieldMap,
  title: string,
  name: Name,
  query: Query,
): HisPages<Rows[Name]> {
  const hidden = NUMBERS.map(number => query[number] ?? null)
  let page: string | null = ''
  for (let count = 0; page !== null; count++) {
    if (count >= MOST_PAGES) throw new HisError('unreadable', 'HIS的分页没有结尾')
    const asked = new URLSearchParams({ ...query, ...(page === '' ? {} : { page }) })
    const body = await http.get(title, `${map.address(name)}?${asked}`, hidden)
    yield rowsIn(map, name, body, hidden)
    const next = valueAt(body, map.envelope('next'))
    page = typeof next === 'string' && next !== '' ? next : null
  }
}

function rowsIn<Name extends Listed>(map: FieldMap, name: Name, body: unknown, hidden: NamesPatient): Rows[Name][] {
  refuseFailure(map, body, hidden)
  const rows = valueAt(body, map.envelope('rows'))
  if (!Array.isArray(rows)) throw new HisError('unreadable', `HIS的答复中没有数据（${map.envelope('rows')}）`)
  return rows.map(row => readRow(map, name, row) as unknown as Rows[Name])
}

/** Many a HIS answers 200 and says in a code that it refuses. */
function refuseFailure(map: FieldMap, body: unknown, hidden: NamesPatient): void {
  const state = valueAt(body, map.envelope('state'))
  if (state === undefined || state === null || SUCCESS.includes(String(state).toLowerCase())) return
  const words = shownWords(wordsIn(map)(body) ?? '', hidden)
  throw new HisError('refused', `HIS返回${String(state).slice(0, 20)}：${words}`)
}

function writes(http: HisHttp, map: FieldMap): HisWrites {
  const send = async <Name extends Listed>(
    key: string,
    name: SentResource,
    order: object,
    answer: Name,
    hidden: NamesPatient = [],
  ): Promise<Rows[Name][]> => {
    const body = writeRow(map, name, order as Record<string, unknown>)
    const headers = { 'idempotency-key': key }
    return rowsIn(map, answer, await http.post(map.address(name), { body, headers, hidden }), hidden)
  }
  const one = <Row>([row]: readonly Row[]): Row => {
    if (row === undefined) throw new HisError('unreadable', 'HIS的答复中没有数据')
    return row
  }
  return {
    charge: (key, order) => send(key, 'charge_order', order, 'charge', patientIn(order)),
    refund: (key, order) => send(key, 'refund_order', order, 'charge', patientIn(order)),
    book: async (key, order) => one(await send(key, 'receipt_order', order, 'receipt')),
    reverse: async (key, order) => one(await send(key, 'reversal_order', order, 'receipt')),
    publishItem: async (key, order) => one(await send(key, 'item_order', order, 'charge_item')),
  }
}
