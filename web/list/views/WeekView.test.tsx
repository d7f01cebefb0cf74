import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

const DEALERS = '/commonView/opCooperationDea'
const LIST = '/v1/business/bonePlan/list'
const ASSIGN = '/v1/business/bonePlan/assign'
const plan = (sn: string, more: Wire = {}): Wire => ({
  id: sn,
  sn,
  version: 3,
  state: 'reviewed',
  role: 'counterparty',
  org_sn: '5',
  counterparty_name: '附属医院',
  accept_state: '2',
  surgery_at: '2026-11-26T01:00:00.000Z',
  procedure_name: '全髋关节置换术',
  technician_inner_sn: '7',
  kit_codes: ['TB-1'],
  ...more,
})
const PLANS = [
  plan('GT1'),
  plan('GT2', { technician_inner_sn: null, accept_state: '1', kit_codes: [] }),
  plan('GT3', { surgery_at: '2026-11-28T06:00:00.000Z' }),
]
const PEOPLE = [
  { employee_inner_sn: '7', name: '李工' },
  { employee_inner_sn: '8', name: '陈工' },
]
const EVERYTHING = ['accept', 'assign', 'prepare', 'add', 'edit']

const openWeek = (view: string, operations = EVERYTHING) =>
  openPage(`${DEALERS}?view=${view}&week=2026-11-26`, {
    operations,
    answers: {
      [LIST]: values => (values.counts === '1' ? { list: [], state_counts: {} } : { list: PLANS, total: 3 }),
      '/v1/business/employee/list': { list: PEOPLE },
      '/v1/business/implantKit/list': {
        list: [
          { implant_kit_sn: '1', code: 'TB-1' },
          { implant_kit_sn: '2', code: 'TB-2' },
        ],
      },
    },
  })
/** The place of a lane on the n-th day of the week. */
const place = async (lane: string, day: number) => {
  const head = await screen.findByRole('rowheader', { name: lane })
  return within(head.closest('tr')!).getAllByRole('cell')[day - 1]!
}
const cardOf = (sn: string) => screen.getAllByText(sn)[0]!.closest('article')!
const THURSDAY = 4

/** Carries a card with the mouse. */
function carry(sn: string, to: HTMLElement): void {
  const dataTransfer = { setData: () => undefined, effectAllowed: '' }
  fireEvent.dragStart(cardOf(sn), { dataTransfer })
  fireEvent.dragOver(to, { dataTransfer })
  fireEvent.drop(to, { dataTransfer })
  fireEvent.dragEnd(cardOf(sn), { dataTransfer })
}

it('a list with views is seen as a week of days, with the filters of the list, and as a list again', async () => {
  const page = await openWeek('calendar')
  const table = await screen.findByRole('table', { name: '日历：2026-11-23 至 2026-11-29' })
  const cells = within(table).getAllByRole('cell')
  await waitFor(() => expect(cells[3]!.textContent).toContain('GT1'))
  expect(cells[3]!.textContent).toContain('09:00')
  expect(cells[5]!.textContent).toContain('GT3')
  expect(page.server.to(LIST).map(call => call.values)).toContainEqual({
    role: 'counterparty',
    begin_surgery_at: '2026-11-23',
    end_surgery_at: '2026-11-29',
    pageNum: '1',
    pageSize: '200',
    sort: 'surgery_at',
  })
  await page.user.click(screen.getByRole('button', { name: '下一周' }))
  await waitFor(() => expect(page.query()).toEqual({ view: 'calendar', week: '2026-11-30' }))
  await page.user.click(screen.getByRole('button', { name: '本周' }))
  await page.user.click(screen.getByText('列表'))
  await waitFor(() => expect(page.query()).toEqual({}))
  expect(await screen.findByRole('columnheader', { name: /跟台状态/ })).toBeTruthy()
})

it('a card carried to another person is assigned to him, and stands there at once', async () => {
  const page = await openWeek('technician')
  page.server.answer(ASSIGN, { info: { sn: 'GT1' } })
  const [his, free] = [await place('李工', THURSDAY), await place('陈工', THURSDAY)]
  await waitFor(() => expect(his.textContent).toContain('GT1'))
  carry('GT1', free)
  expect(free.textContent).toContain('GT1')
  await waitFor(() =>
    expect(page.server.to(ASSIGN)[0]?.values).toEqual({
      sn: 'GT1',
      version: '3',
      source_org_sn: '5',
      technician_inner_sn: '8',
    }),
  )
})

it('refused, the card is back where it was, and the sentence is read', async () => {
  const page = await openWeek('technician')
  page.server.answer(ASSIGN, { code: 2110, msg: '跟台人员陈工在该时段已有手术：GT9' })
  const [his, free] = [await place('李工', THURSDAY), await place('陈工', THURSDAY)]
  await waitFor(() => expect(his.textContent).toContain('GT1'))
  carry('GT1', free)
  expect(await screen.findByText('跟台人员陈工在该时段已有手术：GT9')).toBeTruthy()
  await waitFor(() => expect(his.textContent).toContain('GT1'))
  expect(free.textContent).not.toContain('GT1')
})

it('a day is the hospital’s: a card goes into no other day, nor anywhere for who may not assign', async () => {
  const page = await openWeek('technician')
  const friday = await place('陈工', THURSDAY + 1)
  await waitFor(() => expect(screen.getAllByText('GT1')).not.toEqual([]))
  carry('GT1', friday)
  expect(page.server.to(ASSIGN)).toEqual([])
  expect(friday.textContent).not.toContain('GT1')
  expect(cardOf('GT1').getAttribute('draggable')).toBe('true')
})

it('who may read only has cards that do not move', async () => {
  await openWeek('technician', [])
  await waitFor(() => expect(screen.getAllByText('GT1')).not.toEqual([]))
  expect(cardOf('GT1').getAttribute('draggable')).toBe('false')
  expect(screen.queryByRole('button', { name: /^改派/ })).toBeNull()
})

it('from the keyboard a card is put elsewhere by its menu; what nobody accepted yet is accepted by it', async () => {
  const page = await openWeek('technician')
  page.server.answer('/v1/business/bonePlan/accept', { info: { sn: 'GT2' } })
  const move = await screen.findByRole('button', { name: '改派GT2' })
  await screen.findByRole('rowheader', { name: '陈工' })
  move.focus()
  await page.user.keyboard('{Enter}')
  await page.user.click(await screen.findByRole('menuitem', { name: '陈工' }))
  await waitFor(() =>
    expect(page.server.to('/v1/business/bonePlan/accept')[0]?.values).toMatchObject({
      sn: 'GT2',
      technician_inner_sn: '8',
    }),
  )
})

it('a kit is exchanged for another by carrying the card into its lane', async () => {
  const page = await openWeek('kit')
  page.server.answer('/v1/business/bonePlan/prepare', { info: { sn: 'GT1' } })
  const [from, to] = [await place('TB-1', THURSDAY), await place('TB-2', THURSDAY)]
  await waitFor(() => expect(from.textContent).toContain('GT1'))
  carry('GT1', to)
  await waitFor(() =>
    expect(page.server.to('/v1/business/bonePlan/prepare')[0]?.values).toMatchObject({
      sn: 'GT1',
      kit_codes: '["TB-2"]',
    }),
  )
})

it('a hospital’s draft is put on another day: the same time, by an edit', async () => {
  const page = await openPage('/ptm/operationPlan?view=calendar&week=2026-11-26', {
    org: 'H',
    operations: ['add', 'edit'],
    answers: {
      '/v1/business/surgeryPlan/list': {
        list: [plan('SS1', { role: 'own', state: 'draft' }), plan('SS2', { role: 'own', state: 'reviewed' })],
        total: 2,
      },
      '/v1/business/surgeryPlan/edit': { info: { sn: 'SS1' } },
    },
  })
  const table = await screen.findByRole('table')
  const friday = within(table).getAllByRole('cell')[4]!
  await waitFor(() => expect(screen.getAllByText('SS1')).not.toEqual([]))
  expect(cardOf('SS2').getAttribute('draggable')).toBe('false')
  carry('SS1', friday)
  await waitFor(() =>
    expect(page.server.to('/v1/business/surgeryPlan/edit')[0]?.values).toEqual({
      sn: 'SS1',
      version: '3',
      surgery_at: '2026-11-27T01:00:00.000Z',
    }),
  )
})
