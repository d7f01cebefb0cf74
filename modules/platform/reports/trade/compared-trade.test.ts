import { afterAll, beforeAll, expect } from 'vitest'
import { isZero, negate, sum } from '#kernel/values/decimal.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 往来核对: two sides of a trade differ by documents that the page names, and at both sides by the same. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'WL', { quantity: '1000' })])
})
afterAll(() => scene?.close())

const month = { begin_date: `${day().slice(0, 7)}-01`, end_date: day() }
type Row = Record<string, string>
async function asked(who: Person, kind: string, query: object = {}): Promise<{ list: Row[]; summary: Row }> {
  const reply = await who.client.get(`/v1/report/${kind}`, { ...month, pageSize: '100', ...query } as never)
  expect(reply.code, reply.msg).toBe(0)
  return reply as never
}
/** The differences that each side reads about the other, by reasons, the hospital's first; nothing where they agree. */
async function differences(): Promise<Record<string, string>[]> {
  const { hospital, dealer, h, d } = scene
  return Promise.all(
    (
      [
        [hospital, 'comparedPurchases', d],
        [dealer, 'comparedSales', h],
      ] as const
    ).map(async ([who, kind, counterparty_sn]) => {
      const { list } = await asked(who, kind, { counterparty_sn })
      const parts = Object.entries(list[0] ?? {}).filter(([name]) => name.endsWith('_amount') || name === 'difference')
      return Object.fromEntries(parts.filter(([, value]) => !isZero(value)))
    }),
  )
}
/** The documents behind the hospital's difference. */
const documents = async (query: object = {}) =>
  (await asked(scene.hospital, 'comparedDocuments', { counterparty_sn: scene.d, ...query })).list

async function shipped(quantity: string): Promise<string> {
  const { dealer, h, shop, inflator } = scene
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'WL', quantity, price: '10', tax_rate: 13 }],
  })
  await dealer.pass('saleOdo', odo)
  return odo
}
async function received(odo: string, line: object = {}): Promise<string> {
  const { hospital, central } = scene
  const { sn } = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', sn, {
    warehouse_model_inner_sn: central,
    lines: [{ line_no: 1, ...line }],
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}
/** As if it had been reviewed in the month before. */
const before = (sn: string) => scene.server.database.owner`
  update document set reviewed_at = reviewed_at - interval '1 month' where sn = ${sn} and role = 'own'`

let [odo, grn, back] = ['', '', '']
story('two sides of a trade', step => {
  step('what is under way is sold, and not bought', async () => {
    odo = await shipped('10')
    expect(await differences()).toEqual([
      { their_amount: '100.00', difference: '-100.00', on_way_amount: '-100.00' },
      { our_amount: '100.00', difference: '100.00', on_way_amount: '100.00' },
    ])
    const [row] = await documents()
    expect(row).toMatchObject({ reason: 'on_way', their_sn: odo, their_amount: '100.00', our_amount: '0.00' })
    // Our copy of it can be opened.
    expect((await scene.hospital.info(row!.document_kind!, row!.document_sn!)).sn).toBe(row!.document_sn)
  })

  step('of ten six come, and four are under way', async () => {
    grn = await received(odo, { quantity: '6', reject_reason: '余下未到' })
    expect(await differences()).toEqual([
      { our_amount: '60.00', their_amount: '100.00', difference: '-40.00', on_way_amount: '-40.00' },
      { our_amount: '100.00', their_amount: '60.00', difference: '40.00', on_way_amount: '40.00' },
    ])
    expect(await documents()).toMatchObject([
      { reason: 'on_way', document_sn: grn, their_sn: odo, difference: '-40.00' },
    ])
  })

  step('what was sold in the month before and came in this one is apart in both', async () => {
    await before(odo)
    // Nothing of what is under way belongs to this month.
    expect(await differences()).toEqual([
      { our_amount: '60.00', difference: '60.00', other_days_amount: '60.00' },
      { their_amount: '60.00', difference: '-60.00', other_days_amount: '-60.00' },
    ])
    const rest = await scene.hospital.add('purchaseGrn', {
      source_type: 7,
      source_sn: odo,
      warehouse_model_inner_sn: scene.central,
    })
    await scene.hospital.pass('purchaseGrn', rest)
    expect((await differences())[0]).toMatchObject({ our_amount: '100.00', other_days_amount: '100.00' })
  })

  step('a return is under way until the supplier has examined it, and what he refuses is bought again', async () => {
    const { hospital, dealer } = scene
    back = await hospital.add('purchaseReturn', {
      source_type: 9,
      source_sn: grn,
      return_reason: '包装破损',
      lines: [{ source_line_no: 1, quantity: '3' }],
    })
    await hospital.pass('purchaseReturn', back)
    expect((await differences())[0]).toMatchObject({ our_amount: '70.00', on_way_amount: '-30.00' })
    expect(await documents({ reason: 'on_way' })).toMatchObject([{ document_sn: back, difference: '-30.00' }])
    const { sn } = await dealer.from('saleReturn', back)
    const lines = [{ line_no: 1, quantity: '2', refused_quantity: '1', refuse_reason: '非我司产品' }]
    await dealer.done('saleReturn', 'edit', sn, { lines })
    for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, sn)
    // 100.00 − 30.00 + 10.00, and 20.00 at the supplier.
    expect(await differences()).toEqual([
      { our_amount: '80.00', their_amount: '-20.00', difference: '100.00', other_days_amount: '100.00' },
      { our_amount: '-20.00', their_amount: '80.00', difference: '-100.00', other_days_amount: '-100.00' },
    ])
  })

  step('what was refused at the door is sold until it is back', async () => {
    const { hospital, dealer, h } = scene
    await scene.rule(h, 'arrival_before_receipt', true)
    const sent = await shipped('5')
    const { sn: arrival } = await hospital.from('arrivalOrder', sent)
    await hospital.done('arrivalOrder', 'edit', arrival, {
      lines: [{ line_no: 1, quantity: '3', refused_quantity: '2', refuse_reason: '外箱破损' }],
    })
    await hospital.pass('arrivalOrder', arrival)
    const colleague = await scene.colleague('hospital')
    const { sn: inspection } = await hospital.from('inspectionOrder', arrival)
    await hospital.done('inspectionOrder', 'submit', inspection)
    await colleague.done('inspectionOrder', 'review', inspection)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', inspection)).sn)
    expect((await differences())[0]).toMatchObject({ refused_amount: '-20.00', other_days_amount: '100.00' })
    expect((await differences())[1]).toMatchObject({ refused_amount: '20.00' })
    const { sn: home } = await dealer.from('saleReturn', sent)
    for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, home)
    expect((await differences())[0]).not.toHaveProperty('refused_amount')
  })

  step('a receipt without a delivery stands alone; the documents add up to the difference', async () => {
    const { hospital, dealer, central, inflator, d, h } = scene
    const sn = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [
        {
          specification_sn: inflator,
          lot_no: 'WL2',
          production_date: day(-60),
          expiry_date: day(700),
          quantity: '1',
          price: '7',
          tax_rate: 13,
        },
      ],
    })
    await hospital.pass('purchaseGrn', sn)
    await shipped('1')
    expect((await differences())[0]).toMatchObject({ alone_amount: '7.00', on_way_amount: '-10.00' })
    expect(await documents({ reason: 'alone' })).toMatchObject([{ document_sn: sn, difference: '7.00' }])
    // 7.00 − 10.00 + 100.00 of the month before.
    expect(
      sum(
        (await documents()).map(row => row.difference!),
        2,
      ),
    ).toBe('97.00')
    const theirs = await asked(dealer, 'comparedDocuments', { side: 'sold', counterparty_sn: h })
    expect(theirs.summary.difference).toBe(negate('97.00'))
  })

  step('who may not see prices reads no amount', async () => {
    const clerk = await scene.clerk('hospital', 'compared.clerk', ['page:/commonView/tradeComparison'])
    const { list } = await asked(clerk, 'comparedPurchases')
    expect(list.flatMap(row => Object.keys(row)).filter(name => name.endsWith('amount'))).toEqual([])
  })
})
