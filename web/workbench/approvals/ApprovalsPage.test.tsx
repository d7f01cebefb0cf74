import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

const LIST = '/v1/business/workbench/approvals'
const waits = (kind: string, key: string, more: Wire = {}): Wire => ({
  is: 'document',
  kind,
  title: kind === 'purchaseOrder' ? '采购订单' : '采购入库单',
  key,
  name: key,
  version: 2,
  route: `/commonView/${kind}`,
  address: `/commonView/${kind}/${key}`,
  approve: 'review',
  reject: 'reject',
  since: '2026-11-01T08:00:00Z',
  by: '王采购',
  partner: '华东医械',
  place: null,
  amount: '1200.00',
  level: 0,
  levels: 0,
  own: false,
  ...more,
})
const info = (key: string, more: Wire = {}): Wire => ({
  sn: key,
  version: 2,
  state: 'submitted',
  role: 'own',
  counterparty_sn: '9',
  counterparty_name: '华东医械',
  remark: '尽快',
  lines: [{ line_no: 1, specification_sn: '11', product_name: '药物洗脱支架', quantity: '2.000', price: '600.0000' }],
  history: [],
  actions: ['review', 'reject'],
  ...more,
})

/** Two orders and a receipt wait; what is decided is gone from the list. */
async function openApprovals(refused: Wire = {}) {
  const all = [waits('purchaseOrder', 'CG1'), waits('purchaseOrder', 'CG2'), waits('purchaseGrn', 'RK1')]
  const decided = new Set<string>()
  const decide = ({ sn = '' }: Readonly<Record<string, string>>) => {
    decided.add(sn)
    return { info: { sn, version: 3 } }
  }
  const calls = (kind: string) => ({
    [`/v1/business/${kind}/info`]: ({ sn = '' }: Readonly<Record<string, string>>) => ({ info: info(sn) }),
    [`/v1/business/${kind}/offers`]: { info: { refused } },
    [`/v1/business/${kind}/review`]: decide,
    [`/v1/business/${kind}/reject`]: decide,
  })
  const page = await openPage('/commonView/approvals', {
    answers: {
      [LIST]: () => ({ list: all.filter(each => !decided.has(String(each.key))), total: 3 }),
      ...calls('purchaseOrder'),
      ...calls('purchaseGrn'),
      '/v1/business/purchaseGrn/rehearse': {
        info: { moves: [], entries: [{ account: 'payable_estimated', amount: '1200.00' }] },
      },
    },
  })
  await shown('CG1')
  return page
}
const shown = async (sn: string) => {
  const detail = await screen.findByRole('region', { name: new RegExp(sn) })
  await within(detail).findByText('药物洗脱支架')
  await waitFor(() => expect(within(detail).getByRole('button', { name: '驳回' })).toHaveProperty('disabled', false))
  return within(detail)
}
const opinion = () => screen.getByRole('textbox', { name: '审批意见' })
const press = (name: string) => screen.getByRole('button', { name })

it('what waits stands beside the first of it, of whatever kind', async () => {
  await openApprovals()
  const list = within(screen.getByRole('navigation', { name: '待审批事项' }))
  expect(list.getAllByRole('listitem')).toHaveLength(3)
  expect(list.getByText('全部 3')).toBeTruthy()
  expect(screen.getByText('1/3')).toBeTruthy()
  expect(screen.getByText('尽快')).toBeTruthy()
})

it('同意 sends the opinion with it, and the next one is shown', async () => {
  const page = await openApprovals()
  await page.user.type(opinion(), '价格合理')
  await page.user.click(press('同意'))
  await shown('CG2')
  const [sent] = page.server.to('/v1/business/purchaseOrder/review')
  expect(sent!.values).toMatchObject({ sn: 'CG1', version: '2', reason: '价格合理' })
  await waitFor(() => expect(screen.queryByRole('region', { name: /CG1/ })).toBeNull())
})

it('驳回 stands beside 同意 and asks for its reason in place', async () => {
  const page = await openApprovals()
  await page.user.click(press('驳回'))
  expect(screen.getByText('请填写驳回原因')).toBeTruthy()
  expect(page.server.to('/v1/business/purchaseOrder/reject')).toEqual([])
  await page.user.type(opinion(), '数量有误')
  await page.user.click(press('驳回'))
  await shown('CG2')
  expect(page.server.to('/v1/business/purchaseOrder/reject')[0]!.values).toMatchObject({
    sn: 'CG1',
    reason: '数量有误',
  })
})

it('where money is posted, what will be posted is shown and confirmed first', async () => {
  const page = await openApprovals()
  await page.user.click(screen.getByRole('button', { name: /采购入库单/ }))
  await shown('RK1')
  await page.user.type(opinion(), '相符')
  await page.user.click(press('同意'))
  const preview = within(await screen.findByRole('dialog'))
  await preview.findByText('1,200.00')
  expect(page.server.to('/v1/business/purchaseGrn/review')).toEqual([])
  await page.user.click(preview.getByRole('button', { name: '确认审核' }))
  await waitFor(() =>
    expect(page.server.to('/v1/business/purchaseGrn/review')[0]?.values).toMatchObject({ sn: 'RK1', reason: '相符' }),
  )
})

it('what would be refused is blocked beforehand and says why', async () => {
  const because = '制单人与审核人不能为同一人，请由他人审核'
  await openApprovals({ review: because })
  expect((await screen.findByRole('status')).textContent).toBe(`不能审核：${because}`)
  expect(press('同意')).toHaveProperty('disabled', true)
  expect(press('驳回')).toHaveProperty('disabled', false)
})

it('goes on by keys: next and previous, and 同意', async () => {
  const page = await openApprovals()
  await page.user.keyboard('{Alt>}{PageDown}{/Alt}')
  await shown('CG2')
  await page.user.keyboard('{Alt>}{PageUp}{/Alt}')
  await shown('CG1')
  await page.user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  await waitFor(() => expect(page.server.to('/v1/business/purchaseOrder/review')[0]?.values.sn).toBe('CG1'))
})

it('nothing waiting says so', async () => {
  await openPage('/commonView/approvals', { answers: { [LIST]: { list: [], total: 0 } } })
  expect(await screen.findByText('暂无待审批事项')).toBeTruthy()
})
