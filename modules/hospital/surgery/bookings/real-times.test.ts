import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepLateLoans } from '#modules/hospital/surgery/bookings/real-times.server.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { openTechnician } from '#tests/support/technician.ts'
import { day } from '#tests/support/story.ts'

/** Bookings say where something is planned to be; where it is, is a fact. */
let scene: Scene
let serial = 0
let template = ''
let technician = ''
beforeAll(async () => {
  scene = await openScene()
  technician = await openTechnician(scene)
  await ok('toolsTemplate/add', { code: 'RTT', name: '膝工具包' })
  template = (await scene.dealer.list('toolsTemplate', { code: 'RTT' }))[0].tools_template_sn
  await ok('toolsTemplateLine/add', { tools_template_sn: template, tool_code: 'RTZ', name: '电钻', quantity: '1' })
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.dealer.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
async function ok(path: string, body: object) {
  expect((await post(path, body)).msg).toBe('')
}
const setRow = async (code: string) => (await scene.dealer.list('toolsKit', { code }))[0]
const act = async (action: string, code: string, more: object = {}) => {
  const { tools_kit_sn: sn, version } = await setRow(code)
  return post(`toolsKit/${action}`, { sn, version, ...more })
}
/** A clean set with its one instrument, by its code. */
async function set(): Promise<string> {
  serial += 1
  const code = `GJR-${serial}`
  const at = { warehouse_model_inner_sn: scene.shop }
  await ok('surgicalTool/add', { code: `RT-Z${serial}`, tool_code: 'RTZ', name: '电钻', ...at })
  await ok('toolsKit/add', { code, tools_template_sn: template, ...at })
  return code
}
/** An operation so many days from now that the dealer accepted. */
async function accepted(offset: number): Promise<string> {
  const sn = await scene.hospital.add('bonePlan', {
    counterparty_sn: scene.d,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_at: `${day(offset)}T02:00:00.000Z`,
    surgery_type: 'emergency',
    procedure_name: '膝关节置换术',
    lines: [{ item_name: '工具包', category: 'toolsKit', quantity: '1' }],
  })
  await scene.hospital.pass('bonePlan', sn)
  await scene.dealer.done('bonePlan', 'accept', sn, { technician_inner_sn: technician })
  return sn
}
const prepared = (plan: string, code: string) => scene.dealer.done('bonePlan', 'prepare', plan, { tools_codes: [code] })
const bookings = async (code: string) =>
  (await scene.server.database.owner`
    select d.sn, lower(b.period) < now() as has_begun, upper(b.period) > now() as goes_on
      from surgery_booking b join document d on d.org_id = b.org_id and d.id = b.plan_id
      join tools_kit t on t.org_id = b.org_id and t.id = b.subject_id and b.subject_kind = 'toolsKit'
     where t.org_id = ${scene.d} and t.code = ${code} order by lower(b.period)`) as unknown as {
    sn: string
    has_begun: boolean
    goes_on: boolean
  }[]
/** Moves the booking of a plan to between these times from now. */
const shift = (plan: string, from: string, to: string) =>
  scene.one(
    `update surgery_booking b set period = tstzrange(now() + $3::interval, now() + $4::interval) from document d
      where d.org_id = b.org_id and d.id = b.plan_id and b.org_id = $1 and d.sn = $2 returning 1`,
    scene.d,
    plan,
    from,
    to,
  )

test('what leaves earlier than planned is taken from now on: over another plan’s booking it does not leave', async () => {
  const code = await set()
  const [soon, late] = [await accepted(3), await accepted(20)]
  await prepared(soon, code)
  await prepared(late, code)
  const taken = `工具包【${code}】已被手术${soon}占用`
  expectMessage(await act('lend', code, { plan_no: late }), taken)
  expect(await setRow(code)).toMatchObject({ state: 'booked' })
  // The constraint of the table refuses it even if a program does not check.
  await expect(shift(late, '0 days', '30 days')).rejects.toThrow(/surgery_booking_once/)
  expect((await act('lend', code, { plan_no: soon })).msg).toBe('')
  expect(await bookings(code)).toMatchObject([{ sn: soon, has_begun: true }, { sn: late }])
})

test('what is out stays taken while the plan is prepared anew or the operation moved', async () => {
  const code = await set()
  const plan = await accepted(4)
  expect((await act('lend', code, { plan_no: plan })).msg).toBe('')
  await scene.dealer.done('bonePlan', 'prepare', plan, { tools_codes: [] })
  expect(await bookings(code)).toMatchObject([{ sn: plan, has_begun: true }])
  await prepared(plan, code)
  expect(await bookings(code)).toMatchObject([{ sn: plan, has_begun: true }])
})

test('a set that is not back in time displaces the later booking, and whoever planned that is told', async () => {
  const { dealer } = scene
  const code = await set()
  const [first, second, third] = [await accepted(5), await accepted(10), await accepted(40)]
  expect((await act('lend', code, { plan_no: first })).msg).toBe('')
  for (const plan of [second, third]) {
    await shift(first, '0 days', '1 hour')
    await scene.one(
      'update tools_kit set out_plan_id = null where org_id = $1 and code = $2 returning 1',
      scene.d,
      code,
    )
    await prepared(plan, code)
    await scene.one(
      `update tools_kit t set out_plan_id = d.id from document d
        where t.org_id = $1 and t.code = $2 and d.org_id = t.org_id and d.sn = $3 and d.kind = 'bonePlan' returning 1`,
      scene.d,
      code,
      first,
    )
  }
  // The days passed: it was due the day before yesterday, and the next operation wants it since an hour.
  await shift(first, '-5 days', '-2 days')
  await shift(second, '-1 hour', '2 days')
  const { app, owner } = scene.server.database
  await keepLateLoans(app, owner)
  expect(await bookings(code)).toEqual([
    { sn: first, has_begun: true, goes_on: true },
    { sn: third, has_begun: false, goes_on: true },
  ])
  const [message] = await owner`
    select title, body from message where org_id = ${scene.d} and object_id = ${second} order by id desc limit 1`
  expect(message).toMatchObject({
    title: '借出未归还，占用冲突',
    body: `${code}借给手术${first}后尚未归还，手术${second}的占用已取消，请重新分派`,
  })
  // Asked again, nothing more is given up; back, it is free.
  await keepLateLoans(app, owner)
  expect(await bookings(code)).toHaveLength(2)
  const back = await act('giveBack', code, { tool_codes: JSON.stringify([`RT-Z${code.slice(4)}`]) })
  expect(back.msg).toBe('')
  expect(await bookings(code)).toMatchObject([{ sn: third }])
  expect(await dealer.list('toolsKit', { code })).toMatchObject([{ state: 'dirty' }])
})
