import type { AnyDocument } from '#kernel/definition/document.ts'
import { documents } from '#app/modules.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { Client } from '../../support/test-server.ts'
import { day } from '../../support/story.ts'
import type { Chance } from './random.ts'
import { type Market, newCodes, personAt } from './fuzz-world.ts'
import type { Click, TestServer } from './moves.ts'
import { headerOf } from './documents.ts'

/** Something that can be done to documents of a kind: one of its actions, or a generic action of every document. */
type Action = {
  readonly definition: AnyDocument
  readonly action: string
  /** Organisations that keep the kind, in the order in which they are asked for a document. */
  readonly keepers: readonly TestServer[]
}
const servers: readonly TestServer[] = ['V01', 'D01', 'D02', 'H01']

/** Every action of every kind, each starting at a different one of the organisations that keep the kind. */
export const everyAction: readonly Action[] = documents.flatMap(definition => {
  const keepers = servers.filter(
    server => definition.ownerTypes === '' || definition.ownerTypes.includes(server.charAt(0)),
  )
  const actions = [
    'add',
    'edit',
    'del',
    ...Object.keys(definition.actions),
    ...Object.keys(documentRulesOf(definition.kind).calls ?? {}),
  ]
  return keepers.length === 0
    ? []
    : actions.map((action, at) => ({
        definition,
        action,
        keepers: keepers.map((_, n) => keepers[(at + n) % keepers.length]!),
      }))
})
export const nameOf = ({ definition, action }: Action) => `${definition.kind}.${action}`

// oxlint-disable-next-line typescript/no-explicit-any -- replies of all kinds
type Row = any

/** Tries actions one after another, whatever the result; `tried` collects those that found a document. */
export function triesOf(market: Market, chance: Chance, clicks: Click[], tried = new Set<string>()) {
  const post = async (server: TestServer, client: Client, kind: string, action: string, body: Row) => {
    const path = `/v1/business/${kind}/${action}`
    let reply = await client.post(path, body)
    if (reply.code === 2200) reply = await client.post(path, { ...body, confirm: reply.info.token })
    clicks.push({ server, path, body, reply })
    return reply
  }
  const line = () => ({
    specification_sn: chance.one([market.plain, market.coded]),
    lot_no: chance.one(['ATK-A', 'ATK-B', 'ATK-A-H']),
    quantity: String(chance.between(1, 3)),
  })

  /** A draft as a user would start it; on the second try, fields the kind does not know are left out. */
  async function begin(kind: string, server: TestServer, client: Client) {
    const header = {
      warehouse_model_inner_sn: market.shelf[server],
      counterparty_sn: market.org[server === 'V01' ? 'D01' : 'V01'],
      ...headerOf(market, chance, server, kind),
    }
    const full = {
      ...header,
      lines: [
        {
          ...line(),
          price: '33.33',
          production_date: day(-9),
          expiry_date: day(400),
          unit_codes: chance.yes(0.3) ? newCodes(1) : [],
        },
      ],
    }
    for (const body of [
      full,
      { ...header, lines: [line()] },
      { lines: [line()] },
      { lines: [{ specification_sn: market.plain }] },
      {},
    ]) {
      const reply = await post(server, client, kind, 'add', body)
      if (reply.code === 0) return
    }
  }

  /** A document the action applies to, or any of its kind; null if the organisation has none. */
  async function found({ definition, action }: Action, client: Client): Promise<Row | null> {
    const spec = Object.hasOwn(definition.actions, action) ? definition.actions[action] : undefined
    const role: Record<string, string> = spec?.by === 'counterparty' ? { role: 'counterparty' } : {}
    const states = spec?.from ?? ['draft', 'rejected']
    for (const state of [states.join(','), '']) {
      const query = { ...role, pageSize: '20', ...(state ? { state } : {}) }
      const { list } = await client.get(`/v1/business/${definition.kind}/list`, query)
      if (!list?.length) continue
      const { sn } = chance.one<Row>(list)
      const { info } = await client.get(`/v1/business/${definition.kind}/info`, { sn, ...role })
      if (info) return info
    }
    return null
  }

  /** Both users of an organisation, in random order: one of them may lack rights for the kind. */
  const clientsAt = (server: TestServer): readonly Client[] =>
    chance.all([personAt(market, server).client, market.second[server].client])
  const clientAt = (server: TestServer) => clientsAt(server)[0]!

  /** Runs the action on the first document found at one of its keepers. */
  async function doTo(one: Action): Promise<boolean> {
    const { definition, action, keepers } = one
    // Organisations that may hold a copy are asked after those that keep the kind.
    const asked = [...keepers, ...servers.filter(server => !keepers.includes(server))]
    for (const [server, client] of asked.flatMap(server =>
      clientsAt(server).map(client => [server, client] as const),
    )) {
      const doc = await found(one, client)
      if (doc === null) continue
      const more = action === 'edit' ? { remark: '试' } : action === 'del' ? {} : { reason: '试' }
      await post(server, client, definition.kind, action, { sn: doc.sn, version: doc.version, ...more })
      return true
    }
    return false
  }

  return async (one: Action): Promise<void> => {
    const { definition, action, keepers } = one
    const server = keepers[0]!
    const isDocument = ['edit', 'del'].includes(action) || Object.hasOwn(definition.actions, action)
    if (isDocument && (await doTo(one))) tried.add(nameOf(one))
    else if (isDocument || action === 'add') await begin(definition.kind, server, clientAt(server))
    else {
      const asked = { counterparty_sn: market.org.D01, begin_date: day(-30), end_date: day(1) }
      await post(server, clientAt(server), definition.kind, action, asked)
    }
    if (!isDocument) tried.add(nameOf(one))
  }
}
