import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'

/** A shipment on its way, as its own field says it. */
const openShipment = (transport_state: string, state_name: string) =>
  openPage('/commonView/logisticsManage/WL1', {
    operations: ['track'],
    answers: {
      '/v1/business/logistics/info': {
        info: {
          sn: 'WL1',
          version: 2,
          state: 'reviewed',
          state_name,
          transport_state,
          role: 'own',
          lines: [],
          history: [{ action: 'add', label: '新增', actor_name: '王发货', at: '2026-11-01T08:00:00Z' }],
          related: [],
          actions: ['track'],
        },
      },
      '/v1/business/logistics/list': { list: [], total: 0 },
    },
  })
const steps = async () => within(await screen.findByRole('list', { name: '单据进度' })).getAllByRole('listitem')

it('a shipment in trouble is red in its badge and on its path, in the same word', async () => {
  await openShipment('abnormal', '异常')
  const now = (await steps()).find(step => step.getAttribute('aria-current') === 'step')!
  expect(now.textContent).toContain('异常')
  expect(now.dataset.tone).toBe('danger')
  expect(document.querySelector('header [data-tone="danger"]')?.textContent).toBe('异常')
})

it('one that is on its way as it should be is not', async () => {
  await openShipment('in_transit', '运输中')
  const now = (await steps()).find(step => step.getAttribute('aria-current') === 'step')!
  expect(now.textContent).toContain('运输中')
  expect(now.dataset.tone).toBeUndefined()
  expect(document.querySelector('header [data-tone="danger"]')).toBeNull()
})
