import { parseInteger } from '#kernel/values/integer.ts'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { createTimed } from '#modules/hospital/cabinet/device/reading-requests.server.ts'
import { watchCabinets } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { cabinetDevice, type CabinetDevice } from '../../../../scripts/ward-day/device.ts'
import { newKey, signIn } from '../../../../scripts/ward-day/web.ts'
import { lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** 柜体库存比对: what is inside against the ledger, difference by difference, and what each way of settling does. */
let scene: Scene
let device: CabinetDevice
let cabinet = ''
const store = { a: '', b: '' }
const codes = Array.from({ length: 12 }, (_, at) => `BD-${at + 1}`)
beforeAll(async () => {
  scene = await openScene()
  store.a = await scene.warehouse('H01-W31')
  store.b = await scene.warehouse('H01-W32')
  await scene.shelve(scene.hospital, store.a, [
    lotOf(scene.balloon, 'BD1', { quantity: '12', unit_codes: codes, owner_org_sn: scene.d }),
  ])
  await scene.shelve(scene.hospital, store.b, [
    lotOf(scene.balloon, 'BD2', { quantity: '1', unit_codes: ['BD-B1'], owner_org_sn: scene.d }),
  ])
  await scene.server.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(scene.server.app.server.address() as AddressInfo).port}`
  const key = await newKey(await signIn(url, 'hospital', 'Spd@2026'), 'GZ-31')
  cabinet = key.cabinet
  device = cabinetDevice(url, key)
  await device.beat()
  // No automatic comparison while the test runs.
  await post('auto', { cabinet_sn: cabinet })
})
afterAll(() => scene?.close())

const post = (call: string, body: Record<string, unknown>) =>
  scene.hospital.client.post(`/v1/business/cabinetComparison/${call}`, body)
const rows = (query: Record<string, string> = {}) =>
  scene.hospital.list('cabinetComparison', { pageNum: '1', pageSize: '100', ...query })
const waiting = async () =>
  (await rows({ state: 'waiting' })).map(row => `${row.difference_kind} ${row.unit_code}`).sort()
async function handle(unit_code: string, way: string, more: Record<string, unknown> = {}) {
  const [row] = await rows({ unit_code })
  return post('handle', { sn: row.cabinet_comparison_sn, version: row.version, way, ...more })
}
/** A user requests a reading, and the device reports it. */
async function read(inside: readonly string[]): Promise<string> {
  const asked = await post('compare', { cabinet_sn: cabinet })
  expect(asked.code, asked.msg).toBe(0)
  const { info } = await device.beat()
  const command = info.commands.find((each: { kind: string }) => each.kind === 'read').command
  return String((await device.report('inventory', { command, codes: inside }))?.msg)
}

story('柜体库存比对 from the first difference to the last', step => {
  step('book 12, read 11 of which one is another cabinet’s: two missing, one misplaced, one unknown tag', async () => {
    expect(await read([...codes.slice(0, 10), 'BD-B1', 'EPC-9'])).toMatch(/：4项差异$/)
    expect(await waiting()).toEqual(['misplaced BD-B1', 'missing BD-11', 'missing BD-12', 'unknown EPC-9'])
    expect((await rows({ unit_code: 'BD-B1' }))[0]).toMatchObject({
      other_warehouse_name: '手术室高值智能柜',
      book_quantity: '0.000',
      read_quantity: '1.000',
      difference: '1.000',
      trigger: 'hand',
    })
    // Nothing was booked.
    expect(await shelf(scene.hospital, store.a, scene.balloon)).toEqual({ BD1: '12.000' })
  })

  step('a difference stays one row over repeated readings, and ends when a reading shows it resolved', async () => {
    await read([...codes.slice(0, 11), 'BD-B1', 'EPC-9'])
    expect(await waiting()).toEqual(['misplaced BD-B1', 'missing BD-12', 'unknown EPC-9'])
    expect((await rows({ unit_code: 'BD-12' }))[0]).toMatchObject({ reads: 2 })
    expect((await rows({ unit_code: 'BD-11' }))[0]).toMatchObject({ state: 'gone', note: '再次读取已无差异' })
  })

  step('a missing piece counts as lost only after two readings five minutes apart', async () => {
    const [row] = await rows({ unit_code: 'BD-12' })
    const toTake = () => post('toTake', { sns: [row.cabinet_comparison_sn] })
    expectMessage(await toTake(), '请再次读取确认：缺失须在间隔5分钟以上的两次读取中都未读到')
    await scene.server.database
      .owner`update cabinet_comparison set first_seen_at = now() - interval '6 minutes' where unit_code = 'BD-12'`
    const made = await toTake()
    expect(made.code, made.msg).toBe(0)
    const [done] = await rows({ unit_code: 'BD-12' })
    expect(done).toMatchObject({ state: 'handled', handling: 'stockTake', document_kind: 'stockTake' })
    expect(await scene.hospital.info('stockTake', done.document_sn)).toMatchObject({
      state: 'draft',
      warehouse_model_inner_sn: store.a,
    })
    expectMessage(await toTake(), /不是待处理/)
  })

  step(
    '补登取用 posts the use, 移库 moves the book stock, 绑定标签 binds the tag; each for its own difference',
    async () => {
      await read([...codes.slice(0, 10), 'BD-B1', 'EPC-9'])
      expectMessage(await handle('BD-B1', 'use'), '只有缺失可以补登取用')
      expectMessage(await handle('BD-11', 'move'), '只有错柜和多出可以移库')
      expectMessage(await handle('BD-11', 'bindTag'), '只有未知标签可以绑定')
      expect((await handle('BD-11', 'use', { patient_name: '演示患者', patient_no: 'P1' })).code).toBe(0)
      const [used] = await rows({ unit_code: 'BD-11', handling: 'use' })
      expect(await scene.hospital.info('departmentUse', used.document_sn)).toMatchObject({
        state: 'reviewed',
        use_type: 'patient',
        patient_name: '演示患者',
      })
      expect((await handle('BD-B1', 'move')).code).toBe(0)
      expect((await shelf(scene.hospital, store.a, scene.balloon)).BD2).toBe('1.000')
      expectMessage(await handle('EPC-9', 'bindTag'), '请填写所属院内码')
      expectMessage(await handle('EPC-9', 'bindTag', { piece_code: '没有' }), '院内码没有不存在或不在本院')
      expect((await handle('EPC-9', 'bindTag', { piece_code: 'BD-10' })).code).toBe(0)
      expectMessage(await handle('EPC-9', 'bindTag', { piece_code: 'BD-10' }), '该差异已处理')
      // From now on the tag alone identifies the piece; 12 has not been found by its count yet.
      await read([...codes.slice(0, 9), 'EPC-9', 'BD-B1'])
      expect(await waiting()).toEqual(['missing BD-12'])
    },
  )

  step('归还 is provisional: the next reading that finds the piece closes it', async () => {
    expect((await handle('BD-12', 'return')).code).toBe(0)
    expect((await rows({ unit_code: 'BD-12', state: 'waiting' }))[0]).toMatchObject({
      handling: 'return',
      note: '待放回柜内，下次读到后自动消除',
    })
    expect(await read([...codes.slice(0, 10), 'BD-12', 'BD-B1'])).toMatch(/账实一致$/)
    expect(await waiting()).toEqual([])
    expect((await rows({ difference_kind: 'none', state: 'none' }))[0]).toMatchObject({ difference: '0.000' })
  })

  step('an open door, or a device that is silent or unreachable: 未完成, never zero stock', async () => {
    const nurse = (await scene.hospital.list('user', { login: 'nurse' }))[0].user_inner_sn
    await device.report('open', { session: 'bd', door: 'A', person: nurse })
    await post('compare', { cabinet_sn: cabinet })
    expectMessage(await post('compare', { cabinet_sn: cabinet }), '智能柜【导管室高值柜】正在读取，请稍候')
    // All at once: cabinets being read and cabinets offline are listed, each with its own comparison.
    const { said } = (await post('compare', {})).info
    expect(said).toMatch(
      /^比对\S+、\S+未完成：智能柜【\S+】【\S+】未生成密钥，请先生成密钥并写入设备；智能柜【导管室高值柜】正在读取，请稍候$/,
    )
    const department = await scene.one('select department_id as id from warehouse where id = $1', store.a)
    const ofOne = (await post('compare', { department_inner_sn: department.id })).info.said
    expect(ofOne).toMatch(/智能柜【导管室高值柜】正在读取，请稍候$/)
    expect(ofOne.length).toBeLessThan(said.length)
    expectMessage(await post('compare', { department_inner_sn: '1' }), /./)
    const { info } = await device.beat()
    await expect(device.report('inventory', { command: info.commands[0].command, codes: [] })).rejects.toThrow(
      '柜门【A】未关，不能清点',
    )
    const { app, owner } = scene.server.database
    await owner`update cabinet_comparison set compared_at = now() - interval '2 minutes' where state = 'reading'`
    await watchCabinets(app, owner)
    const late = (await rows({ state: 'unfinished' })).filter(row => !String(row.note).endsWith('，未完成比对'))
    expect(late).toMatchObject([{ note: '设备读取超时，请重试' }])
    await device.report('close', { session: 'bd' })
    await owner`update cabinet set last_beat_at = now() - interval '1 hour' where id = ${cabinet}`
    expect((await post('compare', { cabinet_sn: cabinet })).info.said).toMatch(
      /未完成：智能柜【导管室高值柜】设备离线$/,
    )
    expect((await rows({ state: 'unfinished' }))[0]).toMatchObject({ note: '设备离线，未完成比对' })
    expect((await scene.hospital.list('errorRecord', { error_kind: 'offline' })).length).toBeGreaterThan(0)
    expect(await waiting()).toEqual([])
  })

  step('a cabinet is read automatically at its set hours, once an hour', async () => {
    const hour = parseInteger(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit' }).format(new Date()),
    )
    expectMessage(
      await post('auto', { cabinet_sn: cabinet, compare_hours: '24' }),
      '请填写0至23的整点，用逗号隔开，例如7,19',
    )
    expect((await post('auto', { cabinet_sn: cabinet, compare_hours: `${hour},${(hour + 1) % 24}` })).code).toBe(0)
    await device.beat()
    await createTimed(scene.server.database.owner)
    await createTimed(scene.server.database.owner)
    expect(await rows({ trigger: 'timer' })).toMatchObject([{ state: 'reading' }])
  })

  step('at its hour a cabinet without a valid key is named, with what to do, like one that is offline', async () => {
    const { owner } = scene.server.database
    const hour = parseInteger(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit' }).format(new Date()),
    )
    const hours = `${hour},${(hour + 1) % 24}`
    const [other] = await scene.hospital.list('cabinet', { key_state: 'none', status: 'enabled' })
    const at = { cabinet_sn: other.cabinet_sn }
    const why = '未生成密钥，请先生成密钥并写入设备'
    expect((await post('auto', { ...at, compare_hours: hours })).info.said).toBe(
      `每天${hours}点比对；智能柜【${other.name}】${why}`,
    )
    const named = async (said: string) => {
      await owner`update cabinet set compared_hour = null where id = ${other.cabinet_sn}`
      await createTimed(owner)
      const [row] = await rows({ trigger: 'timer', cabinet_sn: other.cabinet_sn })
      expect(row).toMatchObject({ state: 'unfinished', cabinet_name: other.name, note: `${said}，未完成比对` })
    }
    const incident = async () =>
      (await scene.hospital.list('errorRecord', { error_kind: 'offline', object: other.name }))[0]
    const { times } = await incident()
    await named(why)
    await owner`update cabinet set key_state = 'disabled' where id = ${other.cabinet_sn}`
    expect(await incident()).toMatchObject({
      times: times + 1,
      description: expect.stringMatching(`^【${other.name}】${why}，比对\\S+未完成$`),
    })
    await named('密钥已停用，请重新生成密钥并写入设备')
    await post('auto', at)
  })

  step('an expired piece is blocked on the device, and if taken anyway its use is not posted', async () => {
    const { balloon, d, hospital } = scene
    const { owner } = scene.server.database
    await scene.shelve(hospital, store.a, [lotOf(balloon, 'BDX', { unit_codes: ['BDX-1'], owner_org_sn: d })])
    const locked = async () => (await device.plan()).info.locked_codes
    expect(await locked()).not.toContain('BDX-1')
    await owner`update stock_lot set expiry_date = ${day(-1)} where lot_id = (select id from lot where lot_no = 'BDX')`
    expect(await locked()).toContain('BDX-1')
    const nurse = (await hospital.list('user', { login: 'nurse' }))[0].user_inner_sn
    await device.report('open', { session: 'past', door: 'A', person: nurse })
    const patient = { patient_name: '演示患者', admission_no: 'ZY9' }
    await device.report('close', { session: 'past', taken_codes: ['BDX-1'], patient })
    const [row] = await hospital.list('cabinetTransaction', { unit_code: 'BDX-1' })
    expect([row.state, row.document_sn, row.note]).toEqual(['pending', null, expect.stringMatching(/过期/)])
    expect(await shelf(hospital, store.a, balloon)).toMatchObject({ BDX: '1.000' })
    // It is out of the cabinet even if it should not be: that raises an alarm.
    const alarm = async (object: string) =>
      (await hospital.list('errorRecord', { error_kind: 'unfit' })).find(each => String(each.object).includes(object))
    expect(await alarm('BDX-1')).toMatchObject({
      level: 'serious',
      description: expect.stringMatching(/院内码BDX-1批号BDX已过期.*禁止使用，请立即追回$/),
    })
    await scene.shelve(hospital, store.a, [lotOf(balloon, 'BDZ', { unit_codes: ['BDZ-1'], owner_org_sn: d })])
    await owner`insert into lot_recall (lot_id, org_id, document_id, recall_sn)
      select id, ${d}, 1, 'ZH-BDZ' from lot where lot_no = 'BDZ'`
    expect(await locked()).toContain('BDZ-1')
    await device.report('open', { session: 'recalled', door: 'A', person: nurse })
    await device.report('close', { session: 'recalled', taken_codes: ['BDZ-1'], patient })
    expect(await alarm('BDZ-1')).toMatchObject({ description: expect.stringMatching(/批号BDZ已召回/) })
    expect(await shelf(hospital, store.a, balloon)).toMatchObject({ BDZ: '1.000' })
    // A piece that the ledger has in another place is checked as well.
    await scene.shelve(hospital, scene.central, [lotOf(balloon, 'BDZ', { unit_codes: ['BDZ-2'], owner_org_sn: d })])
    await device.report('open', { session: 'elsewhere', door: 'A', person: nurse })
    await device.report('close', { session: 'elsewhere', taken_codes: ['BDZ-2'] })
    expect(await alarm('BDZ-2')).toMatchObject({ description: expect.stringMatching(/批号BDZ已召回/) })
  })
})
