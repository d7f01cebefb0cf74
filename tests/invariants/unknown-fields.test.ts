import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'
import { allCalls, type CallShape } from './cases/calls.ts'

/** A field that a call does not ask for is refused by name, at every level: nothing is silently dropped. */
let server: TestServer
let calls: CallShape[]
let everyCall: CallShape[]
const people = new Map<OrgType, Client>()
const logins: Readonly<Record<OrgType, string>> = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' }

beforeAll(async () => {
  server = await openTestServer()
  everyCall = allCalls(server).filter(({ url }) => /^\/(v1|file)\//.test(url))
  calls = everyCall.filter(({ method }) => method === 'POST')
  for (const [type, login] of Object.entries(logins) as [OrgType, string][]) people.set(type, await server.as(login))
})
afterAll(() => server?.close())

const STRAY = 'zz_stray'
const definitions = new Map([...documents, ...entities, ...reports].map(one => [one.kind as string, one]))

/** Organisation types that have the kind. */
const typesOf = (kind: string): readonly OrgType[] => {
  const one = definitions.get(kind)
  const owners = one && 'ownerTypes' in one ? one.ownerTypes : ''
  const orgs = `${owners}${one?.screens.map(screen => screen.orgs).join('') ?? ''}`
  return (['H', 'D', 'V', 'P'] as const).filter(type => orgs === '' || orgs.includes(type))
}
const kindOf = ({ url }: CallShape) => url.split('/')[3] ?? ''

/** Returns null if somebody who may make the call is told that it has no such field; else what was answered. */
async function isRefused(call: CallShape, body: Record<string, unknown>, stray = STRAY): Promise<string | null> {
  let said = ''
  for (const type of typesOf(kindOf(call))) {
    const reply = await people.get(type)!.post(call.url.replaceAll(/:\w+/g, '1'), body)
    // A batch answers for each item.
    const answer = reply.code === 0 ? (reply.list?.[0] ?? reply) : reply
    if (answer.code !== 0 && JSON.stringify(answer).includes(`没有“${stray}”这个字段`)) return null
    said = `${call.url} ${type}: ${JSON.stringify(reply).slice(0, 120)}`
    if (reply.code === 0) return said
  }
  return said
}

/** The file comes beside the fields; what is wrong with it is said first. */
const takesFile = /\/(import|importMarked|upload|uploadMany)$/

test('every call of a document, a record or a report refuses a field that it does not have', async () => {
  const wrong: (string | null)[] = []
  for (const call of calls.filter(each => definitions.has(kindOf(each)) && !takesFile.test(each.url))) {
    const document = documents.find(({ kind }) => kind === kindOf(call))
    const isBatch = document !== undefined && call.url.endsWith('/batch')
    const action = document && /\/(batch|rehearse)$/.test(call.url) ? Object.keys(document.actions)[0] : null
    const rows = isBatch ? { items: [{ sn: '1', version: 1 }] } : { sn: '1', version: 1 }
    // Rows are ticked by their keys, and a call that has none is not told of a single one.
    const isCall = document === undefined || document.lifecycle.listActions?.[call.url.split('/')[4]!] !== undefined
    const addressed = /\/(edit|del|enable|disable)$/.test(call.url) || hasAction(call)
    const body = isCall && !addressed ? { sns: ['1'] } : { ...rows, ...(action ? { action } : {}) }
    wrong.push(await isRefused(call, { [STRAY]: 1, ...(isAdding(call) ? {} : body) }))
  }
  expect(wrong.filter(Boolean)).toEqual([])
})

test('every other call refuses a field that it does not have', async () => {
  const wrong: string[] = []
  const others = calls.filter(each => !definitions.has(kindOf(each)) && !takesFile.test(each.url))
  // A device signs what it sends: `modules/hospital/cabinet/device-api.test.ts`.
  for (const { url } of others.filter(each => !each.url.startsWith('/v1/device/'))) {
    const at = url.replaceAll(/:\w+/g, '1')
    const replies = [await server.outsider.post(at, { [STRAY]: 1 })]
    for (const who of people.values()) replies.push(await who.post(at, { [STRAY]: 1 }))
    if (!replies.some(reply => reply.code !== 0 && JSON.stringify(reply).includes(`没有“${STRAY}”这个字段`)))
      wrong.push(`${url}: ${replies.map(({ code, msg }) => `${code} ${msg}`).join(' / ')}`)
    else if (replies.some(({ code }) => code === 0)) wrong.push(`${url} is done all the same`)
  }
  expect(wrong).toEqual([])
  expect(others.length).toBeGreaterThan(25)
})

const isAdding = ({ url }: CallShape) => /\/(add|propose)$/.test(url)
const hasAction = (call: CallShape) => {
  const one = definitions.get(kindOf(call))
  return one !== undefined && 'actions' in one && Object.hasOwn(one.actions ?? {}, call.url.split('/')[4]!)
}

test('a header takes no common field that its kind does not have, nor one that is filled in by the system', async () => {
  const wrong: (string | null)[] = []
  for (const definition of documents) {
    const add = calls.find(({ url }) => url === `/v1/business/${definition.kind}/add`)!
    const strays = Object.keys(commonFields).filter(name =>
      name in definition.header
        ? definition.header[name as never]!['readOnly'] === true
        : !['sn', 'source_type', 'source_sn', 'source_org_sn'].includes(name),
    )
    for (const name of strays) wrong.push(await isRefused(add, { [name]: '1' }, name))
  }
  expect(wrong.filter(Boolean)).toEqual([])
})

test('a line takes no field that its kind does not have, in any call that has lines or parts', async () => {
  const wrong: (string | null)[] = []
  for (const { kind, actions, lines, posting } of documents) {
    const at = (call: string) => calls.find(({ url }) => url === `/v1/business/${kind}/${call}`)!
    wrong.push(await isRefused(at('add'), { lines: [{ [STRAY]: 1 }] }))
    if (posting.stockDirection !== 'in' && posting.stockDirection !== 'out' && !('lot_no' in lines))
      for (const name of ['lot_no', 'location', 'quality_state', 'owner_org_sn'].filter(each => !(each in lines)))
        if (name in commonLineFields) wrong.push(await isRefused(at('add'), { lines: [{ [name]: '1' }] }, name))
    for (const [action, spec] of Object.entries(actions)) {
      const parts = 'parts' in spec ? Object.keys(spec.parts as object) : spec.effect === 'reverse' ? ['lines'] : []
      const body = { sn: '1', version: 1 }
      for (const part of parts) wrong.push(await isRefused(at(action), { ...body, [part]: [{ [STRAY]: 1 }] }))
      if (!parts.includes('lines'))
        wrong.push(await isRefused(at(action), { ...body, lines: [{ approved_quantity: '1' }] }, 'lines'))
      wrong.push(await isRefused(at('batch'), { action, items: [{ ...body, [STRAY]: 1 }] }))
    }
  }
  expect(wrong.filter(Boolean)).toEqual([])
})

/** Documents that are made from no other have no source lines to ask for. */
const asksNothing = ({ url }: CallShape) =>
  url.endsWith('/sources') && documents.find(each => each.kind === url.split('/')[3])?.sourcing.sources === undefined
/** A device signs what it asks: `modules/hospital/cabinet/device-api.test.ts`. */
const ofDevices = ({ url }: CallShape) => url.startsWith('/v1/device/')

test('every call refuses a name in its address that it does not ask for', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  const asked = everyCall.filter(call => !asksNothing(call) && !ofDevices(call))
  for (const call of asked) {
    const url = `${call.url.replaceAll(/:\w+/g, '1')}?${STRAY}=1`
    let said = ''
    for (const type of typesOf(kindOf(call))) {
      const who = people.get(type)!
      const reply = await who.raw({
        method: call.method as 'GET',
        url,
        ...(call.method === 'GET' ? {} : { payload: {} }),
      })
      said = `${call.method} ${call.url} ${type}: ${reply.statusCode} ${reply.body.slice(0, 120)}`
      if (new RegExp(`没有“${STRAY}”这个(字段|查询条件)`).test(reply.body)) said = ''
      if (said === '') break
    }
    if (said !== '') wrong.push(said)
  }
  expect(wrong).toEqual([])
  expect(asked.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1000)
})
