import { compare, type Decimal, isDecimal, round } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type BankOutcome, type BankWord, outcomeOf, type WordPlace } from '#modules/payments/bank/bank-words.ts'

/** A transfer that was sent: what the bank's answer is matched to. */
export type Sent = {
  readonly line_no: number
  readonly payment_no: string
  readonly payee_account: string
  readonly taxed_amount: Decimal
}
export type Answered = {
  readonly line_no: number
  readonly transfer_result: BankOutcome | 'part' | 'asked'
  readonly bank_serial_no: string | null
  readonly fail_reason: string | null
  /** What the bank took for the transfer; null where its file does not say. */
  readonly bank_fee: Decimal | null
}
type Rows = readonly (readonly string[])[]

const STATE = /状态|结果|处理情况/
/** How far the payer's own people got with the order; the bank has not spoken there. */
const OURS = /经办|复核|审核|审批|授权|制单|录入|提交|客户/
/** What was made of an account's name, a slip or a message says nothing of the transfer. */
const BESIDE = /校验|验证|核对|打印|回单|对账|通知|短信/
/** Columns in which the bank says how the transfer ended, before those that only say that it has the order. */
const BANKS = [/交易|转账|汇款|支付|付款|入账|到账|清算/, /银行|处理|指令/, /./]
const AMOUNT = /金额/
const FEE = /手续费|汇划费|工本费/
const SERIAL = /流水号|交易序号|回单号|凭证号/
const REASON = /原因|备注信息|返回信息|错误/
const DAY = /日期/
const TIME = /时间/
const DONE_AT = /交易|处理|完成|入账|记账|更新|回执/
const DEEPEST = 30

const plainAccount = (text: string): string => text.replace(/\D/g, '')
const amountOf = (text: string): Decimal | null => {
  const bare = text.replace(/[,¥￥\s元]/g, '')
  return isDecimal(bare, 2) ? round(bare, 2) : null
}

type Columns = {
  readonly row: number
  readonly state: number
  readonly amount: number
  readonly serial: number
  readonly reason: number
  readonly fee: number
  readonly day: number
  readonly time: number
}
const isTitle = (cell: string): boolean => cell.length > 0 && cell.length <= 20

/** The bank's own state column; null where the file has only states of the payer's own people. */
function stateColumn(cells: readonly string[]): number | null {
  const states = cells.flatMap((cell, at) =>
    isTitle(cell) && STATE.test(cell) && !OURS.test(cell) && !BESIDE.test(cell) ? [at] : [],
  )
  return BANKS.map(title => states.find(at => title.test(cells[at]!))).find(at => at !== undefined) ?? null
}

/** The column of the time: the bank's own before those of the payer's people. */
function momentColumn(cells: readonly string[], title: RegExp): number {
  const found = cells.flatMap((cell, at) => (isTitle(cell) && title.test(cell) && !OURS.test(cell) ? [at] : []))
  return found.find(at => DONE_AT.test(cells[at]!)) ?? found[0] ?? -1
}

/** The row of headings names an amount and how the transfer stands. */
function columnsOf(rows: Rows): Columns | null {
  for (const [row, cells] of rows.slice(0, DEEPEST).entries()) {
    const find = (title: RegExp) => cells.findIndex(cell => isTitle(cell) && title.test(cell))
    const fee = find(FEE)
    const amount = cells.findIndex((cell, at) => at !== fee && isTitle(cell) && AMOUNT.test(cell))
    const state = stateColumn(cells)
    if (state !== null && amount >= 0)
      return {
        row,
        state,
        amount,
        serial: find(SERIAL),
        reason: find(REASON),
        fee,
        day: momentColumn(cells, DAY),
        time: momentColumn(cells, TIME),
      }
  }
  return null
}

const padded = (text: string | undefined): string => (text ?? '').padStart(2, '0')
/** The moment of a row as digits that sort; empty where the file does not say. */
function momentOf(cells: readonly string[], { day, time }: Columns): string {
  const text = [day, time].map(at => (at >= 0 ? (cells[at] ?? '') : '')).join(' ')
  const parts = /(\d{4})\D?(\d{1,2})\D?(\d{1,2})/.exec(text)
  const hours =
    /(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?/.exec(text) ?? /(?:^|\D|\d{8})(\d{2})(\d{2})(\d{2})(?:\D|$)/.exec(text)
  const isAfternoon = /下午|晚上|PM/i.test(text) && parseInteger(hours?.[1] ?? '') < 12
  const hour = isAfternoon ? String(parseInteger(hours![1]!) + 12) : hours?.[1]
  const clock = hours ? padded(hour) + padded(hours[2]) + padded(hours[3]) : ''
  return parts ? `${parts[1]}${padded(parts[2])}${padded(parts[3])}${clock}` : clock
}

type Row = { readonly cells: readonly string[]; readonly at: string; readonly number: number }

const DAY_DIGITS = 8

/**
 * The rows about each transfer: by the number of the payment wherever it stands, else by account and amount, of no day
 * before `since`: rent has the same amount each month.
 */
function rowsByLine(rows: readonly Row[], columns: Columns, sent: readonly Sent[], since: string): Map<number, Row[]> {
  const byNumber = new Map(sent.map(line => [line.payment_no, line]))
  const found = new Map<number, Row[]>()
  for (const row of rows) {
    const named = row.cells.flatMap(cell => cell.match(/[A-Za-z]{1,8}\d{1,20}/g) ?? []).find(word => byNumber.has(word))
    const amount = amountOf(row.cells[columns.amount] ?? '')
    const accounts = new Set(row.cells.map(plainAccount).filter(Boolean))
    const isEarlier = row.at.length >= DAY_DIGITS && row.at.slice(0, DAY_DIGITS) < since.replaceAll('-', '')
    const alike = sent.filter(
      line =>
        !isEarlier &&
        amount !== null &&
        compare(line.taxed_amount, amount) === 0 &&
        accounts.has(plainAccount(line.payee_account)),
    )
    const line = named ? byNumber.get(named) : alike.length === 1 ? alike[0] : undefined
    if (line) found.set(line.line_no, [...(found.get(line.line_no) ?? []), row])
  }
  return found
}

/**
 * The rows that count of one transfer: the last by time, and those that may be as late, because the file says nothing
 * of their moment or their day alone.
 */
const lastOf = (rows: readonly Row[]): readonly Row[] => {
  const last = rows
    .map(row => row.at)
    .sort()
    .at(-1)!
  return rows.filter(row => last.startsWith(row.at))
}

/**
 * What a bank answered, line by line. Its words are compared as wholes with those that are usual and those that the
 * organisation entered; a word that is in neither is asked, and so is a transfer with several answers of which none is
 * the last. Nothing was sent before the day `since`. Null: the file has no headings of amount and of the bank's state.
 */
export function readReturn(
  rows: Rows,
  sent: readonly Sent[],
  account = '',
  entered: readonly BankWord[] = [],
  since = '',
): readonly Answered[] | null {
  const columns = columnsOf(rows)
  if (!columns) return null
  const place: WordPlace = { account, column: rows[columns.row]![columns.state]! }
  const body = rows.slice(columns.row + 1).map((cells, at) => ({
    cells,
    at: momentOf(cells, columns),
    number: columns.row + at + 2,
  }))
  return [...rowsByLine(body, columns, sent, since)].flatMap(([line_no, all]): Answered[] => {
    const line = sent.find(each => each.line_no === line_no)!
    return answerOf(line, lastOf(all), columns, word => outcomeOf(word, place, entered))
  })
}

function answerOf(
  line: Sent,
  rows: readonly Row[],
  columns: Columns,
  meaning: (word: string) => BankOutcome | null,
): Answered[] {
  const { cells } = rows.at(-1)!
  const state = (cells[columns.state] ?? '').trim()
  if (state === '') return []
  const bank_fee = columns.fee >= 0 ? amountOf(cells[columns.fee] ?? '') : null
  const answer = (transfer_result: Answered['transfer_result'], fail_reason: string | null): Answered[] => [
    {
      line_no: line.line_no,
      transfer_result,
      bank_serial_no: columns.serial >= 0 ? (cells[columns.serial] ?? '').trim() || null : null,
      fail_reason,
      bank_fee,
    },
  ]
  const words = [...new Set(rows.map(row => (row.cells[columns.state] ?? '').trim()))]
  const unknown = words.find(word => meaning(word) === null)
  if (unknown !== undefined)
    return answer('asked', `银行状态“${unknown.slice(0, 40)}”含义不明，请在【回盘用语】登记后重新读取`)
  const outcomes = new Set(words.map(meaning))
  if (outcomes.size > 1)
    return answer('asked', `文件第${rows.map(row => row.number).join('、')}行结果不同，分不出先后，请核对后手工登记`)
  const outcome = meaning(state)!
  const said = columns.reason >= 0 ? (cells[columns.reason] ?? '').trim() : ''
  if (outcome !== 'paid') return answer(outcome, said || state)
  const amount = amountOf(cells[columns.amount] ?? '')
  return amount !== null && compare(amount, line.taxed_amount) === 0
    ? answer('paid', null)
    : answer('part', `银行金额${amount ?? '无法识别'}，付款金额${line.taxed_amount}`)
}
