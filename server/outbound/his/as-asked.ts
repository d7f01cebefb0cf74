import { dayOf } from '#kernel/values/date.ts'
import { type His, HisError, type HisOperation, type HisPages } from '#server/outbound/his/contract.ts'

const otherThanAsked = (what: string): HisError =>
  new HisError('unreadable', `HIS答复的${what}不是所查询的，请联系HIS管理员`)

/** A row that is the one asked for, or none; another is refused. */
async function theOne<Row>(
  answer: Promise<Row | null>,
  what: string,
  isAsked: (row: Row) => boolean,
): Promise<Row | null> {
  const row = await answer
  if (row !== null && !isAsked(row)) throw otherThanAsked(what)
  return row
}

/** Rows that were all asked for: one other shows that the server did not read the question. */
async function all<Row>(answer: Promise<readonly Row[]>, what: string, isAsked: (row: Row) => boolean) {
  const rows = await answer
  if (!rows.every(isAsked)) throw otherThanAsked(what)
  return rows
}

async function* pagesOf<Row>(pages: HisPages<Row>, what: string, isAsked: (row: Row) => boolean): HisPages<Row> {
  for await (const rows of pages) {
    if (!rows.every(isAsked)) throw otherThanAsked(what)
    yield rows
  }
}

const isOf = (day: string, ...moments: (string | null)[]): boolean =>
  moments.some(at => at !== null && dayOf(new Date(at)) === day)

/**
 * A HIS whose answers are compared with what was asked: a server that does not know a parameter answers with whatever
 * it has, and the patient of another wristband would be shown.
 */
export const asAsked = (his: His): His => ({
  ...his,
  patient: by =>
    theOne(his.patient(by), '患者', row =>
      'patient_no' in by ? row.patient_no === by.patient_no : (row.wristband ?? row.patient_no) === by.wristband,
    ),
  visit: visitNo => theOne(his.visit(visitNo), '就诊', row => row.visit_no === visitNo),
  visits: patientNo => all(his.visits(patientNo), '就诊', row => row.patient_no === patientNo),
  operations: of => {
    const isAsked = (row: HisOperation) =>
      'visit_no' in of ? row.visit_no === of.visit_no : isOf(of.day, row.planned_at, row.started_at)
    return all(his.operations(of), '手术', isAsked)
  },
  chargesOf: day => pagesOf(his.chargesOf(day), '计费', row => isOf(day, row.charged_at)),
  chargesBy: key => all(his.chargesBy(key), '计费', row => row.request_key === key),
  receiptsOf: day => pagesOf(his.receiptsOf(day), '入库单', row => isOf(day, row.booked_at)),
  receiptBy: key => theOne(his.receiptBy(key), '入库单', row => row.request_key === key),
})
