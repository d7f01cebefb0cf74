import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 智能耗材柜: devices and their keys, doors, slots and who may open them. */
let scene: Scene
let store = ''
beforeAll(async () => {
  scene = await openScene()
  store = await scene.warehouse('H01-W31')
})
afterAll(() => scene?.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const post = (kind: string, call: string, body: Record<string, unknown>) =>
  scene.hospital.client.post(path(kind, call), body)
const one = async (kind: string, query: Record<string, string>) => (await scene.hospital.list(kind, query))[0]
const keys: Record<string, string> = {
  cabinet: 'cabinet_sn',
  cupboard: 'cupboard_sn',
  cabinetSlot: 'cabinet_slot_sn',
  doorPermission: 'door_permission_sn',
}
/** An action on the row found by a query, with confirmation questions answered yes. */
async function act(kind: string, query: Record<string, string>, action: string, more: Record<string, unknown> = {}) {
  const row = await one(kind, query)
  const body = { sn: row[keys[kind]!], version: row.version, ...more }
  const reply = await post(kind, action, body)
  return reply.code === 2200 ? post(kind, action, { ...body, confirm: reply.info.token }) : reply
}
const device = () => one('cabinet', { code: 'GZ-31' })
const door = async (no = 'A') => one('cupboard', { cabinet_sn: (await device()).cabinet_sn, door_no: no })

story('cabinet, from one step to the next', step => {
  step('a cabinet belongs to one warehouse of its kind; a second binding of that warehouse is refused', async () => {
    const body = { code: 'GZ-99', name: '第二台', warehouse_model_inner_sn: store }
    expectMessage(await post('cabinet', 'add', body), '该仓库已绑定其他耗材柜')
    expectMessage(
      await post('cabinet', 'add', { ...body, warehouse_model_inner_sn: scene.central }),
      '对应仓库应为智能柜类型，请先在仓库建模中新增',
    )
    expectMessage(await post('cabinet', 'add', { ...body, compare_hours: '25' }), /整点/)
    expect(await device()).toMatchObject({
      department_name: '导管室',
      online: 'none',
      door_count: 2,
      key_state: 'none',
    })
  })

  step('its key is shown once and not stored, and a new key invalidates the old one', async () => {
    const first = await act('cabinet', { code: 'GZ-31' }, 'rotateKey')
    expect(first.info.result).toMatchObject({
      密钥编号: expect.any(String),
      密钥: expect.stringMatching(/^[\w-]{43}$/),
    })
    const secret = first.info.result.密钥
    const stored = await scene.one(
      `select (select string_agg(c::text, '') from cabinet c) || (select string_agg(l::text, '')
      from operation_log l) || coalesce((select string_agg(r::text, '') from request r), '') as all`,
    )
    expect(stored.all).not.toContain(secret)
    const second = await act('cabinet', { code: 'GZ-31' }, 'rotateKey')
    expect(second.info.result.密钥).not.toBe(secret)
    expect((await device()).key_id).toBe(second.info.result.密钥编号)
    expect((await act('cabinet', { code: 'GZ-31' }, 'edit', { place: '一号间' })).info).not.toHaveProperty('result')
    expect((await act('cabinet', { code: 'GZ-31' }, 'disableKey')).code).toBe(0)
    expectMessage(await act('cabinet', { code: 'GZ-31' }, 'disableKey'), '密钥未生成或已停用')
  })

  step('door numbers and slot codes are unique in a cabinet; minimum may not exceed maximum', async () => {
    const { cabinet_sn } = await device()
    expectMessage(await post('cupboard', 'add', { cabinet_sn, door_no: 'A' }), '柜门号已存在')
    const { cupboard_sn } = await door()
    const slot = { door_sn: cupboard_sn, layer: '2', slot_no: '03', specification_sn: scene.balloon, measure: 'rfid' }
    expectMessage(await post('cabinetSlot', 'add', { ...slot, lower_limit: '5', upper_limit: '4' }), '下限不能大于上限')
    expectMessage(await post('cabinetSlot', 'add', { ...slot, layer: '9' }), '柜门【A】只有6层')
    expect((await post('cabinetSlot', 'add', { ...slot, lower_limit: '2', upper_limit: '6' })).code).toBe(0)
    expect(await one('cabinetSlot', { door_sn: cupboard_sn })).toMatchObject({
      location: 'GZ-31-A-2-03',
      quantity: '0.000',
    })
    expectMessage(await post('cabinetSlot', 'add', slot), '货格编号已存在')
    expect(await door()).toMatchObject({ slot_count: 1, bound_count: 1, short_count: 1, door_state: 'closed' })
  })

  step('cold-chain goods need a cold cabinet; low-value slots hold no high-value goods', async () => {
    const cold = (
      await scene.one(
        'select s.id from specification s join product p on p.id = s.product_id where p.is_cold_chain limit 1',
      )
    ).id
    const { cupboard_sn } = await door('B')
    const slot = { door_sn: cupboard_sn, layer: '1', slot_no: '1', measure: 'rfid' }
    expectMessage(
      await post('cabinetSlot', 'add', { ...slot, specification_sn: cold }),
      /^产品【.+】贮存条件与柜体不符$/,
    )
    expectMessage(
      await post('cabinetSlot', 'add', { ...slot, specification_sn: scene.balloon, measure: 'key' }),
      '高值耗材不能放入低值耗材柜',
    )
  })

  step('a slot, door or cabinet that holds goods cannot be removed or given another product', async () => {
    await scene.shelve(scene.hospital, store, [
      lotOf(scene.balloon, 'GUI1', { quantity: '2', unit_codes: ['GUI-1', 'GUI-2'], owner_org_sn: scene.d }),
    ])
    const row = { location: 'GZ-31-A-2-03' }
    expect(await one('cabinetSlot', row)).toMatchObject({ quantity: '2.000' })
    expectMessage(
      await act('cabinetSlot', row, 'edit', { specification_sn: scene.stent }),
      '货格存在库存，不能更换产品',
    )
    expectMessage(await act('cabinetSlot', row, 'del'), '货格【GZ-31-A-2-03】存在库存，不能删除')
    expectMessage(await act('cupboard', { door_no: 'A', cabinet_code: 'GZ-31' }, 'del'), '柜门【A】存在库存，不能删除')
    expectMessage(await act('cabinet', { code: 'GZ-31' }, 'del'), '柜内仍有库存，不能解绑或删除')
    expect(await door()).toMatchObject({ piece_count: '2.000', short_count: 0 })
  })

  step('a door is copied with its slots under a new number', async () => {
    const copied = await act('cupboard', { door_no: 'A', cabinet_code: 'GZ-31' }, 'copy', { door_no: 'C' })
    expect(copied.code).toBe(0)
    const { cupboard_sn, slot_count } = await door('C')
    expect(slot_count).toBe(1)
    expect(await one('cabinetSlot', { door_sn: cupboard_sn })).toMatchObject({ location: 'GZ-31-C-2-03' })
    expectMessage(
      await act('cupboard', { door_no: 'A', cabinet_code: 'GZ-31' }, 'copy', { door_no: 'C' }),
      '柜门号已存在',
    )
  })

  step('permission to open is given per door, with card and validity dates', async () => {
    const { cupboard_sn } = await door('C')
    const user = (await one('user', { login: 'keeper' })).user_inner_sn
    const right = { door_sn: cupboard_sn, user_sn: user, credential: 'card', credential_no: '77' }
    expectMessage(
      await post('doorPermission', 'add', { ...right, valid_from: '2026-05-02', valid_to: '2026-05-01' }),
      '失效日期不能早于生效日期',
    )
    expect((await post('doorPermission', 'add', right)).code).toBe(0)
    expectMessage(await post('doorPermission', 'add', right), '该人员已有此柜门的权限，请直接修改')
    // Two users may open the whole cabinet, plus the storekeeper.
    expect((await door('C')).user_count).toBe(3)
    const { list } = await scene.hospital.client.get('/v1/business/user/cabinetPermission', { sn: user })
    expect(list.filter(row => row.doors.length > 0)).toMatchObject([{ name: '导管室高值柜', doors: ['C'] }])
    // When a permission moves to a door of another cabinet, the previous device is notified.
    const notified = () => scene.one("select permitted_at::text as at from cabinet where code = 'GZ-31'")
    const [before, given] = [await notified(), await one('doorPermission', { user_sn: user, door_sn: cupboard_sn })]
    const other = await one('cupboard', { cabinet_code: 'DZ-33', door_no: '1' })
    const moved = { sn: given.door_permission_sn, version: given.version, door_sn: other.cupboard_sn, may_manage: true }
    expect((await post('doorPermission', 'edit', moved)).msg).toBe('')
    expect((await notified()).at > before.at).toBe(true)
    expect((await door('C')).user_count).toBe(2)
    // Its remote opening ends with its period, too.
    const keeper = await scene.person('keeper')
    const sn = { sn: other.cupboard_sn, version: other.version, reason: '抢救' }
    const afar = async () => {
      const asked = await keeper.client.post(path('cupboard', 'remoteOpen'), sn)
      const confirm = asked.info?.token as string
      return (await keeper.client.post(path('cupboard', 'remoteOpen'), { ...sn, confirm })).msg
    }
    expect(await afar()).toMatch(/不在线/)
    await scene.server.database.owner`update cabinet_permission set valid_to = ${day(-1)} where user_id = ${user}`
    expect(await afar()).toBe('无该柜门开门权限')
  })

  step('a door is not opened remotely without a reason, nor when the device is offline', async () => {
    const query = { door_no: 'A', cabinet_code: 'GZ-31' }
    expectMessage(await act('cupboard', query, 'remoteOpen'), '请填写远程开门原因')
    expectMessage(
      await act('cupboard', query, 'remoteOpen', { reason: '抢救' }),
      '智能柜【导管室高值柜】不在线，请检查设备网络后重试',
    )
  })

  step('the contents page shows each door with its goods, near-expiry ones marked, and no prices', async () => {
    const { cabinet_sn } = await device()
    const { info } = await scene.hospital.client.get(path('cabinet', 'print'), { sn: cabinet_sn })
    expect(info).toMatchObject({
      sn: 'GZ-31',
      cabinet_name: '导管室高值柜',
      kind_count: '1',
      piece_total: '2',
      door_count: '3',
    })
    expect(info.lines[0]).toMatchObject({ group: '柜门 A', slot: 'GZ-31-A-2-03', lot_no: 'GUI1', quantity: '2.000' })
    // As many as the lower limit of its slot.
    expect(info).toMatchObject({ near_total: '0', short_total: '1', sn: 'GZ-31' })
    expect(JSON.stringify(info)).not.toMatch(/price|amount/)
    // ◆ close to expiry, ■ expired; a product at or below its minimum is counted once.
    const lots = { GUI5: day(10), GUI6: day(1) }
    for (const [lot_no, expiry_date] of Object.entries(lots)) {
      const lot = { quantity: '1', expiry_date, unit_codes: [`${lot_no}-1`], owner_org_sn: scene.d }
      await scene.shelve(scene.hospital, store, [lotOf(scene.balloon, lot_no, lot)])
    }
    const { owner } = scene.server.database
    await owner`update stock_lot set expiry_date = ${day(-1)}
      where lot_id in (select id from lot where lot_no = 'GUI6')`
    await owner`update cabinet_slot set lower_limit = 5 where location = 'GZ-31-A-2-03'`
    const later = (await scene.hospital.client.get(path('cabinet', 'print'), { sn: cabinet_sn })).info
    const shown = later.lines.map((line: Record<string, string>) => [line.lot_no, line.expiry_date])
    expect(shown).toEqual(
      expect.arrayContaining([
        ['GUI5', `◆${lots.GUI5}`],
        ['GUI6', `■${day(-1)}`],
      ]),
    )
    expect(later).toMatchObject({ kind_count: '1', piece_total: '4', near_total: '2', short_total: '1' })
    expect(info.printed_moment).toMatch(/\d{2}:\d{2}:\d{2}$/)
    expect(info.doors.map((each: { code: string }) => each.code)).toEqual(['GZ-31-A', 'GZ-31-B', 'GZ-31-C'])
  })

  step('the platform sees the devices of a hospital and can change none', async () => {
    const platform = await scene.person('platform')
    const rows = await platform.list('cabinet', { of_org_sn: scene.h })
    expect(rows).toContainEqual(expect.objectContaining({ code: 'GZ-31' }))
    const { cabinet_sn: sn, version } = rows[0]
    expect((await platform.client.post(path('cabinet', 'rotateKey'), { sn, version })).code).not.toBe(0)
    // The printed sheet at its door as well.
    const sheet = await platform.client.get(path('cabinet', 'print'), { sn, of_org_sn: scene.h })
    expect(sheet.info.title).toMatch(/智能耗材柜清单$/)
    const elsewhere = await scene.hospital.client.get(path('cabinet', 'print'), { sn, of_org_sn: scene.d })
    expect(elsewhere.code).toBe(403)
    expect((await scene.dealer.client.get(path('cabinet', 'list'))).total).toBe(0)
  })
})
