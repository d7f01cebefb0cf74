import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '#kernel/registry.ts'
import { hasSwitch } from '#server/records/row-actions.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** 停用 and 启用, over every kind of record that has both: a user who may do one may do the other. */
let server: TestServer
const people = ['platform', 'hospital', 'dealer', 'vendor'] as const
const clients = new Map<string, Client>()
beforeAll(async () => {
  server = await openTestServer()
  for (const name of people) clients.set(name, await server.as(name))
})
afterAll(() => server.close())

/** Rows of one kind that are tried: the first few are alike. */
const MOST = 3
type Row = Readonly<Record<string, unknown>>
const switched = entities().filter(definition => !definition.readOnly && hasSwitch(definition))

test('many kinds have the switch', () => {
  expect(switched.length).toBeGreaterThan(15)
})

describe.each(switched.map(definition => [definition.title, definition] as const))('%s', (_title, definition) => {
  test.each(people)('what %s disables he may enable again', async name => {
    const client = clients.get(name)!
    const path = (call: string) => `/v1/business/${definition.kind}/${call}`
    const shown = (await client.get(path('list'))).list ?? []
    for (const row of (shown as Row[]).slice(0, MOST)) {
      const sn = String(row[definition.key])
      const said = async (action: string) => {
        const { info } = await client.get(path('info'), { sn })
        const offered = (info as { actions?: readonly string[] } | null)?.actions ?? []
        const body = { sn, version: (info as { version?: number } | null)?.version, reason: '试停用' }
        return offered.includes(action) ? client.post(path(action), body) : null
      }
      const disabled = await said('disable')
      if (disabled?.code !== 0) continue
      const enabled = await said('enable')
      expect(enabled?.code, `${definition.kind} ${sn}: ${enabled?.msg ?? 'not offered'}`).toBe(0)
    }
  })
})
