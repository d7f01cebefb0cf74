import type { FhirResource } from 'fhir/r4'
import { addDays, type Day, startOf } from '#kernel/values/date.ts'
import {
  allRows,
  type His,
  type HisCharge,
  HisError,
  type HisReads,
  type HisReceipt,
  type HisVisit,
  type HisWrites,
  type Moment,
  patientIn,
} from '#server/outbound/his/contract.ts'
import { bears, type Found, isCurrent, momentOf, needed, ofType, referred } from '#server/outbound/his/fhir/elements.ts'
import { firstPage, pages, type Query, rowsOf, transact } from '#server/outbound/his/fhir/fetch.ts'
import { systems } from '#server/outbound/his/fhir/profile.ts'
import type { HisHttp, WordsOf } from '#server/outbound/his/http.ts'
import * as read from '#server/outbound/his/fhir/read.ts'
import * as write from '#server/outbound/his/fhir/write.ts'

export const FHIR_TYPE = 'application/fhir+json'

/** The words of an OperationOutcome. */
export const outcomeWords: WordsOf = body => {
  const outcome = body as { issue?: { diagnostics?: string; details?: { text?: string } }[] } | undefined
  const issues = Array.isArray(outcome?.issue) ? outcome.issue : []
  const words = issues.flatMap(issue => issue.details?.text ?? issue.diagnostics ?? [])
  return words.length === 0 ? null : words.join('；')
}

/** No further page is asked for when so many visits of a patient are known. */
const MOST_VISITS = 100

/** A HIS that speaks FHIR R4. */
export const fhirHis = (http: HisHttp): His => ({
  ...people(http),
  ...dictionaries(http),
  ...books(http),
  ...writes(http),
})

type People = Pick<HisReads, 'patient' | 'visit' | 'visits' | 'operations'>
const people = (http: HisHttp): People => ({
  async patient(by) {
    const number = 'patient_no' in by ? `${systems.patientNo}|${by.patient_no}` : `${systems.wristband}|${by.wristband}`
    const { matches } = await firstPage(http, '查询患者', 'Patient', [['identifier', number]])
    const asked = Object.values(by)[0]!
    const found = ofType(matches, 'Patient').filter(row => row.active !== false && bears(row, asked))
    const patients = found.map(read.patientOf)
    // Another patient may bear it as a number of another kind.
    return patients.find(({ patient_no, wristband }) => [patient_no, wristband].includes(asked)) ?? patients[0] ?? null
  },
  async visit(visitNo) {
    const query: Query = [['identifier', `${systems.visitNo}|${visitNo}`], ...besideVisits]
    const found = await firstPage(http, '查询就诊', 'Encounter', query)
    return (
      visitsIn({ ...found, matches: ofType(found.matches, 'Encounter').filter(row => bears(row, visitNo)) })[0] ?? null
    )
  },
  async visits(patientNo) {
    const query: Query = [
      ['patient.identifier', `${systems.patientNo}|${patientNo}`],
      ['_sort', '-date'],
      ...besideVisits,
    ]
    const rows: HisVisit[] = []
    // A server that gives fewer at a time, or does not sort, has the newest on a further page.
    for await (const found of pages(http, '查询就诊', 'Encounter', query)) {
      rows.push(...visitsIn(found))
      if (rows.length >= MOST_VISITS) break
    }
    return rows.toSorted((one, other) => (other.began_at ?? '').localeCompare(one.began_at ?? ''))
  },
  operations(of) {
    const query: Query =
      'visit_no' in of
        ? [['encounter.identifier', `${systems.visitNo}|${of.visit_no}`]]
        : within('planned-date', of.day)
    const found = pages(http, '查询手术', 'Procedure', [...query, ...besideOperations])
    return allRows(rowsOf(found, each => ofType(each.matches, 'Procedure').map(row => read.operationOf(row, each))))
  },
})

const visitsIn = (found: Found) => ofType(found.matches, 'Encounter').map(row => read.visitOf(row, found))

type Dictionaries = Pick<HisReads, 'staff' | 'departments' | 'chargeItems'>
const dictionaries = (http: HisHttp): Dictionaries => ({
  staff: since => rowsOf(pages(http, '同步人员', 'Practitioner', [...changedSince(since), ...besideStaff]), staffIn),
  departments: since =>
    rowsOf(pages(http, '同步科室', 'Organization', [...changedSince(since), ...besideDepartments]), found =>
      ofType(found.matches, 'Organization').map(row => read.departmentOf(row, found)),
    ),
  chargeItems: since =>
    rowsOf(pages(http, '同步收费目录', 'ChargeItemDefinition', changedSince(since)), found =>
      ofType(found.matches, 'ChargeItemDefinition').map(read.itemOf),
    ),
})

type Books = Pick<HisReads, 'chargesOf' | 'chargesBy' | 'receiptsOf' | 'receiptBy'>
const books = (http: HisHttp): Books => ({
  chargesOf: day =>
    rowsOf(pages(http, '获取计费', 'ChargeItem', [...within('entered-date', day), ...besideCharges]), chargesIn),
  chargesBy: requestKey =>
    allRows(rowsOf(pages(http, '查询计费', 'ChargeItem', [...ofRequest(requestKey), ...besideCharges]), chargesIn)),
  receiptsOf: async function* (day) {
    yield await receiptsOf(http, '获取入库', within('occurrence', day))
  },
  async receiptBy(requestKey) {
    return (await receiptsOf(http, '查询入库', ofRequest(requestKey)))[0] ?? null
  },
})

const ofRequest = (key: string): Query => [['identifier', `${systems.request}|${key}`]]

const chargesIn = (found: Found): HisCharge[] =>
  ofType(found.matches, 'ChargeItem')
    .filter(read.isCharged)
    .map(row => read.chargeOf(row, found))

/** The lines of a receipt may stand on two pages: they are put together when all have been read. */
const receiptsOf = async (http: HisHttp, title: string, query: Query): Promise<HisReceipt[]> =>
  read.receiptsIn(
    await allRows(
      rowsOf(pages(http, title, 'SupplyDelivery', query), found => ofType(found.matches, 'SupplyDelivery')),
    ),
  )

const writes = (http: HisHttp): HisWrites => ({
  async charge(key, order) {
    return charged(await transact(http, write.chargeBundle(key, order), patientIn(order)))
  },
  async refund(key, order) {
    return charged(await transact(http, write.refundBundle(key, order), patientIn(order)))
  },
  async book(key, order) {
    return booked(await transact(http, write.receiptBundle(key, order)))
  },
  async reverse(key, order) {
    const [taken] = await receiptsOf(http, '查询入库', [['identifier', `${systems.receiptNo}|${order.receipt_no}`]])
    if (!taken) throw new HisError('refused', `HIS中没有入库单${order.receipt_no}`)
    return booked(await transact(http, write.reversalBundle(key, order.sn, taken)))
  },
  async publishItem(key, order) {
    const [item] = ofType(await transact(http, write.itemBundle(key, order)), 'ChargeItemDefinition')
    return read.itemOf(needed(item, '收费项目'))
  },
})

const charged = (resources: readonly FhirResource[]): HisCharge[] =>
  chargesIn({ matches: resources, byReference: new Map() })
const booked = (resources: readonly FhirResource[]): HisReceipt =>
  needed(read.receiptsIn(ofType(resources, 'SupplyDelivery'))[0], '入库单')

const changedSince = (since: Moment | null): Query => (since === null ? [] : [['_lastUpdated', `ge${since}`]])

/** From a day's beginning in Asia/Shanghai to the next day's. */
const within = (parameter: string, day: Day): Query => [
  [parameter, `ge${momentOf(startOf(day), '日期')}`],
  [parameter, `lt${momentOf(startOf(addDays(day, 1)), '日期')}`],
]

const besideVisits: Query = [
  ['_include', 'Encounter:account'],
  ['_include', 'Encounter:patient'],
  ['_include', 'Encounter:service-provider'],
  ['_include', 'Encounter:practitioner'],
]
const besideOperations: Query = [
  ['_include', 'Procedure:patient'],
  ['_include', 'Procedure:encounter'],
  ['_include', 'Procedure:performer'],
]
const besideStaff: Query = [
  ['_revinclude', 'PractitionerRole:practitioner'],
  ['_include:iterate', 'PractitionerRole:organization'],
]
const besideDepartments: Query = [
  ['type', 'dept'],
  ['_include', 'Organization:partof'],
]
const besideCharges: Query = [
  ['_include', 'ChargeItem:patient'],
  ['_include', 'ChargeItem:context'],
]

function staffIn(found: Found) {
  const roles = ofType(found.byReference.values(), 'PractitionerRole')
  return ofType(found.matches, 'Practitioner').map(row => {
    const own = roles.filter(role => referred(found, role.practitioner) === row)
    return read.staffOf(row, own.find(role => role.active !== false && isCurrent(role)) ?? own[0], found)
  })
}
