import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'
import { openPage } from '#tests/support/page/open-page.tsx'

const ROUTE = '/commonView/receivablePayableForm'
const READ = '/v1/report/receivablePayableSummary'

test.each([
  ['a dealer begins with what he owes', 'D', '', 'payable'],
  ['and has a tab with what is owed to him', 'D', '?tab=应收', 'receivable'],
  ['which an address does not change', 'D', '?tab=应收&direction=payable', 'receivable'],
  ['a hospital has what it owes alone', 'H', '', 'payable'],
] as const)('%s', async (_what, org: OrgType, query, direction) => {
  const { server } = await openPage(ROUTE + query, {
    org,
    answers: { [READ]: { list: [], total: 0, summary: {} } },
  })
  await waitFor(() => expect(server.to(READ).at(-1)?.values).toMatchObject({ direction }))
  expect(screen.queryByText('方向')).toBeNull()
})

test('a link leads to the tab that shows what it asks for', () => {
  const tabOf = (direction: string) =>
    new URL(`http://x${listAddressOf('receivablePayableSummary', 'D', { direction })}`).searchParams.get('tab')
  expect([tabOf('receivable'), tabOf('payable')]).toEqual(['应收', '应付'])
})
