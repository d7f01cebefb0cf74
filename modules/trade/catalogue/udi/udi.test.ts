import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { diskStore } from '#server/files/store.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { deviceXml, udiPackage } from '#tests/support/udi-file.ts'
import type { Person } from '#tests/support/story.ts'
import { connectWith } from '#server/registry/connections.ts'
import { performDue } from '#server/outbound/calls.ts'
import { askForPackages, udiCarrier } from './udi-feed.server.ts'
import { devicesOf, importWaiting } from './udi-import.server.ts'

/** The regulator's data file: streamed, in any order, every version kept, zip bombs refused. */
let scene: Scene
let platform: Person
let di = ''
beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
  di = (await scene.one('select udi_di from specification where id = $1', scene.inflator)).udi_di
})
afterAll(() => scene?.close())

async function upload(bytes: Buffer, name = 'UDID_DAY_UPDATE_20261101.zip'): Promise<string> {
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const reply = await platform.client.raw({
    method: 'POST',
    url: '/v1/file/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
  return reply.json().info?.name ?? reply.json().msg
}
const store = () => diskStore(`${scene.server.dataDir}/files`)
async function bring(...devices: string[]) {
  const sn = await platform.add('udiFile', { files: [await upload(udiPackage(...devices))] })
  await importWaiting(scene.server.database.owner, store())
  return platform.info('udiFile', sn)
}

story('udi, from one step to the next', step => {
  step('a file is imported in the background; changes to goods in stock are shown and notified', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'UD1', { quantity: '5' })])
    const pack =
      '<packing><bzcpbs>16999900100013</bzcpbs><cpbzjb>箱</cpbzjb><bznhxyjcpbssl>10</bznhxyjcpbssl>' +
      '<bznhxyjbzcpbs>x</bznhxyjbzcpbs></packing>'
    const mine = deviceXml(
      { deviceRecordKey: 'K1', zxxsdycpbs: di, cpmctymc: '充压 & 装置', ggxh: '另一规格', versionTime: '2026-01-01' },
      pack,
    )
    const done = await bring(
      mine,
      deviceXml({ deviceRecordKey: 'K2', zxxsdycpbs: '06999900100017' }),
      deviceXml({ deviceRecordKey: 'K3' }),
    )
    expect(done).toMatchObject({ state: 'done', rows_done: 3, added: 1, rejected: 2, concerned: 1, progress: '1.00' })
    const [kept] = await platform.list('udiDevice', { primary_di: di })
    expect(kept).toMatchObject({ product_name: '充压 & 装置', is_current: true, our_product: expect.any(String) })
    const [seen] = await hospital.list('udiDifference', { specification_sn: inflator })
    expect(seen).toMatchObject({ stock: '5.000', said: expect.stringContaining('→ 另一规格') })
    const notified = await scene.one(
      "select body from message where org_id = $1 and title = 'UDI数据有变化' order by id desc limit 1",
      scene.h,
    )
    expect(notified.body).toBe('在库的1个规格与最新UDI数据不一致，请核对')
  })

  step('regulator packs become a separate tree: contradictions are reported, the rest is adopted', async () => {
    const { inflator } = scene
    const { owner } = scene.server.database
    const [box, carton, odd] = ['16999977000018', '26999977000015', '36999977000012']
    const pack = (own: string, level: string, count: number, holds: string) =>
      `<packing><bzcpbs>${own}</bzcpbs><cpbzjb>${level}</cpbzjb><bznhxyjcpbssl>${count}</bznhxyjcpbssl>` +
      `<bznhxyjbzcpbs>${holds}</bznhxyjbzcpbs></packing>`
    const { certificate } = await scene.one(
      `select c.certificate_no as certificate from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.id = $1`,
      inflator,
    )
    const { name, unit_name } = await scene.one('select name, unit_name from specification where id = $1', inflator)
    const [old] = await owner<{ id: string; base: number }[]>`
    select id, base_measure as base from pack_unit where specification_id = ${inflator} order by base_measure limit 1`
    if (old) await owner`update pack_unit set udi_di = ${box!} where id = ${old.id}`
    const done = await bring(
      deviceXml(
        {
          deviceRecordKey: 'K1',
          zxxsdycpbs: di,
          ggxh: name,
          versionNumber: 2,
          versionTime: '2026-02-01',
          zczbhhzbapzbh: certificate,
          ylqxzcrbarmc: '另一个注册人',
        },
        pack(carton!, '箱', 7, box!) + pack(box!, '盒', 77, di) + pack(odd!, '托', 0, carton!),
      ),
    )
    expect(done).toMatchObject({ state: 'done', packs_wrong: 1 })
    const levels = await platform.list('udiLevel', { primary_di: di, is_current: 'true', sort: 'di' })
    expect(levels.map(row => [row.level_name, row.base_count, row.problem])).toEqual([
      ['盒', 77, null],
      ['箱', 539, null],
      ['托', null, '内装数量应为大于0的整数'],
    ])
    const [seen] = await platform.list('udiDifference', { specification_sn: inflator })
    expect(seen!.said).toContain(`包装箱${carton}：目录没有 → 每箱539${unit_name}`)
    // The auditor of the product sees the same: its identifiers and certificate according to the regulator's data.
    const { id: product } = await scene.one('select product_id as id from specification where id = $1', inflator)
    await owner`update product set status = 'pending' where id = ${product}`
    const [audited] = await platform.list('product', { status: 'pending' })
    expect(audited!.udi_check).toContain(`包装箱${carton}：目录没有`)
    expect(audited!.certificate_check).toContain(`${certificate}的注册人为另一个注册人`)
    await owner`update product set status = 'released' where id = ${product}`
    expect((await platform.client.post('/v1/business/udiDifference/takeOver', { sns: [inflator] })).code).toBe(0)
    const [asked] = await platform.list('udiAdoption', { state: 'pending', specification_sn: inflator })
    await owner`update udi_adoption set applied_by_id = 0 where id = ${asked!.udi_adoption_sn}`
    await platform.done('udiAdoption', 'review', asked!.udi_adoption_sn)
    const units = await owner`select udi_di, base_measure from pack_unit where specification_id = ${inflator}
      and udi_di = any(${[box!, carton!]}) order by base_measure`
    expect(units.map(unit => [unit.udi_di, unit.base_measure])).toEqual([
      [box, 77],
      [carton, 539],
    ])
    // The unit used in documents keeps its ratio; it only gave up its code.
    if (old)
      expect(await scene.one('select udi_di, base_measure from pack_unit where id = $1', old.id)).toEqual({
        udi_di: null,
        base_measure: old.base,
      })
    const after = await platform.list('udiDifference', { specification_sn: inflator })
    expect(after.every(row => !row.said.includes('包装'))).toBe(true)
  })

  step('a configured source is polled once a day; new data is stored and read, failures are retried', async () => {
    const { owner, app } = scene.server.database
    const bytes = udiPackage(deviceXml({ deviceRecordKey: 'KF', zxxsdycpbs: '06999900555557', ggxh: '自动' }))
    let fails = true
    let opened = 0
    const feed = async () => {
      if (fails) throw new Error('数据源返回502')
      const open = async () => {
        opened++
        return (async function* () {
          yield bytes
        })()
      }
      return ['UDID_DAY_UPDATE_20261103', 'UDID_DAY_UPDATE_20261102'].map(title => ({ title, open }))
    }
    await askForPackages(owner)
    expect(await platform.list('interfaceError', { name: 'FetchPackages' })).toEqual([])
    connectWith({ carriers: { udi: udiCarrier(owner, store(), feed) } })
    for (let twice = 0; twice < 2; twice++) await askForPackages(owner)
    await performDue(app, owner)
    const calls = await platform.list('interfaceError', { name: 'FetchPackages' })
    expect(calls.map(call => [call.state, call.error])).toEqual([['retrying', '数据源返回502']])
    fails = false
    for (let twice = 0; twice < 2; twice++) {
      await owner`update outbound_call set state = 'retrying', next_at = now(), payload = '{}'
      where name = 'FetchPackages'`
      await performDue(app, owner)
    }
    expect(opened).toBe(2)
    for (let each = 0; each < 2; each++) await importWaiting(owner, store())
    const created = await platform.list('udiFile', {
      title: 'UDID_DAY_UPDATE_202611',
      sort: 'udi_file_sn',
      state: 'done',
    })
    const own = created.filter(row => row.created_by === '系统自动')
    expect(own.map(row => [row.title, row.added])).toEqual([
      ['UDID_DAY_UPDATE_20261102.zip', 1],
      ['UDID_DAY_UPDATE_20261103.zip', 0],
    ])
  })

  step('versions come in any order: the highest is current, each is valid until the next', async () => {
    const version = (versionNumber: number, versionTime: string) =>
      deviceXml({
        deviceRecordKey: 'K9',
        zxxsdycpbs: '06999900188892',
        ggxh: `V${versionNumber}`,
        versionNumber,
        versionTime,
      })
    expect(await bring(version(3, '2026-03-01'))).toMatchObject({ added: 1 })
    expect(await bring(version(1, '2026-01-01'), version(3, '2026-03-01'))).toMatchObject({ renewed: 1, unchanged: 1 })
    expect(await bring(version(2, '2026-02-01'))).toMatchObject({ renewed: 1 })
    const rows = await platform.list('udiDevice', { record_key: 'K9', sort: 'version_number' })
    expect(rows.map(row => [row.specification, row.begins_on, row.ends_on, row.is_current])).toEqual([
      ['V1', '2026-01-01', '2026-02-01', false],
      ['V2', '2026-02-01', '2026-03-01', false],
      ['V3', '2026-03-01', null, true],
    ])
  })

  step('an identifier is current in one record, the last published one, in whatever order the days come', async () => {
    const record = (deviceRecordKey: string, versionNumber: number, zxxsdycpbs: string, cpbsfbrq: string) =>
      deviceXml({ deviceRecordKey, versionNumber, zxxsdycpbs, cpbsfbrq, versionTime: cpbsfbrq })
    const [shared, other, third] = ['06999900166661', '06999900166678', '06999900166685']
    const current = async () =>
      (await platform.list('udiDevice', { primary_di: shared, pageSize: '50' }))
        .filter(row => row.is_current)
        .map(row => row.record_key)
    await bring(record('KA', 2, shared, '2026-01-05'))
    await bring(record('KB', 1, shared, '2026-02-01'))
    expect(await current()).toEqual(['KB'])
    // A missed day of the first record, under another identifier, does not bring its later version back.
    await bring(record('KA', 1, other, '2026-01-01'))
    expect(await current()).toEqual(['KB'])
    // The second record gives up the identifier: it belongs to the first one again.
    await bring(record('KB', 2, third, '2026-03-01'))
    expect(await current()).toEqual(['KA'])
  })

  step('zip bombs, broken files and other file types are refused with a message', async () => {
    expect(await upload(udiPackage(''), 'other.zip')).toContain('不支持这种文件')
    const bomb = Buffer.from(zipSync({ 'UDID.xml': new Uint8Array(60 * 1024 * 1024) }))
    const sn = await platform.add('udiFile', { files: [await upload(bomb)] })
    await importWaiting(scene.server.database.owner, store())
    expect(await platform.info('udiFile', sn)).toMatchObject({ state: 'failed', error: '压缩包解压后过大，已拒绝导入' })
    const { version } = await platform.info('udiFile', sn)
    expectMessage(
      await platform.client.post('/v1/business/udiFile/edit', { sn, version, files: [] }),
      '数据文件不能修改，请重新上传',
    )
    expect((await bring('')).error).toBe('压缩包里没有UDI数据文件')
    const declaring = Buffer.from(zipSync({ 'a.xml': Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><devices/>') }))
    const declared = await platform.add('udiFile', { files: [await upload(declaring)] })
    await importWaiting(scene.server.database.owner, store())
    expect((await platform.info('udiFile', declared)).error).toBe('数据文件不能包含DTD声明')
    expect((await scene.dealer.client.get('/v1/business/udiFile/list')).total).toBe(0)
  })

  step('a file of any size needs the same memory', async () => {
    const many = udiPackage(
      ...Array.from({ length: 30_000 }, (_, n) =>
        deviceXml({ deviceRecordKey: `M${n}`, zxxsdycpbs: '06999900188892', ggxh: `规格${n}` }),
      ),
    )
    async function* pieces() {
      for (let at = 0; at < many.length; at += 65_536) yield many.subarray(at, at + 65_536)
    }
    let [count, largest] = [0, 0]
    for await (const devices of devicesOf(pieces(), () => undefined)) {
      count += devices.length
      largest = Math.max(largest, devices.length)
    }
    expect(count).toBe(30_000)
    expect(largest).toBeLessThan(8000)
  })
})
