import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#kernel/refusal.ts'
import { type CaptchaDesk, mustBeSolved } from '#server/engine/identity/captcha/captcha.ts'
import { signInByCode } from '#server/engine/identity/by-phone.ts'
import { sendCode } from '#server/engine/identity/sms/sms-code.ts'
import type { SmsPurpose, SmsSender } from '#server/engine/identity/sms/sender.ts'
import { askedOfCaptcha, longestAnswer } from '#server/wire/captcha.ts'
import { enter } from '#server/wire/enter.ts'
import { onceOpen } from '#server/wire/once-open.ts'
import { done } from '#server/wire/envelope.ts'
import { type Asked, digitsOnly, filled, readTexts } from '#server/wire/form.ts'

/** What every form that sends a code needs. */
export type SmsDesk = CaptchaDesk & { readonly send: SmsSender }

export const sent = '验证码发送成功，请在5分钟内尽快输入。'
const open = { config: { access: 'open' } } as const

/** The phone of the sign-in page. */
const phoneAsked: Asked = [
  [filled, '请填写手机号'],
  [text => /^\d{11}$/.test(text), '请填写11位数的手机号'],
]

/**
 * Sends a code: the captcha first, so that nobody learns about a phone who has not solved one. Known and unknown phones are
 * answered alike, and both get the message: what hangs on a phone is told to who holds it.
 */
export async function sendAfterCaptcha(
  desk: SmsDesk,
  request: FastifyRequest,
  form: { readonly phone: string; readonly purpose: SmsPurpose; readonly id: string; readonly answer: string },
): Promise<ReturnType<typeof done>> {
  await mustBeSolved(desk, form.id, form.answer)
  try {
    await sendCode(desk.sql, desk.send, { phone: form.phone, purpose: form.purpose, address: request.ip })
  } catch (error) {
    if (error instanceof Refusal && error.cause) request.log.error({ err: error.cause }, 'sms')
    throw error
  }
  return done({}, sent)
}

/** The purposes by the name of their template; any other template's code serves every form. */
const purposes: readonly string[] = ['login', 'register', 'retrieve_pwd']
const purposeOf = (template: string): SmsPurpose => (purposes.includes(template) ? (template as SmsPurpose) : 'general')

/** Codes by SMS, and signing in with one. */
export function addSms(app: FastifyInstance, desk: SmsDesk): void {
  app.get<{ Params: { phone: string } }>('/v1/user/get_login_code/:phone', open, async request => {
    const asked = { phone: phoneAsked, id: askedOfCaptcha.id, captchaResult: askedOfCaptcha.answer }
    const given = { ...(request.query as object), phone: request.params.phone }
    const form = readTexts(given, asked, { captchaResult: longestAnswer })
    return sendAfterCaptcha(desk, request, { ...form, purpose: 'login', answer: form.captchaResult })
  })

  app.post('/v1/sendMsg', open, request =>
    onceOpen(desk.sql, request, async () => {
      const asked = { phone: phoneAsked, tempID: [], id: askedOfCaptcha.id, captchaResult: askedOfCaptcha.answer }
      const form = readTexts(request.body, asked, { captchaResult: longestAnswer })
      return sendAfterCaptcha(desk, request, { ...form, purpose: purposeOf(form.tempID), answer: form.captchaResult })
    }),
  )

  app.post('/v1/loginByVerifyCode', open, async (request, reply) => {
    const form = readTexts(request.body, {
      UserName: phoneAsked,
      VerifyCode: [
        [filled, '请填写短信验证码'],
        [digitsOnly, '请填写由数字组成的短信验证码'],
      ],
    })
    const account = await signInByCode(desk.sql, form.UserName, form.VerifyCode)
    return enter(desk.sql, request, reply, account)
  })
}
