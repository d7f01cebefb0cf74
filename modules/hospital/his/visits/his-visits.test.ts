import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { frameCutter, listenMllp, type Mllp } from '#server/outbound/his/hl7/mllp.ts'
import { parseMessage } from '#server/outbound/his/hl7/message.ts'
import { answeringOf } from '#server/outbound/his/hl7/receive.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'

/** HL7 v2 over MLLP: admissions, operations and charges are received from the HIS, once and in their order. */
let scene: Scene
let mllp: Mllp
let socket: Socket
beforeAll(async () => {
  scene = await openScene()
  const { app } = scene.server.database
  mllp = await listenMllp({ port: 0, host: '127.0.0.1' }, answeringOf(app, scene.h))
  socket = connect(mllp.port, '127.0.0.1')
})
afterAll(async () => {
  socket?.destroy()
  await mllp?.close()
  await scene?.close()
})

/** Sends a message in two pieces, and reads the answer to it. */
function send(text: string): Promise<{ code: string; reason: string; of: string }> {
  return new Promise(resolve => {
    const cut = frameCutter()
    const read = (part: Buffer) => {
      const [answer] = cut.take(part)
      if (!answer) return
      socket.off('data', read)
      const msa = parseMessage(answer.bytes.toString('utf8')).first('MSA')!
      resolve({ code: msa.text(1), of: msa.text(2), reason: msa.text(3) })
    }
    socket.on('data', read)
    const bytes = Buffer.from(`\x0b${text}\x1c\r`)
    socket.write(bytes.subarray(0, 20))
    setTimeout(() => socket.write(bytes.subarray(20)), 5)
  })
}
let control = 0
const message = (type: string, at: string, ...segments: string[]) =>
  [`MSH|^~\\&|HIS|H01|SPD|H01|${at}||${type}|M${++control}|P|2.5`, `EVN|${type.slice(4)}|${at}`, ...segments].join('\r')
const person = 'PID|1||P77^^^H01^MR||步^允执||19610118|M'
const visit = (more = '') => `PV1|1|I|HISH01-K14^3^31||||HSH0117^薛牧野||||||||||||ZY77${more}`
const visitOf = async () => (await scene.hospital.list('hisVisit', { visit_no: 'ZY77' }))[0]
const operationOf = async () => (await scene.hospital.list('hisOperation', { surgery_no: 'OP77' }))[0]

story('a stay as the HIS tells it', step => {
  step('admitted, moved, changed: the later word holds, whatever arrives first', async () => {
    const admitted = message('ADT^A01', '20261120080000', person, visit())
    expect(await send(admitted)).toEqual({ code: 'AA', of: 'M1', reason: '' })
    expect(await visitOf()).toMatchObject({ patient_no: 'P77', patient_name: '步允执', state: 'active', bed_no: '31' })
    const moved = 'PV1|1|I|HISH01-K15^5^12||||||||||||||||ZY77'
    await send(message('ADT^A02', '20261121080000', person, moved))
    expect(await visitOf()).toMatchObject({ his_department_code: 'HISH01-K15', bed_no: '12' })
    await send(message('ADT^A08', '20261120090000', person, visit()))
    expect(await visitOf()).toMatchObject({ his_department_code: 'HISH01-K15', bed_no: '12' })
    // The same message again is accepted, and does nothing.
    expect((await send(admitted)).code).toBe('AA')
    expect(await visitOf()).toMatchObject({ his_department_code: 'HISH01-K15' })
  })

  step('what a message does not say stays: the class, the sex', async () => {
    await send(message('ADT^A08', '20261121083000', 'PID|1||P77||步^允执', 'PV1|1||||||||||||||||||ZY77'))
    expect(await visitOf()).toMatchObject({ visit_class: 'inpatient', sex: 'male', state: 'active', bed_no: '12' })
    await send(message('ADT^A08', '20261121083500', 'PID|1||P77||步^允执|||""', 'PV1|1||||||||||||||||||ZY77'))
    expect(await visitOf()).toMatchObject({ sex: 'unknown', birth_date: '1961-01-18' })
  })

  step('an operation is booked, moved and called off', async () => {
    const booking = (type: string, at: string, start: string) =>
      message(
        type,
        at,
        `SCH|1|OP77|||||全膝关节置换术||||^^120^${start}`,
        person,
        visit(),
        'AIL|1|A|OR2^2号手术间',
        'AIP|1|A|HSH0117^薛^牧野',
      )
    expect((await send(booking('SIU^S12', '20261121100000', '20261122083000'))).code).toBe('AA')
    expect(await operationOf()).toMatchObject({
      surgery_name: '全膝关节置换术',
      state: 'planned',
      theatre: '2号手术间',
      surgeon_name: '薛牧野',
    })
    await send(booking('SIU^S13', '20261121110000', '20261123083000'))
    expect(String((await operationOf()).planned_at)).toContain('2026-11-23')
    await send(booking('SIU^S15', '20261121120000', '20261123083000'))
    expect((await operationOf()).state).toBe('cancelled')
  })

  step('charges stand beside those that are fetched, each once', async () => {
    const charge = message(
      'DFT^P03',
      '20261121130000',
      person,
      visit(),
      'FT1|1|FX1||20261121125500||CG|F310101^支架|||2|159.00|79.5|HISH01-K14',
    )
    expect((await send(charge)).code).toBe('AA')
    expect((await send(charge.replace('|M', '|N'))).code).toBe('AA')
    const { owner } = scene.server.database
    const rows = await owner`select charge_no, quantity, price, visit_no from his_charge where charge_no = 'FX1'`
    expect(rows).toMatchObject([{ charge_no: 'FX1', quantity: '2.0000', price: '79.5000', visit_no: 'ZY77' }])
  })

  step('gone home; what cannot be used is answered with its reason and may be sent again', async () => {
    const bad = message('ADT^A03', '20261125080000', person)
    expect(await send(bad)).toMatchObject({ code: 'AE', reason: '缺少PV1段' })
    expect((await visitOf()).state).toBe('active')
    expect((await send(`${bad}\r${visit()}`)).code).toBe('AA')
    expect(await visitOf()).toMatchObject({ state: 'finished', is_account_open: false })
    expect(await send(message('ORU^R01', '20261125090000', person))).toMatchObject({
      code: 'AR',
      reason: '不接收ORU^R01',
    })
    expect((await send('PID|1||P77')).code).toBe('AR')
    const { owner } = scene.server.database
    const kept = await owner`select message_type, state, error from his_message where org_id = ${scene.h}`
    expect(JSON.stringify(kept)).not.toMatch(/步允执|P77|ZY77/)
    expect(kept.filter(row => row.state === 'rejected')).toMatchObject([{ message_type: 'ORU^R01' }])
  })

  step('whoever may not see patients sees a stay without its patient, and another organisation sees none', async () => {
    const { one, h, dealer } = scene
    await one(
      `insert into role (org_id, name, flags) values ($1, 'HIS就诊查看', array['page:/hospital/hisVisits']) returning 1`,
      h,
    )
    await one(
      `insert into app_user (org_id, login, password_hash, name, is_administrator)
         select org_id, 'his.blind', password_hash, '读者', false from app_user where login = 'hospital' returning 1`,
    )
    await one(
      `insert into user_role (org_id, user_id, role_id) select $1, u.id, r.id from app_user u, role r
         where u.login = 'his.blind' and r.org_id = $1 and r.name = 'HIS就诊查看' returning 1`,
      h,
    )
    const blind = await scene.person('his.blind')
    const answers = await Promise.all([
      blind.client.get('/v1/business/hisVisit/list'),
      blind.client.get('/v1/business/hisOperation/list'),
      blind.client.get('/v1/business/hisVisit/list', { patient_name: '步允执' }),
    ])
    expect(answers[0]!.list).toHaveLength(1)
    expect(JSON.stringify(answers)).not.toMatch(/步允执|P77|ZY77|OP77|置换|薛/)
    expect(await dealer.list('hisVisit')).toEqual([])
    expect(await dealer.list('hisOperation')).toEqual([])
  })
})

test('what arrives without a frame is refused at once, and stands among the incidents without its patient', async () => {
  const bare = connect(mllp.port, '127.0.0.1')
  let said = ''
  bare.on('data', part => (said += String(part)))
  bare.write(['MSH|^~\\&|HIS|H01|SPD|H01|20261120080000||ADT^A01|BARE1|P|2.5', person].join('\r'))
  await once(bare, 'close')
  expect(said).toMatch(/MSA\|AR\|BARE1\|报文没有MLLP帧/)
  const [row] = await scene.hospital.list('errorRecord', { source: 'HL7' })
  expect(row).toMatchObject({ error_kind: 'interface', object: 'HIS|H01 BARE1', times: 1 })
  expect(row.description).toContain('没有MLLP帧')
  expect(JSON.stringify(row)).not.toContain('步允执')
})
