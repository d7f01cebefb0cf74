import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import HospitalHomePage from '#modules/platform/workbench/hospital-home.page.tsx'
import { announce } from '#web/realtime/arrivals.ts'
import { registerContributions } from '#web/registry/contributions.ts'
import { openPage } from '#tests/support/page/open-page.tsx'

registerContributions({
  customisations: [],
  pages: { hospitalHome: async () => ({ default: HospitalHomePage }) },
  searchTargets: [],
})

const HOME = '/v1/business/hospitalHome'
const cards = [
  {
    key: 'claims',
    title: '待审核申领',
    figures: [{ label: '张', text: '7', as: 'count', route: '/hospital/SuppliesClaim?state=submitted', says: [] }],
  },
  {
    key: 'toSettle',
    title: '待结算金额',
    figures: [
      {
        label: '含税',
        text: '123456.78',
        as: 'amount',
        route: '/hospital/settlementRecord?state=waiting',
        says: ['取自待结算'],
      },
    ],
  },
  {
    key: 'month',
    title: '本月金额',
    figures: [
      {
        label: '采购',
        text: '87500.00',
        as: 'amount',
        route: '/commonView/inboundFinance',
        says: ['取自入库明细'],
        change: '-0.1250',
        compared: '与上月同期（10月1日至29日）相比',
      },
      { label: '使用', text: '0', as: 'amount', route: '/commonView/usageDetailsReport', says: [], change: null },
    ],
  },
]
const charts = [
  {
    key: 'departments',
    title: '科室使用金额TOP10',
    form: 'bars',
    series: ['净使用金额'],
    route: '/commonView/summaryUseAmount?begin_date=2026-11-01',
    rows: [
      { label: '心内科', values: ['250000.00'], route: '/commonView/summaryUseAmount?department_inner_sn=1' },
      { label: '骨科', values: ['-1200.00'], route: '/commonView/summaryUseAmount?department_inner_sn=2' },
    ],
  },
  {
    key: 'trend',
    title: '近12个月使用趋势',
    form: 'columns',
    series: ['高值', '低值'],
    route: '/commonView/useStatReport?group_by=period',
    rows: [{ label: '2026-11', values: ['30000.00', '10000.00'], route: '/commonView/useStatReport?end_date=x' }],
  },
  { key: 'stock', title: '库存金额构成', form: 'ring', series: ['货值'], route: '/x', rows: [] },
]
const open = () =>
  openPage('/hospital/hospitalHome', {
    org: 'H',
    answers: { [HOME]: { info: { cards, charts, campuses: [], at: '2026-11-01T08:00:00Z' } } },
  })
const cardOf = async (title: string) => within((await screen.findByRole('heading', { name: title })).closest('li')!)

it('each number opens its page; money stands in 万元', async () => {
  await open()
  const claims = await cardOf('待审核申领')
  expect(claims.getByRole('link').getAttribute('href')).toBe('/hospital/SuppliesClaim?state=submitted')
  expect((await cardOf('待结算金额')).getByText('12.35 万元')).toBeTruthy()
})

it('a chart is its figures, each leading to its rows; what is below zero has a figure and no length', async () => {
  await open()
  const ranking = within(await screen.findByRole('region', { name: '科室使用金额TOP10' }))
  const [first, second] = ranking.getAllByRole('listitem')
  expect(
    within(first!)
      .getByRole('link', { name: /心内科.*25.00 万元/ })
      .getAttribute('href'),
  ).toContain('=1')
  expect([first, second].map(row => row!.querySelector('i')!.style.width)).toEqual(['100.00%', '0.00%'])
  expect(within(second!).getByText('-0.12 万元').className).toBe('negative')
  const trend = within(screen.getByRole('region', { name: '近12个月使用趋势' }))
  trend.getByRole('link', { name: '2026-11 高值 3.00 万元，低值 1.00 万元' })
  within(screen.getByRole('region', { name: '库存金额构成' })).getByText('本期暂无数据')
})

it('a figure of the month says how it changed against the month before', async () => {
  await open()
  const month = await cardOf('本月金额')
  month.getByText('环比 -12.50%')
  month.getByText('与上月同期（10月1日至29日）相比')
  month.getByText('环比 上期无数据')
})

it('a new requisition counts at once, and 刷新 asks for the figures again', async () => {
  const page = await open()
  const claims = await cardOf('待审核申领')
  expect(claims.getByText('7')).toBeTruthy()
  const extra = { kind: 'requisition', is_new: true }
  act(() => announce({ uri: 'voucher', objectID: 'SL1', title: '收到新的物资申领单', extra }))
  expect(claims.getByText('8')).toBeTruthy()
  act(() => announce({ uri: 'voucher', objectID: 'SL2', title: '申领超时', extra: { kind: 'requisition' } }))
  act(() => announce({ uri: 'voucher', objectID: 'SL3', title: '已生成物资申领单', extra: {} }))
  expect(claims.getByText('8')).toBeTruthy()
  act(() => announce({ uri: 'salesOrder' } as never))
  expect(claims.getByText('8')).toBeTruthy()
  await page.user.click(screen.getByRole('button', { name: /刷新/ }))
  await waitFor(() => expect(page.server.to(HOME).some(call => call.values.refresh === '1')).toBe(true))
  await waitFor(() => expect(claims.getByText('7')).toBeTruthy())
})
