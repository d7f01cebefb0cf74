import { expect, test } from 'vitest'
import { receipt } from '#modules/finance/payments/receipt.doc.ts'
import { offersFor } from '#web/editor/document/document-actions.ts'

const info = { actions: ['match', 'unmatch', 'unreview'] } as never
const because = (doc: object): (string | null)[] =>
  offersFor(receipt as never, info, doc as never, true).map(offer => offer.because)

test('核销 of a recorded receipt is disabled like 反审核; what its dialog will ask for is not yet missing', () => {
  const free = [{ source_line_no: null }]
  const matched = [{ source_line_no: 1 }]
  const sentences = ['单据已记账，不能反审核', '单据已记账，不能核销', '单据已记账，不能取消核销']
  expect(because({ record_state: '2', lines: free }).toSorted()).toEqual(sentences.toSorted())
  expect(because({ record_state: '1', lines: free })).toContain('该收款单没有核销发票')
  expect(because({ record_state: '1', lines: matched })).toContain('该收款单已全部核销')
  expect(because({ record_state: '1', lines: [...free, ...matched] })).toEqual([null, null, null])
})
