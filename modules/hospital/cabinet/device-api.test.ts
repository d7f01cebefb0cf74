import { parseInteger } from '#kernel/values/integer.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { unlinkedTakes, watchCabinets } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { workLeftBehind } from '#modules/hospital/cabinet/device/device-events.server.ts'
import { hashOf } from '#server/identity/sessions.ts'
import { signatureOf, textToSign } from '#server/devices/signature.ts'
import { cabinetDevice, type CabinetDevice, type Key, send, signed } from '../../../scripts/ward-day/device.ts'
import type { Person } from '#tests/support/story.ts'
import { lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'

/** The device API: who may call it, what is stored, and what follows from it. */
let scene: Scene
let url = ''
let key: Key
let device: CabinetDevice
let cold: CabinetDevice
let store = ''
let nurse = ''
beforeAll(async () => {
  scene = await openScene()
  store = await scene.warehouse('H01-W31')
  await scene.shelve(scene.hospital, store, [
    lotOf(scene.balloon, 'DA1', {
      quantity: '6',
      unit_codes: [1, 2, 3, 4, 5, 6].map(n => `DA-${n}`),
      owner_org_sn: scene.d,
    }),
    lotOf(scene.stent, 'DA2', { quantity: '1', unit_codes: ['DA-STENT'], owner_org_sn: scene.d }),
  ])
  await scene.server.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(scene.server.app.server.address() as AddressInfo).port}`
  key = await newKey('GZ-31')
  device = cabinetDevice(url, key)
  cold = cabinetDevice(url, await newKey('LC-34'))
  nurse = (await scene.hospital.list('user', { login: 'nurse' }))[0].user_inner_sn
  await device.beat()
})
afterAll(() => scene?.close())

async function newKey(code: string): Promise<Key> {
  const notified = (await act(scene.hospital, 'cabinet', { code }, 'rotateKey')).info.result
  return { id: notified.密钥编号, secret: notified.密钥 }
}
const keys: Record<string, string> = {
  cabinet: 'cabinet_sn',
  cupboard: 'cupboard_sn',
  errorRecord: 'error_record_sn',
  cabinetTransaction: 'cabinet_transaction_sn',
  cabinetComparison: 'cabinet_comparison_sn',
}
async function act(
  who: Person,
  kind: string,
  query: Record<string, string>,
  action: string,
  more: Record<string, unknown> = {},
) {
  const [row] = await who.list(kind, query)
  const body = { sn: row[keys[kind]!], version: row.version, ...more }
  const reply = await who.client.post(`/v1/business/${kind}/${action}`, body)
  return reply.code === 2200
    ? who.client.post(`/v1/business/${kind}/${action}`, { ...body, confirm: reply.info.token })
    : reply
}
const open = async (more: Record<string, unknown> = {}, on = device) => {
  const session = on.nextSession()
  const answer = await on.report('open', { session, door: 'A', person: nurse, purpose: 'take', ...more })
  return { session, answer }
}
const visit = async (moved: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const { session } = await open(more)
  return device.report('close', { session, ...moved })
}
const rows = (query: Record<string, string>) => scene.hospital.list('cabinetTransaction', query)
const link = (sns: string[], more: Record<string, unknown>) =>
  scene.hospital.client.post('/v1/business/cabinetTransaction/link', { sns, ...more })
const watch = () => watchCabinets(scene.server.database.app, scene.server.database.owner)
const incidents = (error_kind: string) => scene.hospital.list('errorRecord', { error_kind })

story('the device API, from its signature to what events become', step => {
  // access
  step('the example in the manual has the signature the server computes', () => {
    const manual = readFileSync(path.join(import.meta.dirname, '../../../docs/device-api.md'), 'utf8')
    const [body, text, signature] = [...manual.matchAll(/```(?:json|text)\n([^`]+)\n```/g)].map(match => match[1]!)
    const secret = /密钥 `([^`]+)`/.exec(manual)![1]!
    const [method, target, time, nonce] = text!.split('\n') as [string, string, string, string]
    expect(textToSign({ method, target, time, nonce, body: body! })).toBe(text)
    expect(signatureOf(secret, { method, target, time, nonce, body: body! })).toBe(signature)
  })

  step('a changed body, path, time or nonce breaks the signature; requests without headers are refused', async () => {
    const request = device.request('done', { command: '0' })
    for (const wrong of [
      { ...request, body: request.body.replace('done', 'open') },
      { ...request, path: '/v1/device/events?x=1' },
      {
        ...request,
        headers: { ...request.headers, 'x-device-time': String(parseInteger(request.headers['x-device-time']) + 1) },
      },
      { ...request, headers: { ...request.headers, 'x-device-nonce': '0123456789abcdef' } },
    ])
      expect(await send(url, wrong)).toMatchObject({
        status: 401,
        code: 401,
        msg: '签名不正确',
        info: { reason: 'signature' },
      })
    const bare = await fetch(`${url}/v1/device/events`, { method: 'POST', body: '{}' })
    expect([bare.status, (await bare.json()).info]).toEqual([401, { reason: 'headers' }])
    // The intended request still goes through, once.
    expect((await send(url, request)).code).toBe(0)
    expect(await send(url, request)).toMatchObject({ status: 401, info: { reason: 'replayed' } })
  })

  step('a flooding device and a guessing address are throttled for a minute; others still get through', async () => {
    const used = (name: string, times: number) =>
      scene.one(
        `insert into allowance (token_hash, used, ends_at) values ($1, $2, now() + interval '60 seconds')
          on conflict (token_hash) do update set used = $2, ends_at = excluded.ends_at returning used`,
        hashOf(name),
        times,
      )
    const forget = (name: string) => scene.one('delete from allowance where token_hash = $1 returning 1', hashOf(name))
    const [own] = await scene.hospital.list('cabinet', { code: 'GZ-31' })
    const name = `device/${scene.h}.${own.cabinet_sn}`
    await used(name, 599)
    const last = device.request('done', { command: '0' })
    expect((await send(url, last)).status).toBe(200)
    const refused = await send(url, device.request('done', { command: '0' }))
    expect(refused).toMatchObject({ status: 429, msg: expect.stringMatching(/频繁|稍后/) })
    await cold.beat()
    await forget(name)
    await device.beat()
    // Sixty wrong signatures from one address in a minute, then every answer is to wait.
    const place = 'device-refused/127.0.0.1'
    await used(place, 60)
    const bare = await fetch(`${url}/v1/device/events`, { method: 'POST', body: '{}' })
    expect([bare.status, parseInteger(bare.headers.get('retry-after')) > 0]).toEqual([429, true])
    // A correctly signed request from the same address is still accepted.
    await device.beat()
    await forget(place)
  })

  step('a user’s session does not open the device API, and a device key does not open the user API', async () => {
    expect((await scene.hospital.client.post('/v1/device/heartbeat', {})).status).toBe(401)
    const request = signed(key, 'GET', '/v1/business/stockBalance/list', undefined)
    expect((await send(url, request)).status).toBe(401)
  })

  step('any invalid input is answered with a readable message', async () => {
    const post = (body: unknown) => send(url, signed(key, 'POST', '/v1/device/events', body))
    for (const body of [
      {},
      { events: [] },
      { events: 'x' },
      { events: [null] },
      { events: [[]] },
      { events: [{ event_id: 'a b' }] },
      { events: [{ event_id: 'a', kind: 5 }] },
      { events: [{ event_id: 'a', kind: 'open', at: '昨天' }] },
      { events: [{ event_id: 'a', kind: 'open', at: '2026-02-30T08:00:00Z' }] },
      { events: [{ event_id: 'a', kind: 'open', at: '2026-02-20T24:00:00Z' }] },
      { events: [{ event_id: 'a', kind: 'open', at: '2999-01-01T00:00:00Z' }] },
      { events: [{ event_id: 'a', kind: 'open', at: new Date().toISOString(), is_late: 'x' }] },
    ]) {
      const reply = await post(body)
      expect([reply.status, reply.code, reply.msg.length > 4], JSON.stringify(body)).toEqual([200, 2000, true])
    }
    expect(await send(url, signed(key, 'POST', '/v1/device/heartbeat', { doors: 'x' }))).toMatchObject({
      status: 200,
      code: 2000,
    })
  })

  step('a disabled key is refused, and a new key invalidates the old one', async () => {
    const other = await newKey('GZ-32')
    expect((await act(scene.hospital, 'cabinet', { code: 'GZ-32' }, 'disableKey')).code).toBe(0)
    expect(await cabinetDevice(url, other).beat()).toMatchObject({ status: 401, info: { reason: 'disabled' } })
    const next = await newKey('GZ-32')
    expect((await cabinetDevice(url, next).beat()).code).toBe(0)
    expect(await cabinetDevice(url, other).beat()).toMatchObject({ status: 401, info: { reason: 'key' } })
  })

  // the rows that are stored
  step('an event sent twice is one event; the same number with different content is refused', async () => {
    const at = new Date().toISOString()
    const event = { event_id: 'twice-1', kind: 'open', at, session: 'twice', door: 'A', person: nurse }
    const notify = (given: object) => send(url, signed(key, 'POST', '/v1/device/events', { events: [given] }))
    expect((await notify(event)).list).toMatchObject([{ state: 'done', repeated: false }])
    expect((await notify(event)).list).toMatchObject([{ state: 'done', repeated: true }])
    expect((await notify({ ...event, door: 'B' })).list).toMatchObject([
      { state: 'refused', msg: '事件编号重复且内容不同，请换新的编号' },
    ])
    await device.report('close', { session: 'twice' })
    expect(await scene.one("select count(*)::int as n from cabinet_session where session_no = 'twice'")).toEqual({
      n: 1,
    })
  })

  step('a cabinet closes no session of another, whatever number it names, and moves nothing there', async () => {
    const { session } = await open()
    await expect(cold.report('close', { session, taken_codes: ['DA-1'] })).rejects.toThrow(
      `没有会话${session}的开门记录，请先上传开门事件`,
    )
    const { closed_at } = await scene.one('select closed_at from cabinet_session where session_no = $1', session)
    expect(closed_at).toBe(null)
    expect(await rows({ unit_code: 'DA-1' })).toEqual([])
    expect(await device.report('close', { session })).toMatchObject({ state: 'done' })
  })

  step('an event that cannot be processed is stored, reported, and processed again by 重试', async () => {
    const notify = (kind: string, said: object) =>
      send(
        url,
        signed(key, 'POST', '/v1/device/events', {
          events: [{ event_id: `${kind}-lost`, kind, at: new Date().toISOString(), is_late: true, ...said }],
        }),
      )
    expect((await notify('close', { session: 'lost', taken_codes: ['DA-6'] })).list).toMatchObject([
      { state: 'failed', msg: '没有会话lost的开门记录，请先上传开门事件' },
    ])
    const [incident] = await incidents('device')
    expect(incident).toMatchObject({
      source: '智能柜',
      description: '没有会话lost的开门记录，请先上传开门事件',
      warehouse_name: expect.any(String),
      state: 'waiting',
    })
    expect((await notify('open', { session: 'lost', door: 'A', person: nurse })).list).toMatchObject([
      { state: 'done' },
    ])
    expect((await act(scene.hospital, 'errorRecord', { error_kind: 'device' }, 'retry')).code).toBe(0)
    await scene.server.database
      .owner`update cabinet_event set received_at = now() - interval '1 minute' where state = 'waiting'`
    await workLeftBehind(scene.server.database.app, scene.server.database.owner)
    expect(await rows({ unit_code: 'DA-6' })).toMatchObject([{ operation: 'take', state: 'pending' }])
    expect((await incidents('device'))[0]).toMatchObject({ state: 'done', note: '重试成功' })
  })

  // the rows that the events become
  step('remote opening: reason, second confirmation, by whom; what is taken then must be explained', async () => {
    expect(
      (await act(scene.hospital, 'cupboard', { cabinet_code: 'GZ-31', door_no: 'A' }, 'remoteOpen', { reason: '抢救' }))
        .code,
    ).toBe(0)
    const { info } = await device.beat()
    const command = info.commands.find((each: { kind: string }) => each.kind === 'remote_open').command
    const session = device.nextSession()
    expect(await device.report('open', { session, door: 'A', command })).toMatchObject({
      state: 'done',
      msg: '已远程开门',
    })
    await device.report('close', { session, taken_codes: ['DA-1'] })
    expect(await rows({ operation: 'remote_open' })).toMatchObject([
      { operator_name: (await scene.hospital.list('user', { login: 'hospital' }))[0].name, note: '抢救' },
    ])
    expect(await rows({ unit_code: 'DA-1' })).toMatchObject([{ state: 'abnormal', note: '远程开门后取出，请说明' }])
    expect(
      (await act(scene.hospital, 'cabinetTransaction', { unit_code: 'DA-1' }, 'explain', { explanation: '抢救3床' }))
        .code,
    ).toBe(0)
    expect(await rows({ unit_code: 'DA-1' })).toMatchObject([{ explanation: '抢救3床' }])
    expect((await device.beat()).info.commands).toEqual([])
    await visit({ put_codes: ['DA-1'] })
    expect((await rows({ unit_code: 'DA-1' }))[1]).toMatchObject({ state: 'returned' })
  })

  step('an implant without surgeon and site is not posted: it waits with the reason until both are given', async () => {
    await visit({ taken_codes: ['DA-STENT'], patient: { patient_name: '演示患者', admission_no: 'ZY9' } })
    const [row] = await rows({ unit_code: 'DA-STENT' })
    expect(row).toMatchObject({
      state: 'pending',
      document_sn: null,
      note: expect.stringMatching(/植入物，请填写手术医生/),
    })
    const sns = [row.cabinet_transaction_sn]
    expectMessage(await link(sns, { use: 'patient' }), '请填写患者编号、姓名或住院号/门诊号')
    expectMessage(await link(sns, { use: 'department' }), /植入物/)
    const named = {
      patient_name: '演示患者',
      admission_no: 'ZY9',
      implant_site: '右冠',
      doctor_inner_sn: scene.surgeon,
    }
    expect((await link(sns, { use: 'patient', ...named })).code).toBe(0)
    expectMessage(await link(sns, { use: 'department' }), /不是待关联的取用/)
    expectMessage(await link([], { use: 'department' }), '请先勾选表格中的复选框，再进行该操作。')
    // Putting back a used piece is not a return: the use has to be reversed first.
    await visit({ put_codes: ['DA-STENT'] })
    expect((await rows({ unit_code: 'DA-STENT', operation: 'return' }))[0]).toMatchObject({
      state: 'abnormal',
      note: '该件已登记使用或已出库，请红冲原单据后再归还',
    })
  })

  step('a take not linked within the limit becomes 异常 and is reported', async () => {
    await visit({ taken_codes: ['DA-2'] })
    await scene.server.database
      .owner`update cabinet_transaction set opened_at = now() - interval '25 hours' where unit_code = 'DA-2'`
    await unlinkedTakes(scene.server.database.owner)
    expect((await rows({ unit_code: 'DA-2' }))[0]).toMatchObject({
      state: 'abnormal',
      note: '超过时限未关联患者或科室',
    })
    expect((await scene.one("select count(*)::int as n from message where title = '取用未关联'")).n).toBeGreaterThan(0)
    // Balloons are high-value: where the organisation requires a patient, 科室消耗 is refused as on every page.
    const [row] = await rows({ unit_code: 'DA-2' })
    expect((await link([row.cabinet_transaction_sn], { use: 'patient', patient_no: 'P1' })).code).toBe(0)
    expect(await shelf(scene.hospital, store, scene.balloon)).toEqual({ DA1: '5.000' })
  })

  step(
    'stock issued to the cabinet is received in parts as put in; returns to the warehouse start a return',
    async () => {
      const { hospital, central, balloon, d, department } = scene
      const unit_codes = ['DA-91', 'DA-92']
      await scene.shelve(hospital, central, [lotOf(balloon, 'DA9', { quantity: '2', unit_codes, owner_org_sn: d })])
      const stores = { warehouse_model_inner_sn: central, to_warehouse_model_inner_sn: store }
      const lines = [{ specification_sn: balloon, lot_no: 'DA9', quantity: '2', unit_codes }]
      const grant = await hospital.add('grantOdo', { ...stores, department_inner_sn: department, lines })
      await hospital.pass('grantOdo', grant)
      const moved = async (unit_code: string, done: Record<string, unknown>, purpose: string) => {
        await visit(done, { purpose })
        return (await rows({ unit_code }))[0]
      }
      const inPart = await moved('DA-91', { put_codes: ['DA-91'] }, 'refill')
      expect(inPart).toMatchObject({ operation: 'refill', state: 'settled', document_kind: 'wardReceipt' })
      expect(await shelf(hospital, store, balloon)).toEqual({ DA1: '5.000', DA9: '1.000' })
      const receipts = await hospital.list('wardReceipt', { source_sn: grant })
      expect(receipts.map(each => each.state)).toEqual(['submitted', 'reviewed', 'cancelled'])
      expect((await moved('DA-92', { put_codes: ['DA-92'] }, 'refill')).document_sn).toBe(receipts[0]!.sn)
      const back = await moved('DA-91', { taken_codes: ['DA-91', 'DA-1'] }, 'withdraw')
      expect(back).toMatchObject({ operation: 'withdraw', state: 'linked', document_kind: 'grantReturn' })
      expect(await hospital.info('grantReturn', back.document_sn)).toMatchObject({ state: 'draft', source_sn: grant })
      // Goods that were not issued are returned by a transfer; for a piece already put back, the message says where it
      // is.
      const [other] = await rows({ unit_code: 'DA-1' })
      expect(await hospital.info(other.document_kind, other.document_sn)).toMatchObject({
        kind: 'transfer',
        state: 'draft',
      })
      const again = await moved('DA-91', { put_codes: ['DA-1', 'DA-91'] }, 'refill')
      expect(again.note).toBe(`已放回柜内，请在退库单${back.document_sn}中删除该件`)
      expect((await rows({ unit_code: 'DA-1' }))[0].note).toContain(`请在调拨单${other.document_sn}中删除`)
      for (const action of ['submit', 'inspect', 'review']) await hospital.done('grantReturn', action, back.document_sn)
      expect(await shelf(hospital, store, balloon)).toEqual({ DA1: '5.000', DA9: '1.000' })
    },
  )

  step('users without the right, expired permissions and disabled doors stay locked out', async () => {
    const { owner } = scene.server.database
    await owner`update cabinet_permission set valid_to = current_date - 1 where user_id = ${nurse}`
    expect((await open()).answer).toMatchObject({ state: 'refused', msg: '无该柜门开门权限' })
    await owner`update cabinet_permission set valid_to = null where user_id = ${nurse}`
    expect((await open({ purpose: 'count' })).answer).toMatchObject({ state: 'refused' })
    expect((await device.plan()).info.people).toContainEqual(
      expect.objectContaining({ person: nurse, door: null, may_take: true, may_count: false, credential_no: '9028' }),
    )
  })

  step('a temperature breach is reported once until it ends; so is a silent device', async () => {
    const warm = (temperature: string) => cold.beat({ doors: [{ door: 'A', temperature, humidity: '60' }] })
    for (const degrees of ['5', '12', '13']) await warm(degrees)
    expect(await incidents('climate')).toMatchObject([
      { state: 'waiting', times: 1, description: '【检验科冷藏柜】柜门A温度12℃，超出2至8℃' },
    ])
    expect((await scene.hospital.list('cupboard', { cabinet_code: 'LC-34' }))[0]).toMatchObject({
      temperature: '13.000',
      humidity: '60.000',
      online: 'online',
    })
    await warm('6')
    expect(await incidents('climate')).toMatchObject([{ state: 'done', note: '温度已恢复' }])
    await scene.server.database
      .owner`update cabinet set last_beat_at = now() - interval '4 minutes', compared_hour = date_trunc('hour', now())
        where code = 'LC-34'`
    await watch()
    await watch()
    expect((await scene.hospital.list('cabinet', { code: 'LC-34' }))[0]).toMatchObject({ online: 'offline' })
    expect((await incidents('offline')).filter(row => row.object === '检验科冷藏柜')).toMatchObject([
      { state: 'waiting', times: 1 },
    ])
    expect(
      (await scene.one("select count(*)::int as n from message where title = '智能柜离线' and user_id is null")).n,
    ).toBe(1)
    await cold.beat()
    expect((await incidents('offline')).filter(row => row.object === '检验科冷藏柜')).toMatchObject([
      { state: 'done', note: '设备已恢复' },
    ])
  })

  step('an unstable or fractional weight reading is ignored, and an unknown slot loses no data', async () => {
    const { hospital, inflator } = scene
    await scene.shelve(hospital, await scene.warehouse('H01-W33'), [
      lotOf(inflator, 'DA7', { quantity: '10', price: '5' }),
    ])
    const bind = { specification_sn: inflator, lot_no: 'DA7', known_pieces: '10', weight_g: '735' }
    const [plate] = await hospital.list('weighingPlate', { code: 'TP-0103' })
    const { weighing_plate_sn: sn, version } = plate
    expect((await hospital.client.post('/v1/business/weighingPlate/bind', { sn, version, ...bind })).code).toBe(0)
    const low = cabinetDevice(url, await newKey('DZ-33'))
    const weigh = async (grams: string, steady_seconds: number) => {
      const { session } = await open({ door: '1' }, low)
      await low.report('close', { session, weights: [{ plate: 'TP-0103', grams, steady_seconds }] })
      return (await hospital.list('weighingPlate', { code: 'TP-0103' }))[0].pieces
    }
    expect(await weigh('682', 2)).toBe('10.000')
    expect(await weigh('700', 9)).toBe('10.000')
    expect((await incidents('device')).map(row => row.description)).toEqual(
      expect.arrayContaining(['托盘【TP-0103】读数未稳定5秒，未采用', '托盘【TP-0103】重量异常，请人工核对']),
    )
    expect(await weigh('682', 9)).toBe('9.000')
    const { session } = await open({ door: '1' }, low)
    await expect(low.report('close', { session, counts: [{ slot: 'DZ-33-9-9-9', taken: '1' }] })).rejects.toThrow(
      '货格【DZ-33-9-9-9】不存在或未绑定产品',
    )
    // The whole closing event waits: the door stays open until it is processed.
    expect((await hospital.list('cupboard', { cabinet_code: 'DZ-33', door_no: '1' }))[0].door_state).toBe('open')
  })
})
