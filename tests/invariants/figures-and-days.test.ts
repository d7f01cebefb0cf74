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

const figures = ['1e3', '1,5', '１２', '0x10', '1.', '.5', '--1', 'Infinity', '1 2', '1_000', '+-1', 'NaN', '+5']
const endless = ['9'.repeat(40), `0.${'1'.repeat(40)}`, '٣', '1\n2', 'true', 'null', '[1]']
const days = [
  '2026-02-30',
  '2026-13-01',
  '26-1-1',
  '20260101',
  '2026-1-1',
  '2026/01/01',
  '２０２６-01-01',
  '10000-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01',
  '0000-01-01',
]
const flags = ['yes', '1', 'TRUE', '是', '0', 'on']
/** What a body in JSON may have in the place of a text. */
const others = [true, ['1'], { a: 1 }, [], [['2026-01-01']], 1e21, 12345678901234568, -0.5]
const moments = ['2026-02-30T08:00:00Z', '2026-01-01T25:00', '2026-01-01 08:60', '1767225600000', '20260101T080000Z']
const outOfRange = ['+275760-09-13T00:00:00Z', '2026-01-01T08:00:00+99:99', '9999-12-31T23:59:59-14:00']

function wrongFor({ format, type, pattern }: Schema): readonly unknown[] | null {
  if (format === 'date') return [...days, ...others]
  if (format === 'date-time') return [...moments, ...outOfRange, ...others]
  if (type === 'boolean') return [...flags, ...others.filter(value => value !== true)]
  const isFigure = type === 'integer' || (typeof pattern === 'string' && pattern.includes('\\d{1,14}'))
  return isFigure ? [...figures, ...endless, ...others.filter(value => value !== -0.5 || type === 'integer')] : null
}

type Wrong = { readonly body: Readonly<Record<string, unknown>>; readonly names: readonly string[] }
/** A body whose figures, days and moments are all wrong, those of its lines too, and the names of these fields. */
function wrongBody(fields: Readonly<Record<string, Schema>>, turn: number, isText: boolean): Wrong {
  const parts = Object.entries(fields).flatMap(([name, schema], at): [string, unknown, readonly string[]][] => {
    const row = (schema.items as Schema | undefined)?.properties as Readonly<Record<string, Schema>> | undefined
    if (row) {
      const { body, names } = wrongBody(row, turn, isText)
      return names.length === 0 ? [] : [[name, [body], names]]
    }
    const all = ['version', 'pageNum', 'pageSize'].includes(name) || schema.readOnly ? null : wrongFor(schema)
    const values = isText ? all?.filter(value => typeof value === 'string') : all
    return values ? [[name, values[(turn + at) % values.length], [name]]] : []
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
    const { body, names } = wrongBody(call.fields, turn, call.method === 'GET')
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

test('a page, its size and an order that are written otherwise are refused by name', { timeout: 900_000 }, async () => {
  const wrong: string[] = []
  const paged = calls.filter(({ method, fields }) => method === 'GET' && 'pageNum' in fields)
  expect(paged.length).toBeGreaterThan(300)
  const pages = [...figures, ...endless, '0', '-1', '1.0', ' 1', '10000001']
  for (const [turn, call] of paged.entries()) {
    const asked = {
      pageNum: pages[turn % pages.length],
      pageSize: [...pages, '501'][(turn * 7) % (pages.length + 1)],
      ...('sort' in call.fields ? { sort: ['1', '-', 'id;drop', 'sn,,', 'constructor'][turn % 5] } : {}),
    }
    for (const who of people) {
      const { statusCode, body } = await send(who, call, asked)
      const {
        code,
        msg,
        errors = [],
      } = JSON.parse(body) as { code: number; msg: string; errors?: { field?: string }[] }
      if (code === 403) continue
      const named = new Set(errors.map(({ field }) => field))
      const isRight =
        statusCode < 500 &&
        /[\u4e00-\u9fff]/.test(msg) &&
        (Object.keys(asked).every(name => named.has(name)) || msg.startsWith('页码'))
      if (!isRight && !body.includes('不能输入特殊字符'))
        wrong.push(`${call.url} ${JSON.stringify(asked)} ${body.slice(0, 200)}`)
      break
    }
  }
  expect(wrong).toEqual([])
})
