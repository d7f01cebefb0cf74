import { boundedFetch, ReplyTooLong } from '#server/network/bounded-fetch.ts'
import { randomUUID } from 'node:crypto'
import { parseInteger } from '#kernel/values/integer.ts'
import { dayOf } from '#kernel/values/date.ts'
import { type Decimal, isDecimal, divide, absolute } from '#kernel/values/decimal.ts'
import { exactNumber, parseExact } from '#server/outbound/exact-json.ts'
import {
  confirmStates,
  digitalOnly,
  hashedPassword,
  invoiceTypeCodes,
  methods,
  newer,
  newerParameters,
  redReasonCodes,
  signatureOf,
  TOKEN_CODES,
} from '#server/outbound/einvoice/baiwang-protocol.ts'
import {
  type InvoiceFiles,
  type InvoiceOrder,
  type InvoiceOrderLine,
  type InvoiceProvider,
  type InvoiceResult,
  ProviderError,
  type RedConfirmation,
  type RedOrder,
} from '#server/outbound/einvoice/contract.ts'

/** An account at 百望's open platform; `taxNo` is the seller's. */
export type BaiwangAccount = {
  readonly url: string
  readonly appKey: string
  readonly appSecret: string
  readonly userName: string
  readonly password: string
  readonly salt: string
  readonly taxNo: string
  readonly sellerName: string
  /**
   * The method that answers with 授信额度. No public document names it: an installation that was told it by the
   * platform sets it, any other has no such call.
   */
  readonly quotaMethod: string | null
  readonly patienceMs?: number
}

type Row = Readonly<Record<string, unknown>>
type Call = (method: string, body: Row) => Promise<unknown>

const PATIENCE_MS = 30_000
const LONGEST_WORDS = 300
/** A token that lasts only so much longer is not used any more. */
const SPARE_MS = 60_000
const MOST_FILE_BYTES = 10_000_000

/** A reply may bear the sheets of invoices. */
const LONGEST_REPLY = 40 * 1024 * 1024

/** Tokens by account, as long as they last; another process asks for its own. */
const tokens = new Map<string, { readonly token: string; readonly until: number }>()

const rowOf = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {})
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, LONGEST_WORDS) : null
const listOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.map(rowOf) : [])

async function post(account: BaiwangAccount, parameters: Readonly<Record<string, string>>, body: string): Promise<Row> {
  const address = `${account.url}?${new URLSearchParams(parameters)}`
  let text: string
  try {
    const reply = await boundedFetch(address, {
      mostBytes: LONGEST_REPLY,
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
      signal: AbortSignal.timeout(account.patienceMs ?? PATIENCE_MS),
    })
    text = await reply.text()
    if (reply.status >= 500) throw new ProviderError('unreachable', `开票平台返回${reply.status}，请稍后重试`)
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (error instanceof ReplyTooLong) throw new ProviderError('unreadable', '开票平台的答复过长')
    const isLate = error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)
    throw new ProviderError(
      'unreachable',
      isLate ? '开票平台在规定时间内没有答复' : '连接不上开票平台，请检查网络和接口地址',
    )
  }
  try {
    return rowOf(parseExact(text))
  } catch {
    throw new ProviderError('unreadable', '开票平台的答复不是JSON')
  }
}

/** The content of an answer; a refusal is thrown in the platform's own words. */
function answerOf(reply: Row): unknown {
  if (reply.success === true) return reply.response
  const said = rowOf(reply.errorResponse)
  const code = textOf(said.subCode) ?? textOf(said.code)
  const words = textOf(said.subMessage) ?? textOf(said.message)
  if (words === null) throw new ProviderError('unreadable', '开票平台的答复有误：没有结果，也没有错误信息')
  throw new ProviderError('refused', words, code)
}

async function newToken(account: BaiwangAccount): Promise<string> {
  const parameters = {
    method: methods.token,
    grant_type: 'password',
    client_id: account.appKey,
    version: '7.0',
    timestamp: `${Date.now()}`,
    encryptType: newerParameters.encryptType,
    encryptScope: newerParameters.encryptScope,
  }
  const body = JSON.stringify({
    username: account.userName,
    password: hashedPassword(account.password, account.salt),
    client_secret: account.appSecret,
  })
  const given = rowOf(answerOf(await post(account, parameters, body)))
  const token = textOf(given.access_token)
  if (token === null) throw new ProviderError('unreadable', '开票平台的答复有误：没有访问令牌')
  const seconds = isDecimal(given.expires_in) ? parseInteger(given.expires_in) : 0
  tokens.set(keyOf(account), { token, until: Date.now() + seconds * 1000 - SPARE_MS })
  return token
}

const keyOf = ({ url, appKey, userName }: BaiwangAccount): string => `${url} ${appKey} ${userName}`

async function tokenOf(account: BaiwangAccount): Promise<string> {
  const known = tokens.get(keyOf(account))
  return known && known.until > Date.now() ? known.token : newToken(account)
}

async function callOnce(account: BaiwangAccount, method: string, body: Row, token: string): Promise<unknown> {
  const isNewer = newer.has(method)
  const text = JSON.stringify(body)
  const parameters = {
    method,
    version: isNewer ? '7.0' : '6.0',
    appKey: account.appKey,
    format: 'json',
    timestamp: `${Date.now()}`,
    token,
    type: 'sync',
    requestId: randomUUID(),
    ...(isNewer ? newerParameters : {}),
  }
  const sign = signatureOf(account.appSecret, parameters, text)
  return answerOf(await post(account, { ...parameters, sign }, text))
}

/** A call with a token; once more with a new one where the platform does not know it any more. */
const callerOf =
  (account: BaiwangAccount): Call =>
  async (method, body) => {
    try {
      return await callOnce(account, method, body, await tokenOf(account))
    } catch (error) {
      if (!(error instanceof ProviderError) || !TOKEN_CODES.has(error.code ?? '')) throw error
      tokens.delete(keyOf(account))
      return callOnce(account, method, body, await newToken(account))
    }
  }

/** 20260521152632, Beijing time. */
function issuedOf(row: Row): InvoiceResult {
  const [number, moment] = [textOf(row.invoiceNo), textOf(row.invoiceDate)?.replaceAll(/\D/g, '') ?? '']
  if (number === null || !/^\d{20}$/.test(number) || !/^\d{14}$/.test(moment))
    throw new ProviderError('unreadable', '开票平台的答复有误：没有20位发票号码或开票日期')
  const [, date, time] = /^(\d{8})(\d{6})$/.exec(moment)!
  const at = new Date(
    `${date!.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time!.replace(/(..)(..)(..)/, '$1:$2:$3')}+08:00`,
  )
  if (Number.isNaN(at.getTime())) throw new ProviderError('unreadable', '开票平台的答复有误：开票日期不存在')
  return { invoice_no: number, issued_on: dayOf(at), issued_at: at.toISOString() }
}

/** Requests are answered one by one: what was issued, and what was refused with its reason. */
function resultOf(answer: unknown): InvoiceResult {
  const { success, fail } = rowOf(answer)
  const [issued] = listOf(success)
  if (issued) return textOf(issued.invoiceNo) === null ? { pending: true } : issuedOf(issued)
  const [refused] = listOf(fail)
  if (!refused) return null
  return { refused: textOf(refused.errorMessage) ?? textOf(refused.message) ?? '开票平台没有说明原因' }
}

function mustBeKnown(result: InvoiceResult): Exclude<InvoiceResult, null> {
  if (result === null) throw new ProviderError('unreadable', '开票平台的答复有误：没有开票结果')
  return result
}

/** 13 is 0.13. */
const rateOf = (percent: Decimal): number => exactNumber(divide(percent, '100', 4))

/** 正常行, 折扣行, 被折扣行. */
const natureCodes = { normal: '0', discount: '1', discounted: '2' } as const

const lineOf = (line: InvoiceOrderLine): Row => ({
  goodsLineNo: line.line_no,
  invoiceLineNature: natureCodes[line.nature],
  goodsCode: line.tax_code,
  goodsName: line.name,
  ...(line.specification === null ? {} : { goodsSpecification: line.specification }),
  ...(line.unit === null ? {} : { goodsUnit: line.unit }),
  ...(line.quantity === null ? {} : { goodsQuantity: line.quantity }),
  ...(line.price === null ? {} : { goodsPrice: line.price }),
  goodsTotalPrice: exactNumber(line.untaxed_amount),
  goodsTaxRate: rateOf(line.tax_rate),
  goodsTotalTax: exactNumber(line.tax_amount),
  preferentialMarkFlag: line.has_preference ? '1' : '0',
})

const orderOf = (order: InvoiceOrder): Row => ({
  invoiceType: '0',
  invoiceTypeCode: invoiceTypeCodes[order.invoice_type],
  priceTaxMark: '0',
  invoiceListMark: '0',
  taxationMethod: '0',
  serialNo: order.request_no,
  buyerName: order.buyer_name,
  buyerTaxNo: order.buyer_tax_no,
  ...(order.buyer_address === null ? {} : { buyerAddress: order.buyer_address }),
  ...(order.buyer_bank === null ? {} : { buyerBankAccount: order.buyer_bank }),
  ...(order.drawer === null ? {} : { drawer: order.drawer }),
  ...(order.remark === null ? {} : { remarks: order.remark }),
  invoiceTotalPrice: exactNumber(order.untaxed_amount),
  invoiceTotalTax: exactNumber(order.tax_amount),
  invoiceTotalPriceTax: exactNumber(order.taxed_amount),
  invoiceDetailsList: order.lines.map(lineOf),
})

/** Beijing time, as the platform writes it. */
const momentOf = (at: string): string =>
  new Date(new Date(at).getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const redOf = ({ sellerName, taxNo }: BaiwangAccount, order: RedOrder): Row => ({
  redConfirmSerialNo: order.request_no,
  entryIdentity: '01',
  sellerTaxNo: taxNo,
  sellerTaxName: sellerName,
  buyerTaxNo: order.buyer_tax_no,
  buyerTaxName: order.buyer_name,
  ...digitalOnly,
  originalInvoiceNo: order.blue_invoice_no,
  originInvoiceDate: momentOf(order.blue_issued_at),
  originInvoiceTotalPrice: exactNumber(order.blue_untaxed_amount),
  originInvoiceTotalTax: exactNumber(order.blue_tax_amount),
  originInvoiceType: invoiceTypeCodes[order.invoice_type],
  invoiceTotalPrice: exactNumber(order.untaxed_amount),
  invoiceTotalTax: exactNumber(order.tax_amount),
  redInvoiceLabel: redReasonCodes[order.reason],
  invoiceSource: '2',
  priceTaxMark: '0',
  // The second step is a person's, after the buyer agreed.
  autoIssueSwitch: 'N',
  deliverFlag: '0',
  redConfirmDetailReqEntityList: order.lines.map(line => ({
    ...lineOf(line),
    originalInvoiceDetailNo: line.blue_line_no,
    projectName: line.name,
    ...(line.price === null ? {} : { goodsPrice: absolute(line.price) }),
  })),
})

function confirmationOf(row: Row): RedConfirmation {
  const [id, number, code] = [textOf(row.redConfirmUuid), textOf(row.redConfirmNo), textOf(row.confirmState)]
  const state = code !== null && code in confirmStates ? confirmStates[code as keyof typeof confirmStates] : null
  if (id === null || number === null || state === null)
    throw new ProviderError('unreadable', '开票平台的答复有误：没有红字确认单编号或状态')
  return { confirmation_id: id, confirmation_no: number, state }
}

/** The files of one invoice, each in base64; what is too large, or none, is left out. */
function filesOf(answer: unknown): InvoiceFiles {
  const [row] = listOf(rowOf(answer).data ?? answer)
  const bytes = (value: unknown): Uint8Array | null => {
    if (typeof value !== 'string' || value === '' || value.length > (MOST_FILE_BYTES * 4) / 3) return null
    return Buffer.from(value, 'base64')
  }
  const known = { pdf: bytes(row?.pdf), ofd: bytes(row?.ofd), xml: bytes(row?.xml) }
  return Object.fromEntries(Object.entries(known).filter(([, file]) => file !== null))
}

const amountOf = (row: Row, name: string): Decimal => {
  const value = row[name]
  if (!isDecimal(value)) throw new ProviderError('unreadable', `开票平台的答复有误：授信额度没有${name}`)
  return value
}

/** 百望 behind the interface; `account.url` is its router, or the stand-in's. */
export function baiwang(account: BaiwangAccount): InvoiceProvider {
  const call = callerOf(account)
  const { taxNo } = account
  const wrapped = (method: string, data: Row) => call(method, { taxNo, data })
  return {
    issue: async order => mustBeKnown(resultOf(await wrapped(methods.issue, orderOf(order)))),
    query: async requestNo => resultOf(await wrapped(methods.query, { serialNo: requestNo })),
    applyRed: async order => {
      const answer = await call(methods.applyRed, { taxNo, ...redOf(account, order) })
      return confirmationOf(listOf(answer)[0] ?? rowOf(answer))
    },
    redState: async confirmationId => {
      const asked = { taxNo, sellerTaxNo: taxNo, redConfirmUuid: confirmationId, redConfirmNo: '', taxUserName: '' }
      return confirmationOf(rowOf(await call(methods.redState, asked)))
    },
    issueRed: async (requestNo, confirmationId) => {
      const asked = { taxNo, sellerTaxNo: taxNo, redConfirmUuid: confirmationId, serialNo: requestNo }
      return mustBeKnown(resultOf(await call(methods.issueRed, asked)))
    },
    files: async (invoiceNo, requestNo) =>
      filesOf(await wrapped(methods.files, { invoiceNo, serialNo: requestNo, returnType: '2' })),
    deliver: async (invoiceNo, requestNo, { email, phone }) => {
      await wrapped(methods.deliver, {
        invoiceNo,
        serialNo: requestNo,
        pushType: email !== null && phone !== null ? '3' : email !== null ? '1' : '2',
        buyerEmail: email ?? '',
        buyerPhone: phone ?? '',
      })
    },
    quota: async () => {
      if (account.quotaMethod === null) return null
      const row = rowOf(await wrapped(account.quotaMethod, {}))
      return { limit: amountOf(row, 'totalAmount'), left: amountOf(row, 'availableAmount') }
    },
  }
}
