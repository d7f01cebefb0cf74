import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypescript from 'openapi-typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAt } from '#tests/support/openapi.ts'
import { md5, openTestServer, type TestServer } from '#tests/support/test-server.ts'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')
/** Parts that kinds share stand in the document once, so it may grow by this much a call at most. */
const MOST_BYTES_A_CALL = 900

let server: TestServer
let text: string
beforeAll(async () => {
  server = await openTestServer()
  text = (await server.outsider.raw({ method: 'GET', url: '/docs/json' })).body
})
afterAll(() => server?.close())

it('docs/json passes redocly lint without an error or a warning, and stays small', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  const calls = Object.keys(JSON.parse(text).paths as object).length
  expect(Buffer.byteLength(text) / calls).toBeLessThan(MOST_BYTES_A_CALL)
})

it('says of every call whether it needs a session, as the server asks for one', {
  timeout: 300_000,
}, async () => {
  const description = JSON.parse(text)
  const wrong: string[] = []
  for (const { method, url } of server.app.callTable) {
    const call = callAt(description, method, url)
    if (call === undefined || !url.startsWith('/v1/')) continue
    const { statusCode } = await server.outsider.raw({ method: method as 'GET', url: url.replaceAll(/:\w+/g, '1') })
    const isOpen = call.security?.length === 0
    if (isOpen === (statusCode === 401)) wrong.push(`${method} ${url}: ${statusCode}`)
  }
  expect(wrong).toEqual([])
})

/** The program of somebody who connects a system: a client of generated types, and calls that the types check. */
const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const [baseUrl = '', password = ''] = process.argv.slice(2)
let cookie = ''
const client = createClient<paths>({
  baseUrl,
  // The fields of a filter are parameters of their own.
  querySerializer: (query: Record<string, unknown>) =>
    new URLSearchParams(Object.entries({ ...query, ...(query.filter as object), filter: '' })
      .filter(([, value]) => value !== '') as [string, string][]).toString(),
  fetch: async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  },
})
await client.POST('/v1/login', {
  body: { userName: 'hospital', password },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bodySerializer: body => new URLSearchParams(body).toString(),
})
const added = await client.POST('/v1/business/department/add', { body: { code: 'API', name: '接口科' } })
const listed = await client.GET('/v1/business/department/list', {
  params: { query: { filter: { name: '接口科', pageSize: 5 } } },
})
const row = listed.data?.list?.[0]
const name: string | undefined = row?.name
const kind: 'clinical' | 'technical' | 'operating' | 'office' | 'store' | undefined = row?.department_kind
const gone = await client.POST('/v1/business/{kind}/del', {
  params: { path: { kind: 'department' } },
  body: { sn: row?.department_inner_sn ?? '', version: 1 },
})
// @ts-expect-error: a department has a name
await client.POST('/v1/business/department/add', { body: { code: 'API' } })
// @ts-expect-error: there is no such call
void (() => client.GET('/v1/business/department/nothing', {}))
const body = { sn: '', version: 1 }
// @ts-expect-error: a department is not reviewed
void (() => client.POST('/v1/business/{kind}/review', { params: { path: { kind: 'department' } }, body }))
const total = listed.data?.total
console.log(JSON.stringify({ added: added.data?.code, name, kind: kind ?? null, total, gone: gone.data?.code }))
`

it('gives a typed client that compiles and works', { timeout: 120_000 }, async () => {
  // Within the project, where the client's library is found.
  mkdirSync(path.join(ROOT, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(path.join(ROOT, 'node_modules/.cache/client-'))
  try {
    writeFileSync(path.join(folder, 'schema.ts'), await openapiTypescript(JSON.parse(text)))
    writeFileSync(path.join(folder, 'client.ts'), CLIENT)
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
    const options = { strict: true, target: 'es2023', module: 'nodenext', skipLibCheck: true, types: ['node'] }
    const compilerOptions = { ...options, rewriteRelativeImportExtensions: true, outDir: 'out', rootDir: '.' }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
    const compiled = await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(error => error)
    expect(compiled.stdout).toBe('')
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.app.server.address() as AddressInfo
    const { stdout } = await run(process.execPath, [
      path.join(folder, 'out/client.js'),
      `http://127.0.0.1:${port}`,
      md5('Spd@2026'),
    ])
    expect(JSON.parse(stdout)).toEqual({ added: 0, name: '接口科', kind: null, total: 1, gone: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
