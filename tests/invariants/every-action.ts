import type { AnyDocument } from '#kernel/document.ts'
import { documents } from '#modules/registry.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { Client } from '../support/house.ts'
import { day } from '../support/story.ts'
import type { Chance } from './chance.ts'
import { type Market, newCodes, personAt } from './market.ts'
import type { Click, House } from './moves.ts'
import { headerOf } from './papers.ts'

/** Something that can be done to papers of a kind: one of its actions, or what every paper knows. */
type Deed = {
  readonly definition: AnyDocument
  readonly deed: string
  /** Who keeps the kind, in the order in which they are asked for a paper. */
  readonly keepers: readonly House[]
}
const houses: readonly House[] = ['V01', 'D01', 'D02', 'H01']

/** Every deed of every kind, each at another of the houses that keep the kind. */
export const everyDeed: readonly Deed[] = documents.flatMap(definition => {
  const keepers = houses.filter(house => definition.keptBy === '' || definition.keptBy.includes(house.charAt(0)))
  const deeds = [
    'add',
    'edit',
    'del',
    ...Object.keys(definition.actions),
    ...Object.keys(documentRulesOf(definition.kind).calls ?? {}),
  ]
  return keepers.length === 0
    ? []
    : deeds.map((deed, at) => ({
        definition,
        deed,
        keepers: keepers.map((_, n) => keepers[(at + n) % keepers.length]!),
      }))
})
export const nameOf = ({ definition, deed }: Deed) => `${definition.kind}.${deed}`

// oxlint-disable-next-line typescript/no-explicit-any -- replies of all kinds
type Row = any

/** Tries deeds one after another, whatever comes of them; `tried` keeps those that met a paper. */
export function triesOf(market: Market, chance: Chance, clicks: Click[], tried = new Set<string>()) {
  const post = async (house: House, client: Client, kind: string, deed: string, body: Row) => {
    const path = `/v1/business/${kind}/${deed}`
    let reply = await client.post(path, body)
    if (reply.code === 2200) reply = await client.post(path, { ...body, confirm: reply.info.token })
    clicks.push({ house, path, body, reply })
    return reply
  }
  const line = () => ({
    specification_sn: chance.one([market.plain, market.coded]),
    lot_no: chance.one(['ATK-A', 'ATK-B', 'ATK-A-H']),
    quantity: String(chance.between(1, 3)),
  })

  /** A draft as anybody would begin it; fields the kind does not know are left out on the second try. */
  async function begin(kind: string, house: House, client: Client) {
    const header = {
      warehouse_model_inner_sn: market.shelf[house],
      counterparty_sn: market.org[house === 'V01' ? 'D01' : 'V01'],
      ...headerOf(market, chance, house, kind),
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
      const reply = await post(house, client, kind, 'add', body)
      if (reply.code === 0) return
    }
  }

  /** A paper that the deed may be done to, or any of its kind; null where the house has none. */
  async function found({ definition, deed }: Deed, client: Client): Promise<Row | null> {
    const spec = Object.hasOwn(definition.actions, deed) ? definition.actions[deed] : undefined
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

  /** Both people of a house, in an order of chance: one of them may not know the kind. */
  const clientsAt = (house: House): readonly Client[] =>
    chance.all([personAt(market, house).client, market.second[house].client])
  const clientAt = (house: House) => clientsAt(house)[0]!

  /** Does it to the first paper that one of its keepers has. */
  async function doTo(one: Deed): Promise<boolean> {
    const { definition, deed, keepers } = one
    // Whom a copy was given asks after those who wrote it.
    const asked = [...keepers, ...houses.filter(house => !keepers.includes(house))]
    for (const [house, client] of asked.flatMap(house => clientsAt(house).map(client => [house, client] as const))) {
      const paper = await found(one, client)
      if (paper === null) continue
      const more = deed === 'edit' ? { remark: '试' } : deed === 'del' ? {} : { reason: '试' }
      await post(house, client, definition.kind, deed, { sn: paper.sn, version: paper.version, ...more })
      return true
    }
    return false
  }

  return async (one: Deed): Promise<void> => {
    const { definition, deed, keepers } = one
    const house = keepers[0]!
    const isPaper = ['edit', 'del'].includes(deed) || Object.hasOwn(definition.actions, deed)
    if (isPaper && (await doTo(one))) tried.add(nameOf(one))
    else if (isPaper || deed === 'add') await begin(definition.kind, house, clientAt(house))
    else {
      const asked = { counterparty_sn: market.org.D01, begin_date: day(-30), end_date: day(1) }
      await post(house, clientAt(house), definition.kind, deed, asked)
    }
    if (!isPaper) tried.add(nameOf(one))
  }
}
