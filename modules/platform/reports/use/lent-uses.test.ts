import { afterAll, beforeAll, expect, test } from 'vitest'
import { add, type Decimal, sum } from '#kernel/values/decimal.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSession } from '#server/access/session.ts'
import { otherThanTheirPages } from '#tests/support/figures-behind.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { openTechnician } from '#tests/support/technician.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * Every page of uses shows the cost of lent implants from their use on, whichever way they are settled. A piece is
 * agreed at 798.00 and bought by the dealer at 400.00.
 */
let scene: Scene
let technician = ''
let operations = 0
beforeAll(async () => {
  scene = await openScene({ figures: true })
  technician = await openTechnician(scene)
})
afterAll(() => scene?.close())

/** Pieces of one lot that the dealer lends for an urgent operation; all of them are used in it. */
async function usedOnLoan(lot: string, codes: readonly string[]): Promise<{ plan: string; use: string }> {
  const { hospital, dealer, stent, d, h, shop, department, surgeon } = scene
  operations += 1
  await scene.shelve(dealer, shop, [lotOf(stent, lot, { unit_codes: codes, price: '400' })])
  const plan = await hospital.add('bonePlan', {
    counterparty_sn: d,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_at: `${day(2 + operations)}T02:00:00.000Z`,
    surgery_type: 'emergency',
    procedure_name: '脊柱内固定术',
    lines: [{ specification_sn: stent, quantity: String(codes.length) }],
  })
  await hospital.pass('bonePlan', plan)
  await dealer.done('bonePlan', 'accept', plan, { technician_inner_sn: technician })
  const presale = await dealer.add('bonePresale', {
    source_sn: plan,
    source_org_sn: h,
    source_type: 107,
    warehouse_model_inner_sn: shop,
    lines: [{ unit_codes: codes }],
  })
  await dealer.pass('bonePresale', presale)
  const store = await scene.one("select id from warehouse where org_id = $1 and model = 'loan'", h)
  const use = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: store.id,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_name: '脊柱内固定术',
    implant_site: '腰椎',
    patient_no: `P${operations}`,
    patient_name: '欧阳映雪',
    admission_no: `ZY77${operations}`,
    lines: [{ unit_codes: codes }],
  })
  await hospital.pass('surgeryUse', use)
  return { plan, use }
}

async function ask(who: Person, kind: string, query: object = {}) {
  const reply = await who.client.get(`/v1/report/${kind}`, { begin_date: day(), end_date: day(), ...query })
  expect(reply.code, reply.msg).toBe(0)
  return reply
}

type Shown = { readonly amount: string; readonly settled: string; readonly received?: string; readonly stage: string }

/** Each page of uses says the same of the goods of a lot, at the hospital and at their owner. */
async function pagesShow(lot_no: string, { amount, settled, received = settled, stage }: Shown): Promise<void> {
  const { hospital, dealer, stent } = scene
  for (const who of [hospital, dealer]) {
    const { list, summary } = await ask(who, 'usageDetails', { lot_no })
    expect(summary, who === hospital ? 'hospital' : 'dealer').toMatchObject({ amount })
    const first = list.find((row: { quantity: string }) => !row.quantity.startsWith('-'))
    expect(first, who === hospital ? 'hospital' : 'dealer').toMatchObject({
      settled_stage: stage,
      regime: 'consigned',
    })
  }
  const of = async (kind: string) => (await ask(hospital, kind, { lot_no })).summary
  expect(await of('departmentUseSales')).toMatchObject({ amount })
  expect(await of('highValuePatients')).toMatchObject({ amount })
  for (const kind of ['useAmountSummary', 'usageSummary'])
    expect(await of(kind)).toMatchObject({ settled_amount: settled })
  expect((await ask(hospital, 'hospitalIncomeSummary', { lot_no, group_by: 'department_name' })).summary).toMatchObject(
    {
      amount,
    },
  )
  const finance = (await ask(hospital, 'highValueLines', { specification_sn: stent })).list
  const ofLot = finance.filter((row: { lot_no: string }) => row.lot_no === lot_no)
  const sums = (name: string) =>
    sum(
      ofLot.map((row: Record<string, Decimal | null>) => row[name] ?? '0'),
      2,
    )
  expect([sums('amount'), sums('settled_amount'), sums('received_amount')]).toEqual([amount, settled, received])
  expect((await ask(dealer, 'usedLines', { lot_no })).summary).toMatchObject({ amount })
  await statisticsAgree()
}

/** 结算统计 counts what the pages of uses count, and each of it has got somewhere. */
async function statisticsAgree(): Promise<void> {
  const used = (await ask(scene.hospital, 'usageDetails', { regime: 'consigned' })).summary
  const { summary, list } = await ask(scene.hospital, 'settlementStatistics')
  expect(summary.used_amount).toBe(used.amount)
  const settled = (await ask(scene.hospital, 'useAmountSummary', { regime: 'consigned' })).summary
  expect(summary.settled_amount).toBe(settled.settled_amount)
  for (const row of list as Record<string, Decimal>[]) {
    const steps = [row.waiting_amount!, row.held_amount!, row.settling_amount!, row.settled_amount!]
    expect(row.used_amount).toBe(sum(steps, 2))
  }
}
const usedOf = async (who: Person, kind: string, name: string, query: object = {}) =>
  (await ask(who, kind, query)).summary[name] ?? '0.00'

/** The dealer sells what was used, each piece at a price. */
async function sold(plan: string, price: string): Promise<string> {
  const { dealer } = scene
  await dealer.done('bonePlan', 'toSale', plan)
  const draft = (await dealer.list('boneSale', { plan_sn: plan })).find(row => row.state === 'draft')
  const { version, lines } = await dealer.info('boneSale', draft.sn)
  const edited = await dealer.client.post('/v1/business/boneSale/edit', {
    sn: draft.sn,
    version,
    lines: lines.map(({ line_no, source_line_no, unit_codes, quantity }: Record<string, unknown>) => ({
      line_no,
      source_line_no,
      unit_codes,
      quantity,
      price,
    })),
  })
  expect(edited.msg).toBe('')
  await dealer.pass('boneSale', draft.sn)
  return draft.sn
}

story('what lent implants cost, by 骨科采购入库', step => {
  const sns: Record<string, string> = {}
  /** The amounts that other tests used today. */
  const before: { hospital?: Decimal; dealer?: Decimal } = {}
  step('once used they cost what is agreed, 2 × 798.00, and nothing of it is settled', async () => {
    before.hospital = await usedOf(scene.hospital, 'departmentFigures', 'used_amount')
    before.dealer = await usedOf(scene.dealer, 'customerUse', 'used_amount')
    const { plan, use } = await usedOnLoan('LU1', ['LU-1', 'LU-2'])
    Object.assign(sns, { plan, use })
    await pagesShow('LU1', { amount: '1596.00', settled: '0.00', stage: 'waiting' })
    const { hospital, dealer } = scene
    expect(await hospital.info('surgeryUse', use)).toMatchObject({ taxed_amount: '1596.00' })
    expect(await dealer.info('surgeryUse', use)).toMatchObject({ taxed_amount: '1596.00', settled_stage: 'open' })
    expect(await usedOf(hospital, 'departmentFigures', 'used_amount')).toBe(add(before.hospital!, '1596.00', 2))
    expect(await usedOf(hospital, 'departStatistical', 'used_amount', { group_by: 'department_name' })).toBe(
      add(before.hospital!, '1596.00', 2),
    )
    expect(await usedOf(dealer, 'customerUse', 'used_amount')).toBe(add(before.dealer!, '1596.00', 2))
  })

  step('sold at 790.00 each they cost 1580.00, and wait for the receipt', async () => {
    sns.sale = await sold(sns.plan!, '790')
    await pagesShow('LU1', { amount: '1580.00', settled: '0.00', stage: 'settling' })
    expect((await scene.dealer.info('surgeryUse', sns.use!)).settled_stage).toBe('waiting')
    expect(await usedOf(scene.hospital, 'departmentFigures', 'used_amount')).toBe(add(before.hospital!, '1580.00', 2))
    expect(await usedOf(scene.dealer, 'customerUse', 'used_amount')).toBe(add(before.dealer!, '1580.00', 2))
  })

  step('received, they are settled on both sides', async () => {
    const { hospital, dealer } = scene
    sns.receipt = (await hospital.from('purchaseGrn', sns.sale!)).sn
    await hospital.pass('purchaseGrn', sns.receipt!)
    await pagesShow('LU1', { amount: '1580.00', settled: '1580.00', stage: 'settled' })
    expect((await dealer.info('surgeryUse', sns.use!)).settled_stage).toBe('settled')
    const [row] = (await ask(hospital, 'usageDetails', { lot_no: 'LU1' })).list
    expect(row).toMatchObject({ settlement_no: sns.receipt, settlement_kind: 'purchaseGrn' })
  })

  step('a receipt that is reversed leaves them sold, a sale that is reversed leaves them agreed', async () => {
    const { hospital, dealer } = scene
    await hospital.done('purchaseGrn', 'redReverse', sns.receipt!, { reason: '价格有误' })
    await pagesShow('LU1', { amount: '1580.00', settled: '0.00', stage: 'settling' })
    await dealer.done('boneSale', 'redReverse', sns.sale!, { reason: '价格有误' })
    await pagesShow('LU1', { amount: '1596.00', settled: '0.00', stage: 'waiting' })
  })

  step('sold again, received and invoiced', async () => {
    const { hospital, dealer, d, stent } = scene
    const sale = await sold(sns.plan!, '790')
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', sale)).sn)
    const invoice = await dealer.add('outboundInvoice', {
      source_sn: sale,
      source_org_sn: d,
      source_type: 5,
      invoice_no: '26332000000000000777',
      invoice_date: day(),
    })
    await dealer.pass('outboundInvoice', invoice)
    const [received] = await hospital.list('inboundInvoice', { invoice_no: '26332000000000000777' })
    // The order said 798: somebody else agrees to the lower price.
    const second = await scene.colleague('hospital')
    await second.done('inboundInvoice', 'approveMatch', received.sn, { reason: '已与供应商核实' })
    await hospital.done('inboundInvoice', 'review', received.sn)
    await pagesShow('LU1', { amount: '1580.00', settled: '1580.00', stage: 'settled' })
    const { list } = await ask(hospital, 'highValueLines', { specification_sn: stent })
    expect(list).toMatchObject([{ invoiced_amount: '1580.00', invoice_no: '26332000000000000777', origin: 'loan' }])
    expect((await ask(dealer, 'usedLines', { lot_no: 'LU1' })).list).toMatchObject([{ settled_stage: 'invoiced' }])
  })

  step('a use that is reversed before it is sold leaves nothing', async () => {
    const { use } = await usedOnLoan('LU2', ['LU-3'])
    await pagesShow('LU2', { amount: '798.00', settled: '0.00', stage: 'waiting' })
    await scene.hospital.done('surgeryUse', 'redReverse', use, { reason: '登记有误' })
    await pagesShow('LU2', { amount: '0.00', settled: '0.00', stage: 'waiting' })
  })
})

story('what lent implants cost, by 按月结算', step => {
  step('once used they cost what is agreed, and are settled by the month', async () => {
    const { hospital, dealer, d, h } = scene
    await scene.rule(h, 'loan_settle', 'month')
    await usedOnLoan('LM1', ['LM-1', 'LM-2'])
    await pagesShow('LM1', { amount: '1596.00', settled: '0.00', stage: 'waiting' })
    const period = { counterparty_sn: d, begin_date: day(-30), end_date: day(1) }
    const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
    const made = (info.settlements as Record<string, string>[]).find(row => row.settlement_type === 'surgery')!
    await hospital.done('settlement', 'submit', made.sn!)
    await dealer.done('settlement', 'confirm', made.sn!)
    await hospital.done('settlement', 'review', made.sn!)
    await pagesShow('LM1', { amount: '1596.00', settled: '1596.00', received: '0.00', stage: 'settled' })
    const grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: made.sn })
    await hospital.pass('settlementGrn', grn)
    await pagesShow('LM1', { amount: '1596.00', settled: '1596.00', stage: 'settled' })
    await hospital.done('settlementGrn', 'redReverse', grn, { reason: '价格有误' })
    await pagesShow('LM1', { amount: '1596.00', settled: '1596.00', received: '0.00', stage: 'settled' })
  })
})

story('what goods of our own cost', step => {
  step(
    'what was bought costs what it was bought for, a gift nothing, and a part that is taken back its share',
    async () => {
      const { hospital, ward, inflator, department } = scene
      await scene.shelve(hospital, ward, [
        lotOf(inflator, 'LO1', { quantity: '10', price: '50' }),
        lotOf(inflator, 'LO2', { quantity: '5', price: '0' }),
      ])
      const sn = await hospital.add('departmentUse', {
        warehouse_model_inner_sn: ward,
        department_inner_sn: department,
        use_type: 'consume',
        lines: [
          { specification_sn: inflator, lot_no: 'LO1', quantity: '4' },
          { specification_sn: inflator, lot_no: 'LO2', quantity: '2' },
        ],
      })
      await hospital.pass('departmentUse', sn)
      expect(await hospital.info('departmentUse', sn)).toMatchObject({ taxed_amount: '200.00' })
      await hospital.done('departmentUse', 'redReverse', sn, {
        reason: '登记有误',
        lines: JSON.stringify([{ line_no: 1, quantity: '1' }]),
      })
      // 4 × 50.00 less 1 × 50.00, and 2 × 0.00.
      expect((await ask(hospital, 'usageDetails', { lot_no: 'LO1' })).summary).toMatchObject({
        quantity: '3.000',
        amount: '150.00',
      })
      expect((await ask(hospital, 'usageDetails', { lot_no: 'LO2' })).summary).toMatchObject({ amount: '0.00' })
      expect((await ask(hospital, 'wardUsedLines', { lot_no: 'LO1' })).summary).toMatchObject({ amount: '150.00' })
      const [moved] = await scene.server.database.owner<{ cost: string }[]>`
      select -sum(m.value) as cost from stock_move m join lot l on l.id = m.lot_id
       where m.org_id = ${scene.h} and l.lot_no = 'LO1' and m.step = 'use'`
      expect(moved!.cost).toBe('150.00')
    },
  )
})

test('what was used stands behind each figure of walls and boards, also for somebody of one store', async () => {
  const { server, h, d, loan } = await sceneAfterUses()
  for (const [org, type, store] of [
    [h, 'H', loan],
    [d, 'D', scene.shop],
  ] as const) {
    const whole = systemSession({ id: org, code: org, name: org, type })
    for (const session of [whole, { ...whole, warehouses: new Set([store]) }]) {
      const { compared, wrong } = await inOrganisation(server.database.app, org, '0', tx =>
        otherThanTheirPages(tx, session),
      )
      expect(compared).toBeGreaterThan(3)
      expect(wrong).toEqual([])
    }
  }
})

/** Goods that are lent and used, whatever other stories did before. */
async function sceneAfterUses() {
  await usedOnLoan('LW1', ['LW-1'])
  const store = await scene.one("select id from warehouse where org_id = $1 and model = 'loan'", scene.h)
  return { ...scene, loan: String(store.id) }
}
