import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { registerModules } from '#app/register-modules.web.ts'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

beforeAll(registerModules)

const PATH = '/v1/business/board/biScreen'
const answer = (rows: object[], more: object = {}) => ({ rows, total: rows.length, before: {}, asked: {}, ...more })
const place = { name: '演示医院', division_name: '江苏省苏州市' }

/** The server's answers by card: cards that are not named have no rows. */
const answers: Record<string, Record<string, object>> = {
  figures: {
    used: answer([{ amount: '12000.00' }], { before: { previous: [{ amount: '10000.00' }] } }),
    turnover: answer([{ turnover: '40.0000' }]),
    stock: answer([{ quantity: '3.000' }]),
  },
  ranking: {
    all: answer(
      [
        { department_name: '骨科', department_sn: '4', amount: '900.00' },
        { department_name: null, department_sn: null, amount: '100.00' },
      ],
      { asked: { begin_date: '2026-10-01', end_date: '2026-10-31' } },
    ),
  },
  structure: { all: answer([{ class_name: '骨科植入', class_sn: '7', amount: '900.00' }]) },
}

const open = (query = '', rights?: readonly string[]) =>
  openPage(`/bi1?begin_date=2026-10-01&end_date=2026-10-31${query}`, {
    org: 'H',
    operations: ['exportData'],
    ...(rights ? { rights } : {}),
    answers: {
      [PATH]: ({ card = '' }): Wire => ({
        info: {
          card,
          at: '2026-10-31T01:00:00.000Z',
          begin_date: '2026-10-01',
          end_date: '2026-10-31',
          compared: { begin: '2026-09-01', end: '2026-09-30' },
          place,
          answers: answers[card] ?? {},
          ignored: card === 'figures' ? { payable: ['科室'] } : {},
        },
      }),
      '/v1/business/userTableSort/shared': {
        list: [{ title: '月报', by: '王主任', query: { begin_date: '2026-09-01' }, columns: [] }],
      },
    },
  })
const card = (name: string) => screen.getByRole('region', { name })
/** The parameters of the last request for a card. */
const asked = (page: Awaited<ReturnType<typeof open>>, name: string) =>
  page.server.to(PATH).findLast(({ values }) => values.card === name)!.values

it('shows eight numbers with their change, and says which filter one of them does not obey', async () => {
  await open()
  const used = within(await screen.findByText('使用额', { selector: 'a, span' }).then(found => found.closest('li')!))
  expect(used.getByText('1.20万')).toBeTruthy()
  expect(used.getByText('环比 +20.00%')).toBeTruthy()
  const figures = within(card('核心指标'))
  expect(figures.getByText('40.0')).toBeTruthy()
  expect(figures.getByText('未接入HIS收入数据')).toBeTruthy()
  expect(figures.getByText('应付').closest('li')!.textContent).toContain('*')
  // Money that did not leave the server is hidden, and no zero.
  for (const label of ['库存额', '采购额']) expect(figures.getByText(label).closest('li')!.textContent).toContain('***')
})

it('every card has a table, whose rows narrow the others and lead to the list', async () => {
  const page = await open()
  await page.user.click(await screen.findByRole('button', { name: '排行表格' }))
  const ranking = within(card('排行'))
  expect(ranking.getByRole('columnheader', { name: '科室' })).toBeTruthy()
  expect(ranking.getByText('900.00')).toBeTruthy()
  expect(ranking.getAllByRole('link', { name: '明细' })[0]!.getAttribute('href')).toContain('department_inner_sn=4')
  await page.user.click(ranking.getByRole('button', { name: '骨科' }))
  await waitFor(() => expect(asked(page, 'trend')).toMatchObject({ department_inner_sn: '4' }))
  expect(asked(page, 'ranking')).not.toHaveProperty('department_inner_sn')
  const chips = within(screen.getByRole('group', { name: '点选的筛选' }))
  expect(chips.getByText('科室：骨科')).toBeTruthy()
  await page.user.click(chips.getByLabelText('取消科室骨科'))
  await waitFor(() => expect(page.query()).not.toHaveProperty('x_department_inner_sn'))
  expect(screen.queryByRole('group', { name: '点选的筛选' })).toBeNull()
})

it('the way down the tree stands above it, and 返回 goes up', async () => {
  const page = await open('&p_0_custom_type_sn=7&p_0_custom_type_sn~=骨科植入')
  await waitFor(() => expect(asked(page, 'structure')).toMatchObject({ custom_type_sn: '7', level: '1' }))
  const trail = within(await screen.findByRole('navigation', { name: '层级' }))
  expect(trail.getByText('骨科植入')).toBeTruthy()
  await page.user.click(trail.getByRole('button', { name: /返\s*回/ }))
  await waitFor(() => expect(asked(page, 'structure')).not.toHaveProperty('custom_type_sn'))
})

it('more than twenty-four months are refused before anything is read', async () => {
  const page = await openPage('/bi1?begin_date=2024-01-01&end_date=2026-10-31', { org: 'H', answers: { [PATH]: {} } })
  expect(await screen.findByText('查询时间范围不能超过24个月')).toBeTruthy()
  expect(page.server.to(PATH)).toEqual([])
})

it('who sees no prices chooses among pieces, and a view of a colleague is chosen like one’s own', async () => {
  const page = await open('', [])
  await screen.findByRole('radio', { name: '使用件数' })
  expect(screen.queryByRole('radio', { name: '使用额' })).toBeNull()
  expect(screen.queryByRole('button', { name: /导出图片/ })).toBeNull()
  expect(screen.getByRole('button', { name: /导出数据/ })).toBeTruthy()
  await page.user.click(screen.getByRole('button', { name: /保存视图/ }))
  await page.user.click(await screen.findByRole('button', { name: '月报（王主任）' }))
  await waitFor(() => expect(page.query().begin_date).toBe('2026-09-01'))
})
