import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { orgTypeName, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { EMAIL, MOBILE, mobileMsg, NAME } from '#kernel/values/patterns.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { storedName } from '#server/files/kinds.ts'
import type { FileStore } from '#server/files/store.ts'
import { readInvitation } from '#server/identity/invitation.ts'
import { register } from '#server/identity/register.ts'
import { leaveScan, scanKinds } from '#server/identity/scans.ts'
import { isAnswerFormed, longestAnswer } from '#server/api/identity/captcha.ts'
import { onceOpen } from '#server/api/request/once-open.ts'
import { done } from '#server/http/envelope.ts'
import { type Asked, atMost, digitsOnly, filled, readTexts } from '#server/api/request/form.ts'
import { type SmsService, sendAfterCaptcha } from '#server/api/identity/sms.ts'
import { openFor } from '#server/api/request/query-names.ts'

const registered =
  '注册成功，请等待平台审核。登录账号和初始密码均为注册人手机号码，审核通过后24小时内有效，首次登录须凭短信验证码修改密码。'
const open = { config: { access: 'open' } } as const
const optional: Asked = []
const longest = {
  name: 100,
  alias: 60,
  address: 200,
  registrant: 40,
  registrant_email: 100,
  description: 500,
  invitation: 80,
  administrative_division_sn: 12,
  draft: 32,
  scans: 200,
} as const

const phoneAsked: Asked = [
  [filled, '请输入手机号码'],
  [atMost(11), '手机号码有效长度是11位'],
  [text => MOBILE.test(text), mobileMsg],
]

/** The fields that section 5 of the specification requires of a registration, in its order. */
function askedOf(systemType: unknown): Readonly<Record<string, Asked>> {
  const type = String(systemType ?? '')
  const word = /^[123]$/.test(type) ? orgTypeName[orgTypeOf(parseInteger(type))] : '机构'
  return {
    name: [
      [filled, `请输入${word}名称`],
      [text => NAME.test(text), `${word}名称中请不要输入特殊字符`],
    ],
    social_credit_code: [
      [filled, '请输入统一社会信用代码'],
      [text => text.length === 18, '统一社会信用代码有效长度是18位'],
      [text => /^[0-9A-Za-z]{18}$/.test(text), '统一社会信用代码格式为字母或数字组合的18位'],
    ],
    address: [[filled, '请输入地址']],
    registrant: [[filled, '请输入联系人']],
    registrant_phone: phoneAsked,
    verifyCode: [
      [filled, '请填写短信验证码'],
      [digitsOnly, '请填写由数字组成的短信验证码'],
    ],
    registrant_email: [[text => text === '' || EMAIL.test(text), '邮箱格式输入有误']],
    system_type: [[text => /^[123]$/.test(text), '请选择账号类型']],
    alias: [[text => NAME.test(text), '别名中请不要输入特殊字符']],
    administrative_division_sn: optional,
    description: optional,
    invitation: optional,
    draft: optional,
    scans: [[text => namesIn(text).every(name => storedName.test(name)), '证照扫描件不存在，请重新上传']],
  }
}

const namesIn = (text: string) => text.split(',').filter(name => name !== '')

/**
 * Scans of licences before any organisation exists to own them: few, small, and bound to the draft of one
 * registration.
 */
const addScans = (app: FastifyInstance, service: SmsService, store: FileStore) =>
  app.register(async scope => {
    await scope.register(multipart, { limits: { fileSize: scanKinds.mostBytes + 1, files: 1, fields: 0 } })
    scope.post<{ Querystring: { draft?: unknown } }>('/v1/register/upload', openFor('draft'), async request => {
      const part = await request.file()
      if (!part) throw new BusinessError('invalid', '请选择要上传的文件')
      const from = { address: request.ip, draft: String(request.query.draft ?? '') }
      const { draft, kept } = await leaveScan({ sql: service.sql, store }, from, {
        bytes: part.file,
        name: part.filename,
      })
      return done({ info: { draft, ...kept } })
    })
  })

/**
 * Self-registration of an organisation: values filled in from an invitation link, the code for its phone, scans of
 * its licences, and the form.
 */
export async function addRegister(app: FastifyInstance, service: SmsService, store: FileStore): Promise<void> {
  await addScans(app, service, store)
  app.get<{ Querystring: { token?: unknown } }>('/v1/register/invitation', openFor('token'), async ({ query }) =>
    done({ info: await readInvitation(service.sql, String(query.token ?? '')) }),
  )

  app.post('/v1/register/sendMsg', open, request =>
    onceOpen(service.sql, request, async () => {
      const asked = {
        answer: [
          [filled, '请先填写图形验证码'],
          [isAnswerFormed, '图形验证码格式错误'],
        ] as Asked,
        phone: phoneAsked,
        id: [[filled, '请先获取图形验证码']] as Asked,
      }
      const form = readTexts(request.body, asked, { answer: longestAnswer })
      return sendAfterCaptcha(service, request, { ...form, purpose: 'register' })
    }),
  )

  app.post('/v1/register/org', open, request =>
    onceOpen(service.sql, request, async () => {
      const body = (request.body ?? {}) as Record<string, unknown>
      const form = readTexts(body, askedOf(body.system_type), longest) as Record<string, string>
      await register(service.sql, {
        systemType: parseInteger(form.system_type),
        name: form.name ?? '',
        alias: form.alias ?? '',
        creditCode: (form.social_credit_code ?? '').toUpperCase(),
        division: form.administrative_division_sn ?? '',
        address: form.address ?? '',
        registrant: form.registrant ?? '',
        phone: form.registrant_phone ?? '',
        email: form.registrant_email ?? '',
        description: form.description ?? '',
        code: form.verifyCode ?? '',
        invitation: form.invitation ?? '',
        draft: form.draft ?? '',
        scans: namesIn(form.scans ?? ''),
      })
      return done({}, registered)
    }),
  )
}
