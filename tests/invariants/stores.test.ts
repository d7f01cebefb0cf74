import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isPlace, placesOf } from '#kernel/rules/places.ts'
import { commonFields } from '#kernel/definition/common-fields.ts'
import { documents as all } from '#app/modules.ts'
import { headerColumns } from '#server/documents/repository/document.ts'
import { openScene, type Scene } from '../support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import type { Client } from '../support/test-server.ts'

/**
 * People who are bound to a store, or to a department, act there alone: in every document, by every action, whatever
 * else the document names. What they make documents from: `sources.test.ts`.
 */
const documents: readonly AnyDocument[] = all.filter(({ ownerTypes }) => ownerTypes === '' || ownerTypes.includes('H'))
const withPlaces = documents.filter(({ header }) => Object.values(header).some(isPlace))

type Place = { readonly store: string; readonly department: string }
let scene: Scene
let here: Place
let there: Place
/** Both are bound to `here`: one to its store, the other to its department. */
const people: { readonly name: string; readonly client: Client }[] = []

beforeAll(async () => {
  scene = await openScene()
  const { owner } = scene.server.database
  const rows = await owner<Place[]>`
    select distinct on (department_id) id as store, department_id as department from warehouse
     where org_id = ${scene.h} and model = 'ward' and status = 'enabled' order by department_id, id limit 2`
  here = rows[0]!
  there = rows[1]!
  const bound = async (login: string, store_scope: string, data_scope: string) => {
    const { id } = await scene.one(
      `insert into app_user (org_id, login, password_hash, name, store_scope, data_scope)
         select org_id, $1, password_hash, $1, $2, $3 from app_user where login = 'hospital' returning id`,
      login,
      store_scope,
      data_scope,
    )
    // Every right: where they may act is decided by their stores and departments alone.
    const flags = [
      ...new Set(
        documents.flatMap(({ kind, actions }) =>
          ['add', 'edit', 'del', 'submit', 'copy', ...Object.keys(actions)].map(action => `${kind}.${action}`),
        ),
      ),
    ]
    await owner`
      with role as (insert into role (org_id, name, flags) values (${scene.h}, ${login}, ${flags}) returning id)
      insert into user_role (org_id, user_id, role_id) select ${scene.h}, ${id as string}, id from role`
    return id as string
  }
  const byStore = await bound('by-store', 'chosen', 'organisation')
  await owner`insert into user_scope (org_id, user_id, warehouse_id) values (${scene.h}, ${byStore}, ${here.store})`
  const byDepartment = await bound('by-department', 'all', 'chosen')
  await owner`
    insert into user_department (org_id, user_id, department_id)
      values (${scene.h}, ${byDepartment}, ${here.department})`
  for (const name of ['by-store', 'by-department']) people.push({ name, client: await scene.server.as(name) })
})
// Documents that stand only for their places have no numbers of a sequence: the ledgers are not checked.
afterAll(() => scene?.server.close())

/** The id at a place for a field of a store or of a department. */
const at = ({ store, department }: Place, target: string | undefined) => (target === 'warehouse' ? store : department)
const placesIn = ({ header }: AnyDocument) => Object.entries(header).filter(([, field]) => isPlace(field))
/** Who is bound to stores alone has every department. */
const binds = (name: string, target: string | undefined) => name === 'by-department' || target === 'warehouse'

let serial = 0
/** A document as it might have been written by anybody, with these places. */
async function written(definition: AnyDocument, state: string, values: Readonly<Record<string, string | null>>) {
  const sn = `ST-${++serial}`
  const columns = Object.entries(values).filter(([name]) => name in headerColumns)
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => !(name in commonFields)))
  const idOf = (name: string) => columns.find(([column]) => column === name)?.[1] ?? null
  await scene.server.database.owner`
    insert into document (org_id, kind, sn, from_org_id, state, business_date, warehouse_id, to_warehouse_id,
      department_id, fields, created_by)
      values (${scene.h}, ${definition.kind}, ${sn}, ${scene.h}, ${state}, '2026-01-01',
        ${idOf('warehouse_model_inner_sn')}, ${idOf('to_warehouse_model_inner_sn')}, ${idOf('department_inner_sn')},
        ${scene.server.database.owner.json(own)}, 0)`
  return sn
}

const isElsewhere = (reply: { code: number; msg: string }) =>
  reply.code === 2106 || (reply.code === 403 && /数据权限|请由.*的人员办理/.test(reply.msg))

describe.each(withPlaces.map(definition => [definition.kind, definition] as const))('%s', (kind, definition) => {
  const path = (call: string) => `/v1/business/${kind}/${call}`
  const acted = [...new Set(placesOf(definition, 'add', {}).flat())]

  test('is written only for the stores and departments of its writer', async () => {
    proves('document.ownPlaces')
    if (definition.lifecycle.manualEntry === false) return
    for (const { name, client } of people)
      for (const stray of acted.filter(field => binds(name, definition.header[field]!.target))) {
        const values = Object.fromEntries(
          placesIn(definition)
            .filter(([, field]) => !field.readOnly && !field.dialogOnly && !field.when)
            .map(([field, { target }]) => [field, at(field === stray ? there : here, target)]),
        )
        if (!(stray in values)) continue
        const alternatives = placesOf(definition, 'add', values)
        const reply = await client.post(path('add'), values)
        const mayBeWritten = alternatives.some(group => !group.includes(stray))
        expect([stray, mayBeWritten || isElsewhere(reply) ? 'refused' : reply.msg]).toEqual([stray, 'refused'])
      }
  })

  test('is acted on only by people of the stores and departments where the action acts', async () => {
    proves('document.ownPlaces')
    const wrong: string[] = []
    for (const { name, client } of people)
      for (const action of ['edit', 'del', ...Object.keys(definition.actions)]) {
        const spec = definition.actions[action]
        if (spec?.by === 'counterparty') continue
        const state = spec?.from[0] ?? 'draft'
        const groups = placesOf(definition, action === 'edit' || action === 'del' ? action : action, {})
        for (const group of groups) {
          // Everything is at his place but one field of each group.
          const stray = groups.map(each => each.find(field => binds(name, definition.header[field]!.target)))
          if (stray.includes(undefined) || group.length === 0) continue
          const values = Object.fromEntries(
            placesIn(definition).map(([field, { target }]) => [
              field,
              at(stray.includes(field) ? there : here, target),
            ]),
          )
          const sn = await written(definition, state, values)
          const reply = await client.post(path(action), { sn, version: 1, reason: '试' })
          if (!isElsewhere(reply))
            wrong.push(`${name} ${action} with ${stray.join()} elsewhere: ${reply.code} ${reply.msg}`)
        }
        const own = Object.fromEntries(placesIn(definition).map(([field, { target }]) => [field, at(here, target)]))
        const sn = await written(definition, state, own)
        const reply = await client.post(path(action), { sn, version: 1, reason: '试' })
        if (isElsewhere(reply)) wrong.push(`${name} ${action} at his own place: ${reply.code} ${reply.msg}`)
      }
    expect(wrong).toEqual([])
  })
})
