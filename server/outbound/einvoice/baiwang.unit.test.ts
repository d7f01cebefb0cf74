import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf } from '#kernel/values/date.ts'
import { subtract } from '#kernel/values/decimal.ts'
import { type RunningEInvoice, startEInvoice } from '../../../deploy/einvoice/server.ts'
import { QUOTA_METHOD } from '#server/outbound/einvoice/open.ts'
import { baiwang, type BaiwangAccount } from '#server/outbound/einvoice/baiwang.ts'
import { signatureOf } from '#server/outbound/einvoice/baiwang-protocol.ts'
import { type InvoiceOrder, ProviderError, type RedOrder } from '#server/outbound/einvoice/contract.ts'

/** The adapter speaks to the stand-in over HTTP: token, signature, fields, refusals, and answers that are lost. */
let standIn: RunningEInvoice
let clock = Date.UTC(2026, 4, 21, 7, 26, 32)
const account = (more: Partial<BaiwangAccount> = {}): BaiwangAccount => ({
  url: standIn.url,
  appKey: 'K',
  appSecret: 'S',
  userName: 'u',
  password: 'p',
  salt: 's',
  taxNo: '91310000MA1FL00000',
  sellerName: '销售方',
  quotaMethod: QUOTA_METHOD,
  patienceMs: 2000,
  ...more,
})
const order = (request_no: string, more: Partial<InvoiceOrder> = {}): InvoiceOrder => ({
  request_no,
  invoice_type: 'e_special',
  buyer_name: '购买方',
  buyer_tax_no: '12310000MA1FL00009',
  buyer_address: null,
  buyer_bank: null,
  drawer: '张三',
  remark: null,
  untaxed_amount: '1000.00',
  tax_amount: '130.00',
  taxed_amount: '1130.00',
  lines: [
    {
      line_no: 1,
      nature: 'normal',
      name: '一次性使用球囊充压装置',
      tax_code: '1090245000000000000',
      specification: 'BC-30',
      unit: '个',
      quantity: '10.000',
      price: '100.0000',
      untaxed_amount: '1000.00',
      tax_rate: '13',
      tax_amount: '130.00',
      has_preference: false,
    },
  ],
  ...more,
})
const redOf = (request_no: string, blue: string, more: Partial<RedOrder> = {}): RedOrder => {
  const { lines, ...rest } = order(request_no)
  return {
    ...rest,
    untaxed_amount: '-400.00',
    tax_amount: '-52.00',
    taxed_amount: '-452.00',
    blue_invoice_no: blue,
    blue_issued_at: '2026-05-21T07:26:32.000Z',
    blue_untaxed_amount: '1000.00',
    blue_tax_amount: '130.00',
    reason: 'returned',
    lines: lines.map(line => ({
      ...line,
      quantity: '-4.000',
      untaxed_amount: '-400.00',
      tax_amount: '-52.00',
      blue_line_no: 1,
    })),
    ...more,
  }
}

beforeAll(async () => {
  standIn = await startEInvoice({
    appKey: 'K',
    appSecret: 'S',
    delay: 0,
    silence: 50,
    limit: '500000.00',
    now: () => clock,
  })
})
afterAll(() => standIn?.close())

test('the signature is MD5 over secret, sorted parameters without empty ones, body and secret', () => {
  // md5('Sa1b2{"x":1}S')
  expect(signatureOf('S', { b: '2', a: '1', c: '', sign: 'old' }, '{"x":1}')).toBe(
    signatureOf('S', { a: '1', b: '2' }, '{"x":1}'),
  )
  expect(signatureOf('S', { a: '1' }, 'x')).toMatch(/^[0-9A-F]{32}$/)
  expect(signatureOf('S', { a: '1' }, 'x')).not.toBe(signatureOf('T', { a: '1' }, 'x'))
})

test('an invoice is issued once under its request number, with a number of twenty digits that begins with 99', async () => {
  const provider = baiwang(account())
  const left = (await provider.quota())!.left
  const first = await provider.issue(order('R1'))
  expect(first).toMatchObject({ issued_on: dayOf(new Date(clock)), issued_at: new Date(clock).toISOString() })
  expect((first as { invoice_no: string }).invoice_no).toMatch(/^99\d{18}$/)
  expect(await provider.issue(order('R1'))).toEqual(first)
  expect(await provider.query('R1')).toEqual(first)
  expect(await provider.query('R-nobody-asked')).toBeNull()
  expect(await provider.quota()).toEqual({ limit: '500000.00', left: subtract(left, '1130.00', 2) })
  expect(
    await provider.issue(
      order('R9', {
        taxed_amount: '600000.00',
        untaxed_amount: '600000.00',
        tax_amount: '0.00',
        lines: [{ ...order('R9').lines[0]!, untaxed_amount: '600000.00', tax_amount: '0.00' }],
      }),
    ),
  ).toEqual({ refused: '剩余授信额度不足' })
})

test('figures reach the provider digit by digit', async () => {
  await baiwang(account()).issue(order('R6'))
  const [line] = [...standIn.books.issued.values()].find(({ serial }) => serial === 'R6')!.order
    .invoiceDetailsList as Record<string, unknown>[]
  expect(line).toMatchObject({ goodsTotalPrice: '1000.00', goodsTaxRate: '0.1300', goodsQuantity: '10.000' })
})

test('what the provider refuses is told in its words; an answer that is lost is asked for under the same number', async () => {
  const provider = baiwang(account())
  await provider.quota()
  expect(await provider.issue(order('R2', { buyer_tax_no: '123100000000000001' }))).toEqual({
    refused: '剩余授信额度不足',
  })
  expect(await provider.issue(order('R3', { buyer_tax_no: '123100000000000002' }))).toEqual({
    refused: '购买方纳税人识别号不存在',
  })
  const lost = order('R4', { buyer_tax_no: '123100000000000003' })
  await expect(provider.issue(lost)).rejects.toMatchObject({ reason: 'unreachable' })
  const found = await provider.query('R4')
  expect(found).toMatchObject({ invoice_no: expect.stringMatching(/^99/) })
  expect([...standIn.books.issued.values()].filter(({ serial }) => serial === 'R4')).toHaveLength(1)
})

test('a wrong secret and a forgotten token: the one is refused, the other asked for anew', async () => {
  await expect(baiwang(account({ appSecret: 'T', userName: 'other' })).query('R1')).rejects.toEqual(
    new ProviderError('refused', '应用标识或密钥不正确', '100003'),
  )
  const other = await startEInvoice({ appKey: 'K', appSecret: 'S', delay: 0 })
  const provider = baiwang(account({ url: other.url }))
  expect(await provider.query('x')).toBeNull()
  other.tokens.clear()
  expect(await provider.query('x')).toBeNull()
  expect(other.tokens.size).toBe(1)
  await other.close()
  await expect(provider.query('x')).rejects.toMatchObject({
    reason: 'unreachable',
    message: '连接不上开票平台，请检查网络和接口地址',
  })
})

test('红冲 in two steps: a confirmation, and the red invoice once nobody has to agree any more', async () => {
  const provider = baiwang(account())
  const { invoice_no: blue } = (await provider.issue(order('R7'))) as { invoice_no: string }
  const confirmation = await provider.applyRed(redOf('RED1', blue))
  expect(confirmation).toMatchObject({ state: 'agreed', confirmation_no: expect.stringMatching(/^HZ/) })
  expect(await provider.applyRed(redOf('RED1', blue))).toEqual(confirmation)
  const red = await provider.issueRed('RED1', confirmation.confirmation_id)
  expect(red).toMatchObject({ invoice_no: expect.stringMatching(/^99/) })
  expect(await provider.issueRed('RED1', confirmation.confirmation_id)).toEqual(red)
  const much = redOf('RED2', blue, { untaxed_amount: '-700.00', tax_amount: '-91.00', taxed_amount: '-791.00' })
  const lines = much.lines.map(line => ({ ...line, untaxed_amount: '-700.00', tax_amount: '-91.00' }))
  await expect(provider.applyRed({ ...much, lines })).rejects.toMatchObject({
    reason: 'refused',
    message: '红冲金额大于蓝字发票的剩余金额',
  })
})

test('a buyer who certified the invoice must agree within 72 hours', async () => {
  const provider = baiwang(account())
  const buyer_tax_no = '123100000000000004'
  const { invoice_no: blue } = (await provider.issue(order('R5', { buyer_tax_no }))) as { invoice_no: string }
  const asked = await provider.applyRed(redOf('RED3', blue, { buyer_tax_no }))
  expect(asked.state).toBe('asked')
  await expect(provider.issueRed('RED3', asked.confirmation_id)).rejects.toMatchObject({ reason: 'refused' })
  const said = (confirm_no: string, agrees: boolean) =>
    fetch(new URL('/control/confirm', standIn.url), { method: 'POST', body: JSON.stringify({ confirm_no, agrees }) })
  await said(asked.confirmation_no, true)
  expect((await provider.redState(asked.confirmation_id)).state).toBe('agreed')
  const late = await provider.applyRed(redOf('RED4', blue, { buyer_tax_no }))
  clock += 73 * 3_600_000
  expect((await provider.redState(late.confirmation_id)).state).toBe('expired')
})

test('files of an invoice are a PDF, an OFD and an XML, and are delivered to an address', async () => {
  const provider = baiwang(account())
  const { invoice_no } = (await provider.issue(order('R8'))) as { invoice_no: string }
  const { pdf, ofd, xml } = await provider.files(invoice_no, 'R8')
  expect(Buffer.from(pdf!).toString('latin1', 0, 5)).toBe('%PDF-')
  expect(Buffer.from(ofd!).toString('latin1', 0, 2)).toBe('PK')
  expect(Buffer.from(xml!).toString('utf8')).toContain(`<InvoiceNumber>${invoice_no}</InvoiceNumber>`)
  await provider.deliver(invoice_no, 'R8', { email: 'a@b.cn', phone: null })
  expect(standIn.books.delivered).toEqual([{ number: invoice_no, to: 'a@b.cn' }])
})
