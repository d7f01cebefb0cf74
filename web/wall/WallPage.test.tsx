import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { queryClient } from '#web/engine/http/query-client.ts'
import { restoreSession } from '#web/engine/session/session.ts'
import WallPage from '#web/wall/WallPage.tsx'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { type Answer, fakeServer } from '#tests/support/page/server.ts'

const OVERVIEW = '/v1/business/wall/screenOverview'
const AT = '2026-11-26T01:05:00.000Z'
const answer = (rows: object[], more: object = {}) => ({ rows, total: rows.length, before: {}, asked: {}, ...more })

const info = {
  kind: 'screenOverview',
  at: AT,
  organisation: { org_sn: '7', name: '演示医院' },
  begin_date: '2026-11-01',
  end_date: '2026-11-26',
  cards: {
    received: {
      today: answer([{ amount: '11500.00', quantity: '30.000', rows: '3' }], {
        before: { previous: [{ amount: '10000.00', quantity: '20.000', rows: '2' }] },
        asked: { begin_date: '2026-11-26', end_date: '2026-11-26', grn_type: 'purchaseGrn' },
      }),
    },
    departments: {
      departments: answer([
        { department_name: '骨科', department_sn: '4', amount: '***', quantity: '40.000', rows: '2' },
      ]),
    },
    backlog: { backlog: answer([{ document_kind: 'purchaseGrn', waiting: '3', oldest_hours: '52' }]) },
    flow: { flow: answer([]) },
  },
}

async function open(address: string, answers: Record<string, Answer>) {
  queryClient.clear()
  const server = fakeServer('/largeScreen', { org: 'H', operations: [], rights: ['price'] }, answers)
  await restoreSession()
  const router = createMemoryRouter(
    [
      { path: '/largeScreen/*', element: <WallPage /> },
      { path: '/error', element: <p>没有这个页面</p> },
    ],
    { initialEntries: [address] },
  )
  render(
    <Surroundings>
      <RouterProvider router={router} />
    </Surroundings>,
  )
  return { server, router }
}

const card = (name: string) => screen.getByRole('region', { name })

it('shows whose figures they are, large, with their change and the list behind them', async () => {
  await open('/largeScreen', { [OVERVIEW]: { info } })
  expect(await screen.findByRole('heading', { level: 1, name: '运营总览大屏' })).toBeTruthy()
  await screen.findByText('演示医院')
  const received = within(card('今日入库'))
  expect(received.getByText('1.15')).toBeTruthy()
  expect(received.getByText('环比 +15.00%')).toBeTruthy()
  const list = received.getByRole('link', { name: '今日入库明细' })
  expect(list.getAttribute('href')).toContain('grn_type=purchaseGrn')
  expect(within(card('科室消耗TOP10')).getByText('***')).toBeTruthy()
  expect(within(card('待办积压')).getByText('采购入库单')).toBeTruthy()
  expect(within(card('实时流转')).getByText('今日没有流转')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toContain('截至 09:05')
})

it('keeps the last figures when a reading fails, and says in amber from when they are', async () => {
  let fails = false
  await open('/largeScreen/index', {
    [OVERVIEW]: () => (fails ? { code: 9999, msg: '服务错误' } : { info }),
  })
  await screen.findByText('演示医院')
  fails = true
  await act(() => queryClient.refetchQueries({ queryKey: ['wall'] }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('数据更新失败，09:05的数据'))
  expect(screen.getByRole('status').dataset.failed).toBe('true')
  expect(within(card('今日入库')).getByText('1.15')).toBeTruthy()
})

it('opens the wall of a row with whose figures it shows, and the wall above one that lacks its row', async () => {
  const { router } = await open('/largeScreen/index?org=7&begin=2026-11-01&end=2026-11-26', { [OVERVIEW]: { info } })
  await screen.findByText('演示医院')
  await userEvent.click(within(card('科室消耗TOP10')).getByText('骨科'))
  expect(router.state.location.pathname).toBe('/largeScreen/departmentInfoDetail')
  expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
    dept: '4',
    org: '7',
    begin: '2026-11-01',
    end: '2026-11-26',
  })
  await act(() => router.navigate('/largeScreen/departmentInfoDetail'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/largeScreen/departmentInfo'))
  await act(() => router.navigate('/largeScreen/nothing'))
  expect(await screen.findByText('没有这个页面')).toBeTruthy()
})

it('asks for the chosen days, and says in place of a wall why it may not be seen', async () => {
  const { server } = await open('/largeScreen/index', { [OVERVIEW]: { info } })
  await screen.findByText('演示医院')
  await userEvent.click(screen.getByRole('button', { name: '今日' }))
  await waitFor(() => expect(server.to(OVERVIEW)).toHaveLength(2))
  const { begin_date, end_date } = server.to(OVERVIEW).at(-1)!.values
  expect(begin_date).toBe(end_date)
  document.body.innerHTML = ''
  await open('/largeScreen/index?org=9', { [OVERVIEW]: { code: 403, msg: '没有操作权限' } })
  expect(await screen.findByText('没有操作权限')).toBeTruthy()
})

it('is narrowed to a store or a class of goods that the reader chooses', async () => {
  const money = '/v1/business/wall/screenMoney'
  const { server } = await open('/largeScreen/productMoneyInfo', {
    [money]: { info: { ...info, kind: 'screenMoney', cards: {} } },
    '/v1/business/warehouse/list': { list: [{ warehouse_model_inner_sn: '5', name: '高值库' }], total: 1 },
    '/v1/business/customType/list': { list: [{ custom_type_sn: '8', name: '骨科材料' }], total: 1 },
  })
  await screen.findByText('演示医院')
  const stores = await screen.findByRole('combobox', { name: '仓库' })
  await within(stores).findByRole('option', { name: '高值库' })
  await userEvent.selectOptions(stores, '高值库')
  await waitFor(() => expect(server.to(money).at(-1)!.values.warehouse_model_inner_sn).toBe('5'))
  expect(await screen.findByRole('option', { name: '骨科材料' })).toBeTruthy()
})
