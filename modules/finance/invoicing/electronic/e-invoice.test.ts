import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedProvider, startProvider } from '#tests/support/einvoice.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { pollDue } from '#modules/finance/invoicing/electronic/poll.server.ts'

/**
 * 百望电子发票: an invoice is requested, issued once, sent to its customer with its number, and taken back in two steps. The
 * provider is a stand-in over HTTP.
 */
let scene: Scene
let provider: ConnectedProvider
const at = '/v1/business/eInvoice'

async function delivered(quantity = '10'): Promise<string> {
  const { dealer, shop, inflator, h } = scene
  const sn = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'EI1', quantity, price: '113' }],
  })
  await dealer.pass('saleOdo', sn)
  return sn
}
const bill = (odo: string, more: object = {}) => ({
  source_type: 7,
  source_sn: odo,
  issue_way: 'provider',
  ...more,
})
/** A reviewed invoice without a number, whose buyer is as given. */
async function reviewed(more: object = {}): Promise<string> {
  const sn = await scene.dealer.add('outboundInvoice', bill(await delivered(), more))
  await scene.dealer.pass('outboundInvoice', sn)
  return sn
}
async function asked(more: object = {}): Promise<string> {
  const sn = await reviewed(more)
  await scene.dealer.done('outboundInvoice', 'issue', sn)
  return sn
}
const rowOf = async (sn: string) => (await scene.dealer.list('eInvoice', { document_sn: sn }))[0]
const call = async (name: string, sn: string, more: object = {}) =>
  scene.dealer.client.post(`${at}/${name}`, { sns: [(await rowOf(sn)).e_invoice_sn], ...more })
const invoice = (sn: string) => scene.dealer.info('outboundInvoice', sn)
const buyer = (ending: string) => ({ buyer_tax_no: `12310000MA1FL0${ending}` })
const setCode = (code: string | null) =>
  scene.one(
    'update dealer_product set tax_code = $1 where org_id = $2 and specification_id = $3 returning 1',
    code,
    scene.d,
    scene.inflator,
  )
const setChannel = (values: string) =>
  scene.one(`update e_invoice_channel set ${values} where org_id = $1 and channel = 'standin' returning 1`, scene.d)
/** The hospital's invoice that was created from this number. */
const received = async (number: string) => (await scene.hospital.list('inboundInvoice', { invoice_no: number }))[0]

beforeAll(async () => {
  scene = await openScene()
  provider = await startProvider(scene.server, { limit: '100000.00' })
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'EI1', { quantity: '5000' })])
  await setCode('1090245030000000000')
  const body = { channel: 'standin', drawer: '王开票' }
  expect((await scene.dealer.client.post('/v1/business/eInvoiceChannel/add', body)).msg).toBe('')
})
afterAll(async () => {
  await provider?.close()
  await scene?.close()
})

test('asked for after its review, it comes back with number, day and files, and only then reaches the customer', async () => {
  const sn = await reviewed({ buyer_email: 'fp@hospital.cn' })
  expect(await invoice(sn)).toMatchObject({
    state: 'reviewed',
    invoice_no: null,
    check_state: 'unsent',
    issue_state: null,
  })
  await scene.dealer.done('outboundInvoice', 'issue', sn)
  expect(await rowOf(sn)).toMatchObject({
    request_no: `${sn}-1`,
    state: 'issuing',
    untaxed_amount: '1000.00',
    tax_amount: '130.00',
    taxed_amount: '1130.00',
    drawer: '王开票',
    colour: 'blue',
  })
  expectMessage(await scene.dealer.do('outboundInvoice', 'issue', sn), '该单据正在开票或已开票')
  await provider.perform()
  const row = await rowOf(sn)
  expect(row).toMatchObject({ state: 'issued', invoice_no: expect.stringMatching(/^99\d{18}$/), invoice_date: day() })
  expect(row).toMatchObject({ deliver_state: 'delivered', delivered_to: 'fp@hospital.cn' })
  expect([row.pdf, row.ofd, row.xml].map(files => files[0])).toEqual([
    expect.stringMatching(/\.pdf$/),
    expect.stringMatching(/\.ofd$/),
    expect.stringMatching(/\.xml$/),
  ])
  const doc = await invoice(sn)
  expect(doc).toMatchObject({
    invoice_no: row.invoice_no,
    invoice_date: day(),
    issue_state: 'issued',
    check_state: 'sent',
  })
  expect(doc.history.map((entry: { label: string }) => entry.label)).toContain('电子开票完成')
  const theirs = await received(row.invoice_no)
  expect(theirs).toMatchObject({ taxed_amount: '1130.00', state: 'submitted' })
  // Its files are attached, and the customer has them with the invoice.
  expect((await scene.hospital.info('inboundInvoice', theirs.sn)).attachments).toEqual([
    row.pdf[0],
    row.ofd[0],
    row.xml[0],
  ])
  const [line] = await scene.dealer.list('eInvoiceLine', { e_invoice_sn: row.e_invoice_sn })
  expect(line).toMatchObject({ tax_code: '1090245030000000000', quantity: '10.000', price: '100', tax_rate: 13 })
  expectMessage(await scene.dealer.do('outboundInvoice', 'issue', sn), '该单据正在开票或已开票')
  const { info } = await call('download', sn)
  expect((await scene.dealer.client.raw({ method: 'GET', url: info.link })).statusCode).toBe(200)
})

test('a discount is issued on a line of its own, and the customer owes what is left', async () => {
  const { dealer } = scene
  const odo = await delivered('2')
  const sn = await dealer.add(
    'outboundInvoice',
    bill(odo, { lines: [{ source_line_no: 1, discount_amount: '22.60' }] }),
  )
  await dealer.pass('outboundInvoice', sn)
  await dealer.done('outboundInvoice', 'issue', sn)
  await provider.perform()
  const row = await rowOf(sn)
  expect(row).toMatchObject({ state: 'issued', untaxed_amount: '200.00', taxed_amount: '226.00' })
  const lines = await dealer.list('eInvoiceLine', { e_invoice_sn: row.e_invoice_sn })
  expect(lines.map(line => [line.nature, line.untaxed_amount, line.tax_amount])).toEqual([
    ['discounted', '220.00', '28.60'],
    ['discount', '-20.00', '-2.60'],
  ])
  expect(await received(row.invoice_no)).toMatchObject({ taxed_amount: '226.00' })
})

test('an issued invoice is printed as its buyer reads it; one without a number has no sheet', async () => {
  const sn = await asked()
  const print = async () =>
    scene.dealer.client.get('/v1/business/eInvoice/print', { sn: (await rowOf(sn)).e_invoice_sn })
  expectMessage(await print(), `${sn}尚未开具，没有版式，请先查询开票结果`)
  await provider.perform()
  const row = await rowOf(sn)
  const { info } = await print()
  expect(info).toMatchObject({
    sn: row.invoice_no,
    sheet_title: expect.stringMatching(/^电子发票（增值税专用发票）/),
    amount_in_words: '壹仟壹佰叁拾元整',
    original_files: 'PDF、OFD、XML 已保存',
    taxed_amount: '1130.00',
  })
  expect(info.lines).toMatchObject([{ quantity: '10.000', untaxed_amount: '1000.00', tax_amount: '130.00' }])
})

test('money is not matched with an invoice that waits for its number; once issued it is', async () => {
  const { dealer, h } = scene
  const sn = await asked()
  const lines = [{ source_sn: sn, source_line_no: 1, taxed_amount: '1130' }]
  const waits = `销项发票${sn}还没有发票号码，请开具后再核销；先收到的款不选发票，记为预收`
  expectMessage(await attempt(dealer, 'receipt', { counterparty_sn: h, lines }), waits)
  const proposed = async () => {
    const body = { counterparty_sn: h, received_amount: '1130', bank_remark: sn }
    const { info } = await dealer.client.post('/v1/business/receipt/autoMatch', body)
    const found = await dealer.info('receipt', info.sn)
    return found.lines.map((line: { source_sn: string | null }) => line.source_sn)
  }
  expect(await proposed()).not.toContain(sn)
  // Money received before the invoice counts as received in advance, and cannot be matched by hand either.
  const receipt = await dealer.add('receipt', { counterparty_sn: h, lines: [{ taxed_amount: '1130' }] })
  await dealer.pass('receipt', receipt)
  expectMessage(
    await dealer.do('receipt', 'match', receipt, { match_invoices: sn }),
    '没有未收款的发票可核销，请核对开票单号或发票号码',
  )
  await provider.perform()
  expect(await proposed()).toEqual([sn])
  await dealer.done('receipt', 'match', receipt, { match_invoices: sn })
  expect((await invoice(sn)).pay_state).toBe('3')
})

test('what was issued is not taken back by a review nor reversed without a red invoice', async () => {
  const sn = await asked()
  expectMessage(await scene.dealer.do('outboundInvoice', 'unreview', sn), '电子发票正在开具，不能取消，请等待结果')
  await provider.perform()
  for (const action of ['unreview', 'redReverse'])
    expectMessage(
      await scene.dealer.do('outboundInvoice', action, sn, { reason: '价格' }),
      '已开具的发票不能作废，请在【百望电子发票】申请红字确认单',
    )
})

test('the provider’s refusals are told in its words, and the corrected document is asked for anew', async () => {
  const limited = await asked(buyer('0001'))
  const unknown = await asked(buyer('0002'))
  await provider.perform()
  expect(await rowOf(limited)).toMatchObject({ state: 'failed', fail_reason: '剩余授信额度不足' })
  expect(await invoice(limited)).toMatchObject({ issue_state: 'failed', issue_error: '剩余授信额度不足' })
  expect(await rowOf(unknown)).toMatchObject({ state: 'failed', fail_reason: '购买方纳税人识别号不存在' })
  expect((await call('retry', unknown)).code).toBe(0)
  await provider.perform()
  expect(await rowOf(unknown)).toMatchObject({ state: 'failed', retries: 1 })
  await scene.dealer.done('outboundInvoice', 'unreview', unknown)
  expect((await rowOf(unknown)).state).toBe('closed')
  expect((await invoice(unknown)).issue_state).toBeNull()
  await scene.dealer.done('outboundInvoice', 'review', unknown)
  await scene.dealer.done('outboundInvoice', 'issue', unknown)
  const again = await scene.dealer.list('eInvoice', { document_sn: unknown })
  expect(again.map(row => [row.request_no, row.state])).toEqual([
    [`${unknown}-2`, 'issuing'],
    [`${unknown}-1`, 'closed'],
  ])
})

test('an answer that is lost is asked for under the same number: one invoice, however often it is tried', async () => {
  const sn = await asked(buyer('0003'))
  const { request_no } = await rowOf(sn)
  await provider.perform()
  const row = await rowOf(sn)
  expect(row.state).toBe('issued')
  const issued = [...provider.books.issued.values()].filter(({ serial }) => serial === request_no)
  expect(issued.map(({ number }) => number)).toEqual([row.invoice_no])
  const [first] = await scene.server.database.owner<{ tries: number; state: string }[]>`
    select tries, state from outbound_call where object_no = ${sn} and name = '开票'`
  expect(first).toMatchObject({ state: 'succeeded' })
  expect(first!.tries).toBeGreaterThan(1)
})

test('while nobody answers it is 开票中: asked for every half minute, ten times, then by hand', async () => {
  await provider.close()
  const sn = await asked()
  const { database } = scene.server
  await provider.perform()
  expect(await rowOf(sn)).toMatchObject({ state: 'failed', fail_reason: expect.stringContaining('模拟开票通道未接通') })
  provider = await startProvider(scene.server, { limit: '100000.00' })
  await scene.one(
    `update e_invoice set state = 'issuing', sent_at = now(), polls = 0, next_poll_at = now()
      where document_sn = $1 returning 1`,
    sn,
  )
  for (let round = 0; round < 12; round++) {
    await pollDue(database.app, database.owner)
    await database.owner`
      update e_invoice set next_poll_at = now() where document_sn = ${sn} and next_poll_at is not null`
  }
  const [polled] = await database.owner<{ polls: number; next_poll_at: string | null }[]>`
    select polls, next_poll_at from e_invoice where document_sn = ${sn}`
  expect(polled).toMatchObject({ polls: 10, next_poll_at: null })
  // A query by hand answers that the provider never received the request: then it may be tried again.
  expect((await call('query', sn)).info.said).toBe('开票平台没有收到该请求，请重试')
  expect((await call('retry', sn)).code).toBe(0)
  await provider.perform()
  expect((await rowOf(sn)).state).toBe('issued')
  expectMessage(await call('query', sn), '该发票已有结果，不需要查询')
})

test('红冲 in two steps: a red document agreed to by two people, the confirmation, then the red invoice', async () => {
  const sn = await asked()
  await provider.perform()
  const blue = await rowOf(sn)
  const drafted = await call('redApply', sn, { reason: 'returned' })
  const red = drafted.info.made.sn
  expect(drafted.info.said).toBe(`已生成红字发票${red}，审核并申请开票后在此申请红字确认单`)
  expect(await invoice(red)).toMatchObject({
    is_red: true,
    blue_invoice_no: blue.invoice_no,
    taxed_amount: '-1130.00',
    state: 'draft',
  })
  expectMessage(await call('redApply', sn, { reason: 'returned' }), `该发票已有红字发票${red}，请在该单据上办理`)
  await scene.dealer.pass('outboundInvoice', red)
  await scene.dealer.done('outboundInvoice', 'issue', red)
  expect(await rowOf(red)).toMatchObject({ state: 'pending', colour: 'red', taxed_amount: '-1130.00' })
  expectMessage(await call('issue', red), `红字发票${red}须先申请红字确认单`)
  expectMessage(await call('redReverse', red), '请先申请红字确认单')
  expect((await call('redApply', red, { reason: 'returned' })).code).toBe(0)
  await provider.perform()
  expect(await rowOf(red)).toMatchObject({
    state: 'redConfirming',
    red_confirm_state: 'agreed',
    red_confirm_no: expect.stringMatching(/^HZ\d{18}$/),
    red_reason: 'returned',
  })
  expect((await call('redReverse', red)).code).toBe(0)
  await provider.perform()
  const issued = await rowOf(red)
  expect(issued).toMatchObject({ state: 'issued', invoice_no: expect.stringMatching(/^99/) })
  expect(await invoice(red)).toMatchObject({ invoice_no: issued.invoice_no, issue_state: 'issued' })
  expect(await rowOf(sn)).toMatchObject({ state: 'reversed', reversed_amount: '1130.00' })
  expect((await invoice(sn)).issue_state).toBe('reversed')
  expectMessage(await call('redApply', sn, { reason: 'mistake' }), '该发票已全部红冲')
  expect(await received(issued.invoice_no)).toMatchObject({ is_red: true, taxed_amount: '-1130.00' })
})

test('a part is reversed, never more than is left; a buyer who certified it must agree', async () => {
  const odo = await delivered()
  const sn = await scene.dealer.add('outboundInvoice', bill(odo, buyer('0004')))
  await scene.dealer.pass('outboundInvoice', sn)
  await scene.dealer.done('outboundInvoice', 'issue', sn)
  await provider.perform()
  const { invoice_no } = await rowOf(sn)
  const part = { is_red: true, blue_invoice_no: invoice_no, lines: [{ source_line_no: 1, quantity: '-4' }] }
  const red = await scene.dealer.add('outboundInvoice', bill(odo, { ...buyer('0004'), ...part }))
  await scene.dealer.pass('outboundInvoice', red)
  await scene.dealer.done('outboundInvoice', 'issue', red)
  expect((await call('redApply', red, { reason: 'discount' })).code).toBe(0)
  await provider.perform()
  const waiting = await rowOf(red)
  expect(waiting).toMatchObject({ state: 'redConfirming', red_confirm_state: 'asked' })
  expectMessage(await call('redReverse', red), '红字确认单待购方确认，不能红冲')
  await fetch(new URL('/control/confirm', provider.url), {
    method: 'POST',
    body: JSON.stringify({ confirm_no: waiting.red_confirm_no, agrees: true }),
  })
  expect((await call('query', red)).info.said).toBe(`红字确认单${waiting.red_confirm_no}已确认，可以红冲`)
  await call('redReverse', red)
  await provider.perform()
  expect(await rowOf(sn)).toMatchObject({ state: 'issued', reversed_amount: '452.00' })
  const rest = (await call('redApply', sn, { reason: 'mistake' })).info.made.sn
  expect(await invoice(rest)).toMatchObject({ taxed_amount: '-678.00' })
})

test('a red invoice to which the buyer does not agree has failed, and its document can be taken back', async () => {
  const odo = await delivered()
  const sn = await scene.dealer.add('outboundInvoice', bill(odo, buyer('0004')))
  await scene.dealer.pass('outboundInvoice', sn)
  await scene.dealer.done('outboundInvoice', 'issue', sn)
  await provider.perform()
  const red = (await call('redApply', sn, { reason: 'mistake' })).info.made.sn
  await scene.dealer.client.post('/v1/business/outboundInvoice/edit', {
    sn: red,
    version: (await invoice(red)).version,
    ...buyer('0004'),
  })
  await scene.dealer.pass('outboundInvoice', red)
  await scene.dealer.done('outboundInvoice', 'issue', red)
  await call('redApply', red, { reason: 'mistake' })
  await provider.perform()
  const { red_confirm_no: confirm_no } = await rowOf(red)
  await fetch(new URL('/control/confirm', provider.url), {
    method: 'POST',
    body: JSON.stringify({ confirm_no, agrees: false }),
  })
  await scene.server.database.owner`update e_invoice set next_poll_at = now() where document_sn = ${red}`
  await pollDue(scene.server.database.app, scene.server.database.owner)
  expect(await rowOf(red)).toMatchObject({ state: 'failed', fail_reason: '购方不同意红字确认单' })
  await scene.dealer.done('outboundInvoice', 'unreview', red)
  expect((await rowOf(red)).state).toBe('closed')
})

test('before anything is sent: tax class, buyer, kind, lines and channel are right', async () => {
  const sn = await reviewed()
  const refused = (msg: string | RegExp) =>
    scene.dealer.do('outboundInvoice', 'issue', sn).then(reply => expectMessage(reply, msg))
  await setCode(null)
  await refused('一次性使用球囊充压装置未维护税收分类编码，请在【经营产品】中填写或按分类推荐')
  await setCode('1090245030000000000')
  await setChannel("status = 'disabled'")
  await refused('本机构未启用开票通道，请先在【百望电子发票】的通道设置中启用')
  await setChannel("status = 'enabled'")
  const other = await scene.dealer.add('outboundInvoice', bill(await delivered(), { invoice_type: 'special' }))
  await scene.dealer.pass('outboundInvoice', other)
  expectMessage(await scene.dealer.do('outboundInvoice', 'issue', other), '电子开票只能开具数电专票或数电普票')
  const manual = await scene.dealer.add('outboundInvoice', bill(await delivered(), { issue_way: 'manual' }))
  await scene.dealer.done('outboundInvoice', 'submit', manual)
  expectMessage(await scene.dealer.do('outboundInvoice', 'review', manual), '请先登记发票号码')
})

test('above what is left of the quota nothing is sent', async () => {
  const odo = await delivered('1000')
  const sn = await scene.dealer.add('outboundInvoice', bill(odo))
  await scene.dealer.pass('outboundInvoice', sn)
  await scene.dealer.done('outboundInvoice', 'issue', sn)
  await provider.perform()
  expect((await rowOf(sn)).fail_reason).toMatch(/^剩余授信额度不足：可用\d+(\.\d+)?元，本次113000元$/)
  expect([...provider.books.issued.values()].map(({ serial }) => serial)).not.toContain(`${sn}-1`)
  const { said } = (await scene.dealer.client.post(`${at}/quota`, {})).info
  expect(said).toMatch(/^授信额度100000元，剩余\d+(\.\d+)?元，已用/)
})

test('a number written by hand ends the request, and the customer gets the invoice then', async () => {
  await setChannel('issues_at_once = false')
  const sn = await asked()
  expect((await rowOf(sn)).state).toBe('pending')
  await setChannel('issues_at_once = true')
  const number = '26322000000000077001'
  await scene.dealer.done('outboundInvoice', 'manual', sn, { invoice_no: number, invoice_date: day() })
  expect((await rowOf(sn)).state).toBe('closed')
  expect(await received(number)).toMatchObject({ taxed_amount: '1130.00' })
  expectMessage(
    await scene.dealer.do('outboundInvoice', 'manual', sn, { invoice_no: '26322000000000077002' }),
    '已登记票号，反审核后才能修改',
  )
})

test('a draft above the limit is split by lines and pieces; together they are what it was', async () => {
  const { dealer, d } = scene
  await scene.rule(d, 'invoice_limit', '500')
  const sn = await dealer.add('outboundInvoice', bill(await delivered(), { buyer_email: 'a@b.cn' }))
  expectMessage(await dealer.do('outboundInvoice', 'submit', sn), '超过单张开票限额500，请拆分')
  await dealer.done('outboundInvoice', 'split', sn)
  const [odo] = [(await invoice(sn)).lines[0].source_sn]
  const drafts = await dealer.list('outboundInvoice', { source_sn: odo, state: 'draft' })
  expect(drafts.map(row => row.taxed_amount).sort()).toEqual(['226.00', '452.00', '452.00'])
  expect((await invoice(sn)).lines).toMatchObject([{ quantity: '4.000', taxed_amount: '452.00' }])
  for (const row of drafts) await dealer.pass('outboundInvoice', row.sn)
  expect((await dealer.info('saleOdo', odo)).invoice_state).toBe('3')
  const small = await dealer.add('outboundInvoice', bill(await delivered('1')))
  expectMessage(await dealer.do('outboundInvoice', 'split', small), '未超过单张开票限额，不需要拆分')
})

test('keys of a channel are written and never shown; one channel issues at a time', async () => {
  const { client } = scene.dealer
  const secrets = { app_secret: 'TOPSECRET1', user_password: 'TOPSECRET2', user_salt: 'TOPSECRET3' }
  const added = await client.post('/v1/business/eInvoiceChannel/add', {
    channel: 'baiwang',
    app_key: 'k',
    user_name: 'u',
    ...secrets,
  })
  expect(added.msg).toBe('')
  const row = (await scene.dealer.list('eInvoiceChannel')).find(({ channel }) => channel === 'baiwang')
  expect(row).toMatchObject({ status: 'disabled', key_state: 'kept', app_key: 'k' })
  expect(JSON.stringify(row)).not.toContain('TOPSECRET')
  const { owner } = scene.server.database
  const [kept] = await owner`select * from e_invoice_channel where channel = 'baiwang' and org_id = ${scene.d}`
  expect(JSON.stringify(kept)).not.toContain('TOPSECRET')
  const logged = await owner`select row_to_json(o)::text as text from operation_log o where org_id = ${scene.d}`
  expect(JSON.stringify(logged)).not.toContain('TOPSECRET')
  expectMessage(
    await client.post('/v1/business/eInvoiceChannel/enable', { sn: row.e_invoice_channel_sn, version: row.version }),
    '已启用【模拟】通道，请先停用',
  )
})

test('codes of a tax class are proposed by the product’s class, and never over what somebody wrote', async () => {
  const { owner } = scene.server.database
  await setCode(null)
  const [product] = await owner<
    { id: string; class_code: string | null; class_code_2002: string | null; row: string }[]
  >`
    select p.id, p.class_code, p.class_code_2002, e.id as row
      from specification s join product p on p.id = s.product_id
      join dealer_product e on e.specification_id = s.id and e.org_id = ${scene.d} where s.id = ${scene.inflator}`
  const propose = () => scene.dealer.client.post('/v1/business/dealerProduct/proposeTax', { sns: [product!.row] })
  expectMessage(await propose(), '所选产品已有税收分类编码，或其分类没有推荐的编码，请手工填写')
  const code = (product!.class_code ?? product!.class_code_2002 ?? '').slice(0, product!.class_code ? 2 : 4)
  await owner`update device_class set tax_code = '1090245010000000000' where code = ${code}`
  expect((await propose()).info.said).toBe('已填写1个产品的税收分类编码，请核对')
  expect((await scene.one('select tax_code from dealer_product where id = $1', product!.row)).tax_code).toBe(
    '1090245010000000000',
  )
  expectMessage(await propose(), '所选产品已有税收分类编码，或其分类没有推荐的编码，请手工填写')
  await setCode('1090245030000000000')
})
