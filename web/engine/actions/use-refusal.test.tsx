import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'

const PAGE = '/commonView/lotDates'
const READ = '/v1/report/lotDates'

/** The page with one ticked lot, whose correction is refused in these words. */
async function refusedWith(msg: string) {
  const row = { row_key: 'delivery-7-1-9', product_name: '压力泵', lot_no: 'L1', origin: 'delivery' }
  const page = await openPage(`${PAGE}?lot_no=L1`, {
    org: 'H',
    operations: ['correct'],
    answers: { [READ]: { list: [row], total: 1 } },
  })
  await screen.findByText('压力泵')
  page.server.answer(`${READ}/correct`, { code: 2110, msg })
  await page.user.click(screen.getAllByRole('checkbox').at(-1)!)
  await page.user.click(screen.getByRole('button', { name: '更正本单位批号效期' }))
  return page
}

it('a refusal that names a page of the user opens it', async () => {
  const page = await refusedWith('批号L1的效期不一致，请到【批号效期核对】更正')
  expect(page.address()).toBe(`${PAGE}?lot_no=L1`)
  await page.user.click(await screen.findByRole('button', { name: '【批号效期核对】' }))
  await waitFor(() => expect(page.address()).toBe(PAGE))
})

it('other names in a refusal are plain text', async () => {
  await refusedWith('【压力泵】不在【没有这一页】中')
  expect(await screen.findByText(/不在/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /【/ })).toBeNull()
})
