import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { logOptions } from './log-options.ts'

/** The text that a server logged while `use` ran. */
async function logged(use: (app: ReturnType<typeof Fastify>) => Promise<unknown>): Promise<string> {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  // The framework's own lines, which name address and host, are on here as well.
  const app = Fastify({ logger: { ...logOptions('trace'), stream } })
  app.get('/ws', async request => {
    request.log.error({ err: new Error(`no session for ${request.url}`), headers: request.headers }, 'bug')
    throw new Error(`Authorization: Bearer ${request.headers.authorization?.slice(7)}`)
  })
  await use(app)
  await app.close()
  for (const line of lines) JSON.parse(line)
  return lines.join('')
}

it('a log line never holds a token, a cookie, an Authorization header or the secret part of a shared address', async () => {
  const text = await logged(async app => {
    for (const url of ['/ws?token=secret-1', '/ws?a=1&share=secret-2&b=2', '/nowhere?invitation=secret-3'])
      await app.inject({ url, headers: { cookie: 'sid=secret-4; other=secret-5', authorization: 'Bearer secret-6' } })
    app.log.error({ url: 'https://llm.example.cn/v1?api_key=secret-7', body: '{"password":"secret-8","name":"王"}' })
    app.log.warn('set-cookie: sid=secret-9; Path=/')
  })
  expect(text).not.toMatch(/secret-/)
  // The rest of the address stays legible.
  expect(text).toContain('/ws?token=***')
  expect(text).toContain('share=***&b=2')
  expect(text).toContain('王')
  expect(text).toContain('"reqId"')
})

it('nothing that somebody sends begins a line of its own, and no terminal obeys it', async () => {
  const evil = ['\n', '\r', '\u001b[2J', '\u009b2J', '\u202e', '\u2066', '\u2028', '\u200b', '\u007f', '\u{e0041}']
  const text = await logged(async app => {
    for (const letter of evil) {
      app.log.error({ err: new Error(`a${letter}b`), user: `a${letter}b` }, `a${letter}b`)
      await app.inject({ url: `/nowhere?q=${letter}`, headers: { 'user-agent': `a${letter}b` } })
    }
  })
  expect([...text.replaceAll('\n', '')].filter(letter => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(letter))).toEqual([])
  // A reader of the log still gets what was sent.
  const said = text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line).msg as string]))
  for (const letter of evil) expect(said).toContain(`a${letter}b`)
})

it('the shipped proxy logs addresses without their queries and without referrers', () => {
  const conf = readFileSync(path.resolve(import.meta.dirname, '../../deploy/nginx/medtrace.conf'), 'utf8')
  const [format = ''] = /log_format medtrace [^;]+;/.exec(conf) ?? []
  expect(format).toContain('$uri')
  expect(format).not.toMatch(/\$(request|request_uri|args|query_string|http_referer|http_cookie|http_authorization)\b/)
  expect(conf).toMatch(/access_log \S+ medtrace;/)
})
