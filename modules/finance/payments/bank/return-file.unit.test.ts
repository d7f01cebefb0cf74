import { expect, test } from 'vitest'
import { findColumns, type Rows } from '#kernel/tables/foreign-table.ts'
import type { BankWord } from '#modules/finance/payments/bank/bank-words.ts'
import { readReturn as readColumns, type ReturnGiven, type Sent } from '#modules/finance/payments/bank/return-file.ts'
import { returnTable } from '#modules/finance/payments/bank/return-table.ts'

/** 回盘文件: a bank's answer to each transfer is read, whatever its columns are called. */
const sent: readonly Sent[] = [
  { line_no: 1, payment_no: 'FK2611260001', payee_account: '6222 0001', taxed_amount: '1450.00' },
  { line_no: 2, payment_no: 'FK2611260002', payee_account: '62220002', taxed_amount: '80.50' },
  { line_no: 3, payment_no: 'FK2611260003', payee_account: '62220003', taxed_amount: '9.00' },
]
const readReturn = (rows: Rows, of: readonly Sent[], more: Partial<ReturnGiven> = {}) => {
  const columns = findColumns(returnTable, rows)
  return columns && readColumns(rows, columns, { sent: of, account: '', words: [], since: '', ...more })
}
const results = (rows: readonly (readonly string[])[]) =>
  readReturn(rows, sent)?.map(({ line_no, transfer_result, fail_reason }) => [line_no, transfer_result, fail_reason])

test('matched by the number of the payment, wherever it stands; success, failure and another amount', () => {
  expect(
    results([
      ['批量转账结果'],
      ['序号', '收款账号', '交易金额', '附言', '处理状态', '失败原因', '交易流水号'],
      ['1', '62220001', '1,450.00', '货款FK2611260001', '交易成功', '', 'A1'],
      ['2', '62220002', '80.50', 'FK2611260002', '交易失败', '账号户名不符', 'A2'],
      ['3', '62220003', '8.00', 'FK2611260003', '交易成功', '', 'A3'],
    ]),
  ).toEqual([
    [1, 'paid', null],
    [2, 'failed', '账号户名不符'],
    [3, 'part', '银行金额8.00，付款金额9.00'],
  ])
})

test('a figure with a decimal comma is another amount to nobody, and no fee', () => {
  const [head, tail] = [
    ['收款账号', '交易金额', '附言', '处理状态', '手续费'],
    ['交易成功', '3,50'],
  ]
  const of = (amount: string) =>
    readReturn([head, ['62220001', amount, 'FK2611260001', ...tail]], sent)!.map(row => [
      row.transfer_result,
      row.fail_reason,
      row.bank_fee,
    ])
  expect(of('1450,00')).toEqual([['part', '银行金额无法识别，付款金额1450.00', null]])
  expect(of('￥１，４５０．００元')).toEqual([['paid', null, null]])
})

test('of two answers the last counts, also after midnight by a clock of twelve hours', () => {
  const row = (time: string, state: string) => ['62220001', '1450', 'FK2611260001', state, '2026-11-26', time]
  const head = ['收款账号', '交易金额', '附言', '处理状态', '交易日期', '交易时间']
  expect(results([head, row('12:30:00 AM', '处理中'), row('09:00:00 AM', '交易成功')])).toEqual([[1, 'paid', null]])
})

test('without a number by account and amount; what is under way or unknown waits', () => {
  expect(
    results([
      ['账号', '金额', '状态'],
      ['6222-0001', '1450', '成功'],
      ['62220002', '80.50', '处理中'],
      ['99999999', '9.00', '成功'],
    ]),
  ).toEqual([
    [1, 'paid', null],
    [2, 'accepted', '处理中'],
  ])
  expect(readReturn([['随便', '什么']], sent)).toBeNull()
})

test('what the bank took for a transfer stands in a column of its own, and is no amount of it', () => {
  const answers = readReturn(
    [
      ['手续费金额', '付款金额', '附言', '状态'],
      ['3.50', '1450', 'FK2611260001', '成功'],
    ],
    sent,
  )
  expect(answers).toMatchObject([{ transfer_result: 'paid', bank_fee: '3.50' }])
})

const heads = ['附言', '金额', '交易状态', '交易时间']
const one = (...states: readonly (readonly [state: string, at?: string])[]) =>
  results([heads, ...states.map(([state, at = '']) => ['FK2611260001', '1450', state, at])])

test.each(['交易未成功', '处理未完成', '不成功', '未成功', '支付未成功', '提交成功', '银行受理成功', '等待复核完成'])(
  '%s is no payment, whatever part of it says 成功 or 完成',
  word => {
    const [[, result] = []] = one([word])!
    expect(['failed', 'accepted']).toContain(result)
  },
)

test('every usual word is matched whole: with anything before or after it, a person is asked', () => {
  for (const word of ['成功', '交易成功', '失败', '退汇', '受理成功'])
    for (const other of [`并未${word}`, `${word}（预计）`, `非${word}笔`])
      expect(one([other])).toEqual([[1, 'asked', `银行状态“${other}”含义不明，请在【回盘用语】登记后重新读取`]])
  expect(one(['完成'])).toMatchObject([[1, 'asked', expect.any(String)]])
  expect(one(['　交易 成功 '])).toEqual([[1, 'paid', null]])
})

test("an organisation's own words count for their bank and column, the closest first", () => {
  const rows = [heads, ['FK2611260001', '1450', '处理完毕', '']]
  const word = { bank: null, column_title: null, word: '处理完毕', outcome: 'accepted' } as const
  const read = (account: string, entered: readonly BankWord[]) => readReturn(rows, sent, { account, words: entered })
  expect(read('', [word])).toMatchObject([{ transfer_result: 'accepted' }])
  const ofBank = { ...word, bank: '工行', outcome: 'paid' } as const
  expect(read('工行6222', [word, ofBank])).toMatchObject([{ transfer_result: 'paid' }])
  expect(read('农行6228', [word, ofBank])).toMatchObject([{ transfer_result: 'accepted' }])
  expect(read('农行6228', [ofBank])).toMatchObject([{ transfer_result: 'asked' }])
  const ofColumn = { ...ofBank, column_title: '交易状态', outcome: 'failed' } as const
  expect(read('工行6222', [word, ofBank, ofColumn])).toMatchObject([{ transfer_result: 'failed' }])
})

test("the bank's own state wins over that of our people, and theirs alone is none", () => {
  const both = [
    ['经办状态', '附言', '金额', '银行受理状态', '交易状态'],
    ['经办成功', 'FK2611260001', '1450', '受理成功', '交易失败'],
    ['成功', 'FK2611260002', '80.50', '成功', '处理中'],
  ]
  expect(results(both)).toEqual([
    [1, 'failed', '交易失败'],
    [2, 'accepted', '处理中'],
  ])
  expect(
    results([
      ['附言', '金额', '经办状态'],
      ['FK2611260001', '1450', '成功'],
    ]),
  ).toBeUndefined()
  for (const title of ['户名校验结果', '回单打印状态', '短信通知状态'])
    expect(
      results([
        ['附言', '金额', title],
        ['FK2611260001', '1450', '成功'],
      ]),
      title,
    ).toBeUndefined()
})

test('of several rows of one payment the last by time counts, wherever it stands in the file', () => {
  const [early, late] = ['2026-11-26 09:00:00', '2026-11-26 14:30:00']
  expect(one(['交易成功', late], ['交易失败', early])).toEqual([[1, 'paid', null]])
  expect(one(['交易成功', early], ['退汇', late])).toEqual([[1, 'returned', '退汇']])
  expect(one(['冲正', late], ['交易成功', early])).toEqual([[1, 'returned', '冲正']])
  expect(one(['交易成功', '20261126 143000'], ['交易失败', '2026/11/26 9:00'])).toEqual([[1, 'paid', null]])
  expect(one(['交易成功'], ['交易失败'])).toEqual([[1, 'asked', '文件第2、3行结果不同，分不出先后，请核对后手工登记']])
  expect(one(['交易成功'], ['交易成功'])).toEqual([[1, 'paid', null]])
  expect(one(['交易成功', '2026-11-26 11:00:00'], ['退汇', '2026-11-26 下午2:00:00'])).toEqual([
    [1, 'returned', '退汇'],
  ])
  // A day without its time may be as late as any time of that day, and is earlier than the next one.
  const unclear = [[1, 'asked', '文件第2、3行结果不同，分不出先后，请核对后手工登记']]
  expect(one(['交易成功', early], ['退汇', '2026-11-26'])).toEqual(unclear)
  expect(one(['退汇', '2026-11-26'], ['交易成功', early])).toEqual(unclear)
  expect(one(['退汇', '2026-11-27'], ['交易成功', early])).toEqual([[1, 'returned', '退汇']])
})

test('a transfer of the same amount to the same account from before the batch is another one', () => {
  const of = (day: string, note = '') =>
    readReturn(
      [
        ['收款账号', '金额', '附言', '交易状态', '交易日期'],
        ['62220001', '1450', note, '交易成功', day],
      ],
      sent,
      { since: '2026-11-26' },
    )
  expect(of('2026-10-26')).toEqual([])
  expect(of('2026-11-26')).toMatchObject([{ line_no: 1, transfer_result: 'paid' }])
  expect(of('2026-10-26', 'FK2611260001')).toMatchObject([{ line_no: 1, transfer_result: 'paid' }])
})

test('a number that begins with that of another payment is not that payment', () => {
  expect(results([heads, ['FK26112600019', '77', '成功', '']])).toEqual([])
})

test('a statement is no return file, even where it has a state: somebody has to say that it is one', () => {
  for (const heads of [
    ['附言', '金额', '交易状态', '余额'],
    ['附言', '金额', '交易状态', '收入', '支出'],
    ['附言', '金额', '交易状态', '收/支'],
    ['附言', '金额', '交易状态', '借贷标志'],
  ])
    expect(results([heads, ['FK2611260001', '1450', '交易成功', '9']])).toBeUndefined()
})

test('the branch of the payee makes no statement', () => {
  const heads = ['附言', '金额', '交易状态', '收款支行', '收款方支付方式']
  expect(results([heads, ['FK2611260001', '1450', '交易成功', '']])).toEqual([[1, 'paid', null]])
})

test('days that are written otherwise decide nothing, and an hour of one day is no later than that of another', () => {
  const unclear = [[1, 'asked', '文件第2、3行结果不同，分不出先后，请核对后手工登记']]
  for (const [earlier, later] of [
    ['25/11/2026 15:00', '26/11/2026 09:00'],
    ['25-Nov-2026 15:00', '26-Nov-2026 09:00'],
    ['11/25/2026 15:00:00', '11/26/2026 09:05:00'],
  ] as const)
    expect(one(['交易成功', earlier], ['退汇', later])).toEqual(unclear)
})

test('a serial number whose last digits are lost is left open', () => {
  const serial = (text: string) => {
    const heads = ['附言', '金额', '交易状态', '交易流水号']
    return readReturn([heads, ['FK2611260001', '1450', '交易成功', text]], sent)![0]!.bank_serial_no
  }
  expect(serial('1.23456789012346E+15')).toBeNull()
  expect(serial('1.234567890123456e+21')).toBeNull()
  expect(serial('YH2611260001')).toBe('YH2611260001')
  const heads = ['商户流水号', '金额', '交易状态', '银行流水号']
  const own = readReturn([heads, ['FK2611260001', '1450', '交易成功', 'YH1']], sent)!
  expect(own).toMatchObject([{ bank_serial_no: 'YH1' }])
})

test('a title that names state and amount is no heading', () => {
  const title = ['批量转账状态及金额', '', '']
  const read = results([title, ['附言', '金额', '状态'], ['FK2611260001', '1450', '交易成功']])
  expect(read).toEqual([[1, 'paid', null]])
})

test('an amount in another currency is asked about', () => {
  const of = (currency: string) =>
    results([
      ['附言', '金额', '币种', '状态'],
      ['FK2611260001', '1450', currency, '交易成功'],
    ])
  for (const yuan of ['', '人民币', 'cny', '01']) expect(of(yuan)).toEqual([[1, 'paid', null]])
  expect(of('USD')).toEqual([[1, 'asked', '银行币种“USD”不是人民币，请核对后手工登记']])
})
