import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedProvider, startProvider } from '#tests/support/einvoice.ts'
import { type Fees, openFees } from '#tests/support/fees.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 服务费发票: a hospital issues an electronic invoice over a service fee, once, and takes it back before the bill. */
let scene: Scene
let provider: ConnectedProvider
let fees: Fees
beforeAll(async () => {
  scene = await openScene()
  provider = await startProvider(scene.server, { limit: '100000.00' })
  fees = await openFees(scene, 'FP', [scene.hospital])
})
afterAll(async () => {
  await provider?.close()
  await scene?.close()
})

async function agreed(): Promise<string> {
  const sn = await fees.bill()
  await scene.dealer.done('serviceCharge', 'confirm', sn)
  return sn
}
const call = async (who: Person, name: string, sn: string, more: object = {}) =>
  who.client.post(`/v1/business/eInvoice/${name}`, { sns: [(await fees.row(who, sn)).e_invoice_sn], ...more })
/** The red invoice of an issued one, to its end. */
async function reddened(who: Person, sn: string): Promise<string> {
  const red = (await call(who, 'redApply', sn, { reason: 'mistake' })).info.made.sn
  await who.pass('chargeInvoice', red)
  await who.done('chargeInvoice', 'issue', red)
  await call(who, 'redApply', red, { reason: 'mistake' })
  await provider.perform()
  await call(who, 'redReverse', red)
  await provider.perform()
  return red
}

test('the hospital invoices a fee electronically: number, day and files on the bill, and at the supplier', async () => {
  const { hospital, dealer } = scene
  const sn = await fees.bill()
  expectMessage(await hospital.do('serviceCharge', 'toInvoice', sn), '服务费单尚未经供应商确认')
  await dealer.done('serviceCharge', 'confirm', sn)
  await dealer.done('serviceCharge', 'applyInvoice', sn)
  const invoice = await fees.drafted(hospital, sn)
  expect(await hospital.info('chargeInvoice', invoice)).toMatchObject({
    taxed_amount: '6.72',
    untaxed_amount: '6.34',
    tax_amount: '0.38',
    lines: [{ item_name: 'SPD服务费', tax_code: '3040802990000000000', tax_rate: 6, source_sn: sn }],
  })
  await hospital.pass('chargeInvoice', invoice)
  // No other organisation has the invoice before it has a number.
  expect(await dealer.list('chargeInvoice', { charge_nos: sn })).toEqual([])
  await hospital.done('chargeInvoice', 'issue', invoice)
  expectMessage(await hospital.do('chargeInvoice', 'issue', invoice), '该单据正在开票或已开票')
  await provider.perform()
  const row = await fees.row(hospital, invoice)
  expect(row).toMatchObject({
    request_no: `${invoice}-1`,
    source_kind: 'fee',
    state: 'issued',
    taxed_amount: '6.72',
    invoice_no: expect.stringMatching(/^99\d{18}$/),
  })
  const noted = { invoice_no: row.invoice_no, invoice_date: day(), invoice_request: 'issued' }
  for (const who of [hospital, dealer]) expect(await who.info('serviceCharge', sn)).toMatchObject(noted)
  expect((await hospital.list('serviceCharge', { sn }))[0]).toMatchObject({ invoiced_amount: '6.72' })
  const [theirs] = await dealer.list('chargeInvoice', { invoice_no: row.invoice_no })
  expect((await dealer.info('chargeInvoice', theirs.sn)).attachments).toEqual([row.pdf[0], row.ofd[0], row.xml[0]])
  const [line] = await hospital.list('eInvoiceLine', { e_invoice_sn: row.e_invoice_sn })
  expect(line).toMatchObject({ item_name: 'SPD服务费', quantity: null, tax_rate: 6, untaxed_amount: '6.34' })
})

test('one bill is invoiced once, never beyond what was agreed to, and not beside a number written by hand', async () => {
  const { hospital } = scene
  const sn = await agreed()
  const first = await fees.drafted(hospital, sn)
  const second = await fees.drafted(hospital, sn)
  const { version, lines } = await hospital.info('chargeInvoice', first)
  const more = lines.map(({ line_no }: { line_no: number }) => ({ line_no, taxed_amount: '6.73' }))
  await hospital.client.post('/v1/business/chargeInvoice/edit', { sn: first, version, lines: more })
  expectMessage(await hospital.do('chargeInvoice', 'submit', first), /开票金额超过服务费未开票金额6\.72/)
  await hospital.done('chargeInvoice', 'cancel', first, { reason: '金额有误' })
  await hospital.pass('chargeInvoice', second)
  expectMessage(await hospital.do('serviceCharge', 'toInvoice', sn), `${sn}没有未开票的服务费`)
  expectMessage(
    await hospital.do('serviceCharge', 'issueInvoice', sn, { invoice_no: '26110000000000000077' }),
    `该服务费单已有服务费发票${second}，请在该单据上办理`,
  )
  const other = await agreed()
  const draft = await fees.drafted(hospital, other)
  await hospital.done('serviceCharge', 'issueInvoice', other, { invoice_no: '26110000000000000078' })
  expectMessage(
    await hospital.do('chargeInvoice', 'submit', draft),
    `服务费单${other}已登记发票26110000000000000078，不能再开具`,
  )
  expectMessage(
    await hospital.do('serviceCharge', 'redReverse', other, { reason: '费率有误' }),
    '服务费单已登记发票26110000000000000078，请先登记红字发票',
  )
  await hospital.done('serviceCharge', 'redInvoice', other, { red_invoice_no: '26110000000000000079' })
  expect(await scene.dealer.info('serviceCharge', other)).toMatchObject({ invoice_no: null, invoice_request: 'none' })
  await hospital.done('serviceCharge', 'redReverse', other, { reason: '费率有误' })
  // Its settlement is charged again, so that the next bill is over its own settlement only.
  await fees.bill()
})

test('a bill in dispute has no invoice; without a tax class it is refused with where to write it', async () => {
  const { hospital, dealer } = scene
  const sn = await fees.bill()
  await dealer.done('serviceCharge', 'dispute', sn, { reason: '费率不符' })
  expect((await hospital.do('serviceCharge', 'toInvoice', sn)).code).not.toBe(0)
  const add = { source_type: 143, source_sn: sn }
  expect((await hospital.client.post('/v1/business/chargeInvoice/add', add)).code).not.toBe(0)
  await hospital.done('serviceCharge', 'review', sn)
  await dealer.done('serviceCharge', 'confirm', sn)
  const channel = (values: string) =>
    scene.one(`update e_invoice_channel set ${values} where org_id = $1 returning 1`, scene.h)
  await channel('fee_tax_code = null')
  const invoice = await fees.drafted(hospital, sn)
  await hospital.pass('chargeInvoice', invoice)
  expectMessage(
    await hospital.do('chargeInvoice', 'issue', invoice),
    'SPD服务费未维护税收分类编码，请在【百望电子发票】的通道设置中填写服务费税收分类编码，再重新保存本单',
  )
  await channel("fee_tax_code = '3040802990000000000'")
})

test('a reversed bill asks its red invoice first; after it the fee may be invoiced again', async () => {
  const { hospital, dealer } = scene
  const sn = await agreed()
  const blue = await fees.asked(hospital, sn)
  const why = { reason: '费率有误' }
  const stands = `服务费单已开票（${blue}），请先在【百望电子发票】红冲该发票`
  expectMessage(await hospital.do('serviceCharge', 'redReverse', sn, why), stands)
  await provider.perform()
  expectMessage(await hospital.do('serviceCharge', 'redReverse', sn, why), stands)
  const red = (await call(hospital, 'redApply', blue, { reason: 'mistake' })).info.made.sn
  await hospital.pass('chargeInvoice', red)
  // The red document frees the fee; until its red invoice has a number, the blue one is valid.
  expectMessage(await hospital.do('serviceCharge', 'redReverse', sn, why), stands)
  const again = await fees.drafted(hospital, sn)
  await hospital.pass('chargeInvoice', again)
  expectMessage(
    await hospital.do('chargeInvoice', 'issue', again),
    `服务费单${sn}的红字发票${red}尚未开具，请先在【百望电子发票】完成红冲`,
  )
  await hospital.done('chargeInvoice', 'issue', red)
  await call(hospital, 'redApply', red, { reason: 'mistake' })
  await provider.perform()
  await call(hospital, 'redReverse', red)
  await provider.perform()
  expect(await fees.row(hospital, blue)).toMatchObject({ state: 'reversed', reversed_amount: '6.72' })
  for (const who of [hospital, dealer])
    expect(await who.info('serviceCharge', sn)).toMatchObject({ invoice_no: null, invoice_request: 'none' })
  const [theirs] = await dealer.list('chargeInvoice', { charge_nos: sn, is_red: 'true' })
  expect(theirs).toMatchObject({ taxed_amount: '-6.72' })
  await hospital.done('chargeInvoice', 'issue', again)
  await provider.perform()
  expect((await hospital.info('serviceCharge', sn)).invoice_no).toBe((await fees.row(hospital, again)).invoice_no)
  await reddened(hospital, again)
  await hospital.done('serviceCharge', 'redReverse', sn, why)
  expect((await hospital.info('serviceCharge', sn)).state).toBe('reversed')
  await fees.bill()
})
