import { createHash } from 'node:crypto'

/**
 * How 百望's open platform is spoken to, as its public documents and sandbox say: one address, the method and the
 * signature in the query, compact JSON as the body. The stand-in of `deploy/einvoice` speaks the same.
 */

export const methods = {
  token: 'baiwang.oauth.token',
  issue: 'baiwang.output.invoice.issue',
  query: 'baiwang.output.invoice.query',
  files: 'baiwang.output.format.query',
  deliver: 'baiwang.output.format.create',
  applyRed: 'baiwang.output.redinvoice.add',
  redState: 'baiwang.output.redinvoice.redforminfo',
  issueRed: 'baiwang.output.redinvoice.issued',
} as const

/** Methods of the newer kind carry three parameters more, and no `data` around what they ask. */
export const newer: ReadonlySet<string> = new Set([methods.token, methods.applyRed, methods.issueRed])
export const newerParameters = { signType: 'MD5', encryptType: 'NONE', encryptScope: '00' } as const

/** Codes that mean a token is not known, or not any more: a new one is asked for. */
export const TOKEN_CODES: ReadonlySet<string> = new Set(['100001', '100002'])
/** 签名错误. */
export const WRONG_SIGNATURE = '100007'

export const invoiceTypeCodes = { e_special: '01', e_normal: '02' } as const
export const redReasonCodes = { mistake: '01', returned: '02', stopped: '03', discount: '04' } as const

/** 红字确认单 by the platform's codes: which may be issued, which wait, which the other side or the time refused. */
export const confirmStates = {
  '01': 'agreed',
  '02': 'asked',
  '03': 'asked',
  '04': 'agreed',
  '05': 'refused',
  '06': 'refused',
  '07': 'expired',
  '08': 'refused',
  '09': 'refused',
  '10': 'refused',
} as const

/** MD5 over secret, the parameters in the order of their names without empty ones, the body and the secret again. */
export function signatureOf(secret: string, parameters: Readonly<Record<string, string>>, body: string): string {
  const named = Object.entries(parameters)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}${value}`)
    .join('')
  return createHash('md5').update(`${secret}${named}${body}${secret}`).digest('hex').toUpperCase()
}

/** The password as the platform wants it: never in clear. */
export const hashedPassword = (password: string, salt: string): string =>
  createHash('sha256').update(`${password}${salt}`).digest('hex')

/** Neither the blue invoice nor the red one is a printed form of the old kind. */
export const digitalOnly: Readonly<Record<string, string>> = Object.fromEntries(
  ['originInvoiceIsPaper', 'redInvoiceIsPaper'].map(name => [name, 'N']),
)
