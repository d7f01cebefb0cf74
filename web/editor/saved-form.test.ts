import { describe, expect, it } from 'vitest'
import { documentOf } from '#kernel/registry.ts'
import { lineColumns } from '#web/editor/lines/line-columns.ts'
import { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import { asListed } from '#web/fields/line-order.ts'

const loss = documentOf('loss')!
const requisition = documentOf('requisition')!

describe('what is sent when a document is saved', () => {
  it('sends emptied fields of an existing line, and nothing that a new line leaves out', () => {
    const { lines } = savedForm(loss, {}, [
      { line_no: 3, quantity: '1', remark: '', pictures: [] },
      { quantity: '1', remark: '', pictures: [] },
    ])
    expect(lines).toEqual([{ line_no: 3, quantity: '1', remark: null, pictures: [] }, { quantity: '1' }])
  })

  it('sends only correctable fields of a pending document, and only those are editable', () => {
    const header = { state: 'submitted', remark: '急', department_inner_sn: '7', source_sn: 'X' }
    const line = { line_no: 1, specification_sn: '1', quantity: '5', approved_quantity: '3' }
    expect(savedForm(requisition, header, [line], 'submitted')).toEqual({
      remark: '急',
      lines: [{ line_no: 1, approved_quantity: '3' }],
    })
    const open = lineColumns(requisition, [line], false, false, 'submitted').filter(column => column.editable)
    expect(open.map(column => column.name)).toEqual(['approved_quantity', 'refuse_reason', 'remark'])
    const others = lineColumns(requisition, [line], false, false, 'submitted', false).filter(column => column.editable)
    expect(others.map(column => column.name)).toEqual(['remark'])
    expect(savedForm(requisition, header, [line], 'draft')).toHaveProperty('department_inner_sn')
    expect(savedForm(requisition, header, [line], 'draft').lines).toEqual([
      { line_no: 1, specification_sn: '1', quantity: '5' },
    ])
  })

  it('receipt products are listed last first, on the page and in print, and saved in number order', () => {
    const stored = [1, 2, 3].map(line_no => ({ line_no, quantity: String(line_no) }))
    const shown = asListed(purchaseGrn, stored)
    expect(shown.map(line => line.line_no)).toEqual([3, 2, 1])
    expect(asListed(requisition, stored)).toBe(stored)
    const { lines } = savedForm(purchaseGrn, {}, [...shown, { quantity: '9' }]) as { lines: { quantity: string }[] }
    expect(lines.map(line => line.quantity)).toEqual(['1', '2', '3', '9'])
  })
})
