import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type House, openHouse } from '../../tests/support/house.ts'

/** Which doors of which cabinets a user may open. */
let house: House
let hospital: Client
beforeAll(async () => {
  house = await openHouse()
  hospital = await house.as('hospital')
})
afterAll(() => house.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), { pageSize: '200', pageNum: '1', ...query })).list
const one = async (who: Client, kind: string, query: Record<string, string>) => {
  const [row] = await rows(who, kind, query)
  if (!row) throw new Error(`no ${kind} ${JSON.stringify(query)}`)
  return row
}
describe('cabinet doors', () => {
  it('are given to a user and read back in one call each', async () => {
    const made = await hospital.post(path('warehouse', 'add'), {
      code: 'CAB1',
      name: '一号柜',
      model: 'cabinet',
      doors: ['A1', 'A2'],
      department_inner_sn: (await one(hospital, 'department', { name: '导管室' })).department_inner_sn,
    })
    expect(made).toMatchObject({ code: 0 })
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
    expect((await save('*')).code).toBe(0)
    expect((await save('A2')).code).toBe(0)
    expect((await one(hospital, 'user', { login: 'nurse' })).cabinet_count).toBe(1)
    // A door that goes takes its permissions along.
    const cabinet = await hospital.get(path('warehouse', 'info'), { sn: made.info.sn })
    const change = (doors: string[]) =>
      hospital.post(path('warehouse', 'edit'), { sn: made.info.sn, version: cabinet.info.version, doors })
    expect((await change(['A1', 'A1'])).msg).toBe('柜门号已存在')
    expect((await change(['A1'])).code).toBe(0)
    const left = await hospital.get('/v1/business/user/cabinetPermission', { sn: user })
    expect(left.list.find(row => row.warehouse_model_inner_sn === made.info.sn).doors).toEqual([])
    expect(
      (await hospital.post(path('warehouse', 'add'), { code: 'CX', name: '普通库', model: 'central', doors: ['1'] }))
        .msg,
    ).toBe('只有智能柜可以设置柜门')
    expect(
      (
        await hospital.post('/v1/business/user/saveCabinetPermission', {
          sn: user,
          doors: [{ warehouse_model_inner_sn: '1' }],
        })
      ).msg,
    ).toBe('所选耗材柜不存在，请重新选择')
    expect((await (await house.as('dealer')).get('/v1/business/user/cabinetPermission', { sn: user })).code).toBe(2106)
  })
})
