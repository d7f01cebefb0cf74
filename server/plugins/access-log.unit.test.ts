import { Writable } from 'node:stream'
import Fastify, { LogController } from 'fastify'
import { expect, it } from 'vitest'
import { addAccessLog } from './access-log.ts'

it('logs caller, call and result in one line, and never what was sent', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const app = Fastify({
    logger: { level: 'info', stream },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => 'the-id',
  })
  app.decorateRequest('signedIn', null)
  addAccessLog(app)
  app.post('/v1/secret/:name', async () => ({ code: 0 }))
  const reply = await app.inject({
    method: 'POST',
    url: '/v1/secret/zhang?password=hidden',
    payload: { password: 'hidden' },
    headers: { 'x-request-id': 'click-1' },
  })
  await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'a b' } })
  await app.close()
  expect(reply.headers['x-log-id']).toBe('the-id')
  expect(JSON.parse(lines[0]!)).toMatchObject({
    reqId: 'the-id',
    method: 'POST',
    route: '/v1/secret/:name',
    status: 200,
    request_id: 'click-1',
    msg: 'answered',
  })
  expect(JSON.parse(lines[1]!)).toMatchObject({ route: 'unknown', status: 404 })
  expect(lines.join('')).not.toMatch(/hidden|zhang|a b/)
})
