import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { compare, type Decimal, isDecimal, sum } from '#kernel/values/decimal.ts'
import { parseExact } from '#server/outbound/exact-json.ts'
import { methods, signatureOf, TOKEN_CODES, WRONG_SIGNATURE } from '#server/outbound/einvoice/baiwang-protocol.ts'
import { QUOTA_METHOD } from '#server/outbound/einvoice/open.ts'
import { keyOf, type Books, type Confirmation, type Issued, openBooks } from './books.ts'
import { ofdOf, pdfOf, sheetOf, xmlOf } from './sheet.ts'

export type EInvoiceOptions = {
  readonly port?: number
  readonly host?: string
  /** The client whose requests are answered: the key and the secret that sign them. */
  readonly appKey: string
  readonly appSecret: string
  /** The folder of its journal; without one it forgets everything. */
  readonly folder?: string | null
  /** The delay before an invoice is issued, in milliseconds. */
  readonly delay?: number
  /** The time for which a request is left without an answer, where the answer is to be lost. */
  readonly silence?: number
  /** 授信额度 of each seller. */
  readonly limit?: Decimal
  readonly now?: () => number
}
export type RunningEInvoice = {
  readonly url: string
  readonly books: Books
  /** Access tokens that it gave and still knows. */
  readonly tokens: Set<string>
  readonly close: () => Promise<void>
}

type Row = Readonly<Record<string, unknown>>
/** The platform's answer that something is not done. */
class NotDone extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const [UNKNOWN_TOKEN] = [...TOKEN_CODES]
const rowOf = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {})
const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

function amountOf(row: Row, name: string): Decimal {
  const value = row[name]
  if (!isDecimal(value)) throw new NotDone('70169', `参数${name}不能为空`)
  return value
}

const amountsOf = (order: Row) => {
  const [untaxed, tax] = [amountOf(order, 'invoiceTotalPrice'), amountOf(order, 'invoiceTotalTax')]
  return { untaxed, tax, total: sum([untaxed, tax], 2) }
}

const linesOf = (order: Row): readonly Row[] =>
  ((order.invoiceDetailsList ?? order.redConfirmDetailReqEntityList ?? []) as readonly unknown[]).map(rowOf)

/** Checks that any provider makes before it issues an invoice. */
function refuseWrong(order: Row): void {
  const lines = linesOf(order)
  if (lines.length === 0) throw new NotDone('70169', '发票明细不能为空')
  const wrong = lines.find(line => !/^\d{19}$/.test(textOf(line.goodsCode)))
  if (wrong) throw new NotDone('20031', `第${textOf(wrong.goodsLineNo)}行税收分类编码有误`)
  const alone = lines.find(
    (line, at) =>
      textOf(line.invoiceLineNature) === '1' &&
      (textOf(lines[at - 1]?.invoiceLineNature) !== '2' || compare(amountOf(line, 'goodsTotalPrice'), '0') >= 0),
  )
  if (alone) throw new NotDone('20033', `第${textOf(alone.goodsLineNo)}行折扣须为负数，并紧跟被折扣行`)
  const total = sum(
    lines.map(line => amountOf(line, 'goodsTotalPrice')),
    2,
  )
  if (compare(total, amountOf(order, 'invoiceTotalPrice')) !== 0)
    throw new NotDone('20032', '明细金额之和与合计金额不符')
}

type Place = {
  readonly options: EInvoiceOptions
  readonly books: Books
  readonly tokens: Set<string>
}
/** An answer that never comes; what was asked was done all the same. */
const LOST = Symbol('lost')

const issuedAnswer = ({ number, at }: Issued) => ({ success: [{ invoiceNo: number, invoiceDate: at }], fail: [] })

async function issue({ books, options }: Place, data: Row, { taxNo }: Row): Promise<unknown> {
  const seller = textOf(taxNo)
  const serial = textOf(data.serialNo)
  if (serial === '') throw new NotDone('70169', '参数serialNo不能为空')
  const known = books.issued.get(keyOf(seller, serial))
  if (known) return issuedAnswer(known)
  refuseWrong(data)
  const buyer = textOf(data.buyerTaxNo)
  const amounts = amountsOf(data)
  const refused = (errorMessage: string) => ({ success: [], fail: [{ serialNo: serial, errorMessage }] })
  if (buyer.endsWith('0001') || compare(amounts.total, books.left(seller)) > 0) return refused('剩余授信额度不足')
  if (buyer.endsWith('0002')) return refused('购买方纳税人识别号不存在')
  await sleep(options.delay ?? 2000)
  const made = books.issued.get(keyOf(seller, serial)) ?? books.issue(seller, serial, data, amounts, null)
  return buyer.endsWith('0003') ? LOST : issuedAnswer(made)
}

const confirmationAnswer = (books: Books, confirmation: Confirmation) => ({
  redConfirmUuid: confirmation.id,
  redConfirmNo: confirmation.number,
  confirmState: books.codeOf(confirmation),
})

function applyRed({ books, options }: Place, order: Row): unknown {
  const seller = textOf(order.taxNo)
  const serial = textOf(order.redConfirmSerialNo)
  const known = [...books.confirmations.values()].find(
    ({ seller: of, order: by }) => of === seller && by.redConfirmSerialNo === serial,
  )
  if (known) return [confirmationAnswer(books, known)]
  const blue = books.ofNumber(textOf(order.originalInvoiceNo))
  if (!blue) throw new NotDone('70035', '没有找到对应的蓝字发票')
  refuseWrong(order)
  const { total } = amountsOf(order)
  if (books.isTooMuch(blue, total, books.leftOf(blue))) throw new NotDone('70035', '红冲金额大于蓝字发票的剩余金额')
  const confirmation = books.confirm({
    seller,
    id: randomBytes(16).toString('hex'),
    number: `HZ${String(books.confirmations.size + 1).padStart(18, '0')}`,
    order,
    blue: blue.number,
    total,
    askedAt: (options.now ?? Date.now)(),
    // A buyer with this end of the tax number has certified the invoice, and must agree.
    code: textOf(order.buyerTaxNo).endsWith('0004') ? '02' : '01',
  })
  return [confirmationAnswer(books, confirmation)]
}

function confirmationFor({ books }: Place, id: string): Confirmation {
  const known = books.confirmations.get(id)
  if (!known) throw new NotDone('70035', '红字确认单不存在')
  return known
}

async function issueRed(place: Place, asked: Row): Promise<unknown> {
  const seller = textOf(asked.taxNo)
  const { books, options } = place
  const serial = textOf(asked.serialNo)
  const known = books.issued.get(keyOf(seller, serial))
  if (known) return issuedAnswer(known)
  const confirmation = confirmationFor(place, textOf(asked.redConfirmUuid))
  if (!['01', '04'].includes(books.codeOf(confirmation))) throw new NotDone('70035', '红字确认单未确认，不能开具')
  await sleep(options.delay ?? 2000)
  const made =
    books.issued.get(keyOf(seller, serial)) ??
    books.issue(seller, serial, confirmation.order, amountsOf(confirmation.order), confirmation.blue)
  return issuedAnswer(made)
}

function filesOf({ books }: Place, data: Row, seller: string): unknown {
  const issued = books.ofNumber(textOf(data.invoiceNo))
  if (!issued) throw new NotDone('70035', '没有这张发票')
  const sheet = sheetOf(issued, { name: textOf(issued.order.sellerTaxName) || '模拟销售方', taxNo: seller })
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return [{ pdf: base64(pdfOf(sheet)), ofd: base64(ofdOf(sheet)), xml: base64(xmlOf(sheet)) }]
}

function query({ books }: Place, data: Row, { taxNo }: Row): unknown {
  const known = books.issued.get(keyOf(textOf(taxNo), textOf(data.serialNo)))
  return known ? issuedAnswer(known) : { success: [], fail: [] }
}

function deliver({ books }: Place, data: Row): unknown {
  const issued = books.ofNumber(textOf(data.invoiceNo))
  const to = [textOf(data.buyerEmail), textOf(data.buyerPhone)].filter(Boolean).join(' ')
  if (!issued) throw new NotDone('70035', '没有这张发票')
  if (to === '') throw new NotDone('70169', '收票邮箱和手机不能都为空')
  books.deliver(issued.number, to)
  return { delivered: true }
}

const calls: Readonly<Record<string, (place: Place, data: Row, body: Row) => unknown>> = {
  [methods.issue]: issue,
  [methods.query]: query,
  [methods.files]: (place, data, body) => filesOf(place, data, textOf(body.taxNo)),
  [methods.deliver]: deliver,
  [methods.applyRed]: (place, _data, body) => applyRed(place, body),
  [methods.redState]: (place, _data, body) =>
    confirmationAnswer(place.books, confirmationFor(place, textOf(body.redConfirmUuid))),
  [methods.issueRed]: (place, _data, body) => issueRed(place, body),
  [QUOTA_METHOD]: ({ books }, _data, { taxNo }) => ({
    totalAmount: books.limit,
    availableAmount: books.left(textOf(taxNo)),
  }),
}

function newToken({ options, tokens }: Place, parameters: URLSearchParams, body: Row): unknown {
  if (parameters.get('client_id') !== options.appKey || body.client_secret !== options.appSecret)
    throw new NotDone('100003', '应用标识或密钥不正确')
  const token = randomBytes(16).toString('hex')
  tokens.add(token)
  return { access_token: token, expires_in: 28_800 }
}

async function answer(place: Place, parameters: URLSearchParams, body: string): Promise<unknown> {
  const asked = rowOf(parseExact(body))
  const method = parameters.get('method') ?? ''
  if (method === methods.token) return newToken(place, parameters, asked)
  if (!place.tokens.has(parameters.get('token') ?? '')) throw new NotDone(UNKNOWN_TOKEN!, 'token无效或已过期')
  if (parameters.get('sign') !== signatureOf(place.options.appSecret, Object.fromEntries(parameters), body))
    throw new NotDone(WRONG_SIGNATURE, '签名错误')
  const call = calls[method]
  if (!call) throw new NotDone('100005', `没有方法${method}`)
  return call(place, rowOf(asked.data), asked)
}

function send(reply: ServerResponse, value: object): void {
  reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

/** `POST /control/confirm` with `confirm_no` and `agrees`: what the buyer says to a red invoice. */
function control({ books }: Place, body: Row): object {
  const found = [...books.confirmations.values()].find(({ number }) => number === body.confirm_no)
  if (!found || found.code !== '02') return { error: '没有等待确认的红字确认单' }
  return confirmationAnswer(books, books.confirm({ ...found, code: body.agrees === true ? '04' : '05' }))
}

async function handle(place: Place, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const address = new URL(request.url ?? '/', 'http://here')
  const body = await text(request)
  if (address.pathname === '/control/confirm') return send(reply, control(place, rowOf(parseExact(body))))
  try {
    const response = await answer(place, address.searchParams, body)
    if (response !== LOST) return send(reply, { success: true, response })
    await sleep(place.options.silence ?? 60_000)
    request.socket.destroy()
  } catch (error) {
    const [code, message] = error instanceof NotDone ? [error.code, error.message] : ['100000', '请求有误']
    send(reply, { success: false, errorResponse: { code, message } })
  }
}

/** Starts the stand-in of an invoice provider; it speaks as 百望's open platform does. */
export async function startEInvoice(options: EInvoiceOptions): Promise<RunningEInvoice> {
  const { port = 0, host = '127.0.0.1', folder = null, limit = '10000000.00', now = Date.now } = options
  const place: Place = { options, books: openBooks(folder, limit, now), tokens: new Set() }
  const server = createServer((request, reply) => {
    handle(place, request, reply).catch(() =>
      send(reply, { success: false, errorResponse: { code: '100000', message: '请求有误' } }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}/router/rest`
  const close = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url, books: place.books, tokens: place.tokens, close }
}
