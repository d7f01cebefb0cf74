import type { Scans } from '#web/sign-in/registration/ScansField.tsx'

/**
 * The checks of the sign-in page, with exact messages. Each function returns the first error, or null. They run
 * before anything is sent; the server checks again.
 */
export type Wrong<Field extends string> = { readonly field: Field; readonly sentence: string }

/** The page and the dialog over the shell word the same checks differently. */
export const wordings = {
  page: {
    account: '请填写登录账号',
    phoneDigits: '请填写11位数的手机号',
    codeDigits: '请填写由数字组成的短信验证码',
  },
  shell: {
    account: '请填写用户名',
    phoneDigits: '请填写由11位数字组成的手机号',
    codeDigits: '请填写收到的数字短信验证码',
  },
} as const
export type Wording = keyof typeof wordings

const ELEVEN_DIGITS = /^\d{11}$/
const MOBILE = /^1\d{10}$/
const DIGITS = /^\d+$/
const CREDIT_CODE = /^[0-9A-Za-z]{18}$/
const FORBIDDEN_IN_NAMES = /[*<>?]/
const MAIL = /^[^\s@<>()",;]+@[^\s@.<>()",;]+(\.[^\s@.<>()",;]+)+$/
const LONGEST_ANSWER = 5

/** The error in the phone of a sign-in by code. */
export function phoneProblem(phone: string, wording: Wording): string | null {
  if (phone.trim() === '') return '请填写手机号'
  return ELEVEN_DIGITS.test(phone.trim()) ? null : wordings[wording].phoneDigits
}

/** The error in an SMS code. */
export function smsCodeProblem(code: string, wording: Wording): string | null {
  if (code.trim() === '') return '请填写短信验证码'
  return DIGITS.test(code.trim()) ? null : wordings[wording].codeDigits
}

/** The error in a typed captcha answer, or null if it may be sent. */
export function answerProblem(answer: string): string | null {
  const { length } = answer.trim()
  return length >= 1 && length <= LONGEST_ANSWER ? null : '请填写正确格式的图形验证码'
}

export const accountTypes = { 1: '医院', 2: '经销商', 3: '厂商' } as const
export type AccountType = keyof typeof accountTypes

/** The registration form as typed. */
export type Registration = {
  readonly system_type: AccountType
  readonly division?: readonly string[]
  readonly name: string
  readonly alias: string
  readonly social_credit_code: string
  readonly address: string
  readonly registrant: string
  readonly registrant_phone: string
  readonly answer: string
  readonly verifyCode: string
  readonly registrant_email: string
  readonly scans?: Scans
}

/** Before the registration SMS: the picture, then the phone. */
export function registrationSmsProblem({
  answer,
  registrant_phone,
}: Pick<Registration, 'answer' | 'registrant_phone'>): Wrong<'answer' | 'registrant_phone'> | null {
  if (answer.trim() === '') return { field: 'answer', sentence: '请先填写图形验证码' }
  if (answer.trim().length > LONGEST_ANSWER) return { field: 'answer', sentence: '图形验证码格式错误' }
  return registrant_phone.trim() === '' ? { field: 'registrant_phone', sentence: '请输入手机号码' } : null
}

/** The registration checks in order; the first failure is shown. */
export function registrationProblem(form: Registration): Wrong<keyof Registration> | null {
  const kind = accountTypes[form.system_type]
  const text = (name: keyof Registration): string => String(form[name] ?? '').trim()
  const [name, credit, phone, mail] = [
    text('name'),
    text('social_credit_code'),
    text('registrant_phone'),
    text('registrant_email'),
  ]
  const checks: readonly (readonly [keyof Registration, boolean, string])[] = [
    ['name', name === '', `请输入${kind}名称`],
    ['name', FORBIDDEN_IN_NAMES.test(name), `${kind}名称中请不要输入特殊字符`],
    ['social_credit_code', credit === '', '请输入统一社会信用代码'],
    ['social_credit_code', credit.length !== 18, '统一社会信用代码有效长度是18位'],
    ['social_credit_code', !CREDIT_CODE.test(credit), '统一社会信用代码格式为字母或数字组合的18位'],
    ['address', text('address') === '', '请输入地址'],
    ['registrant', text('registrant') === '', '请输入联系人'],
    ['registrant_phone', phone === '', '请输入手机号码'],
    ['registrant_phone', phone.length > 11, '手机号码有效长度是11位'],
    ['registrant_phone', !MOBILE.test(phone), '手机号码格式输入有误'],
    ['verifyCode', text('verifyCode') === '', '请填写短信验证码'],
    ['verifyCode', !DIGITS.test(text('verifyCode')), '请填写由数字组成的短信验证码'],
    ['registrant_email', mail !== '' && !MAIL.test(mail), '邮箱格式输入有误'],
  ]
  const found = checks.find(([, wrong]) => wrong)
  return found === undefined ? null : { field: found[0], sentence: found[2] }
}

/** The phone of a password reset; also checked before its code is sent. */
export function resetPhoneProblem(typed: string): string | null {
  const phone = typed.trim()
  if (phone === '') return '请输入手机号码'
  if (phone.length > 11) return '手机号码有效长度是11位'
  return MOBILE.test(phone) ? null : '手机号码格式输入有误'
}

/** Step one of a password reset: the phone and its six-digit code. */
export function resetCodeProblem(phone: string, typed: string): Wrong<'phone' | 'code'> | null {
  const wrongPhone = resetPhoneProblem(phone)
  if (wrongPhone !== null) return { field: 'phone', sentence: wrongPhone }
  const code = typed.trim()
  if (code === '') return { field: 'code', sentence: '请输入验证码' }
  return code.length === 6 ? null : { field: 'code', sentence: '请输入6位数字验证码' }
}

/** Step two: the new password, twice. */
export function resetPasswordProblem(password: string, again: string): Wrong<'password' | 'again'> | null {
  if (password.trim() === '') return { field: 'password', sentence: '密码不能为空' }
  if (again.trim() === '') return { field: 'again', sentence: '确认密码不能为空' }
  return password === again ? null : { field: 'again', sentence: '两次输入密码不相同，请重新输入' }
}
