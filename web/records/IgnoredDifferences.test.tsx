import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { feeLooks } from '#modules/hospital/charges/fees/fetch-notice.web.tsx'
import { registerContributions } from '#web/registry/contributions.ts'
import { openPage } from '#tests/support/page/open-page.tsx'

registerContributions({ customisations: [...feeLooks], pages: {}, searchTargets: [] })

const LIST = '/v1/business/hisSpdFeeDetail/list'

it('a tab says what was ignored of it, and leads there; a list of what was ignored does not', async () => {
  const page = await openPage('/hospital/hisSpdFeePageTab?department_inner_sn=7', {
    org: 'H',
    answers: {
      [LIST]: ({ difference_state }: Readonly<Record<string, string>>) =>
        difference_state === 'ignored'
          ? { list: [], total: 2, summary: { converted_quantity: '20.0000', net_quantity: '0', difference: '20.0000' } }
          : { list: [], total: 0 },
    },
  })
  const notice = '本页签另有已忽略2条：换算后数量20，HIS净计费数量0，数量差异20；汇总页的数量含已忽略的'
  await screen.findByText(notice)
  const asked = page.server.to(LIST).find(call => call.values.difference_state === 'ignored')!
  expect(asked.values).toMatchObject({ side: 'differs', department_inner_sn: '7' })
  await page.user.click(screen.getByRole('button', { name: '查看已忽略' }))
  await waitFor(() => expect(page.query().difference_state).toBe('ignored'))
  expect(screen.queryByText(notice)).toBeNull()
})
