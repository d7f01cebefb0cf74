import { describe, expect, it } from 'vitest'
import { chainOf, stationsOf } from '#modules/goods/trace/chain-view.ts'
import type { TraceEvent } from '#modules/goods/trace/trace-info.ts'

let seq = 0
const event = (from: string | null, to: string | null, more: Partial<TraceEvent> = {}): TraceEvent => {
  const [fromOrg = null, fromPlace = null] = from?.split('/') ?? []
  const [toOrg = null, toPlace = null] = to?.split('/') ?? []
  return {
    seq: String(++seq),
    at: '2026-11-20T00:00:00Z',
    step: 'ship',
    step_name: '发货',
    from_org_name: fromOrg,
    from_place: fromPlace,
    to_org_name: toOrg,
    to_place: toPlace,
    quantity: '1.000',
    document_kind: 'saleOdo',
    document_sn: 'CK1',
    actor: null,
    org_name: fromOrg ?? toOrg,
    undo_of: null,
    is_lot: false,
    ...more,
  }
}

describe('the chain of a serial', () => {
  it('is complete if every step begins where the last one ended', () => {
    const chain = chainOf([
      event(null, '厂商/成品库'),
      event('厂商/成品库', '厂商/在途'),
      event('厂商/在途', '医院/中心库'),
    ])
    expect(chain.map(each => each.broken)).toEqual([false, false, false])
  })

  it('is broken if a step begins elsewhere', () => {
    const chain = chainOf([event(null, '厂商/成品库'), event('经销商/主仓库', '医院/中心库')])
    expect(chain.map(each => each.broken)).toEqual([false, true])
  })

  it('is not broken by steps this organisation cannot see', () => {
    const chain = chainOf([event(null, '厂商'), event('厂商/成品库', null), event('医院/中心库', '医院/手术室')])
    expect(chain.every(each => !each.broken)).toBe(true)
  })

  it('collapses a step and its undo, and continues from before both', () => {
    const first = event(null, '厂商/成品库')
    const wrong = event('厂商/成品库', '厂商/在途')
    const undo = event('厂商/在途', '厂商/成品库', { undo_of: wrong.seq })
    const chain = chainOf([first, wrong, undo, event('厂商/成品库', '厂商/在途')])
    expect(chain.map(each => each.undone)).toEqual([false, true, true, false])
    expect(chain.some(each => each.broken)).toBe(false)
  })

  it('is grouped into stations: what one organisation did together', () => {
    const chain = chainOf([
      event(null, '厂商/成品库'),
      event('厂商/成品库', '厂商/在途'),
      event('医院/中心库', '医院/手术室'),
    ])
    expect(stationsOf(chain).map(station => [station.org, station.events.length])).toEqual([
      ['厂商', 2],
      ['医院', 1],
    ])
  })
})
