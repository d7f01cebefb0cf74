import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { KeptSave } from '#web/editor/document/kept-saves.ts'
import { KeysDialog } from '#web/shell/KeysDialog.tsx'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

const ROUTE = '/commonView/purchaseOrder'
const PATH = '/v1/business/purchaseOrder'
const line: Wire = {
  line_no: 1,
  specification_sn: '11',
  product_name: '药物洗脱支架',
  specification_name: '3.0×28',
  quantity: '2.000',
  base_quantity: '2.000',
  price: '100.0000',
  tax_rate: 13,
  taxed_amount: '200.00',
}
const document_ = (more: Wire = {}): Wire => ({
  sn: 'CG1',
  version: 3,
  state: 'draft',
  role: 'own',
  counterparty_sn: '9',
  counterparty_name: '华东医械',
  order_type: 'normal',
  regime: 'purchased',
  business_date: '2026-11-01',
  remark: '尽快',
  lines: [line],
  history: [{ action: 'add', label: '新增', actor_name: '王采购', at: '2026-11-01T08:00:00Z' }],
  related: [],
  actions: ['edit', 'submit', 'del', 'copy', 'print'],
  ...more,
})

/** A purchase order on its page; the server keeps what is saved. */
async function openDocument(more: Wire = {}, key = 'CG1') {
  let kept = document_(more)
  const keep = ({ lines = '[]', ...values }: Readonly<Record<string, string>>) => {
    kept = { ...kept, ...values, version: 4, lines: JSON.parse(lines) as Wire[] }
    return { info: { sn: kept.sn, version: kept.version } }
  }
  const page = await openPage(`${ROUTE}/${key}`, {
    operations: ['add', 'edit', 'submit', 'review', 'import'],
    answers: {
      [`${PATH}/info`]: () => ({ info: kept }),
      [`${PATH}/edit`]: keep,
      [`${PATH}/add`]: keep,
      [`${PATH}/list`]: { list: [], total: 0 },
      '/v1/business/organisation/list': { list: [{ org_sn: '8', name: '江南医械' }] },
    },
  })
  await screen.findByRole('grid', { name: '明细' })
  return { ...page, become: (next: Wire) => (kept = { ...kept, ...next }) }
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const head = () => within(screen.getByRole('banner'))
const remark = () => screen.getByLabelText('备注', { selector: 'textarea' })
const cell = (title: string) => {
  const titles = screen.getAllByRole('columnheader').map(each => each.textContent)
  return within(screen.getAllByRole('row')[1]!).getAllByRole('gridcell')[titles.indexOf(title) - 1]!
}

it('a document shows its number, state, partner, lines and history', async () => {
  await openDocument()
  expect(head().getByText('CG1')).toBeTruthy()
  expect(head().getAllByText('草稿').length).toBeGreaterThan(0)
  expect(screen.getByText('华东医械')).toBeTruthy()
  expect(remark()).toHaveProperty('value', '尽快')
  expect(cell('采购数量').textContent).toBe('2')
  expect(head().queryByText('未保存')).toBeNull()
})

it('a changed header is marked as unsaved, and saved with its version by the button', async () => {
  const page = await openDocument()
  await page.user.clear(remark())
  await page.user.type(remark(), '下周到')
  expect(head().getByText('未保存')).toBeTruthy()
  await page.user.click(button('保存'))
  expect(await screen.findByText('CG1 已保存')).toBeTruthy()
  expect(head().queryByText('未保存')).toBeNull()
  const [sent] = page.server.to(`${PATH}/edit`)
  expect(sent!.values).toMatchObject({ sn: 'CG1', version: '3', remark: '下周到', counterparty_sn: '9' })
  expect(JSON.parse(sent!.values.lines!)).toMatchObject([{ line_no: 1, specification_sn: '11', quantity: '2.000' }])
  // Fields that only the page shows are not sent.
  expect(sent!.values.counterparty_name).toBeUndefined()
})

const KEPT = '断网，内容已保留，重连后自动保存'
/** The remarks of what this browser keeps for later. */
const keptForms = () =>
  Object.keys(localStorage)
    .filter(key => key.startsWith('kept-save:'))
    .map(key => (JSON.parse(localStorage.getItem(key)!) as KeptSave).call.values.remark)

it('a save whose reply alone was dropped is repeated at once under its id, and says nothing', async () => {
  const page = await openDocument()
  const tries: (string | null)[] = []
  page.server.answer(`${PATH}/edit`, () => {
    tries.push(page.server.to(`${PATH}/edit`).at(-1)!.requestId)
    if (tries.length === 1) throw new TypeError('Failed to fetch')
    return { info: { sn: 'CG1', version: 4 } }
  })
  await page.user.type(remark(), '！')
  await page.user.click(button('保存'))
  expect(await screen.findByText('CG1 已保存')).toBeTruthy()
  expect(tries).toHaveLength(2)
  expect(new Set(tries).size).toBe(1)
  expect(screen.queryByText(/网络超时/)).toBeNull()
})

it('saved offline, a form is kept and says so, and is sent once when the connection is back', async () => {
  const page = await openDocument()
  await page.user.clear(remark())
  await page.user.type(remark(), '下周到')
  page.server.connect(false)
  await page.user.click(button('保存'))
  expect(await screen.findByText(KEPT)).toBeTruthy()
  expect(await screen.findByText('断网，已保留，正在重连')).toBeTruthy()
  expect(remark()).toHaveProperty('value', '下周到')
  expect(head().getByText('未保存')).toBeTruthy()
  expect(document.body.textContent).not.toContain('刷新页面')
  // Pressed again meanwhile, it does not go twice.
  await page.user.keyboard('{Control>}s{/Control}')
  // A closed window does not lose it.
  expect(keptForms()).toEqual(['下周到'])
  page.server.connect(true)
  expect(await screen.findByText('CG1 已保存')).toBeTruthy()
  expect(keptForms()).toEqual([])
  expect(page.server.to(`${PATH}/edit`).map(({ values }) => values.remark)).toEqual(['下周到'])
  expect(head().queryByText('未保存')).toBeNull()
})

it('a save whose reply was lost is repeated under its own id, and what was typed since goes onto it', async () => {
  const page = await openDocument({}, 'new')
  let stored = 0
  const written = new Map<string, Wire>()
  const keep = (path: string) =>
    page.server.answer(path, () => {
      const { requestId } = page.server.to(path).at(-1)!
      const isRepeated = written.has(requestId!)
      if (!isRepeated) written.set(requestId!, { info: { sn: 'CG1', version: ++stored } })
      if (!isRepeated && stored === 1) {
        page.server.connect(false)
        throw new TypeError('Failed to fetch')
      }
      return written.get(requestId!)!
    })
  keep(`${PATH}/add`)
  keep(`${PATH}/edit`)
  await page.user.type(remark(), '急')
  await page.user.click(button('保存'))
  expect(await screen.findByText(KEPT)).toBeTruthy()
  await page.user.type(remark(), '用')
  page.server.connect(true)
  expect(await screen.findByText('CG1 已保存')).toBeTruthy()
  const added = page.server.to(`${PATH}/add`)
  expect(added.map(({ values }) => values.remark)).toEqual(['急', '急'])
  expect(new Set(added.map(({ requestId }) => requestId)).size).toBe(1)
  expect(page.server.to(`${PATH}/edit`).map(({ values }) => [values.sn, values.version, values.remark])).toEqual([
    ['CG1', '1', '急用'],
  ])
})

it('Ctrl+S saves what is still being typed in a cell', async () => {
  const page = await openDocument()
  await page.user.click(cell('采购数量'))
  await page.user.keyboard('7{Control>}s{/Control}')
  await waitFor(() => expect(page.server.to(`${PATH}/edit`)).toHaveLength(1))
  expect(JSON.parse(page.server.to(`${PATH}/edit`)[0]!.values.lines!)).toMatchObject([{ quantity: '7' }])
})

it('a supplier is chosen from those that match, with its name', async () => {
  const page = await openDocument()
  await page.user.click(screen.getByRole('combobox', { name: '供应商' }))
  await page.user.click(await screen.findByText('江南医械', { selector: '.ant-select-dropdown *' }))
  await page.user.click(button('保存'))
  await waitFor(() => expect(page.server.to(`${PATH}/edit`)[0]?.values.counterparty_sn).toBe('8'))
  // Suppliers alone are offered.
  expect(page.server.to('/v1/business/organisation/list')[0]!.values.relation).toBe('supplier')
})

it('fields and cells that the server refused are marked with its sentence, and correcting one clears it', async () => {
  const page = await openDocument()
  page.server.answer(`${PATH}/edit`, {
    code: 2000,
    msg: '保存失败，请检查标出的内容',
    errors: [
      { field: 'remark', msg: '备注不能包含电话' },
      { line: 1, field: 'price', msg: '单价高于协议价' },
    ],
  })
  await page.user.type(remark(), '13800000000')
  await page.user.click(button('保存'))
  expect((await screen.findByText('备注不能包含电话')).getAttribute('role')).toBe('alert')
  await waitFor(() => expect(cell('含税单价').title).toBe('单价高于协议价'))
  expect(await screen.findByText('保存失败，请检查标出的内容')).toBeTruthy()
  expect(head().getByText('未保存')).toBeTruthy()
  await page.user.click(await screen.findByRole('button', { name: /1处有误/ }))
  expect(document.querySelector('[data-active]')).toBe(cell('含税单价'))
  await page.user.type(remark(), '改')
  expect(screen.queryByText('备注不能包含电话')).toBeNull()
})

it('lines that cannot be read are not sent', async () => {
  const page = await openDocument()
  await page.user.click(cell('采购数量'))
  await page.user.keyboard('很多{Enter}')
  await page.user.click(button('保存'))
  expect(await screen.findByText('明细中有1处填写有误，请修正后再保存')).toBeTruthy()
  expect(page.server.to(`${PATH}/edit`)).toEqual([])
})

it('its buttons are what its state allows; an action that its guards refuse says why', async () => {
  const page = await openDocument({ counterparty_sn: null, counterparty_name: null })
  const submit = head().getByRole('button', { name: '提交' })
  expect(submit).toHaveProperty('disabled', true)
  await page.user.hover(submit)
  expect(await screen.findByText('请选择供应商')).toBeTruthy()
  await page.user.click(head().getByRole('button', { name: /更多/ }))
  const more = await screen.findAllByRole('menuitem')
  expect(more.map(item => item.textContent)).toEqual(expect.arrayContaining(['打印', '复制', '删除']))
  expect(head().queryByRole('button', { name: '审核' })).toBeNull()
})

it('a document under review is read, not written: 审核 in place of 提交, and no 保存', async () => {
  const page = await openDocument({ state: 'submitted', actions: ['review', 'reject', 'unsubmit'] })
  expect(head().getByRole('button', { name: '审核' })).toHaveProperty('disabled', false)
  expect(head().queryByRole('button', { name: '提交' })).toBeNull()
  expect(head().queryByRole('button', { name: '保存' })).toBeNull()
  expect(screen.queryByRole('textbox', { name: '备注' })).toBeNull()
  expect(screen.getByText('尽快')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /添加行$/ })).toBeNull()
  await page.user.click(cell('采购数量'))
  await page.user.keyboard('9{Enter}')
  expect(cell('采购数量').textContent).toBe('2')
})

it('提交 saves what is unsaved, then submits the saved version, and the page follows the new state', async () => {
  const page = await openDocument()
  page.server.answer(`${PATH}/submit`, () => {
    page.become({ state: 'submitted', version: 5, actions: ['review', 'unsubmit'] })
    return { info: { sn: 'CG1', version: 5 } }
  })
  await page.user.type(remark(), '！')
  // The guards of the lines are checked again as the user types.
  await waitFor(() => expect(head().getByRole('button', { name: '提交' })).toHaveProperty('disabled', false))
  await page.user.click(head().getByRole('button', { name: '提交' }))
  expect(await head().findByRole('button', { name: '审核' })).toBeTruthy()
  const writes = page.server.calls.filter(call => call.method === 'POST').map(call => [call.path, call.values.version])
  expect(writes).toEqual([
    [`${PATH}/edit`, '3'],
    [`${PATH}/submit`, '4'],
  ])
  expect(head().queryByRole('button', { name: '保存' })).toBeNull()
})

it('驳回 asks for its reason first', async () => {
  const page = await openDocument({ state: 'submitted', actions: ['review', 'reject'] })
  page.server.answer(`${PATH}/reject`, { info: {} })
  await page.user.click(head().getByRole('button', { name: /更多/ }))
  await page.user.click(await screen.findByRole('menuitem', { name: '驳回' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('button', { name: '确定' })).toHaveProperty('disabled', true)
  await page.user.type(dialog.getByRole('textbox'), '价格有误')
  await page.user.click(dialog.getByRole('button', { name: '确定' }))
  await waitFor(() => expect(page.server.to(`${PATH}/reject`)).toHaveLength(1))
  expect(page.server.to(`${PATH}/reject`)[0]!.values).toMatchObject({ sn: 'CG1', version: '3', reason: '价格有误' })
})

it('a new document starts with its defaults, and has its number in the address once it is saved', async () => {
  const page = await openDocument({}, 'new')
  expect(head().getByText('新增采购订单')).toBeTruthy()
  expect(screen.getByText('常规')).toBeTruthy()
  await page.user.click(button('添加一行'))
  await page.user.click(cell('采购数量'))
  await page.user.keyboard('3{Enter}')
  await page.user.click(button('保存'))
  await waitFor(() => expect(page.address()).toBe(`${ROUTE}/CG1`))
  expect(await head().findByText('CG1')).toBeTruthy()
  expect(page.server.to(`${PATH}/add`)[0]!.values).toMatchObject({ order_type: 'normal', regime: 'purchased' })
  expect(page.server.to(`${PATH}/edit`)).toEqual([])
})

it('a document that could not be read says so, and is read again', async () => {
  const page = await openPage(`${ROUTE}/CG9`, {
    answers: { [`${PATH}/info`]: { code: 2106, msg: '采购订单CG9不存在或已被删除' } },
  })
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByText('采购订单CG9不存在或已被删除')).toBeTruthy()
  page.server.answer(`${PATH}/info`, { info: document_({ sn: 'CG9' }) })
  await page.user.click(alert.getByRole('button', { name: '重试' }))
  expect(await head().findByText('CG9')).toBeTruthy()
})

it('who may not see prices sees no price, rate or amount of a line', async () => {
  await openPage(`${ROUTE}/CG1`, { rights: [], answers: { [`${PATH}/info`]: { info: document_() } } })
  await screen.findByRole('grid', { name: '明细' })
  const titles = screen.getAllByRole('columnheader').map(each => each.textContent)
  expect(titles).toContain('采购数量')
  for (const money of ['含税单价', '未税金额', '价税合计']) expect(titles).not.toContain(money)
})

it('the forms of a stop of sale load the stop-sale stores, other forms the other stores, each list once', async () => {
  const stores = '/v1/business/warehouse/list'
  const types = (page: Awaited<ReturnType<typeof openPage>>) => page.server.to(stores).map(call => call.values)
  const stop = await openPage('/commonView/stopSellList/new', { operations: ['add', 'edit'], answers: {} })
  await screen.findByRole('grid', { name: '明细' })
  await waitFor(() => expect(types(stop).map(({ type }) => type ?? 'all')).toEqual(['all', '3', '2']))
  cleanup()
  const order = await openPage('/commonView/buyReturn/new', {
    operations: ['add', 'edit'],
    answers: { [stores]: { list: [{ warehouse_model_inner_sn: '5', name: '中心库' }] } },
  })
  await screen.findByRole('grid', { name: '明细' })
  await order.user.click(screen.getByRole('combobox', { name: '退货仓库' }))
  await order.user.keyboard('中心')
  await waitFor(() => expect(types(order)).toContainEqual({ type: '3', q: '中心', pageNum: '1', pageSize: '50' }))
  // The list itself is kept from the form before.
  expect(types(order).filter(({ q }) => q === undefined)).toEqual([])
})

it('a new document begins in its first field', async () => {
  await openDocument({}, 'new')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: '供应商' })))
})

it('a refusal numbers rows as the eye counts them, marks the row, and the grid goes there', async () => {
  // Line 2 was deleted: what the server calls line 3 is the second row.
  const page = await openDocument({ lines: [line, { ...line, line_no: 3 }] })
  const refusal = { code: 2110, msg: '第3行：该产品已停售', errors: [] }
  page.server.answer(`${PATH}/edit`, refusal)
  await page.user.type(remark(), '急')
  await page.user.click(button('保存'))
  expect(await screen.findByText('第2行：该产品已停售')).toBeTruthy()
  const row = screen.getAllByRole('row')[2]!
  await waitFor(() => expect(row.dataset.wrong).toBe('true'))
  expect(within(row).getByRole('rowheader').title).toBe('第2行：该产品已停售')
  await waitFor(() => expect(row.querySelector('[data-active]')).toBeTruthy())
})

it('Alt Enter goes to the next row and adds one after the last; the page says its keys', async () => {
  const page = await openDocument()
  await page.user.click(cell('采购数量'))
  await page.user.keyboard('{Alt>}{Enter}{/Alt}')
  await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(2))
  render(<KeysDialog />)
  await page.user.keyboard('{Alt>}/{/Alt}')
  const keys = within(await screen.findByRole('dialog', { name: '快捷键' }))
  for (const what of ['保存', '提交', '新增采购订单', '下一行']) expect(keys.getByText(what)).toBeTruthy()
  expect(keys.queryByText('审核')).toBeNull()
})

it('Ctrl Shift Enter approves what waits, after its preview', async () => {
  const page = await openDocument({ state: 'submitted', actions: ['review', 'reject'] })
  page.server.answer(`${PATH}/review`, { info: { sn: 'CG1', version: 4 } })
  await page.user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  await waitFor(() => expect(page.server.to(`${PATH}/review`)).toHaveLength(1))
})

it('a difference of a count asks its reason in its row, until it is written', async () => {
  const count = {
    ...document_({ sn: 'PD1', count_state: '2', take_method: 'open' }),
    lines: [
      { line_no: 1, specification_sn: '11', product_name: '支架', book_quantity: '5.000', price: '1.0000' },
      { line_no: 2, specification_sn: '12', product_name: '导丝', book_quantity: '2.000', price: '1.0000' },
    ],
  }
  const page = await openPage('/commonView/takeStock/PD1', {
    org: 'H',
    operations: ['edit', 'submit'],
    answers: { '/v1/business/stockTake/info': { info: count } },
  })
  await screen.findByRole('grid', { name: '明细' })
  expect(cell('初盘数量').textContent).toBe('')
  expect(cell('差异').textContent).toBe('')
  await page.user.click(cell('初盘数量'))
  await page.user.keyboard('3{Enter}')
  await waitFor(() => expect(cell('差异').textContent).toBe('-2'))
  expect(cell('差异原因').textContent).toBe('请填写')
  await page.user.click(cell('差异原因'))
  await page.user.keyboard('破损{Enter}')
  await waitFor(() => expect(cell('差异原因').textContent).toBe('破损'))
  // The other row was not counted: it is empty and requires nothing.
  const second = screen.getAllByRole('row')[2]!
  expect(within(second).queryByText('请填写')).toBeNull()
})

it('related documents are links only where the reader may open them', async () => {
  const node = (kind: string, sn: string) => ({
    direction: 'follow_up',
    kind,
    sn,
    state: 'draft',
    role: 'own',
    org_name: '示例单位',
  })
  const { user } = await openDocument({ related: [node('purchaseOrder', 'CG9'), node('purchaseGrn', 'RK9')] })
  const rail = () => screen.queryByRole('complementary', { name: '关联单据与历史' })
  if (rail() === null) await user.click(button('关联单据与历史'))
  const beside = within(rail()!)
  expect(beside.getByRole('link', { name: 'CG9' })).toBeTruthy()
  expect(beside.getByText('RK9').closest('a')).toBeNull()
})
