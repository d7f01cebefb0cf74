import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '#kernel/registry.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import type { Client } from '#tests/support/test-server.ts'

/** Labels are printed of rows that their printer sees: of every kind that has labels. */
let scene: Scene
/** With every right, and bound to one ward. */
let bound: Client
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, ward, department, h, stent, inflator, server } = scene
  await scene.shelve(hospital, central, [
    lotOf(stent, 'BQ1', { unit_codes: ['BQ-1', 'BQ-2'] }),
    lotOf(inflator, 'BQ2', { quantity: '5' }),
  ])
  const flags = (await hospital.client.get('/v1/user/get_user_menu/yrtweb', { all: '1' })).list
    .flatMap(group => group.children)
    .flatMap((page: { flag: string; children: { flag: string }[] }) => [
      page.flag,
      ...page.children.map(one => one.flag),
    ])
  await server.database.owner`
    with fresh as (
      insert into app_user (org_id, login, password_hash, name, store_scope, data_scope)
        select org_id, 'label-ward', password_hash, 'label-ward', 'chosen', 'chosen' from app_user
         where login = 'hospital' returning id),
    role as (insert into role (org_id, name, flags) values (${h}, 'label-ward', ${flags as string[]}) returning id),
    scope as (insert into user_scope (org_id, user_id, warehouse_id) select ${h}, id, ${ward} from fresh),
    departments as (insert into user_department (org_id, user_id, department_id)
      select ${h}, id, ${department} from fresh)
    insert into user_role (org_id, user_id, role_id) select ${h}, f.id, r.id from fresh f, role r`
  bound = await server.as('label-ward')
})
afterAll(() => scene?.close())

test('nobody prints, or counts as printed, a label of a row that he does not see', async () => {
  const wrong: string[] = []
  const tried: string[] = []
  const whole = scene.hospital.client
  for (const { kind, key, labelled } of entities()) {
    if (labelled === undefined) continue
    const keysOf = async (who: Client) => {
      const reply = await who.get(`/v1/business/${kind}/list`, { pageSize: '500' })
      return reply.code === 0 ? reply.list.map(row => String(row[key])) : []
    }
    const [all, seen] = [await keysOf(whole), new Set(await keysOf(bound))]
    const own = all.find(one => seen.has(one))
    const foreign = all.find(one => !seen.has(one))
    if (own !== undefined && (await bound.get('/v1/labels', { of: kind, units: own })).code === 2106)
      wrong.push(`${kind} does not print ${own} of his own`)
    if (foreign === undefined) continue
    const missing = foreign.replace(/^\d+/, '900000001')
    for (const ask of [
      (units: string) => bound.get('/v1/labels', { of: kind, units }),
      (units: string) => bound.post('/v1/labels/printed', { of: kind, units, layout: 'a', copies: 1 }),
    ]) {
      const [theirs, none] = [await ask(foreign), await ask(missing)]
      if (theirs.code === 403) continue
      tried.push(kind)
      if (theirs.code !== 2106 || theirs.msg !== none.msg)
        wrong.push(`${kind}: ${theirs.code} ${theirs.msg} / ${none.code} ${none.msg}`)
    }
  }
  expect(wrong).toEqual([])
  for (const kind of ['unitLabel', 'stockBalance']) expect(tried).toContain(kind)
})
