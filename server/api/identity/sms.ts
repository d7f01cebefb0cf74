import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type CaptchaService, mustBeSolved } from '#server/identity/captcha/captcha.ts'
import { signInByCode } from '#server/identity/by-phone.ts'
import { sendCode } from '#server/identity/sms/sms-code.ts'
import type { SmsPurpose, SmsSender } from '#server/identity/sms/sender.ts'
import { askedOfCaptcha, longestAnswer } from '#server/api/identity/captcha.ts'
import { enter } from '#server/api/identity/enter.ts'
import { onceOpen } from '#server/api/request/once-open.ts'
import { done } from '#server/http/envelope.ts'
import { type Asked, digitsOnly, filled, readTexts } from '#server/api/request/form.ts'
import { openFor } from '#server/api/request/query-names.ts'

/** The services that every form which sends a code needs. */
export type SmsService = CaptchaService & { readonly send: SmsSender }

export const sent = '验证码发送成功，请在5分钟内尽快输入。'
const open = { config: { access: 'open' } } as const

/** The phone of the sign-in page. */
const phoneAsked: Asked = [
  [filled, '请填写手机号'],
  [text => /^\d{11}$/.test(text), '请填写11位数的手机号'],
]

/**
 * Sends a code. The captcha is checked first, so that only users who solved one learn about a phone. Known and
 * unknown phones get the same answer, and both get the message: information about a phone is only sent to its
 * holder.
 */
export async function sendAfterCaptcha(
  service: SmsService,
  request: FastifyRequest,
  form: { readonly phone: string; readonly purpose: SmsPurpose; readonly id: string; readonly answer: string },
): Promise<ReturnType<typeof done>> {
  await mustBeSolved(service, form.id, form.answer)
  try {
    await sendCode(service.sql, service.send, { phone: form.phone, purpose: form.purpose, address: request.ip })
  } catch (error) {
    if (error instanceof BusinessError && error.cause) request.log.error({ err: error.cause }, 'sms')
    throw error
  }
  return done({}, sent)
}

/** The purposes by the name of their template; a code of any other template is valid for every form. */
const purposes: readonly string[] = ['login', 'register', 'retrieve_pwd', 'change_pwd']
const purposeOf = (template: string): SmsPurpose => (purposes.includes(template) ? (template as SmsPurpose) : 'general')

/** Codes by SMS, and signing in with one. */
export function addSms(app: FastifyInstance, service: SmsService): void {
  app.get<{ Params: { phone: string } }>(
    '/v1/user/get_login_code/:phone',
    openFor('id', 'captchaResult'),
    async request => {
      const asked = { phone: phoneAsked, id: askedOfCaptcha.id, captchaResult: askedOfCaptcha.answer }
      const given = { ...(request.query as object), phone: request.params.phone }
      const form = readTexts(given, asked, { captchaResult: longestAnswer })
      return sendAfterCaptcha(service, request, { ...form, purpose: 'login', answer: form.captchaResult })
    },
  )

  app.post('/v1/sendMsg', open, request =>
    onceOpen(service.sql, request, async () => {
      const asked = { phone: phoneAsked, tempID: [], id: askedOfCaptcha.id, captchaResult: askedOfCaptcha.answer }
      const form = readTexts(request.body, asked, { captchaResult: longestAnswer })
      return sendAfterCaptcha(service, request, {
        ...form,
        purpose: purposeOf(form.tempID),
        answer: form.captchaResult,
      })
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
    const account = await signInByCode(service.sql, form.UserName, form.VerifyCode)
    return enter(service.sql, request, reply, account)
  })
}
