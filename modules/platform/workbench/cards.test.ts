import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from '#demo/masters/people.ts'
import { documents, entities } from '#app/modules.ts'
import { type Client, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** Each card of the workbench opens the page where its work is done, with exactly its rows. */
let server: TestServer
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
})
afterAll(() => server?.close())

type Card = { kind: string; name: string; state: string; action: string; count: number; route: string }
type Approval = { kind: string; key: string; route: string; approve: string; reject: string | null }
type Node = { uri: string; flag: string; type: number; children: readonly Node[] }

/** The screen at an address as the browser finds it: by route, and by tab where it names one. */
function screenAt(kind: string, address: string) {
  const [route, search = ''] = address.split('?')
  const { tab, ...query } = Object.fromEntries(new URLSearchParams(search))
  const all = [...documents, ...entities].flatMap(definition =>
    definition.screens.map(screen => ({ kind: definition.kind as string, screen })),
  )
  const here = all.filter(({ screen }) => screen.route === route)
  const found = tab === undefined ? here : here.filter(({ screen }) => screen.tab === tab)
  return { found: found.find(each => each.kind === kind), first: found[0], tabs: here.length, query }
}

const menuOf = async (client: Client): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { list } = await client.get('/v1/user/get_user_menu/yrtweb')
  const pages = (list as readonly Node[]).flatMap(group => group.children)
  return new Map(pages.map(page => [page.uri, new Set(page.children.map(({ flag }) => flag))]))
}

describe.each(demoAccounts.map(({ login }) => login))('the workbench of %s', login => {
  test('has cards that each list exactly their number of rows, on a page that offers the work', async () => {
    const client = await server.as(login)
    const { info } = await client.get('/v1/business/workbench')
    const cards = info.todo as readonly Card[]
    const menu = await menuOf(client)
    const wrong: string[] = []
    for (const { kind, name, action, count, route } of cards) {
      const { found, query } = screenAt(kind, route)
      if (found === undefined) {
        wrong.push(`${route}: no page of ${kind}`)
        continue
      }
      const { screen } = found
      const where = screen.states && query.state === undefined ? { state: screen.states.join(',') } : {}
      const listed = await client.get(`/v1/business/${kind}/list`, { ...screen.where, ...where, ...query })
      if (listed.code !== 0) wrong.push(`${route}: ${listed.msg}`)
      else if (listed.total !== count) wrong.push(`${name} ${route}: ${count} on the card, ${listed.total} on the page`)
      if (menu.get(screen.route)?.has(`${kind}.${action}`) !== true) wrong.push(`${route}: ${action} is not offered`)
    }
    expect(wrong).toEqual([])
  })

  test('has no two cards that say the same, and none twice at one address', async () => {
    const client = await server.as(login)
    const { info } = await client.get('/v1/business/workbench')
    const cards = info.todo as readonly Card[]
    const said = cards.map(({ state, name }) => `${state} ${name}`)
    expect(new Set(said).size, said.toSorted().join('\n')).toBe(said.length)
    expect(new Set(cards.map(({ route }) => route)).size).toBe(cards.length)
  })
})

test.each(demoAccounts.map(({ login }) => login))(
  '待我审批 of %s has what the cards of decisions count',
  async login => {
    const client = await server.as(login)
    const menu = await menuOf(client)
    const { todo } = (await client.get('/v1/business/workbench')).info as { todo: readonly Card[] }
    const approvals = (await client.get('/v1/business/workbench/approvals')).list as readonly Approval[]
    const decisions = todo.filter(({ state }) => state === 'submitted')
    const counted = (of: readonly { readonly kind: string; readonly count: number }[]) =>
      Object.fromEntries(
        [...Map.groupBy(of, ({ kind }) => kind)]
          .map(([kind, some]) => [kind, some.reduce((sum, { count }) => sum + count, 0)] as const)
          .toSorted(([a], [b]) => a.localeCompare(b)),
      )
    expect(counted(approvals.map(({ kind }) => ({ kind, count: 1 })))).toEqual(counted(decisions))
    for (const { kind, key, route, approve, reject } of approvals) {
      expect((await client.get(`/v1/business/${kind}/info`, { sn: key })).code, `${kind} ${key}`).toBe(0)
      for (const action of [approve, reject])
        if (action !== null) expect(menu.get(route)?.has(`${kind}.${action}`), `${route} ${kind}.${action}`).toBe(true)
    }
  },
)

test('warnings on the workbench open the warning centre with exactly their rows', async () => {
  for (const { login } of demoAccounts) {
    const client = await server.as(login)
    const { info } = await client.get('/v1/business/workbench')
    for (const { route, count, text } of info.warnings as readonly { route: string; count: number; text: string }[]) {
      const { found, first, query } = screenAt('warning', route)
      const shown = found ?? first!
      const listed = await client.get(`/v1/business/${shown.kind}/list`, { ...shown.screen.where, ...query })
      expect([login, text, listed.code, listed.total]).toEqual([login, text, 0, count])
    }
  }
})
