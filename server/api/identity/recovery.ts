import type { FastifyInstance } from 'fastify'
import { checkRecovery, recoverPassword } from '#server/identity/by-phone.ts'
import { askedOfCaptcha, longestAnswer } from '#server/api/identity/captcha.ts'
import { onceOpen } from '#server/api/request/once-open.ts'
import { done, type Envelope } from '#server/http/envelope.ts'
import { type Asked, atMost, filled, readTexts } from '#server/api/request/form.ts'
import { type SmsService, sendAfterCaptcha } from '#server/api/identity/sms.ts'
import { openFor } from '#server/api/request/query-names.ts'

const phoneAsked: Asked = [
  [filled, '请输入手机号码'],
  [atMost(11), '手机号码有效长度是11位'],
  [text => /^1\d{10}$/.test(text), '手机号码格式输入有误'],
]
const codeAsked: Asked = [
  [filled, '请输入验证码'],
  [text => text.length === 6, '请输入6位数字验证码'],
]

/**
 * The three calls of a forgotten password. Clients read their replies from Code and Msg as well as from code and
 * msg.
 */
export function addRecovery(app: FastifyInstance, service: SmsService): void {
  const route = {
    config: { access: 'open' },
    preSerialization: async (_request: unknown, _reply: unknown, payload: unknown) => {
      const { code, msg } = payload as Envelope
      return { ...(payload as Envelope), Code: code, Msg: msg }
    },
  } as const

  const coded = { ...route, ...openFor('imageId', 'imageAnswer') }
  app.get<{ Params: { phone: string } }>('/v1/user/retrieve_pwd/code/:phone', coded, async request => {
    const asked = { phone: phoneAsked, imageId: askedOfCaptcha.id, imageAnswer: askedOfCaptcha.answer }
    const given = { ...(request.query as object), phone: request.params.phone }
    const form = readTexts(given, asked, { imageAnswer: longestAnswer })
    const { phone, imageId: id, imageAnswer: answer } = form
    return sendAfterCaptcha(service, request, { phone, id, answer, purpose: 'retrieve_pwd' })
  })

  app.post('/v1/user/retrieve_pwd/verify_code', route, request =>
    onceOpen(service.sql, request, async () => {
      const form = readTexts(request.body, { Name: phoneAsked, VerifyCode: codeAsked })
      await checkRecovery(service.sql, form.Name, form.VerifyCode)
      return done()
    }),
  )

  app.post('/v1/user/retrieve_pwd/change_password', route, request =>
    onceOpen(service.sql, request, async () => {
      const form = readTexts(request.body, {
        Name: phoneAsked,
        VerifyCode: codeAsked,
        Password: [[filled, '密码不能为空']],
      })
      await recoverPassword(service.sql, form.Name, form.VerifyCode, form.Password)
      return done({}, '修改成功，请重新登陆。')
    }),
  )
}
