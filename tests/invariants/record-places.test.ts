import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf } from '#kernel/definition/field.ts'
import { actedFields } from '#kernel/rules/places.ts'
import { entities as all } from '#app/modules.ts'
import { carriedBy, standsSomewhere } from '#server/records/places.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'

/**
 * People who are bound to a store, or to a department, write no record of another: neither one that names its store
 * or department, nor a part of what stands there.
 */
const entities: readonly AnyEntity[] = all
const placed = entities.filter(one => !one.readOnly && standsSomewhere(one))

/** Kinds whose rows are derived from others, or only seen beside others: a row alone cannot be tried. */
const neverAlone = new Set([
  'arrivalQualityLine',
  'inspectionQualityLine',
  'cabinetComparison',
  'cabinetTransaction',
  'doorPermission',
  'hospitalRule',
  'lowValueSlot',
  'reagentTrace',
  'weighingPlate',
])

/** What the place of a row is of: stores, departments. */
const reachOf = ({ kind, fields, ...rest }: AnyEntity): ReadonlySet<string> =>
  new Set([
    ...(kind === 'warehouse' || kind === 'department' ? [kind] : []),
    ...actedFields(fields).map(name => fields[name]!.target!),
    ...[...carriedBy({ kind, fields, ...rest }).values()].flatMap(holder => [...reachOf(holder)]),
  ])
/** Whoever is bound to a department has its stores alone. */
const isBound = (binds: string, reach: ReadonlySet<string>) =>
  reach.has(binds) || (binds === 'department' && reach.size > 0)

type Place = { readonly warehouse: string; readonly department: string }
type Person = { readonly binds: string; readonly client: Client }
type Organisation = { readonly id: string; readonly here: Place; readonly there: Place; readonly people: Person[] }
const organisations = new Map<'H' | 'D', Organisation>()
let server: TestServer

beforeAll(async () => {
  server = await openTestServer()
  for (const [type, login] of [
    ['H', 'hospital'],
    ['D', 'dealer'],
  ] as const)
    organisations.set(type, await organisationOf(login))
})
afterAll(() => server?.close())

async function organisationOf(login: string): Promise<Organisation> {
  const { owner } = server.database
  const [org] = await owner<{ id: string }[]>`select org_id as id from app_user where login = ${login}`
  const id = org!.id
  const place = async (name: string): Promise<Place> => {
    const [department] = await owner`
      insert into department (org_id, code, name) values (${id}, ${name}, ${name}) returning id`
    const [store] = await owner`
      insert into warehouse (org_id, code, name, model, department_id)
        values (${id}, ${name}, ${name}, 'ward', ${department!.id}) returning id`
    return { warehouse: store!.id as string, department: department!.id as string }
  }
  const [here, there] = [await place('甲区'), await place('乙区')]
  // Every right: where they may write is decided by their stores and departments alone.
  const flags = entities.flatMap(({ kind, actions = {}, calls = {} }) =>
    ['add', 'edit', 'del', 'enable', 'disable', ...Object.keys(actions), ...Object.keys(calls)].map(
      action => `${kind}.${action}`,
    ),
  )
  const bound = async (binds: 'warehouse' | 'department') => {
    const name = `${login}-${binds}`
    const [stores, data] = binds === 'warehouse' ? ['chosen', 'organisation'] : ['all', 'chosen']
    await owner`
      with fresh as (
        insert into app_user (org_id, login, password_hash, name, store_scope, data_scope)
          select org_id, ${name}, password_hash, ${name}, ${stores!}, ${data!} from app_user where login = ${login}
          returning id),
      role as (insert into role (org_id, name, flags) values (${id}, ${name}, ${flags}) returning id),
      scope as (insert into user_scope (org_id, user_id, warehouse_id)
        select ${id}, id, ${here.warehouse} from fresh where ${binds === 'warehouse'}),
      departments as (insert into user_department (org_id, user_id, department_id)
        select ${id}, id, ${here.department} from fresh where ${binds === 'department'})
      insert into user_role (org_id, user_id, role_id) select ${id}, f.id, r.id from fresh f, role r`
    return { binds, client: await server.as(name) }
  }
  return { id, here, there, people: [await bound('warehouse'), await bound('department')] }
}

const writersOf = ({ writers, screens }: AnyEntity) => writers ?? screens.map(screen => screen.orgs).join('')
/** The organisation that tries a kind. */
const ofKind = (definition: AnyEntity) => organisations.get(writersOf(definition).includes('H') ? 'H' : 'D')!

type Column = { readonly name: string; readonly type: string }
const dull: Readonly<Record<string, unknown>> = { boolean: false, date: '2026-01-01', jsonb: '{}', numeric: '1' }
let serial = 0
const filling = (type: string) => dull[type] ?? (type.startsWith('timestamp') ? '2026-01-01' : String(++serial))

/** A row that stands at a place, or belongs to what stands there, whatever else it should say. Returns its key. */
async function standing(org: Organisation, definition: AnyEntity, at: Place): Promise<string> {
  if (definition.kind in at) return at[definition.kind as keyof Place]
  const { owner } = server.database
  const table = rulesOf(definition.kind).table ?? definition.table
  const values: Record<string, unknown> = { org_id: org.id }
  for (const name of actedFields(definition.fields))
    values[columnOf(name, definition.fields[name]!)] = at[definition.fields[name]!.target as keyof Place]
  for (const [name, holder] of carriedBy(definition))
    values[columnOf(name, definition.fields[name]!)] = await standing(org, holder, at)
  const columns = await owner<Column[]>`
    select column_name as name, data_type as type from information_schema.columns
     where table_name = ${table} and table_schema = 'public' and is_nullable = 'NO' and column_default is null
       and is_identity = 'NO' and is_generated = 'NEVER'`
  for (const { name, type } of columns) values[name] ??= filling(type)
  const [row] = await owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    const checks = await tx`
      select conname as name from pg_constraint where conrelid = ${table}::regclass and contype in ('c', 'u')`
    for (const { name } of checks) await tx`alter table ${tx(table)} drop constraint ${tx(name as string)} cascade`
    const indexes = await tx`
      select indexrelid::regclass::text as name from pg_index
       where indrelid = ${table}::regclass and indisunique and not indisprimary`
    for (const { name } of indexes) await tx`drop index ${tx(name as string)}`
    return tx`insert into ${tx(table)} ${tx(values as Record<string, string>)} returning id`
  })
  return row!.id as string
}

const NOT_THERE = '没有所选仓库或科室的数据权限'
const isElsewhere = (reply: { code: number; msg: string }) => reply.code === 403 && reply.msg.startsWith(NOT_THERE)

describe.each(placed.map(definition => [definition.kind, definition] as const))('%s', (kind, definition) => {
  const call = (client: Client, name: string, body: Record<string, unknown>) =>
    client.post(`/v1/business/${kind}/${name}`, body)
  const carriers = carriedBy(definition)
  const entered = [...actedFields(definition.fields), ...carriers.keys()].filter(
    name => !definition.fields[name]!.readOnly,
  )
  /** Its places, all here but one. */
  const values = async (org: Organisation, stray: string | null) => {
    const sent: Record<string, string> = {}
    for (const name of entered) {
      const [at, holder] = [name === stray ? org.there : org.here, carriers.get(name)]
      sent[name] = holder ? await standing(org, holder, at) : at[definition.fields[name]!.target as keyof Place]
    }
    return sent
  }

  test('is added and moved only at the stores and departments of its writer', async () => {
    const org = ofKind(definition)
    const wrong: string[] = []
    for (const { binds, client } of org.people)
      for (const stray of entered) {
        const holder = carriers.get(stray)
        const reach = holder ? reachOf(holder) : new Set([definition.fields[stray]!.target!])
        if (!isBound(binds, reach)) continue
        const [added, own] = [
          await call(client, 'add', await values(org, stray)),
          await call(client, 'add', await values(org, null)),
        ]
        if (!isElsewhere(added)) wrong.push(`${binds} adds with ${stray} elsewhere: ${added.code} ${added.msg}`)
        if (isElsewhere(own)) wrong.push(`${binds} may not add at his own place`)
        if (neverAlone.has(kind)) continue
        const sn = await standing(org, definition, org.here)
        const moved = await call(client, 'edit', { sn, version: 1, ...(await values(org, stray)) })
        const kept = await call(client, 'edit', { sn, version: 1 })
        // Rows that nobody changes are not moved either.
        if (!isElsewhere(moved) && (moved.code === 0 || moved.msg !== kept.msg))
          wrong.push(`${binds} moves ${stray} elsewhere: ${moved.code} ${moved.msg}`)
      }
    expect(wrong).toEqual([])
  })

  test.skipIf(neverAlone.has(kind))('is acted on only at the places of whoever acts', async () => {
    const org = ofKind(definition)
    const wrong: string[] = []
    // A place cannot be deleted here: others stand in it.
    const isPlace = kind in org.here
    const actions = ['edit', ...(isPlace ? [] : ['del']), ...Object.keys(definition.actions ?? {})]
    for (const { binds, client } of org.people.filter(one => isBound(one.binds, reachOf(definition))))
      for (const action of actions) {
        const [away, here] = [await standing(org, definition, org.there), await standing(org, definition, org.here)]
        const theirs = await call(client, action, { sn: away, version: 1 })
        // Some rows of others are not seen at all.
        if (!isElsewhere(theirs) && theirs.code !== 2106)
          wrong.push(`${binds} ${action} elsewhere: ${theirs.code} ${theirs.msg}`)
        const own = await call(client, action, { sn: here, version: 1 })
        if (isElsewhere(own) || own.code === 2106) wrong.push(`${binds} ${action} at his own: ${own.code} ${own.msg}`)
      }
    expect(wrong).toEqual([])
  })
})
