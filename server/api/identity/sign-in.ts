import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { profileOf } from '#server/identity/profile.ts'
import { endSession } from '#server/identity/sessions.ts'
import { changePassword, signIn } from '#server/identity/sign-in.ts'
import { sessionOf, takeCookie } from '#server/plugins/session.ts'
import { enter } from '#server/api/identity/enter.ts'
import { bodyOf } from '#server/api/request/transaction.ts'
import { onceOpen } from '#server/api/request/once-open.ts'
import { done } from '#server/http/envelope.ts'
import { type Asked, digitsOnly, filled, readForm, readTexts } from '#server/api/request/form.ts'

/** The old and the new password, and the code that a first password known to others asks for. */
const passwords: Readonly<Record<'old' | 'password' | 'VerifyCode', Asked>> = {
  old: [[filled, '【当前密码】输入不能为空']],
  password: [[filled, '【登录密码】输入不能为空']],
  VerifyCode: [[text => text === '' || digitsOnly(text), '请填写由数字组成的短信验证码']],
}

/**
 * Sign-in, restore, sign-out and passwords. Sign-in by SMS, password recovery and registration have their own files.
 */
export function addIdentity(app: FastifyInstance, sql: Sql): void {
  app.post('/v1/login', { config: { access: 'open' } }, async (request, reply) => {
    const form = readForm(request, { userName: '请填写登录账号', password: '请填写登录密码' })
    const account = await signIn(sql, form.userName, form.password, request.ip)
    return enter(sql, request, reply, account)
  })

  app.get('/v1/user/user_info', { config: { access: 'changing' } }, async request =>
    done({ info: await profileOf(sql, sessionOf(request), true) }),
  )

  app.post('/v1/logout', { config: { access: 'open' } }, async (request, reply) => {
    bodyOf(request, [])
    if (request.signedIn) await endSession(sql, request.signedIn.tokenHash)
    takeCookie(request, reply)
    return done()
  })

  app.post('/v1/user/change_my_password', { config: { access: 'changing' } }, async (request, reply) => {
    const session = sessionOf(request)
    const { old, password, VerifyCode: code } = readTexts(request.body, passwords)
    await changePassword(sql, { login: session.login, old, password, code, address: request.ip })
    takeCookie(request, reply)
    return done({}, '已成功修改登录密码，请重新登录')
  })

  app.post('/v1/user/change_password', { config: { access: 'open' } }, request =>
    onceOpen(sql, request, async () => {
      const form = readTexts(request.body, { userName: [[filled, '【用户名】输入不能为空']] as Asked, ...passwords })
      const { userName: login, old, password, VerifyCode: code } = form
      await changePassword(sql, { login, old, password, code, address: request.ip })
      return done({}, '已成功修改登录密码，请重新登录')
    }),
  )
}
