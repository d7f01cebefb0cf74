import { afterAll, beforeAll, expect } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** 先进先出: whether what left a store was of the lot that expired first among those that were there. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'FIFO-NEAR', { quantity: '4', expiry_date: day(100) }),
    lotOf(inflator, 'FIFO-FAR', { quantity: '9', expiry_date: day(300) }),
  ])
})
afterAll(() => scene?.close())

type Row = Record<string, string>
const line = (lot_no: string, quantity: string) => ({
  specification_sn: scene.inflator,
  lot_no,
  quantity,
  price: '145',
  tax_rate: 13,
  // A later lot leaves with its reason.
  remark: '客户指定批号',
})
async function sold(...lines: ReturnType<typeof line>[]): Promise<string> {
  const { dealer, shop, h } = scene
  const sn = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', sn)
  return sn
}
const ask = (more: object = {}) =>
  scene.dealer.client.get('/v1/report/expiryOrder', { begin_date: day(), end_date: day(), pageSize: '50', ...more })
const of = async (sn: string) => {
  const { list } = await ask()
  return (list as Row[])
    .filter(row => row.document_sn === sn)
    .map(row => [row.lot_no, row.lot_order, row.earlier_lot ?? null])
}

story('the lot that expires first leaves first', step => {
  let late = ''
  step('a later lot is named with the one that lay there', async () => {
    late = await sold(line('FIFO-FAR', '1'))
    expect(await of(late)).toEqual([['FIFO-FAR', 'later', 'FIFO-NEAR']])
    expect(await of(await sold(line('FIFO-NEAR', '1')))).toEqual([['FIFO-NEAR', 'first', null]])
  })

  step('what leaves with the same document is no earlier lot, whichever line comes first', async () => {
    const both = await sold(line('FIFO-FAR', '1'), line('FIFO-NEAR', '3'))
    expect((await of(both)).toSorted()).toEqual([
      ['FIFO-FAR', 'first', null],
      ['FIFO-NEAR', 'first', null],
    ])
  })

  step('once the earlier lot is gone the later one is the first', async () => {
    expect(await of(await sold(line('FIFO-FAR', '2')))).toEqual([['FIFO-FAR', 'first', null]])
  })

  step('the sums are those of the rows, by order too; what was taken back never left', async () => {
    const { list, summary } = await ask()
    expect([list.length, summary.out_lines, summary.in_order]).toEqual([5, '5', '4'])
    expect((await ask({ lot_order: 'later' })).list).toHaveLength(1)
    await scene.dealer.done('saleOdo', 'unreview', late)
    expect(await of(late)).toEqual([])
    expect((await ask()).summary).toMatchObject({ out_lines: '4', in_order: '4' })
  })
})
