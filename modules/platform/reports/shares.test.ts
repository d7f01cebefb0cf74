import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Decimal, subtract, sum } from '#kernel/values/decimal.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Parts of an amount add up to it: the last takes the cent that rounding left. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(() => scene?.close())

const month = () => ({ begin_date: `${day().slice(0, 7)}-01`, end_date: day() })
async function rows(who: Person, kind: string, query: object): Promise<Record<string, Decimal>[]> {
  const reply = await who.client.get(`/v1/report/${kind}`, { pageSize: '100', ...query } as never)
  expect(reply.code, reply.msg).toBe(0)
  return reply.list as never
}
const arriving = { production_date: day(-60), expiry_date: day(700) }

test('three pieces of 100.00 that a customer receives one by one are 100.00 of goods with him', async () => {
  const { dealer, hospital, shop, h, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'FT1', { quantity: '3' })])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    regime: 'consigned',
    lines: [{ specification_sn: inflator, lot_no: 'FT1', quantity: '3', price: '33.3333', tax_rate: 13 }],
  })
  await dealer.pass('saleOdo', odo)
  const { sn: first } = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', first, {
    lines: [{ line_no: 1, quantity: '1', reject_reason: '余下未到' }],
  })
  await hospital.pass('purchaseGrn', first)
  for (const quantity of ['1', '1'])
    await hospital.pass(
      'purchaseGrn',
      await hospital.add('purchaseGrn', {
        source_type: 7,
        source_sn: odo,
        lines: [{ source_line_no: 1, quantity, reject_reason: '余下未到' }],
      }),
    )
  // 33.33 + 33.34 + 33.33, and not 99.99.
  const [row] = await rows(dealer, 'customerUse', { ...month(), specification_sn: inflator, regime: 'consigned' })
  expect(row).toMatchObject({ bought_quantity: '3.000', gap_quantity: '0.000', bought_amount: '100.00' })
})

test('the uses of three pieces share the invoice of their receipt to the cent', async () => {
  const { hospital, central, d, balloon, department, surgeon } = scene
  const codes = ['FT-1', 'FT-2', 'FT-3']
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [
      { specification_sn: balloon, lot_no: 'FT2', ...arriving, quantity: '3', unit_codes: codes, price: '33.3333' },
    ],
  })
  await hospital.pass('purchaseGrn', grn)
  const bill = await hospital.add('inboundInvoice', {
    source_type: 9,
    source_sn: grn,
    invoice_no: '26312000000000000777',
    invoice_date: day(),
  })
  await hospital.pass('inboundInvoice', bill)
  for (const code of codes)
    await hospital.pass(
      'departmentUse',
      await hospital.add('departmentUse', {
        warehouse_model_inner_sn: central,
        department_inner_sn: department,
        doctor_inner_sn: surgeon,
        patient_name: '应牧野',
        lines: [{ unit_codes: [code] }],
      }),
    )
  const used = await rows(hospital, 'highValueLines', { ...month(), specification_sn: balloon })
  expect(used.map(row => row.invoiced_amount).sort()).toEqual(['33.33', '33.33', '33.34'])
})

test('the days on which a return is booked share its tax: what is refused of it takes all of it back', async () => {
  const { dealer, vendor, shop, v, inflator } = scene
  const grn = await dealer.add('purchaseGrn', {
    counterparty_sn: v,
    warehouse_model_inner_sn: shop,
    lines: [1, 3, 9].map(tax_rate => ({
      specification_sn: inflator,
      lot_no: `FT3${tax_rate}`,
      ...arriving,
      quantity: '1',
      price: '10',
      tax_rate,
    })),
  })
  await dealer.pass('purchaseGrn', grn)
  const back = await dealer.add('purchaseReturn', { source_type: 9, source_sn: grn, return_reason: '包装破损' })
  await dealer.pass('purchaseReturn', back)
  const { sn } = await vendor.from('saleReturn', back)
  await vendor.done('saleReturn', 'edit', sn, {
    lines: [1, 2, 3].map(line_no => ({ line_no, quantity: '0', refused_quantity: '1', refuse_reason: '非我司产品' })),
  })
  for (const action of ['submit', 'inspect', 'review']) await vendor.done('saleReturn', action, sn)
  // Each line is refused on a day of its own, for as long as this test asks.
  const period = subtractMonth(day().slice(0, 7))
  const { owner } = scene.server.database
  const booked = await owner<{ id: string; at: string }[]>`
    select e.id::text, e.at::text from account_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
     where d.org_id = ${scene.d} and d.sn = ${back}`
  await owner`
    update account_entry e set at = (${`${period}-10`}::date + case when e.amount < 0 then 0 else e.line_no end)
        ::timestamp at time zone 'Asia/Shanghai'
      from document d where d.org_id = e.org_id and d.id = e.document_id and d.org_id = ${scene.d} and d.sn = ${back}`
  // 0.10 + 0.29 + 0.83 = 1.22 of tax, of which each day has 0.41, and the last 0.40.
  const lines = (await rows(dealer, 'monthVoucher', { period })).filter(({ document_no: no }) => no === back)
  const tax = lines.filter(({ account_name: name }) => name!.includes('税'))
  expect(tax.map(({ debit, credit }) => subtract(debit!, credit!, 2))).toEqual(['-1.22', '0.41', '0.40', '0.41'])
  expect(
    sum(
      tax.map(({ debit, credit }) => subtract(debit!, credit!, 2)),
      2,
    ),
  ).toBe('0.00')
  for (const { id, at } of booked) await owner`update account_entry set at = ${at} where id = ${id}`
})

/** The month before one that is written as `2026-11`. */
function subtractMonth(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() - 1)
  return first.toISOString().slice(0, 7)
}
