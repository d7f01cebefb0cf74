import { expect, test } from 'vitest'
import { lotFlow } from '#modules/goods/trace/lot-flow.ts'
import type { TraceEvent } from '#modules/goods/trace/trace-info.ts'

let seq = 0
const event = (
  step: string,
  from: string | null,
  to: string | null,
  quantity: string,
  more: object = {},
): TraceEvent => ({
  seq: String(++seq),
  at: '2026-11-01T00:00:00Z',
  step: step as TraceEvent['step'],
  step_name: step,
  from_org_name: from,
  from_place: null,
  to_org_name: to,
  to_place: null,
  quantity,
  document_kind: 'x',
  document_sn: null,
  actor: null,
  org_name: to ?? from,
  undo_of: null,
  is_lot: true,
  ...more,
})

test('a lot flows from its maker to the hospital and into its use, less what went back', () => {
  const events = [
    event('produce', null, '厂商', '100'),
    event('ship', '厂商', '厂商', '60'),
    event('receive', '厂商', '经销商', '60'),
    event('receive', '经销商', '医院', '40'),
    event('return', '医院', '经销商', '10'),
    event('grant', '医院', '医院', '20'),
    event('use', '医院', null, '15'),
  ]
  expect(lotFlow(events)).toEqual([
    { from: '生产', to: '厂商', quantity: '100.000' },
    { from: '厂商', to: '经销商', quantity: '60.000' },
    { from: '经销商', to: '医院', quantity: '30.000' },
    { from: '医院', to: '使用（医院）', quantity: '15.000' },
  ])
})

test('what was undone is none of it, and nothing flows in a circle', () => {
  const wrong = event('receive', '厂商', '经销商', '5')
  const events = [
    wrong,
    event('undo', '厂商', '经销商', '5', { undo_of: wrong.seq }),
    event('receive', '厂商', '经销商', '8'),
    event('receive', '经销商', '厂商', '3'),
  ]
  expect(lotFlow(events)).toEqual([{ from: '厂商', to: '经销商', quantity: '8.000' }])
})

test('a name that is hidden is another organisation', () => {
  expect(lotFlow([event('receive', null, '医院', '2', { org_name: '医院' })])).toEqual([
    { from: '其他机构', to: '医院', quantity: '2.000' },
  ])
})
