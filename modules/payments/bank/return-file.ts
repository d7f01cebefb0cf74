import { compare, type Decimal, isDecimal, round } from '#kernel/values/decimal.ts'

/** A transfer that was sent: what the bank's answer is matched to. */
export type Sent = {
  readonly line_no: number
  readonly payment_no: string
  readonly payee_account: string
  readonly taxed_amount: Decimal
}
export type Answered = {
  readonly line_no: number
  readonly transfer_result: 'paid' | 'failed' | 'part'
  readonly bank_serial_no: string | null
  readonly fail_reason: string | null
  /** What the bank took for the transfer; null where its file does not say. */
  readonly bank_fee: Decimal | null
}
type Rows = readonly (readonly string[])[]

const STATE = /状态|结果|处理情况/
const AMOUNT = /金额/
const FEE = /手续费|汇划费|工本费/
const SERIAL = /流水号|交易序号|回单号|凭证号/
const REASON = /原因|备注信息|返回信息|错误/
const DONE = /成功|完成|已入账/
const FAILED = /失败|退票|退回|拒绝|撤销/
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
}
/** The row of headings names an amount and how the transfer stands. */
function columnsOf(rows: Rows): Columns | null {
  for (const [row, cells] of rows.slice(0, DEEPEST).entries()) {
    const find = (title: RegExp) => cells.findIndex(cell => cell.length <= 20 && title.test(cell))
    const fee = find(FEE)
    const amount = cells.findIndex((cell, at) => at !== fee && cell.length <= 20 && AMOUNT.test(cell))
    const state = find(STATE)
    if (state >= 0 && amount >= 0) return { row, state, amount, serial: find(SERIAL), reason: find(REASON), fee }
  }
  return null
}

/**
 * What a bank answered, line by line: matched by the number of the payment wherever it stands in a row, else by account
 * and amount where only one transfer has them. A row that says neither success nor failure is left waiting. Null: the
 * file has no headings of amount and state.
 */
export function readReturn(rows: Rows, sent: readonly Sent[]): readonly Answered[] | null {
  const columns = columnsOf(rows)
  if (!columns) return null
  const open = new Map(sent.map(line => [line.line_no, line]))
  const answered: Answered[] = []
  for (const cells of rows.slice(columns.row + 1)) {
    const state = cells[columns.state] ?? ''
    const [isDone, isFailed] = [DONE.test(state), FAILED.test(state)]
    if (isDone === isFailed) continue
    const amount = amountOf(cells[columns.amount] ?? '')
    const left = [...open.values()]
    const named = left.find(line => cells.some(cell => cell.includes(line.payment_no)))
    const alike = left.filter(
      line =>
        amount !== null &&
        compare(line.taxed_amount, amount) === 0 &&
        cells.some(cell => plainAccount(cell) !== '' && plainAccount(cell) === plainAccount(line.payee_account)),
    )
    const line = named ?? (alike.length === 1 ? alike[0] : undefined)
    if (!line) continue
    open.delete(line.line_no)
    const isOther = amount === null || compare(amount, line.taxed_amount) !== 0
    const said = columns.reason >= 0 ? (cells[columns.reason] ?? '').trim() : ''
    answered.push({
      line_no: line.line_no,
      transfer_result: isFailed ? 'failed' : isOther ? 'part' : 'paid',
      bank_serial_no: columns.serial >= 0 ? (cells[columns.serial] ?? '').trim() || null : null,
      fail_reason: isFailed
        ? said || state
        : isOther
          ? `银行金额${amount ?? '无法识别'}，付款金额${line.taxed_amount}`
          : null,
      bank_fee: columns.fee >= 0 ? amountOf(cells[columns.fee] ?? '') : null,
    })
  }
  return answered
}
