import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { type Booking, book, release } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'

/** 占用: a kit, a set and a technician serve one operation at a time, however many dispatchers ask. */
let scene: Scene
const plans: { id: string; sn: string }[] = []
let kit = ''
let set = ''
let person = ''
beforeAll(async () => {
  scene = await openScene()
  const { dealer, d, one, shop } = scene
  for (let at = 0; at < 3; at += 1) {
    const sn = await dealer.add('purchasePlan', { lines: [{ specification_sn: scene.inflator, quantity: '1' }] })
    plans.push({ sn, id: (await one('select id from document where org_id = $1 and sn = $2', d, sn)).id })
  }
  const template = await one(
    `insert into operation_kit (org_id, code, name, surgery_name, is_implant_set) values ($1, 'B1', '髋', '髋', true)
     returning id`,
    d,
  )
  const row =
    'insert into implant_kit (org_id, code, operation_kit_id, warehouse_id) values ($1, $2, $3, $4) returning id'
  kit = (await one(row, d, 'TB-B1', template.id, shop)).id
  const tools = await one("insert into tools_template (org_id, code, name) values ($1, 'BT', '髋') returning id", d)
  const box =
    'insert into tools_kit (org_id, code, tools_template_id, warehouse_id) values ($1, $2, $3, $4) returning id'
  set = (await one(box, d, 'GJ-B1', tools.id, shop)).id
  person = (await one('select id from employee where org_id = $1 order by id limit 1', d)).id
})
afterAll(() => scene?.close())

const at = (hour: number) => `2027-03-01T${String(hour).padStart(2, '0')}:00:00+08:00`
const asked = (subject: Booking['subject'], sn: string, plan: number, from: number, to: number): Booking => ({
  subject,
  sn,
  planId: plans[plan]!.id,
  from: at(from),
  to: at(to),
})
const asDealer = <T>(work: (ctx: { tx: Tx; session: Awaited<ReturnType<typeof systemSessionOf>> }) => Promise<T>) =>
  inOrganisation(scene.server.database.app, scene.d, '0', async tx =>
    work({ tx, session: await systemSessionOf(tx, scene.d) }),
  )
const booked = () => scene.one('select count(*)::int as n from surgery_booking where org_id = $1', scene.d)
const freed = () =>
  asDealer(async ctx => {
    for (const plan of plans) await release(ctx, plan.id)
  })

test('overlapping operations refuse a kit, a set and a technician, each in its own words', async () => {
  const name = (await scene.one('select name from employee where id = $1', person)).name
  await asDealer(ctx =>
    book(
      ctx,
      (['kit', 'toolsKit', 'technician'] as const).map((subject, of) =>
        asked(subject, [kit, set, person][of]!, 0, 8, 12),
      ),
    ),
  )
  const second = (subject: Booking['subject'], sn: string) => asDealer(ctx => book(ctx, asked(subject, sn, 1, 11, 15)))
  const { sn } = plans[0]!
  await expect(second('kit', kit)).rejects.toThrow(`套包【TB-B1】已被手术${sn}占用`)
  await expect(second('toolsKit', set)).rejects.toThrow(`工具包【GJ-B1】已被手术${sn}占用`)
  await expect(second('technician', person)).rejects.toThrow(`跟台人员${name}在该时段已有手术：${sn}`)
  // One ends when the other begins.
  await asDealer(ctx => book(ctx, asked('kit', kit, 1, 12, 15)))
  // The same plan at another time is the same booking.
  await asDealer(ctx => book(ctx, asked('kit', kit, 1, 13, 16)))
  expect((await booked()).n).toBe(4)
  await asDealer(ctx => release(ctx, plans[0]!.id))
  expect((await booked()).n).toBe(1)
  await freed()
})

test('two dispatchers at once: one gets the kit, the other reads who has it', async () => {
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  let isBooked = () => {}
  const first = new Promise<void>(resolve => {
    isBooked = resolve
  })
  const winner = asDealer(async ctx => {
    await book(ctx, asked('kit', kit, 0, 8, 12))
    isBooked()
    await held
  })
  await first
  const loser = asDealer(ctx => book(ctx, asked('kit', kit, 1, 9, 13)))
  // It waits for the first: nobody knows yet whether that one commits.
  const waits = await Promise.race([
    loser.then(
      () => 'through',
      () => 'refused',
    ),
    new Promise(resolve => setTimeout(() => resolve('waits'), 200)),
  ])
  expect(waits).toBe('waits')
  letGo()
  await winner
  await expect(loser).rejects.toThrow(`套包【TB-B1】已被手术${plans[0]!.sn}占用`)
  expect((await booked()).n).toBe(1)
  await freed()
})

test('of two dispatchers who take two kits each in opposite order, none waits for ever', async () => {
  const both = (plan: number, turned: boolean) => {
    const wanted = [asked('kit', kit, plan, 8, 12), asked('toolsKit', set, plan, 8, 12)]
    return asDealer(ctx => book(ctx, turned ? wanted.toReversed() : wanted))
  }
  for (let round = 0; round < 10; round += 1) {
    const done = await Promise.allSettled([both(0, false), both(1, true)])
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [lost] = done.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
    expect(lost).toMatch(/已被手术.+占用/)
    expect((await booked()).n).toBe(2)
    await freed()
  }
})

test('a period that ends before it begins, or a plan and a kit of nobody, is refused in a sentence', async () => {
  await expect(asDealer(ctx => book(ctx, asked('kit', kit, 0, 12, 8)))).rejects.toThrow(/^占用的结束时间须晚于开始时间/)
  await expect(asDealer(ctx => book(ctx, { ...asked('kit', kit, 0, 8, 9), planId: '1' }))).rejects.toThrow(/不存在/)
  await expect(asDealer(ctx => book(ctx, asked('kit', '1', 0, 8, 9)))).rejects.toThrow(/^套包不存在/)
  expect((await booked()).n).toBe(0)
})
