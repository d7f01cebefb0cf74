import { f } from '#kernel/definition/field.ts'
import type { GivenSignature } from '#kernel/values/strokes.ts'

const options = { max: 20, dialogOnly: true, transient: true } as const

/** Asked by an action that may be signed: the captured signature, which the action binds to the document. */
export const signatureField = { signature_sn: f.text('签名', options) } as const

/** The same for an action that is its signature. */
export const mustSign = { signature_sn: f.text('签名', { ...options, unanswered: '请先签名' }) } as const

/** The roles in which people sign. */
export const signatureRoles = {
  nurse: '巡回护士',
  surgeon: '主刀医生',
  receiver: '领用人',
  consignee: '签收人',
} as const
export type SignatureRole = keyof typeof signatureRoles
/** Nurse and surgeon prove who they are, however they sign; of others a drawn name is enough. */
export const provenRoles: ReadonlySet<SignatureRole> = new Set(['nurse', 'surgeon'])

export const signatureMethods = { drawn: '手写签名', badge: '工牌与PIN', password: '密码确认' } as const
export type SignatureMethod = keyof typeof signatureMethods

/** A signature as the page of its document shows it. */
export type ShownSignature = GivenSignature & {
  readonly role: SignatureRole
  readonly method: SignatureMethod
  readonly withdrawn_by: string | null
  readonly withdrawn_reason: string | null
  /** True if the document still has the content that was signed. */
  readonly holds: boolean
}

const MOST_DIGITS = 12
/** The reason why this is no PIN for signing; null where it is one. */
export function pinProblem(pin: string): string | null {
  if (!/^\d+$/.test(pin) || pin.length < 6 || pin.length > MOST_DIGITS) return '签名PIN应为6-12位数字'
  const steps = new Set([...pin].slice(1).map((digit, at) => digit.charCodeAt(0) - pin.charCodeAt(at)))
  return steps.size === 1 && [...steps].every(step => Math.abs(step) <= 1) ? '签名PIN不能是相同或连续的数字' : null
}
