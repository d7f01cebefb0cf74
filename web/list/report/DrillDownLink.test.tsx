import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'

it('a figure opens the rows behind it: of its row, its days and its own part', async () => {
  const rows = [{ counterparty_name: '华东医械', counterparty_sn: '9', difference: '-60.00', on_way_amount: '-40.00' }]
  const days = 'begin_date=2026-11-01&end_date=2026-11-30'
  const page = await openPage(`/commonView/tradeComparison?${days}`, {
    org: 'H',
    answers: {
      '/v1/report/comparedPurchases': { list: rows, total: 1, summary: {} },
      '/v1/report/comparedDocuments': { list: [], total: 0, summary: {} },
      '/v1/business/organisation/list': { list: [{ org_sn: '9', name: '华东医械' }] },
    },
  })
  await page.user.click(await screen.findByRole('link', { name: '-40.00' }))
  const asked = { counterparty_sn: '9', side: 'purchased', reason: 'on_way', begin_date: '2026-11-01' }
  await waitFor(() => expect(page.query()).toMatchObject({ ...asked, end_date: '2026-11-30' }))
  const call = await waitFor(() => {
    const last = page.server.to('/v1/report/comparedDocuments').at(-1)
    expect(last).toBeDefined()
    return last!
  })
  expect(call.values).toMatchObject(asked)
})
