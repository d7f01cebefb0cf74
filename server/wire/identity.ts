import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { type Problem, Refusal } from '#kernel/refusal.ts'
import { furnishHouse } from '#server/engine/identity/house.ts'
import { profileOf } from '#server/engine/identity/profile.ts'
import { endSession, findSession, openSession } from '#server/engine/identity/sessions.ts'
import { changePassword, signIn } from '#server/engine/identity/sign-in.ts'
import { giveCookie, sessionOf, takeCookie } from '#server/plugins/session.ts'
import { done, SessionEnded } from '#server/wire/envelope.ts'

/** Sign-in, restore, sign-out and passwords. SMS sign-in and registration are rooms of their own. */
export function addIdentity(app: FastifyInstance, sql: Sql): void {
  app.post('/v1/login', { config: { access: 'open' } }, async (request, reply) => {
    const form = readForm(request, { userName: '请填写登录账号', password: '请填写登录密码' })
    const account = await signIn(sql, form.userName, form.password, request.ip)
    const agent = (request.headers['user-agent'] ?? '').slice(0, 200)
    const opened = await openSession(sql, { userId: account.id, orgId: account.orgId, address: request.ip, agent })
    const session = await findSession(sql, opened.token, request.ip)
    if (!session) throw new SessionEnded()
    await furnishHouse(sql, session)
    giveCookie(request, reply, opened.token)
    return done({ info: await profileOf(sql, session, false) })
  })

  app.get('/v1/user/user_info', { config: { access: 'session' } }, async request =>
    done({ info: await profileOf(sql, sessionOf(request), true) }),
  )

  app.post('/v1/logout', { config: { access: 'open' } }, async (request, reply) => {
    if (request.signedIn) await endSession(sql, request.signedIn.tokenHash)
    takeCookie(request, reply)
    return done()
  })

  app.post('/v1/user/change_my_password', { config: { access: 'session' } }, async request => {
    const session = sessionOf(request)
    const form = readForm(request, { old: '【当前密码】输入不能为空', password: '【登录密码】输入不能为空' })
    await changePassword(sql, { login: session.login, ...form, address: request.ip, keepSession: session.tokenHash })
    return done({}, '已成功修改登录密码，请重新登录')
  })

  app.post('/v1/user/change_password', { config: { access: 'open' } }, async request => {
    const form = readForm(request, {
      userName: '【用户名】输入不能为空',
      old: '【当前密码】输入不能为空',
      password: '【登录密码】输入不能为空',
    })
    const keepSession = request.signedIn?.login === form.userName ? request.signedIn.tokenHash : null
    await changePassword(sql, {
      login: form.userName,
      old: form.old,
      password: form.password,
      address: request.ip,
      keepSession,
    })
    return done({}, '已成功修改登录密码，请重新登录')
  })
}

/** The named texts of a form, trimmed; an empty one is refused with its sentence, an unknown one by its name. */
function readForm<Name extends string>(
  request: FastifyRequest,
  asked: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const form = {} as Record<Name, string>
  const problems: Problem[] = Object.keys(body)
    .filter(name => !Object.hasOwn(asked, name))
    .map(name => ({ field: name, msg: `没有“${name.slice(0, 64)}”这个字段` }))
  for (const [name, sentence] of Object.entries(asked) as [Name, string][]) {
    const value = Object.hasOwn(body, name) ? body[name] : ''
    const text = typeof value === 'string' ? value.trim() : ''
    if (text === '' || text.length > 100) problems.push({ field: name, msg: text === '' ? sentence : '填写内容过长' })
    form[name] = text
  }
  if (problems.length > 0) throw new Refusal('invalid', undefined, problems)
  return form
}
