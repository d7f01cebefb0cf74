import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, it } from 'vitest'
import { documentOf } from '#kernel/registry.ts'
import { completer, lineColumns } from '#web/editor/lines/line-columns.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { type GridHandle, LineGrid } from '#web/grid/LineGrid.tsx'
import { createLines } from '#web/grid/lines.ts'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { fakeServer } from '#tests/support/page/server.ts'

const order = documentOf('purchaseOrder')!
const product = { sn: '11', name: '3.0×28', product_name: '药物洗脱支架', unit_inner_sn: '7', unit_name: '支' }
const goods = { specification_sn: '11', product_name: '药物洗脱支架', specification_name: '3.0×28' }
const line = (more: Row = {}): Row => ({ ...goods, quantity: '2', price: '100', tax_rate: 13, ...more })

/** The grid of a purchase order's lines, as the editor draws it. */
function openGrid(rows: readonly Row[], { locked = false }: { locked?: boolean } = {}) {
  const server = fakeServer(
    '/commonView/purchaseOrder',
    { org: 'D', operations: [], rights: ['price'] },
    {
      '/v1/business/specification/list': ({ q = '' }) => ({
        list: [product].filter(row => row.product_name.includes(q) || row.name.includes(q)),
      }),
    },
  )
  const lines = createLines(rows, completer(order))
  const handle = createRef<GridHandle>()
  const columns = lineColumns(order, rows, locked, false)
  const draw = (
    <Surroundings>
      <LineGrid lines={lines} columns={columns} locked={locked} label="明细" handle={handle} blank="暂无明细" />
    </Surroundings>
  )
  render(draw)
  return { lines, user: userEvent.setup(), server, handle }
}

const titles = () => screen.getAllByRole('columnheader').map(head => head.textContent)
const rowAt = (number: number) => screen.getAllByRole('row')[number]!
/** The cell of a numbered line under a heading. */
const cell = (number: number, title: string): HTMLElement =>
  within(rowAt(number)).getAllByRole('gridcell')[titles().indexOf(title) - 1] ?? expect.fail(`no column ${title}`)
const texts = (title: string, count: number) =>
  Array.from({ length: count }, (_, at) => cell(at + 1, title).textContent)
const active = () => document.querySelector('[data-active]')

it('a quantity, a price and a rate are typed one after another, and the amounts follow', async () => {
  const { user } = openGrid([{ ...goods }])
  await user.click(cell(1, '采购数量'))
  await user.keyboard('10{Enter}')
  expect(cell(1, '采购数量').textContent).toBe('10')
  expect(active()).toBe(cell(1, '含税单价'))
  await user.keyboard('12.5{Tab}')
  expect(active()).toBe(cell(1, '税率'))
  await user.keyboard('13{Enter}')
  expect(cell(1, '税率').textContent).toBe('13%')
  expect(cell(1, '未税金额').textContent).toBe('110.62')
  expect(cell(1, '税额').textContent).toBe('14.38')
  expect(cell(1, '价税合计').textContent).toBe('125.00')
})

it('an amount that is typed gives the price', async () => {
  const { user } = openGrid([line({ quantity: '4' })])
  await user.click(cell(1, '价税合计'))
  await user.keyboard('50{Enter}')
  expect(cell(1, '含税单价').textContent).toBe('12.50')
  expect(cell(1, '价税合计').textContent).toBe('50.00')
})

it('Tab goes on to the next line and, past the last, to a new one; Shift+Tab goes back', async () => {
  const { user, lines } = openGrid([line(), line()])
  await user.click(cell(1, '备注'))
  await user.keyboard('一{Tab}')
  expect(active()).toBe(cell(2, '产品名称'))
  await user.keyboard('{Shift>}{Tab}{/Shift}')
  expect(active()).toBe(cell(1, '备注'))
  await user.click(cell(2, '备注'))
  await user.keyboard('{Tab}')
  expect(lines.all()).toHaveLength(3)
  expect(active()).toBe(cell(3, '产品名称'))
  // An empty line is there already: Enter in its last cell adds no second one.
  await user.click(cell(3, '备注'))
  await user.keyboard('{Enter}')
  expect(lines.all()).toHaveLength(3)
})

it('arrows move, F2 opens what is there, Escape keeps it, and typing replaces it', async () => {
  const { user } = openGrid([line({ remark: '甲' }), line({ remark: '乙' })])
  await user.click(cell(1, '备注'))
  await user.keyboard('{ArrowDown}')
  expect(active()).toBe(cell(2, '备注'))
  await user.keyboard('{F2}')
  expect(screen.getByRole('textbox', { name: '第2行备注' })).toHaveProperty('value', '乙')
  await user.keyboard('{End}丙{Escape}')
  expect(cell(2, '备注').textContent).toBe('乙')
  await user.keyboard('丁{ArrowUp}')
  expect(texts('备注', 2)).toEqual(['甲', '丁'])
  expect(active()).toBe(cell(1, '备注'))
})

it('Ctrl+Z takes a change back and Ctrl+Y makes it again; Delete empties, Ctrl+D fills down', async () => {
  const { user } = openGrid([line({ remark: '甲' }), line(), line()])
  await user.click(cell(1, '备注'))
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}d{/Control}')
  expect(texts('备注', 3)).toEqual(['甲', '甲', '甲'])
  await user.keyboard('{Delete}')
  expect(texts('备注', 3)).toEqual(['', '', ''])
  await user.keyboard('{Control>}zz{/Control}')
  expect(texts('备注', 3)).toEqual(['甲', '', ''])
  await user.keyboard('{Control>}y{/Control}')
  expect(texts('备注', 3)).toEqual(['甲', '甲', '甲'])
})

it('a ticked block of lines is removed, from the keyboard and from the button', async () => {
  const { user, handle } = openGrid(['甲', '乙', '丙', '丁'].map(remark => line({ remark })))
  await user.click(cell(2, '备注'))
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}-{/Control}')
  expect(texts('备注', 2)).toEqual(['甲', '丁'])
  await waitFor(() => expect(active()).toBe(cell(2, '备注')))
  handle.current!.removeSelected()
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3))
  expect(cell(1, '备注').textContent).toBe('甲')
})

it('a block from Excel is pasted to the right and down, creating lines; products are looked up by name', async () => {
  const { user, server } = openGrid([line({ taxed_amount: '200.00' }), {}])
  await user.click(cell(2, '产品名称'))
  const clipboard = [
    ['药物洗脱支架', '手写的规格', '', '1,000', '￥2.5', '13%'],
    ['没有的产品', '', '', '3', '4', '6%'],
  ]
  await user.paste(clipboard.map(row => row.join('\t')).join('\r\n'))
  await waitFor(() => expect(cell(2, '规格型号').textContent).toBe('3.0×28'))
  expect(texts('采购数量', 3)).toEqual(['2', '1,000', '3'])
  expect(texts('价税合计', 3)).toEqual(['200.00', '2,500.00', '12.00'])
  expect(texts('税率', 3)).toEqual(['13%', '13%', '6%'])
  // Text for which nothing is found stays as it was pasted, marked.
  expect(cell(3, '产品名称').textContent).toBe('没有的产品')
  expect(cell(3, '产品名称').getAttribute('aria-invalid')).toBe('true')
  expect(cell(3, '产品名称').title).toBe('没有找到“没有的产品”')
  expect(await screen.findByText('1项没有找到，已在表中标出')).toBeTruthy()
  expect(server.to('/v1/business/specification/list').map(call => call.values.q)).toEqual([
    '药物洗脱支架',
    '没有的产品',
  ])
})

it('a marked block is copied as Excel reads it, and cut', async () => {
  const { user } = openGrid([line({ remark: '两\t格' }), line({ quantity: '1234.5' })])
  await user.click(cell(1, '备注'))
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  const clipboard = new DataTransfer()
  const input = document.activeElement!
  fireEvent.copy(input, { clipboardData: clipboard })
  expect(clipboard.getData('text/plain')).toBe('"两\t格"\n')
  fireEvent.cut(input, { clipboardData: clipboard })
  expect(texts('备注', 2)).toEqual(['', ''])
})

it('what is no figure stays as it was typed, marked with the reason, until it is corrected', async () => {
  const { user, lines } = openGrid([line()])
  await user.click(cell(1, '采购数量'))
  await user.keyboard('十个{Enter}')
  const wrong = cell(1, '采购数量')
  expect([wrong.textContent, wrong.title]).toEqual(['十个', '【采购数量】应为数字'])
  expect(wrong.getAttribute('aria-invalid')).toBe('true')
  expect(rowAt(1).dataset.wrong).toBe('true')
  expect(cell(1, '价税合计').textContent).toBe('')
  await user.click(wrong)
  await user.keyboard('3{Enter}')
  expect(cell(1, '采购数量').getAttribute('aria-invalid')).toBeNull()
  expect(cell(1, '价税合计').textContent).toBe('300.00')
  expect(lines.all()[0]?.problems).toEqual({})
})

it('what the server refused is marked in its line, and the cell can be gone to', async () => {
  const { lines, handle } = openGrid([line(), line({ line_no: 2 })])
  lines.mark([{ at: 1, field: 'price', msg: '单价高于协议价' }])
  await waitFor(() => expect(cell(2, '含税单价').title).toBe('单价高于协议价'))
  expect(rowAt(1).dataset.wrong).toBe('false')
  handle.current!.goTo(1, 'price')
  await waitFor(() => expect(active()).toBe(cell(2, '含税单价')))
})

it('a tax rate is chosen from its list with the arrows', async () => {
  const { user } = openGrid([line({ tax_rate: null })])
  await user.click(cell(1, '税率'))
  await user.keyboard('{F2}')
  const offered = within(screen.getByRole('listbox')).getAllByRole('option')
  await user.keyboard('{ArrowDown}{Enter}')
  expect(cell(1, '税率').textContent).toBe(offered[1]!.textContent)
  expect(screen.queryByRole('listbox')).toBeNull()
})

it('a product that is typed and entered before its list arrived is the one that matches', async () => {
  const { user } = openGrid([{}])
  await user.click(cell(1, '产品名称'))
  await user.keyboard('药物{Enter}')
  await waitFor(() => expect(cell(1, '规格型号').textContent).toBe('3.0×28'))
  expect(cell(1, '产品名称').textContent).toBe('药物洗脱支架')
  expect(cell(1, '单位').textContent).toBe('支')
})

it('a locked document can be read and copied, and nothing changes it', async () => {
  const { user, lines } = openGrid([line({ remark: '甲' })], { locked: true })
  await user.click(cell(1, '备注'))
  await user.keyboard('乙{Enter}{Delete}{Control>}-{/Control}')
  await user.paste('丙')
  expect(cell(1, '备注').textContent).toBe('甲')
  expect(lines.isChanged()).toBe(false)
  const clipboard = new DataTransfer()
  await user.click(cell(1, '备注'))
  fireEvent.copy(document.activeElement!, { clipboardData: clipboard })
  expect(clipboard.getData('text/plain')).toBe('甲')
})

it('the foot counts the lines and sums quantities and amounts', async () => {
  const { user } = openGrid([line({ taxed_amount: '200.00' }), line({ quantity: '0.5' })])
  const foot = () => screen.getAllByRole('row').at(-1)!.textContent
  expect(foot()).toMatch(/^合计共 2 行/)
  expect(foot()).toContain('2.5')
  await user.click(cell(2, '采购数量'))
  await user.keyboard('8{Enter}')
  await waitFor(() => expect(foot()).toContain('1,000.00'))
})

it('of ten thousand lines only those in sight are drawn', () => {
  openGrid(Array.from({ length: 10_000 }, (_, at) => line({ remark: `${at}` })))
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001')
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
})

it('an empty document says how to begin', () => {
  openGrid([])
  expect(screen.getByText('暂无明细')).toBeTruthy()
})
