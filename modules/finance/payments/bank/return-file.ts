import type { FoundColumns, ReadPreview, Rows } from '#kernel/tables/foreign-table.ts'
import { compare, type Decimal, isDecimal, round } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { writtenFigure } from '#kernel/values/written-figure.ts'
import {
  type BankOutcome,
  type BankWord,
  outcomeOf,
  type WordPlace,
} from '#modules/finance/payments/bank/bank-words.ts'
import type { returnTable } from '#modules/finance/payments/bank/return-table.ts'
import { transferResults } from '#modules/finance/payments/bank/transfer-results.ts'

/** A transfer that was sent, to which the bank's answer is matched. */
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
  /** The bank's fee for the transfer; null if its file does not contain it. */
  readonly bank_fee: Decimal | null
}
const PREVIEWED = 6
const plainAccount = (text: string): string => text.replace(/\D/g, '')
const amountOf = (text: string): Decimal | null => {
  const bare = writtenFigure(text.replaceAll('元', ''))
  return isDecimal(bare, 2) ? round(bare, 2) : null
}

export type ReturnColumns = FoundColumns<keyof typeof returnTable.columns>

const padded = (text: string | undefined): string => (text ?? '').padStart(2, '0')
/** The moment of a row as digits that sort; empty if the file has none. */
function momentOf(cells: readonly string[], { at }: ReturnColumns): string {
  const text = [...at.day, ...at.time].map(column => cells[column] ?? '').join(' ')
  const parts = /(?<!\d)(\d{4})[-/.年]?(1[0-2]|0?[1-9])[-/.月]?([12]\d|3[01]|0?[1-9])(?![-/.])/.exec(text)
  // A day that is written otherwise (26/11/2026) is no reason to take its hour for that of every day.
  if (parts === null && /(?<!\d)\d{4}(?!\d)/.test(text)) return ''
  const hours =
    /(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?/.exec(text) ?? /(?:^|\D|\d{8})(\d{2})(\d{2})(\d{2})(?:\D|$)/.exec(text)
  const said = parseInteger(hours?.[1] ?? '')
  const isAfternoon = /下午|晚上|PM/i.test(text) && said < 12
  const isMidnight = /上午|凌晨|AM/i.test(text) && said === 12
  const hour = isAfternoon ? String(said + 12) : isMidnight ? '00' : hours?.[1]
  const clock = hours ? padded(hour) + padded(hours[2]) + padded(hours[3]) : ''
  return parts ? `${parts[1]}${padded(parts[2])}${padded(parts[3])}${clock}` : clock
}

/** A serial number; null where a program made it a number and its last digits are lost: 1.23456E+15. */
const serialIn = (text: string): string | null => (text === '' || /^\d(?:\.\d+)?E\+\d+$/i.test(text) ? null : text)

type Row = { readonly cells: readonly string[]; readonly at: string; readonly number: number }

const DAY_DIGITS = 8

/**
 * The rows about each transfer: by the number of the payment in any column, otherwise by account and amount, not before
 * `since`: rent has the same amount each month.
 */
function rowsByLine(
  rows: readonly Row[],
  columns: ReturnColumns,
  sent: readonly Sent[],
  since: string,
): Map<number, Row[]> {
  const byNumber = new Map(sent.map(line => [line.payment_no, line]))
  const found = new Map<number, Row[]>()
  for (const row of rows) {
    const named = row.cells.flatMap(cell => cell.match(/[A-Za-z]{1,8}\d{1,20}/g) ?? []).find(word => byNumber.has(word))
    const amount = amountOf(row.cells[columns.at.amount[0]!] ?? '')
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
 * The rows that count for one transfer: the last by time, and those that may be as late, because the file has no time
 * for them, or only a day.
 */
const lastOf = (rows: readonly Row[]): readonly Row[] => {
  const last = rows
    .map(row => row.at)
    .sort()
    .at(-1)!
  return rows.filter(row => last.startsWith(row.at))
}

/** The data with which the bank's answer is compared: the transfers sent from `account` on the day `since` or later. */
export type ReturnGiven = {
  readonly sent: readonly Sent[]
  readonly account: string
  readonly words: readonly BankWord[]
  readonly since: string
}

/**
 * Reads a bank's answer, line by line. Its words are compared as wholes with the usual ones and with those that the
 * organisation entered. The user is asked about a word in neither list, and about a transfer with several answers of
 * which none is the last.
 */
export function readReturn(
  rows: Rows,
  columns: ReturnColumns,
  { sent, account, words, since }: ReturnGiven,
): readonly Answered[] {
  const place: WordPlace = { account, column: columns.titles[columns.at.state[0]!]! }
  const body = rows.slice(columns.row + 1).map((cells, at) => ({
    cells,
    at: momentOf(cells, columns),
    number: columns.row + at + 2,
  }))
  return [...rowsByLine(body, columns, sent, since)].flatMap(([line_no, all]): Answered[] => {
    const line = sent.find(each => each.line_no === line_no)!
    return answerOf(line, lastOf(all), columns, word => outcomeOf(word, place, words))
  })
}

/** The first answers, as shown to the user who maps the columns. */
export function previewReturn(answers: readonly Answered[], { sent }: ReturnGiven): ReadPreview {
  return {
    headings: ['付款单号', '付款金额', '回盘结果', '银行流水号', '原因'],
    rows: answers.slice(0, PREVIEWED).map(({ line_no, transfer_result, bank_serial_no, fail_reason }) => {
      const { payment_no, taxed_amount } = sent.find(line => line.line_no === line_no)!
      return [payment_no, taxed_amount, transferResults[transfer_result], bank_serial_no ?? '', fail_reason ?? '']
    }),
    said: `本批次${sent.length}笔，读到${answers.length}笔的结果`,
    refused: answers.length === 0 ? '没有与本批次相符的记录，请核对所选的列' : null,
  }
}

/** Yuan as banks name it; an empty cell is in yuan. */
const YUAN: readonly string[] = ['', '人民币', '人民币元', 'CNY', 'RMB', 'CNH', '156', '01', '1']
/** The currency of a row that is not yuan; undefined: it is in yuan, or the file has none. */
function otherCurrency({ cells }: Row, { titles }: ReturnColumns): string | undefined {
  const said = (cells[titles.findIndex(title => /币种|货币/.test(title))] ?? '').trim()
  return YUAN.includes(said.toUpperCase()) ? undefined : said
}

function answerOf(
  line: Sent,
  rows: readonly Row[],
  columns: ReturnColumns,
  meaning: (word: string) => BankOutcome | null,
): Answered[] {
  const { at } = columns
  const last = rows.at(-1)!
  const textOf = ({ cells }: Row, column: readonly number[]) => (cells[column[0] ?? -1] ?? '').trim()
  const state = textOf(last, at.state)
  if (state === '') return []
  const answer = (transfer_result: Answered['transfer_result'], fail_reason: string | null): Answered[] => [
    {
      line_no: line.line_no,
      transfer_result,
      bank_serial_no: serialIn(textOf(last, at.serial)),
      fail_reason,
      bank_fee: amountOf(textOf(last, at.fee)),
    },
  ]
  const words = [...new Set(rows.map(row => textOf(row, at.state)))]
  const unknown = words.find(word => meaning(word) === null)
  if (unknown !== undefined)
    return answer('asked', `银行状态“${unknown.slice(0, 40)}”含义不明，请在【回盘用语】登记后重新读取`)
  const outcomes = new Set(words.map(meaning))
  if (outcomes.size > 1)
    return answer('asked', `文件第${rows.map(row => row.number).join('、')}行结果不同，分不出先后，请核对后手工登记`)
  const outcome = meaning(state)!
  if (outcome !== 'paid') return answer(outcome, textOf(last, at.reason) || state)
  const currency = otherCurrency(last, columns)
  if (currency !== undefined) return answer('asked', `银行币种“${currency.slice(0, 20)}”不是人民币，请核对后手工登记`)
  const amount = amountOf(textOf(last, at.amount))
  return amount !== null && compare(amount, line.taxed_amount) === 0
    ? answer('paid', null)
    : answer('part', `银行金额${amount ?? '无法识别'}，付款金额${line.taxed_amount}`)
}
