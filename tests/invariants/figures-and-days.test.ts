import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Schema } from '#server/api/openapi/describe.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'
import { allCalls, type CallShape } from './cases/calls.ts'

/**
 * Every figure, day and moment that a call asks for is refused where it is written in another way than the one that is
 * agreed: by the name of its field where the call reads its fields first, in words everywhere, and never taken.
 */
let server: TestServer
let calls: CallShape[]
const people: Client[] = []
beforeAll(async () => {
  server = await openTestServer()
  // A device signs what it sends: `modules/hospital/cabinet/device-api.test.ts`.
  calls = allCalls(server).filter(({ url }) => url.startsWith('/v1/') && !url.startsWith('/v1/device/'))
  for (const login of ['hospital', 'dealer', 'vendor', 'platform']) people.push(await server.as(login))
})
afterAll(() => server?.close())

const figures = ['1e3', '1,5', '１２', '0x10', '1.', '.5', '--1', 'Infinity', '1 2', '1_000', '+-1', 'NaN']
const days = [
  '2026-02-30',
  '2026-13-01',
  '26-1-1',
  '20260101',
  '2026-1-1',
  '2026/01/01',
  '２０２６-01-01',
  '10000-01-01',
]
const moments = ['2026-02-30T08:00:00Z', '2026-01-01T25:00', '2026-01-01 08:60', '1767225600000', '20260101T080000Z']
const outOfRange = ['+275760-09-13T00:00:00Z', '2026-01-01T08:00:00+99:99', '9999-12-31T23:59:59-14:00']

function wrongFor({ format, type, pattern }: Schema): readonly string[] | null {
  if (format === 'date') return days
  if (format === 'date-time') return [...moments, ...outOfRange]
  const isFigure = type === 'integer' || (typeof pattern === 'string' && pattern.includes('\\d{1,14}'))
  return isFigure ? figures : null
}

type Wrong = { readonly body: Readonly<Record<string, unknown>>; readonly names: readonly string[] }
/** A body whose figures, days and moments are all wrong, those of its lines too, and the names of these fields. */
function wrongBody(fields: Readonly<Record<string, Schema>>, turn: number): Wrong {
  const parts = Object.entries(fields).flatMap(([name, schema]): [string, unknown, readonly string[]][] => {
    const row = (schema.items as Schema | undefined)?.properties as Readonly<Record<string, Schema>> | undefined
    if (row) {
      const { body, names } = wrongBody(row, turn)
      return names.length === 0 ? [] : [[name, [body], names]]
    }
    const values = ['version', 'pageNum', 'pageSize'].includes(name) || schema.readOnly ? null : wrongFor(schema)
    return values === null ? [] : [[name, values[turn % values.length], [name]]]
  })
  return {
    body: Object.fromEntries(parts.map(([name, value]) => [name, value])),
    names: parts.flatMap(([, , names]) => names),
  }
}

/** Calls that read all their fields before they look for a row, a file or what is ticked. */
const readsFieldsFirst = ({ method, url }: CallShape) =>
  method === 'GET' ? /\/(list|export)$|^\/v1\/report\/\w+$/.test(url) : /^\/v1\/business\/\w+\/add$/.test(url)

async function send(who: Client, { method, url }: CallShape, body: Wrong['body']) {
  const at = url.replaceAll(/:\w+/g, '1')
  const asked = new URLSearchParams(body as Record<string, string>)
  return who.raw(
    method === 'GET' ? { method, url: `${at}?${asked}` } : { method: method as 'POST', url: at, payload: body },
  )
}

test('a figure, a day or a moment that is written otherwise is refused in words', { timeout: 900_000 }, async () => {
  const wrong: string[] = []
  const [asked, named] = [new Set<string>(), new Set<string>()]
  for (const [turn, call] of calls.entries()) {
    const { body, names } = wrongBody(call.fields, turn)
    if (names.length === 0) continue
    let missing = names
    let said = ''
    for (const who of people) {
      const { statusCode, body: text } = await send(who, call, body)
      const reply = JSON.parse(text) as { code: number; msg: string; errors?: { field?: string }[] }
      said = `${statusCode} ${text.slice(0, 160)}`
      if (statusCode >= 500 || reply.code === 0 || !/[\u4e00-\u9fff]/.test(reply.msg))
        wrong.push(`${call.method} ${call.url} ${JSON.stringify(body).slice(0, 160)} ${said}`)
      const fields = new Set(reply.errors?.map(({ field }) => field))
      missing = missing.filter(name => !fields.has(name))
      if (missing.length === 0) break
    }
    asked.add(call.url)
    if (missing.length < names.length) named.add(call.url)
    if (missing.length > 0 && readsFieldsFirst(call)) wrong.push(`${call.url} takes ${missing.join()}: ${said}`)
  }
  expect(wrong).toEqual([])
  expect(asked.size).toBeGreaterThan(400)
  expect(named.size).toBeGreaterThan(200)
})
