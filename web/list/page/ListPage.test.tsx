import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Answer, Wire } from '#tests/support/page/server.ts'

const ROUTE = '/commonView/purchaseOrder'
const LIST = '/v1/business/purchaseOrder/list'
const order = (sn: string, more: Wire = {}): Wire => ({
  id: sn,
  sn,
  version: 1,
  state: 'submitted',
  role: 'own',
  counterparty_sn: '9',
  counterparty_name: '华东医械',
  taxed_amount: '1234.50',
  ...more,
})
const ORDERS = [order('CG1'), order('CG2', { state: 'draft' }), order('CG3')]
const EVERYTHING = ['add', 'edit', 'del', 'submit', 'review', 'print', 'export', 'import']

/** The list of purchase orders; `list` gives its rows, and the numbers of its states are requested beside them. */
const openList = (query = '', list: Answer = { list: ORDERS, total: 57 }, operations = EVERYTHING) =>
  openPage(ROUTE + query, {
    operations,
    answers: {
      [LIST]: values =>
        values.counts === '1'
          ? { list: [], state_counts: { draft: 4, submitted: 12 } }
          : typeof list === 'function'
            ? list(values)
            : list,
      '/v1/business/organisation/list': { list: [{ org_sn: '9', name: '华东医械' }] },
    },
  })
/** The parameters of the list's last request for rows. */
const asked = (page: Awaited<ReturnType<typeof openList>>) =>
  page.server
    .to(LIST)
    .filter(call => call.values.counts === undefined)
    .at(-1)!.values
const rows = async () => {
  await screen.findByRole('button', { name: 'CG1' })
  return within(screen.getByRole('table')).getAllByRole('row').slice(1)
}

it('a list shows its documents, the number of each state, and how many there are', async () => {
  const page = await openList()
  const [first, second] = await rows()
  expect(first!.textContent).toContain('华东医械')
  expect(first!.textContent).toContain('1,234.50')
  expect(first!.textContent).toContain('待审核')
  expect(second!.textContent).toContain('草稿')
  const states = screen.getByRole('group', { name: '按状态' })
  await waitFor(() => expect(within(states).getByRole('button', { name: /待审核/ }).textContent).toBe('待审核12'))
  expect(screen.getByText('第 1-20 条，共 57 条')).toBeTruthy()
  expect(asked(page)).toEqual({ pageNum: '1', pageSize: '20' })
})

it('a filter goes into the address on Enter and asks for the first page; 重置 takes it out again', async () => {
  const page = await openList('?pageNum=2')
  await rows()
  const number = screen.getByRole('textbox', { name: '单号' })
  await page.user.type(number, 'CG26{Enter}')
  await waitFor(() => expect(page.query()).toEqual({ sn: 'CG26' }))
  await waitFor(() => expect(asked(page)).toEqual({ sn: 'CG26', pageNum: '1', pageSize: '20' }))
  await page.user.click(screen.getByRole('button', { name: '重置' }))
  await waitFor(() => expect(page.query()).toEqual({}))
  await waitFor(() => expect(screen.getByRole('textbox', { name: '单号' })).toHaveProperty('value', ''))
})

it('查询 asks the server every time, also when no filter changed; a changed one is asked for once', async () => {
  const page = await openList()
  await rows()
  const times = () => page.server.to(LIST).filter(call => call.values.counts === undefined).length
  const before = times()
  await page.user.click(screen.getByRole('button', { name: '查询' }))
  await waitFor(() => expect(times()).toBe(before + 1))
  await page.user.type(screen.getByRole('textbox', { name: '单号' }), 'CG26{Enter}')
  await waitFor(() => expect(asked(page)).toMatchObject({ sn: 'CG26' }))
  expect(times()).toBe(before + 2)
  await page.user.clear(screen.getByRole('textbox', { name: '单号' }))
  await page.user.click(screen.getByRole('button', { name: '查询' }))
  await waitFor(() => expect(asked(page)).toEqual({ pageNum: '1', pageSize: '20' }))
  expect(times()).toBe(before + 3)
})

it('a shared address opens the list as it was filtered, sorted and paged', async () => {
  const page = await openList('?sn=CG&state=draft&sort=-taxed_amount&pageNum=2&pageSize=50')
  await rows()
  expect(asked(page)).toEqual({ sn: 'CG', state: 'draft', sort: '-taxed_amount', pageNum: '2', pageSize: '50' })
  expect(screen.getByRole('textbox', { name: '单号' })).toHaveProperty('value', 'CG')
  const states = screen.getByRole('group', { name: '按状态' })
  expect(within(states).getByRole('button', { pressed: true }).textContent).toMatch(/^草稿/)
  expect(screen.getByRole('columnheader', { name: /价税合计/ }).getAttribute('aria-sort')).toBe('descending')
})

it('a supplier is searched by name; its name goes into the address beside its key', async () => {
  const page = await openList()
  await rows()
  await page.user.click(screen.getByRole('combobox', { name: '供应商' }))
  await page.user.click(await screen.findByText('华东医械', { selector: '.ant-select-dropdown *' }))
  await waitFor(() => expect(page.query()).toEqual({ counterparty_sn: '9', 'counterparty_sn~': '华东医械' }))
  // The name is for people: only the key is sent to the server.
  await waitFor(() => expect(asked(page)).toEqual({ counterparty_sn: '9', pageNum: '1', pageSize: '20' }))
})

it('what does not fit beside the buttons is folded away, and stays open for who opened it', async () => {
  const page = await openList()
  await rows()
  expect(screen.queryByText('注册证号')).toBeNull()
  await page.user.click(screen.getByRole('button', { name: /^展开/ }))
  expect(screen.getByRole('button', { name: /^收起/ })).toBeTruthy()
  expect(screen.getByText('注册证号')).toBeTruthy()
})

it('a state tab, the next page and an order are addresses of their own', async () => {
  const page = await openList()
  await rows()
  await page.user.click(within(screen.getByRole('group', { name: '按状态' })).getByRole('button', { name: /草稿/ }))
  await waitFor(() => expect(page.query()).toEqual({ state: 'draft' }))
  await page.user.click(screen.getByTitle('3'))
  await waitFor(() => expect(page.query()).toEqual({ state: 'draft', pageNum: '3', pageSize: '20' }))
  await page.user.click(screen.getByRole('button', { name: '价税合计' }))
  // Another order begins at the first page; the third click is the order of the list again.
  await waitFor(() => expect(page.query()).toEqual({ state: 'draft', pageSize: '20', sort: 'taxed_amount' }))
  await page.user.click(screen.getByRole('button', { name: '价税合计' }))
  await waitFor(() => expect(page.query().sort).toBe('-taxed_amount'))
  await page.user.click(screen.getByRole('button', { name: '价税合计' }))
  await waitFor(() => expect(page.query().sort).toBeUndefined())
})

it('ticked documents are kept over pages, and an action goes to those it fits', async () => {
  const page = await openList('', ({ pageNum }) =>
    pageNum === '2' ? { list: [order('CG21')], total: 21 } : { list: ORDERS, total: 21 },
  )
  page.server.answer('/v1/business/purchaseOrder/batch', ({ items = '[]' }) => ({
    list: (JSON.parse(items) as { sn: string }[]).map(({ sn }) =>
      sn === 'CG3' ? { sn, code: 2110, msg: '请先选择供应商' } : { sn, code: 0, msg: '' },
    ),
  }))
  await rows()
  await page.user.click(screen.getByRole('checkbox', { name: '全选本页' }))
  await page.user.click(screen.getByTitle('2'))
  await page.user.click(await screen.findByRole('checkbox', { name: '选择CG21' }))
  const toolbar = within(screen.getByRole('toolbar', { name: '列表操作' }))
  expect(toolbar.getByText(/^已选/).parentElement?.textContent).toContain('已选 4 张')
  // The draft among them cannot be reviewed yet: three of four.
  await page.user.click(toolbar.getByRole('button', { name: '审核(3)' }))
  expect(await screen.findAllByText('2张成功，1张未成功')).not.toEqual([])
  expect(screen.getByText('请先选择供应商')).toBeTruthy()
  const [sent] = page.server.to('/v1/business/purchaseOrder/batch')
  expect(sent!.values.action).toBe('review')
  expect(JSON.parse(sent!.values.items!)).toEqual(['CG1', 'CG3', 'CG21'].map(sn => ({ sn, version: 1 })))
  expect(toolbar.queryByText(/^已选/)).toBeNull()
})

it('what is done with many documents is offered once some are ticked, in place of what is done with the list', async () => {
  const page = await openList()
  await rows()
  const toolbar = within(screen.getByRole('toolbar', { name: '列表操作' }))
  expect(toolbar.queryByText(/批量操作|^已选/)).toBeNull()
  expect(toolbar.getByRole('button', { name: /新增$/ })).toBeTruthy()
  await page.user.click(screen.getByRole('checkbox', { name: '选择CG1' }))
  expect(toolbar.getByText(/^已选/).parentElement?.textContent).toContain('已选 1 张')
  expect(toolbar.queryByRole('button', { name: /新增$/ })).toBeNull()
  expect(toolbar.queryByRole('button', { name: /导出$/ })).toBeNull()
  await page.user.click(toolbar.getByRole('button', { name: '取消选择' }))
  expect(toolbar.getByRole('button', { name: /新增$/ })).toBeTruthy()
})

it('a list leads with number, state, partner, date and amount; the other columns are behind 列设置', async () => {
  const page = await openList()
  await rows()
  const heads = screen.getAllByRole('columnheader').map(head => head.textContent)
  expect(heads).toEqual(expect.arrayContaining(['单号', '状态', '供应商', '订单日期', '价税合计', '操作']))
  expect(heads).not.toContain('审核时间')
  await page.user.click(screen.getByRole('button', { name: '列设置' }))
  const settings = within(await screen.findByRole('list', { name: '列' }))
  await page.user.click(settings.getByRole('checkbox', { name: '审核时间' }))
  expect(await screen.findByRole('columnheader', { name: /审核时间/ })).toBeTruthy()
})

it('the totals are those of money: orders of different goods have no sum of pieces', async () => {
  await openList('', {
    list: ORDERS,
    total: 3,
    summary: { taxed_amount: '3703.50', total_quantity: '90.000', line_count: 12 },
  })
  await rows()
  const total = screen.getByText('合计').closest('tr')!
  expect(total.textContent).toBe('合计3,703.50')
})

it('while the first rows are on their way their places are drawn, and nothing says that there are none', async () => {
  let arrive = (): void => undefined
  await openList('', () => new Promise<Wire>(resolve => (arrive = () => resolve({ list: ORDERS, total: 3 }))))
  const table = await screen.findByRole('table')
  await waitFor(() => expect(table.querySelectorAll('tbody tr[aria-hidden]').length).toBeGreaterThan(5))
  expect(screen.queryByText(/暂无/)).toBeNull()
  arrive()
  await rows()
  expect(table.querySelectorAll('tbody tr[aria-hidden]')).toHaveLength(0)
})

it('a list without the right to it is a page that says so, inside the shell', async () => {
  await openList('', { code: 403, msg: '没有操作权限' })
  expect(await screen.findByText('没有权限访问此页面')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1, name: '采购订单' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '返回工作台' })).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.queryByRole('toolbar')).toBeNull()
})

it('a row is opened from its number, by a click beside it, and from the keyboard', async () => {
  const page = await openList()
  const [first] = await rows()
  first!.focus()
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement?.getAttribute('data-row-key')).toBe('CG2')
  await page.user.keyboard(' ')
  expect(document.activeElement?.getAttribute('aria-selected')).toBe('true')
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(page.address()).toBe(`${ROUTE}/CG2`))
})

it('a row offers what its state allows, and says why the server would refuse it', async () => {
  const page = await openList()
  page.server.answer('/v1/business/purchaseOrder/offers', { info: { refused: { review: '供应商证照已过期' } } })
  const [first, second] = await rows()
  expect(within(first!).getByRole('button', { name: '查看' })).toBeTruthy()
  expect(within(second!).getByRole('button', { name: '编辑' })).toBeTruthy()
  expect(within(second!).queryByRole('button', { name: '审核' })).toBeNull()
  const review = within(first!).getByRole('button', { name: '审核' })
  await page.user.hover(review)
  await waitFor(() => expect(review).toHaveProperty('disabled', true))
  expect(review.title).toBe('供应商证照已过期')
})

it('who may only read is offered nothing else', async () => {
  await openList('', { list: ORDERS, total: 3 }, [])
  const [, second] = await rows()
  expect(screen.queryByRole('button', { name: /新增$/ })).toBeNull()
  expect(screen.queryByRole('button', { name: /导出$/ })).toBeNull()
  expect(
    within(second!)
      .getAllByRole('button')
      .map(button => button.textContent),
  ).toEqual(['CG2', '查看'])
})

it('an empty list says why: nothing there yet, or nothing under these filters, which can be cleared', async () => {
  const page = await openList('?sn=XX', { list: [], total: 0 })
  expect(await screen.findByText('没有符合条件的单据')).toBeTruthy()
  expect(screen.getByText('共0条')).toBeTruthy()
  await page.user.click(screen.getByRole('button', { name: '清除筛选' }))
  await waitFor(() => expect(page.query()).toEqual({}))
  expect(await screen.findByText('暂无采购订单')).toBeTruthy()
  expect(screen.getAllByText('向供应商下单，跟踪确认、发货与到货')).toHaveLength(2)
  await page.user.click(screen.getAllByRole('button', { name: /新增$/ }).at(-1)!)
  await waitFor(() => expect(page.address()).toBe(`${ROUTE}/new`))
})

it('a list that could not be read says so in the server’s words, and is read again', async () => {
  const page = await openList('', { code: 5000, msg: '数据库正在维护' })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('数据加载失败')
  expect(alert.textContent).toContain('数据库正在维护')
  page.server.answer(LIST, { list: ORDERS, total: 3 })
  await page.user.click(within(alert).getByRole('button', { name: '重试' }))
  expect(await rows()).toHaveLength(3)
  expect(screen.queryByText('数据加载失败')).toBeNull()
})

const OFFLINE = '断网，已保留，正在重连'

it('offline is not empty: a list keeps its rows, and the shell says 断网 until the connection is back', async () => {
  const page = await openList('', { list: ORDERS, total: 3 })
  await rows()
  page.server.connect(false)
  await page.user.click(screen.getByRole('button', { name: /刷新/ }))
  expect((await screen.findByRole('alert')).textContent).toContain(OFFLINE)
  expect(screen.getByRole('button', { name: 'CG1' })).toBeTruthy()
  expect(screen.queryByText('暂无采购订单')).toBeNull()
  page.server.answer(LIST, { list: [order('CG9')], total: 1 })
  page.server.connect(true)
  expect(await screen.findByRole('button', { name: 'CG9' })).toBeTruthy()
  expect(screen.queryByText(OFFLINE)).toBeNull()
})

it('a list that cannot be read again keeps its rows and says so; the connection is not lost by one call', async () => {
  const page = await openList('', { list: ORDERS, total: 3 })
  await rows()
  page.server.answer(LIST, () => Promise.reject(new TypeError('Failed to fetch')))
  await page.user.click(screen.getByRole('button', { name: /刷新/ }))
  expect(await screen.findByText('网络超时，请检查网络后重新刷新页面再试。')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'CG1' })).toBeTruthy()
  expect(screen.queryByText('暂无采购订单')).toBeNull()
  expect(screen.queryByText(OFFLINE)).toBeNull()
})

it('a list whose first call was dropped says so with 重试, and never that there is nothing', async () => {
  const page = await openList('', () => Promise.reject(new TypeError('Failed to fetch')))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('网络超时，请检查网络后重新刷新页面再试。')
  expect(screen.queryByText('暂无采购订单')).toBeNull()
  expect(screen.queryByText('共0条')).toBeNull()
  page.server.answer(LIST, { list: ORDERS, total: 3 })
  await page.user.click(within(alert).getByRole('button', { name: '重试' }))
  expect(await rows()).toHaveLength(3)
})

it('a list first opened offline waits for the connection and offers nothing to add', async () => {
  const page = await openList('', { list: [], total: 0 })
  await screen.findByText('暂无采购订单')
  page.server.connect(false)
  await page.user.click(screen.getByRole('button', { name: /刷新/ }))
  await screen.findByText(OFFLINE)
  page.server.answer(LIST, { list: ORDERS, total: 3 })
  await page.user.type(screen.getByRole('textbox', { name: '单号' }), 'CG{Enter}')
  expect(await screen.findByText('断网，重连后自动加载')).toBeTruthy()
  expect(screen.queryByText('暂无采购订单')).toBeNull()
  page.server.connect(true)
  expect(await rows()).toHaveLength(3)
})

it('rows stay while the next page is on its way', async () => {
  let arrive = (): void => undefined
  const next = new Promise<Wire>(resolve => (arrive = () => resolve({ list: [order('CG21')], total: 21 })))
  const page = await openList('', ({ pageNum }) => (pageNum === '2' ? next : { list: ORDERS, total: 21 }))
  await rows()
  await page.user.click(screen.getByTitle('2'))
  await waitFor(() => expect(asked(page).pageNum).toBe('2'))
  expect(screen.getByRole('button', { name: 'CG1' })).toBeTruthy()
  expect(screen.getByRole('table').parentElement?.getAttribute('aria-busy')).toBe('true')
  arrive()
  expect(await screen.findByRole('button', { name: 'CG21' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'CG1' })).toBeNull()
})
