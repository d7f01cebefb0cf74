import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SecondaryTarget, SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isPlace } from '#kernel/rules/places.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documents as all } from '#app/modules.ts'
import { headerColumns } from '#server/documents/repository/document.ts'
import { openScene, type Scene } from '../support/fixture.ts'
import type { Client, Reply } from '../support/test-server.ts'
import { inTurn } from '../support/thorough.ts'

/**
 * Whoever names another document in his own - as its source, of the whole or of a line, or as what a line deals with
 * besides - names one that he reads: of his stores and departments, whatever type his organisation has and whether it
 * is its own document or another organisation's copy. Any other is refused in the words of one that is not there.
 */
const documents: readonly AnyDocument[] = all
const types = ['H', 'D', 'V', 'P'] as const
type Place = { readonly store: string; readonly department: string }
type Person = { readonly name: string; readonly client: Client; readonly bindsStoresAlone: boolean }
type Org = { readonly id: string; readonly here: Place; readonly there: Place; readonly people: readonly Person[] }

let scene: Scene
const orgs = new Map<OrgType, Org>()
const logins: Readonly<Record<OrgType, string>> = { H: 'hospital', D: 'dealer', V: 'vendor', P: 'platform' }

beforeAll(async () => {
  scene = await openScene()
  for (const type of types) orgs.set(type, await orgOf(logins[type]))
}, 120_000)
// Documents that stand only for their places have no numbers of a sequence: the ledgers are not checked.
afterAll(() => scene?.server.close())

/** An organisation with two departments that have a store each, and two people who are bound to the first. */
async function orgOf(login: string): Promise<Org> {
  const { owner } = scene.server.database
  const { org_id: id } = await scene.one('select org_id from app_user where login = $1', login)
  const places: Place[] = []
  for (const code of ['SRC-1', 'SRC-2']) {
    const [row] = await owner<Place[]>`
      with place as (
        insert into department (org_id, code, name) values (${id}, ${code}, ${code}) returning org_id, id)
      insert into warehouse (org_id, code, name, model, department_id)
        select org_id, ${code}, ${code}, 'ward', id from place returning id as store, department_id as department`
    places.push(row!)
  }
  const [here, there] = places as [Place, Place]
  const bound = async (name: string, stores: string, data: string): Promise<Person> => {
    const user = await scene.one(
      `insert into app_user (org_id, login, password_hash, name, store_scope, data_scope)
         select org_id, $1, password_hash, $1, $2, $3 from app_user where login = $4 returning id`,
      name,
      stores,
      data,
      login,
    )
    const flags = documents.flatMap(({ kind }) => [`${kind}.add`, `${kind}.edit`])
    await owner`
      with role as (insert into role (org_id, name, flags) values (${id}, ${name}, ${flags}) returning id)
      insert into user_role (org_id, user_id, role_id) select ${id}, ${user.id as string}, id from role`
    if (stores === 'chosen')
      await owner`insert into user_scope (org_id, user_id, warehouse_id) values (${id}, ${user.id}, ${here.store})`
    else
      await owner`
        insert into user_department (org_id, user_id, department_id) values (${id}, ${user.id}, ${here.department})`
    return { name, client: await scene.server.as(name), bindsStoresAlone: stores === 'chosen' }
  }
  return {
    id,
    here,
    there,
    people: [
      await bound(`${login}-by-store`, 'chosen', 'organisation'),
      await bound(`${login}-by-department`, 'all', 'chosen'),
    ],
  }
}

const letters = ({ ownerTypes }: AnyDocument) => (ownerTypes === '' ? 'HDVP' : ownerTypes)
const placesIn = ({ header }: AnyDocument) =>
  Object.entries(header).filter(([name, field]) => isPlace(field) && name in headerColumns)

let serial = 0
/** A document, or another organisation's copy of one, as it might have been written by anybody at a place. */
async function written(named: AnyDocument, at: { org: string; from: string; place: Place }): Promise<string> {
  const sn = `SRC-${++serial}`
  const [org, from] = [at.org, at.from]
  const of = (name: string) => {
    const field = placesIn(named).find(([own]) => own === name)?.[1]
    return field === undefined ? null : field.target === 'warehouse' ? at.place.store : at.place.department
  }
  await scene.server.database.owner`
    insert into document (org_id, kind, sn, from_org_id, role, state, business_date, counterparty_id, warehouse_id,
      to_warehouse_id, department_id, fields, created_by)
      values (${org}, ${named.kind}, ${sn}, ${from}, ${org === from ? 'own' : 'counterparty'}, 'reviewed', '2026-01-01',
        ${org === from ? null : from}, ${of('warehouse_model_inner_sn')}, ${of('to_warehouse_model_inner_sn')},
        ${of('department_inner_sn')}, '{}', 0)`
  return sn
}

type Asked = (sn: string) => Record<string, unknown>
/** A way in which a kind names documents of another, what it says then, and whether they are copies. */
type Naming = { readonly how: string; readonly of: AnyDocument; readonly isCopy: boolean; readonly says: Asked }
const kindOf = (kind: string): AnyDocument => documents.find(each => each.kind === kind)!

const bySource = (take: SourceRule): Naming[] => {
  const [of, isCopy] = [kindOf(take.from), take.fromCounterparty ?? false]
  const type = take.sourceType
  return [
    { how: 'as its source', of, isCopy, says: sn => ({ source_type: type, source_sn: sn, lines: [] }) },
    {
      how: 'as the source of a line',
      of,
      isCopy,
      says: sn => ({ source_type: type, lines: [{ source_sn: sn, source_line_no: 1 }] }),
    },
  ]
}
const byTarget = ({ kind, sn: field, line, fromCounterparty }: SecondaryTarget): Naming => ({
  how: `in ${field}`,
  of: kindOf(kind),
  isCopy: fromCounterparty ?? false,
  says: sn => ({ lines: [{ [field]: sn, [line]: 1 }] }),
})
const namingsOf = ({ sourcing, lines }: AnyDocument): Naming[] => [
  ...(sourcing.sources ?? []).flatMap(bySource),
  // What only the program writes is refused as such: `unknown-fields.test.ts`.
  ...(sourcing.secondaryTarget && !lines[sourcing.secondaryTarget.sn]?.readOnly
    ? [byTarget(sourcing.secondaryTarget)]
    : []),
]

const naming = documents.filter(one => namingsOf(one).length > 0)
const tried = { elsewhere: 0, foreign: 0 }

describe.each(naming.map(one => [one.kind, one] as const))('%s', (kind, definition) => {
  test('is told which type of source it has when it says another, and needs to say none', async () => {
    const wrong: string[] = []
    const type = types.find(each => letters(definition).includes(each))!
    const [org, partner] = [orgs.get(type)!, orgs.get(type === 'D' ? 'V' : 'D')!]
    const client = await scene.server.as(logins[type])
    const takes = definition.sourcing.sources ?? []
    for (const [from, of] of Map.groupBy(takes, take => `${take.from} ${take.fromCounterparty ?? false}`)) {
      const [{ sourceType: own, from: source, fromCounterparty: isCopy = false }] = of as [SourceRule]
      const at = { org: org.id, from: isCopy ? partner.id : org.id, place: org.here }
      // A type of the kind's others, one that none of its sources has, and one that is none at all.
      const others = [...takes.map(take => take.sourceType), 2, 999].filter(
        one => !of.some(take => take.sourceType === one),
      )
      for (const other of new Set(others)) {
        const sn = await written(kindOf(source), at)
        for (const body of [{ source_sn: sn, lines: [] }, { lines: [{ source_sn: sn, source_line_no: 1 }] }]) {
          const ask = (more: object) => client.post(`/v1/business/${kind}/add`, { ...body, ...more })
          const said = `来源单${sn}是${kindOf(source).title}，来源类型应为`
          const reply = await ask({ source_type: other })
          if (!reply.msg.startsWith(said)) wrong.push(`${from} as ${other}: ${reply.code} ${reply.msg}`)
          for (const more of [{}, { source_type: own }]) {
            const fit = await ask(more)
            if (fit.msg.includes('来源类型')) wrong.push(`${from} as ${JSON.stringify(more)}: ${fit.msg}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(types.filter(type => letters(definition).includes(type)))(
    'names what its writer reads, and nothing else, in an organisation of type %s',
    async type => {
      const wrong: string[] = []
      const org = orgs.get(type)!
      const partner = orgs.get(type === 'D' ? 'V' : 'D')!
      for (const [turn, { how, of, isCopy, says }] of namingsOf(definition).entries())
        for (const { name, client, bindsStoresAlone } of inTurn(org.people, 2, turn)) {
          const ask = (sn: string) => client.post(`/v1/business/${kind}/add`, says(sn))
          const at = (place: Place) => written(of, { org: org.id, from: isCopy ? partner.id : org.id, place })
          const isBound = placesIn(of).some(([, { target }]) => !bindsStoresAlone || target === 'warehouse')
          const [own, missing] = [await ask(await at(org.here)), await ask('NONE')]
          const isMissing = (reply: Reply, sn: string) =>
            reply.code === missing.code && reply.msg === missing.msg.replaceAll('NONE', sn) && reply.code !== 0
          const say = (what: string, reply: Reply) =>
            wrong.push(`${name} names ${of.kind} ${what} ${how}: ${reply.code} ${reply.msg} / ${missing.msg}`)
          if (!/NONE.*不存在|没有.*NONE/.test(missing.msg)) say('that is nowhere', missing)
          if (/不存在|没有该往来单位的单据/.test(own.msg)) say('of his own place', own)
          const others: [string, string][] = [
            ['of another organisation', await written(of, { org: partner.id, from: partner.id, place: partner.here })],
            ...(isBound ? [['elsewhere', await at(org.there)] as [string, string]] : []),
          ]
          for (const [what, sn] of others) {
            const reply = await ask(sn)
            tried[what === 'elsewhere' ? 'elsewhere' : 'foreign'] += 1
            if (!isMissing(reply, sn)) say(what, reply)
          }
        }
      expect(wrong).toEqual([])
    },
  )
})

test('the attack was made over all types and in each way', () => {
  expect(naming.length).toBeGreaterThan(40)
  expect(tried.elsewhere).toBeGreaterThan(200)
  expect(tried.foreign).toBeGreaterThan(400)
})
