import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { watchCabinets } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { shareCabinets } from '#modules/hospital/cabinet/transactions/owner-sync.server.ts'
import { workLeftBehind } from '#modules/hospital/cabinet/device/device-events.server.ts'
import { type Played, playDay, setStage } from '../../../scripts/ward-day/play.ts'
import { signIn, type Web } from '../../../scripts/ward-day/web.ts'
import { lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'

/**
 * A ward's day at its cabinets, over the devices' real HTTP API: in the end postings and openings agree, and only
 * the planted differences remain.
 */
let scene: Scene
let web: Web
let played: Played
const said: string[] = []
/** Low-value goods without codes. */
let gauze = ''
const store = { main: '', second: '', low: '' }

beforeAll(async () => {
  scene = await openScene()
  const { hospital, server } = scene
  Object.assign(store, {
    main: await scene.warehouse('H01-W31'),
    second: await scene.warehouse('H01-W32'),
    low: await scene.warehouse('H01-W33'),
  })
  gauze = (
    await scene.one(
      `select s.id from specification s join product p on p.id = s.product_id
        join hospital_product h on h.specification_id = s.id where h.org_id = $1 and not p.is_high_value
        and not p.is_cold_chain and not coalesce(h.is_unit_coded, p.is_unit_coded) order by s.id limit 1`,
      scene.h,
    )
  ).id
  const codes = Array.from({ length: 8 }, (_, at) => `WD-${at + 1}`)
  await scene.shelve(hospital, store.main, [
    lotOf(scene.balloon, 'WD1', { quantity: '8', unit_codes: codes, owner_org_sn: scene.d }),
  ])
  await scene.shelve(hospital, store.low, [lotOf(gauze, 'WD2', { quantity: '40', price: '5' })])
  await createLow()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  web = await signIn(url, 'hospital', 'Spd@2026')
  const stage = await setStage(url, web, line => void said.push(line))
  played = await playDay(stage, () => watchCabinets(server.database.app, server.database.owner))
})
afterAll(() => scene?.close())

/** A slot that counts by keys and a plate that weighs, both with the same goods. */
async function createLow(): Promise<void> {
  const { hospital } = scene
  const post = async (call: string, body: Record<string, unknown>) => {
    const reply = await hospital.client.post(`/v1/business/${call}`, body)
    expect(reply.code, `${call} ${reply.msg}`).toBe(0)
    return reply.info
  }
  const doors = await hospital.list('cupboard', { cabinet_code: 'DZ-33' })
  const [one, two] = ['1', '2'].map(no => doors.find(door => door.door_no === no).cupboard_sn)
  await post('cabinetSlot/add', {
    door_sn: one,
    layer: '1',
    slot_no: '1',
    specification_sn: gauze,
    measure: 'key',
    lower_limit: '10',
    upper_limit: '60',
  })
  const [plate] = await hospital.list('weighingPlate', { code: 'TP-0101' })
  await post('weighingPlate/bind', {
    sn: plate.weighing_plate_sn,
    version: plate.version,
    specification_sn: gauze,
    lot_no: 'WD2',
    known_pieces: '12',
    weight_g: '841',
  })
  await post('cabinetSlot/add', {
    door_sn: two,
    layer: '1',
    slot_no: '2',
    specification_sn: gauze,
    measure: 'weight',
    plate_sn: plate.weighing_plate_sn,
  })
}

const rows = (query: Record<string, string>) =>
  scene.hospital.list('cabinetTransaction', { pageNum: '1', pageSize: '200', ...query })
const incidents = async () =>
  (await scene.hospital.list('errorRecord', { pageNum: '1', pageSize: '200' })).filter(row => row.source === '智能柜')

story('ward day, from one step to the next', step => {
  step('a take for a patient is posted at once, as the same document a user would create', async () => {
    const [row] = await rows({ unit_code: 'WD-1' })
    expect(row).toMatchObject({
      operation: 'take',
      state: 'linked',
      patient_name: '演示患者甲',
      document_kind: 'departmentUse',
      cabinet_name: '导管室高值柜',
    })
    const use = await scene.hospital.info('departmentUse', row.document_sn)
    expect(use).toMatchObject({
      state: 'reviewed',
      use_type: 'patient',
      patient_name: '演示患者甲',
      lines: [{ unit_codes: ['WD-1'], owner_org_sn: scene.d }],
    })
    // Consigned: it became due for settlement.
    expect(
      await scene.one(
        `select count(*)::int as n from settlement_line where unit_code = $1 or use_document_id = (select id
        from document where sn = $2 and org_id = $3)`,
        'WD-1',
        row.document_sn,
        scene.h,
      ),
    ).toMatchObject({ n: 1 })
  })

  step('a take without a patient waits, and is posted when the head nurse names the patient', async () => {
    expect(await rows({ unit_code: 'WD-2' })).toMatchObject([
      { state: 'linked', patient_name: '演示患者丙', document_kind: 'departmentUse' },
    ])
  })

  step('what came back is returned and never posted; in the wrong cabinet a transfer is posted', async () => {
    expect((await rows({ unit_code: 'WD-3' })).map(row => [row.operation, row.state, row.document_sn])).toEqual([
      ['return', 'returned', null],
      ['take', 'returned', null],
    ])
    const [back, took] = await rows({ unit_code: played.wrongCabinet })
    expect(back.note).toBe('错柜归还')
    expect(back).toMatchObject({
      operation: 'return',
      state: 'returned',
      is_wrong_cabinet: true,
      document_kind: 'transfer',
      cabinet_name: '手术室高值柜',
    })
    expect(took).toMatchObject({ operation: 'take', state: 'returned', is_wrong_cabinet: true })
    expect(await scene.hospital.info('transfer', back.document_sn)).toMatchObject({ state: 'reviewed' })
    expect(await shelf(scene.hospital, store.second, scene.balloon)).toEqual({ WD1: '1.000' })
  })

  step('low-value goods opened by key or weighed are posted as department use at once', async () => {
    const low = (await rows({ operation: 'take' })).filter(row => row.cabinet_name === 'ICU低值称重柜')
    expect(low.map(row => [row.quantity, row.state]).sort()).toEqual([
      ['2.000', 'linked'],
      ['5.000', 'linked'],
    ])
    expect(await shelf(scene.hospital, store.low, gauze)).toEqual({ WD2: '33.000' })
    expect((await scene.hospital.list('weighingPlate', { code: 'TP-0101' }))[0]).toMatchObject({
      pieces: '10.000',
      is_door_open: false,
    })
  })

  step('unknown, replayed, forged, stale and foreign requests are refused and logged', async () => {
    expect(played.refusals).toEqual({
      outsider: '无该柜门开门权限',
      replayed: '401 请求已处理过，不能重放',
      forged: '401 签名不正确',
      stale: '401 请求时间与服务器相差超过5分钟，请校准设备时钟',
      wrongKey: '401 设备密钥不存在或已更换',
    })
    expect(await rows({ operation: 'abnormal_open' })).toMatchObject([
      { state: 'abnormal', note: '无该柜门开门权限', operator_name: '未知人员0000' },
    ])
    expect((await incidents()).filter(row => row.error_kind === 'forged').map(row => row.object)).toEqual(
      expect.arrayContaining(['导管室高值柜 签名不正确', '导管室高值柜 请求已处理过，不能重放']),
    )
  })

  step('offline events are processed in their order, with the device times', async () => {
    const [used] = await rows({ unit_code: 'WD-5' })
    expect(used).toMatchObject({ state: 'linked', patient_name: '演示患者乙' })
    expect(Date.now() - Date.parse(used.opened_at)).toBeGreaterThan(50 * 60_000)
    expect((await rows({ unit_code: 'WD-6' })).map(row => row.state)).toEqual(['returned', 'returned'])
  })

  step('an open door is reported to its people, and the report ends when it is closed', async () => {
    const [late] = (await incidents()).filter(row => row.error_kind === 'door')
    expect(late).toMatchObject({ object: '导管室高值柜 柜门B', state: 'done', note: '柜门已关闭' })
    const notified = await scene.one(
      "select count(*)::int as n from message where org_id = $1 and title = '柜门未关'",
      scene.h,
    )
    expect(notified.n).toBeGreaterThan(0)
  })

  step('in the end postings and openings agree: the comparison shows exactly the planted differences', async () => {
    const differences = await scene.hospital.list('cabinetComparison', { state: 'waiting' })
    expect(differences.map(row => [row.difference_kind, row.unit_code]).sort()).toEqual([
      ['missing', played.vanished],
      ['unknown', played.unknown],
    ])
    expect(await rows({ state: 'pending' })).toEqual([])
    // Eight pieces: three used, one moved; four in the ledger, of which one is missing.
    expect(await shelf(scene.hospital, store.main, scene.balloon)).toEqual({ WD1: '4.000' })
  })

  step('nothing is left pending, and patient data is visible only to those permitted', async () => {
    const { app, owner } = scene.server.database
    await workLeftBehind(app, owner)
    expect(
      await scene.one("select count(*)::int as n from cabinet_event where state in ('waiting', 'failed')"),
    ).toEqual({
      n: 0,
    })
    await owner`update role set flags = array_remove(flags, 'patient') where name = '科室护士' and org_id = ${scene.h}`
    const nurse = await scene.person('nurse')
    const seen = await nurse.list('cabinetTransaction', { unit_code: 'WD-1' })
    expect(seen).toMatchObject([{ unit_code: 'WD-1', patient_name: null }])
    expect((await nurse.client.get('/v1/business/cabinetTransaction/list', { patient_name: '演示患者甲' })).total).toBe(
      0,
    )
  })

  step(
    'the consignment owner sees use and location, not by whom or for which patient; others see nothing',
    async () => {
      const { app, owner } = scene.server.database
      const { dealer, vendor } = scene
      await shareCabinets(app, owner)
      const [used] = await dealer.list('cabinetTransaction', { unit_code: 'WD-1' })
      expect(used).toMatchObject({
        operation: 'take',
        state: 'linked',
        cabinet_name: '导管室高值柜',
        door_name: 'A',
        hospital_name: expect.any(String),
        operator_name: null,
        patient_name: null,
        auth: null,
      })
      expect(
        (await dealer.list('cabinetStock', { lot_no: 'WD1' }))
          .map(row => [row.cabinet_name, row.quantity, row.unit_count])
          .sort(),
      ).toEqual([
        ['导管室高值柜', '4.000', 4],
        ['手术室高值柜', '1.000', 1],
      ])
      const all = await dealer.list('cabinetTransaction', { pageNum: '1', pageSize: '100' })
      expect(JSON.stringify(all)).not.toContain('演示患者')
      expect(all.filter(row => row.cabinet_name === 'ICU低值称重柜')).toEqual([])
      expect(await vendor.list('cabinetTransaction')).toEqual([])
      expect((await dealer.client.post('/v1/business/cabinetStock/replenish', { sns: ['1'] })).code).not.toBe(0)
      expect(
        (await dealer.client.post('/v1/business/cabinetTransaction/link', { sns: ['1'], use: 'department' })).code,
      ).not.toBe(0)
      // Changes are sent again and update the same row.
      await owner`update cabinet_transaction set state = 'abnormal', version = version + 1
    where unit_code = 'WD-6' and operation = 'take'`
      await shareCabinets(app, owner)
      expect(
        (await dealer.list('cabinetTransaction', { unit_code: 'WD-6', operation: 'take' })).map(row => row.state),
      ).toEqual(['abnormal'])
    },
  )
})
