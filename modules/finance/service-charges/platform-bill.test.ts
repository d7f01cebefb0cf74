import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmChargesByTime } from '#modules/finance/service-charges/service-charge.server.ts'
import { type ConnectedProvider, startProvider } from '#tests/support/einvoice.ts'
import { type Fees, openFees } from '#tests/support/fees.ts'
import { expectMessage, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Service fees that the platform collects: the hospital computes them, the platform is owed, paid and invoices. */
let scene: Scene
let provider: ConnectedProvider
let platform: Person
let fees: Fees
let p = ''
beforeAll(async () => {
  scene = await openScene({ figures: true })
  provider = await startProvider(scene.server, { limit: '100000.00' })
  platform = await scene.person('platform')
  p = (await scene.one('select id from organisation where system_type = 0 order by id limit 1')).id
  fees = await openFees(scene, 'FK', [platform])
})
afterAll(async () => {
  await provider?.close()
  await scene?.close()
})

test('what the platform collects is its own bill: owed, paid and invoiced there, and read at the hospital', async () => {
  const { hospital, dealer, h, d } = scene
  const before = [(await owed(hospital, d)).receivable, (await owed(dealer, h)).payable]
  const asks = { collector: 'platform', collect_method: 'deduct', begin_date: day(-30), end_date: day() }
  expectMessage(
    await hospital.client.post('/v1/business/serviceCharge/generate', asks),
    '平台收取的服务费须单独收取，不能从货款抵扣',
  )
  const sn = await fees.bill({ collector: 'platform' })
  expect([(await owed(hospital, d)).receivable, (await owed(dealer, h)).payable]).toEqual(before)
  const [own] = await platform.list('serviceCharge', { collector: 'own', hospital_sn: h })
  expect(own).toMatchObject({ state: 'submitted', taxed_amount: '6.72', counterparty_sn: d, source_sn: sn })
  expect(await dealer.list('serviceCharge', { sn })).toEqual([])
  await platform.done('serviceCharge', 'review', own.sn)
  expect((await owed(platform, d)).receivable).toBe('6.72')
  const copy = await dealer.info('serviceCharge', own.sn)
  expect(copy).toMatchObject({ taxed_amount: '6.72', counterparty_sn: p, hospital_sn: h })
  expect(copy.lines[0]).toMatchObject({ fee_rate: '0.020000', settlement_no: expect.stringMatching(/^JS/) })
  await dealer.done('serviceCharge', 'confirm', own.sn)
  // The platform's answer to the hospital is sent with the platform's own messages.
  await provider.perform()
  expect((await owed(dealer, p)).payable).toBe('6.72')
  expect(await hospital.info('serviceCharge', sn)).toMatchObject({ confirm_state: '2' })
  for (const action of ['collect', 'toInvoice', 'issueInvoice'])
    expectMessage(
      await hospital.do(
        'serviceCharge',
        action,
        sn,
        action === 'issueInvoice' ? { invoice_no: '26110000000000000080' } : {},
      ),
      '该服务费由平台收取，请在平台的服务费单上办理',
    )
  expectMessage(await hospital.do('serviceCharge', 'redReverse', sn, { reason: '错' }), /对方已处理/)
  const invoice = await fees.asked(platform, own.sn)
  await provider.perform()
  const { invoice_no } = await fees.row(platform, invoice)
  for (const [who, number] of [
    [platform, own.sn],
    [dealer, own.sn],
    [hospital, sn],
  ] as const)
    expect(await who.info('serviceCharge', number)).toMatchObject({ invoice_no, invoice_request: 'issued' })
  expect(await dealer.list('chargeInvoice', { invoice_no })).toHaveLength(1)
  await dealer.done('serviceCharge', 'pay', own.sn)
  const [payment] = await dealer.list('chargePayment', { source_sn: own.sn })
  await dealer.pass('chargePayment', payment.sn)
  const [receipt] = await platform.list('chargeReceipt', { source_sn: own.sn })
  await platform.pass('chargeReceipt', receipt.sn)
  await provider.perform()
  expect([(await owed(platform, d)).receivable, (await owed(dealer, p)).payable]).toEqual(['0.00', '0.00'])
  for (const [who, number] of [
    [platform, own.sn],
    [dealer, own.sn],
    [hospital, sn],
  ] as const)
    expect((await who.info('serviceCharge', number)).state).toBe('completed')
})

test('the platform neither adds nor changes a bill; the hospital takes it back while nothing was done there', async () => {
  const { hospital, d } = scene
  expectMessage(
    await platform.client.post('/v1/business/serviceCharge/add', {
      counterparty_sn: d,
      begin_date: day(-30),
      end_date: day(),
    }),
    /不能手工新增|没有有效的往来关系|不是本机构的供应商/,
  )
  const sn = await fees.bill({ collector: 'platform' })
  const [own] = await platform.list('serviceCharge', { collector: 'own', state: 'submitted' })
  await platform.done('serviceCharge', 'reject', own.sn, { reason: '开户行待补' })
  const edit = { sn: own.sn, version: (await platform.info('serviceCharge', own.sn)).version, adjust_amount: '-1' }
  await platform.client.post('/v1/business/serviceCharge/edit', { ...edit, payee_bank: '平台开户行', lines: [] })
  expect(await platform.info('serviceCharge', own.sn)).toMatchObject({
    taxed_amount: '6.72',
    adjust_amount: null,
    payee_bank: '平台开户行',
  })
  await hospital.done('serviceCharge', 'unreview', sn)
  expect((await platform.info('serviceCharge', own.sn)).state).toBe('cancelled')
  await hospital.done('serviceCharge', 'reject', sn, { reason: '改由医院收取' })
  await hospital.done('serviceCharge', 'edit', sn, { collector: 'own' })
  expect(await hospital.info('serviceCharge', sn)).toMatchObject({ state: 'rejected', collector: 'own' })
})

test('a supplier who does not answer the platform has agreed, and the hospital reads it', async () => {
  const { hospital } = scene
  const sn = await fees.bill({ collector: 'platform' })
  const [own] = await platform.list('serviceCharge', { collector: 'own', state: 'submitted' })
  await platform.done('serviceCharge', 'review', own.sn)
  await scene.one(
    `update document set reviewed_at = reviewed_at - interval '30 days' where sn = any($1) and role = 'own'
      returning 1`,
    [sn, own.sn],
  )
  await confirmChargesByTime(scene.server.database.owner)
  await provider.perform()
  expect((await platform.info('serviceCharge', own.sn)).confirm_state).toBe('4')
  expect((await scene.dealer.info('serviceCharge', own.sn)).confirm_state).toBe('4')
  expect((await hospital.info('serviceCharge', sn)).confirm_state).toBe('4')
})
