import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { devicesOf, endDevices } from '#server/identity/devices.ts'
import { sessionOf, takeCookie } from '#server/plugins/session.ts'
import { done } from '#server/http/envelope.ts'
import { readTexts } from '#server/api/request/form.ts'

/** The list of devices on which a user is signed in, and remote sign-out. */
export function addDevices(app: FastifyInstance, sql: Sql): void {
  app.get('/v1/user/sessions', async request => {
    const list = await devicesOf(sql, sessionOf(request))
    return done({ list, total: list.length })
  })

  app.post('/v1/user/sessions/end', async (request, reply) => {
    const session = sessionOf(request)
    const form = readTexts(request.body, { sn: [], scope: [] })
    await endDevices(sql, session, form)
    if (form.sn === session.tokenHash || (form.sn === '' && form.scope === 'all')) takeCookie(request, reply)
    return done({}, '已退出登录')
  })
}
