import { expect, test } from 'vitest'
import { readReturn, type Sent } from '#modules/payments/bank/return-file.ts'

/** 回盘文件: what a bank says of each transfer, whatever its columns are called. */
const sent: readonly Sent[] = [
  { line_no: 1, payment_no: 'FK2611260001', payee_account: '6222 0001', taxed_amount: '1450.00' },
  { line_no: 2, payment_no: 'FK2611260002', payee_account: '62220002', taxed_amount: '80.50' },
  { line_no: 3, payment_no: 'FK2611260003', payee_account: '62220003', taxed_amount: '9.00' },
]
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

test('without a number by account and amount; what is under way or unknown waits', () => {
  expect(
    results([
      ['账号', '金额', '状态'],
      ['6222-0001', '1450', '成功'],
      ['62220002', '80.50', '处理中'],
      ['99999999', '9.00', '成功'],
    ]),
  ).toEqual([[1, 'paid', null]])
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
