import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** Which doors of which cabinets a user may open. */
let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), { pageSize: '200', pageNum: '1', ...query })).list
const one = async (who: Client, kind: string, query: Record<string, string>) => {
  const [row] = await rows(who, kind, query)
  if (!row) throw new Error(`no ${kind} ${JSON.stringify(query)}`)
  return row
}
describe('cabinet doors', () => {
  it('are granted to a user and read back in one call each', async () => {
    const store = await hospital.post(path('warehouse', 'add'), {
      code: 'CAB1',
      name: '一号柜库',
      model: 'cabinet',
      department_inner_sn: (await one(hospital, 'department', { name: '导管室' })).department_inner_sn,
    })
    expect(store).toMatchObject({ code: 0 })
    const device = await hospital.post(path('cabinet', 'add'), {
      code: 'DEV1',
      name: '一号柜',
      warehouse_model_inner_sn: store.info.sn,
    })
    expect(device).toMatchObject({ code: 0 })
    const addDoor = (door_no: string) =>
      hospital.post(path('cupboard', 'add'), { cabinet_sn: device.info.sn, door_no, layers: '3' })
    const doorsMade = [await addDoor('A1'), await addDoor('A2')]
    expect(doorsMade.map(reply => reply.code)).toEqual([0, 0])
    expect((await addDoor('A1')).msg).toBe('柜门号已存在')
    const made = store
    const user = (await one(hospital, 'user', { login: 'nurse' })).user_inner_sn
    const doors = [{ warehouse_model_inner_sn: made.info.sn, door: 'A1' }]
    expect(
      await hospital.post('/v1/business/user/saveCabinetPermission', { sn: user, doors: JSON.stringify(doors) }),
    ).toMatchObject({ code: 0, info: { count: 1 } })
    const { list } = await hospital.get('/v1/business/user/cabinetPermission', { sn: user })
    expect(list.find(row => row.warehouse_model_inner_sn === made.info.sn)).toMatchObject({
      name: '一号柜',
      all_doors: ['A1', 'A2'],
      doors: ['A1'],
    })
    const save = (door: string) =>
      hospital.post('/v1/business/user/saveCabinetPermission', {
        sn: user,
        doors: [{ warehouse_model_inner_sn: made.info.sn, door }],
      })
    expect((await save('A9')).msg).toBe('柜门【A9】不存在，请重新选择')
    const named = async () => (await rows(hospital, 'doorPermission', { user_sn: user })).map(row => row.door_name)
    expect((await save('*')).code).toBe(0)
    // A right to the whole cabinet is listed at each of its doors, and is changed where it was given.
    expect((await named()).sort()).toEqual(['一号柜库 A1', '一号柜库 A2'])
    const [whole] = await rows(hospital, 'doorPermission', { user_sn: user, door_sn: doorsMade[0]!.info.sn })
    expect(whole).toMatchObject({ reach: 'cabinet', may_take: true })
    const change = { sn: whole!.door_permission_sn, version: whole!.version, may_count: true }
    expect((await hospital.post(path('doorPermission', 'edit'), change)).msg).toMatch(/^这是整柜权限/)
    expect((await save('A2')).code).toBe(0)
    expect(await named()).toEqual(['一号柜库 A2'])
    expect((await one(hospital, 'user', { login: 'nurse' })).cabinet_count).toBe(1)
    // A removed door takes its permissions with it.
    const gone = await hospital.get(path('cupboard', 'info'), { sn: doorsMade[1]!.info.sn })
    expect(
      (await hospital.post(path('cupboard', 'del'), { sn: gone.info.cupboard_sn, version: gone.info.version })).code,
    ).toBe(0)
    const left = await hospital.get('/v1/business/user/cabinetPermission', { sn: user })
    expect(left.list.find(row => row.warehouse_model_inner_sn === made.info.sn).doors).toEqual([])
    expect(
      (
        await hospital.post('/v1/business/user/saveCabinetPermission', {
          sn: user,
          doors: [{ warehouse_model_inner_sn: '1' }],
        })
      ).msg,
    ).toBe('所选耗材柜不存在，请重新选择')
    expect((await (await server.as('dealer')).get('/v1/business/user/cabinetPermission', { sn: user })).code).toBe(2106)
  })

  it('of other stores are neither shown, given nor taken by whoever is bound to his own', async () => {
    const store = await hospital.post(path('warehouse', 'add'), {
      code: 'CAB2',
      name: '二号柜库',
      model: 'cabinet',
      department_inner_sn: (await one(hospital, 'department', { name: '导管室' })).department_inner_sn,
    })
    const cabinet = { code: 'DEV2', name: '二号柜', warehouse_model_inner_sn: store.info.sn }
    expect((await hospital.post(path('cabinet', 'add'), cabinet)).code).toBe(0)
    const user = (await one(hospital, 'user', { login: 'nurse' })).user_inner_sn
    const doors = [{ warehouse_model_inner_sn: store.info.sn }]
    const save = (who: Client, given: object[]) =>
      who.post('/v1/business/user/saveCabinetPermission', { sn: user, doors: given })
    const shown = async (who: Client) =>
      (await who.get('/v1/business/user/cabinetPermission', { sn: user })).list.find(row => row.name === '二号柜')
    expect((await save(hospital, doors)).code).toBe(0)
    await server.database.owner`
      with fresh as (
        insert into app_user (org_id, login, password_hash, name, store_scope)
          select org_id, 'by-ward', password_hash, 'by-ward', 'chosen' from app_user where login = 'hospital'
          returning org_id, id),
      role as (insert into role (org_id, name, flags) select org_id, 'by-ward', array['user.edit'] from fresh
        returning id),
      scope as (insert into user_scope (org_id, user_id, warehouse_id)
        select f.org_id, f.id, w.id from fresh f join lateral (
          select id from warehouse where org_id = f.org_id and model = 'ward' order by id limit 1) w on true)
      insert into user_role (org_id, user_id, role_id) select f.org_id, f.id, r.id from fresh f, role r`
    const bound = await server.as('by-ward')
    expect(await shown(bound)).toBeUndefined()
    expect((await save(bound, doors)).msg).toBe('所选耗材柜不存在，请重新选择')
    expect((await save(bound, [])).code).toBe(0)
    expect((await shown(hospital)).doors).toEqual(['*'])
  })
})
