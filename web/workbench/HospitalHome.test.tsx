import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import HospitalHomePage from '#modules/workbench/hospital-home.page.tsx'
import { announce } from '#web/realtime/arrivals.ts'
import { registerContributions } from '#web/registry/contributions.ts'
import { openPage } from '../../tests/support/page/open-page.tsx'

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
    figures: [{ label: '张', text: '7', as: 'count', route: '/hospital/SuppliesClaim?state=submitted' }],
  },
  {
    key: 'toSettle',
    title: '待结算金额',
    figures: [{ label: '含税', text: '123456.78', as: 'amount', route: '/hospital/settlementRecord?state=waiting' }],
  },
]
const open = () =>
  openPage('/hospital/hospitalHome', {
    org: 'H',
    answers: { [HOME]: { info: { cards, is_ward: false, at: '2026-11-01T08:00:00Z' } } },
  })
const cardOf = async (title: string) => within((await screen.findByRole('heading', { name: title })).closest('li')!)

it('each number opens its page; money stands in 万元', async () => {
  await open()
  const claims = await cardOf('待审核申领')
  expect(claims.getByRole('link').getAttribute('href')).toBe('/hospital/SuppliesClaim?state=submitted')
  expect((await cardOf('待结算金额')).getByText('12.35 万元')).toBeTruthy()
})

it('a new requisition counts at once, and 刷新 asks for the figures again', async () => {
  const page = await open()
  const claims = await cardOf('待审核申领')
  expect(claims.getByText('7')).toBeTruthy()
  act(() => announce({ uri: 'voucher', objectID: 'SL1', title: '收到新的物资申领单' } as never))
  expect(claims.getByText('8')).toBeTruthy()
  act(() => announce({ uri: 'salesOrder' } as never))
  expect(claims.getByText('8')).toBeTruthy()
  await page.user.click(screen.getByRole('button', { name: /刷新/ }))
  await waitFor(() => expect(page.server.to(HOME).some(call => call.values.refresh === '1')).toBe(true))
  await waitFor(() => expect(claims.getByText('7')).toBeTruthy())
})
