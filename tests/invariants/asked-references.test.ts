import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fields } from '#kernel/definition/field.ts'
import { documents, entities, entityOf, reports } from '#kernel/registry.ts'
import { listColumns } from '#server/documents/list/list.ts'
import { listColumnsOf } from '#server/lists/query.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'

/**
 * A list by a row that does not exist is refused in words: an empty list would say that there is nothing. So it is for
 * every reference by which any list or report can be asked.
 */
let server: TestServer
const people: Client[] = []
beforeAll(async () => {
  server = await openTestServer()
  for (const login of ['hospital', 'dealer', 'vendor', 'platform']) people.push(await server.as(login))
})
afterAll(() => server?.close())

type Filter = { readonly url: string; readonly name: string; readonly label: string }
const NOBODY = '999999999999999999'

const refs = (url: string, fields: Fields, key = ''): Filter[] =>
  Object.entries(fields).flatMap(([name, { as, target = '', label }]) =>
    as === 'ref' && entityOf(target) && name !== key ? [{ url, name, label }] : [],
  )

const filters = (): Filter[] => [
  ...documents().flatMap(each => {
    const { columns, parameters } = listColumns(each)
    return refs(`/v1/business/${each.kind}/list`, { ...columns, ...parameters })
  }),
  ...entities().flatMap(each => {
    const { columns, parameters } = listColumnsOf(each)
    return refs(`/v1/business/${each.kind}/list`, { ...columns, ...parameters }, each.key)
  }),
  ...reports().flatMap(each => refs(`/v1/report/${each.kind}`, each.parameters)),
]

test('a filter by a row that is none, or is written in no way of keys, names its field', async () => {
  const wrong: string[] = []
  const named = new Set<string>()
  for (const [turn, { url, name, label }] of filters().entries())
    for (const value of [NOBODY, ['rubbish', '1 or 1=1', '-1', '１'][turn % 4]!])
      for (const who of people) {
        const { statusCode, body } = await who.raw({
          method: 'GET',
          url: `${url}?${new URLSearchParams({ [name]: value })}`,
        })
        const reply = JSON.parse(body) as { code: number; msg: string; errors?: { field?: string; msg: string }[] }
        const said = `${url}?${name}=${value} ${statusCode} ${body.slice(0, 200)}`
        if (statusCode !== 200 && statusCode !== 404) wrong.push(said)
        // A list that this organisation does not have, or that must be asked for something else first.
        if (reply.code === 403 || reply.code === 404 || statusCode === 404) continue
        const error = reply.errors?.find(({ field }) => field === name)
        // Whose list it is, is decided before its filters are read.
        const isOwner = name === 'of_org_sn' && reply.msg === '机构不存在'
        if (isOwner || error?.msg.includes(`【${label}】不存在`)) named.add(`${url} ${name}`)
        else if (reply.code === 0) wrong.push(said)
      }
  expect(wrong).toEqual([])
  const untold = filters().filter(({ url, name }) => !named.has(`${url} ${name}`))
  expect(untold).toEqual([])
  expect(named.size).toBeGreaterThan(500)
}, 900_000)
