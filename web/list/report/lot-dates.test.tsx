import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'

const PAGE = '/commonView/lotDates'
const READ = '/v1/report/lotDates'
const row = {
  row_key: 'delivery-7-1-9',
  product_name: '压力泵',
  lot_no: 'L1',
  kept_expiry_date: '2027-12-31',
  kept_sn: 'QC1',
  kept_kind: 'openingStock',
  kept_by: '张三',
  kept_at: '2026-11-01T02:00:00.000Z',
  origin: 'delivery',
  partner_name: '康达商贸',
  typed_expiry_date: '2028-01-31',
  document_sn: 'CK1',
  document_kind: 'saleOdo',
  quantity: '4.000',
}

it('both dates stand on one page with who wrote them, and a ticked lot is corrected from there', async () => {
  const page = await openPage(PAGE, {
    org: 'H',
    operations: ['correct', 'sendBack'],
    answers: { [READ]: { list: [row], total: 1 } },
  })
  for (const said of ['2027-12-31', '张三', '2028-01-31', '康达商贸', 'CK1'])
    expect((await screen.findAllByText(said)).length).toBeGreaterThan(0)
  page.server.answer(`${READ}/correct`, { info: { said: '已生成进销存变更单BG1' } })
  await page.user.click(screen.getAllByRole('checkbox').at(-1)!)
  expect(screen.getByRole('button', { name: '退回发货方' })).toBeTruthy()
  await page.user.click(screen.getByRole('button', { name: '更正本单位批号效期' }))
  await waitFor(() => expect(page.server.to(`${READ}/correct`)[0]?.values).toMatchObject({ sns: '["delivery-7-1-9"]' }))
})
