import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 科室额度: the amount that a department may request in a month, in all and of a class, and what gives it back. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.hospital, scene.central, [lotOf(scene.inflator, 'ED1', { quantity: '900' })])
})
afterAll(() => scene?.close())

type Quota = { used_amount: string; left_amount: string }
/** The price of one piece in the catalogue: 145. */
const price = async (): Promise<string> =>
  (
    await scene.one(
      'select purchase_price from hospital_product where org_id = $1 and specification_id = $2',
      scene.h,
      scene.inflator,
    )
  ).purchase_price

async function quota(pieces: number, body: object = {}): Promise<string> {
  const [row] = await scene.server.database.owner<{ amount: string }[]>`
    select (${await price()}::numeric * ${pieces})::numeric(18,2) as amount`
  const made = await scene.hospital.client.post('/v1/business/departmentQuota/add', {
    department_inner_sn: scene.department,
    amount: row!.amount,
    ...body,
  })
  expect(made.msg).toBe('')
  const [added] = (await scene.hospital.list('departmentQuota', { pageSize: '50' })).toSorted(
    (a: Record<string, string>, b: Record<string, string>) =>
      b.department_quota_sn!.localeCompare(a.department_quota_sn!, 'en', { numeric: true }),
  )
  afterThisTest(() => scene.one('delete from department_quota where org_id = $1 returning 1', scene.h))
  return added.department_quota_sn
}
const standing = async (sn: string): Promise<Quota> =>
  (await scene.hospital.list('departmentQuota', { pageSize: '50' })).find(
    (row: Record<string, string>) => row.department_quota_sn === sn,
  )
const pieces = async (sn: string): Promise<number> => {
  const [row] = await scene.server.database.owner<{ n: number }[]>`
    select round(${(await standing(sn)).used_amount}::numeric / ${await price()}::numeric)::int as n`
  return row!.n
}
const claim = (quantity: string, more: object = {}) => ({
  department_inner_sn: scene.department,
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  lines: [{ specification_sn: scene.inflator, quantity }],
  ...more,
})
const direct = (quantity: string) =>
  claim(quantity, { lines: [{ specification_sn: scene.inflator, lot_no: 'ED1', quantity }] })
/** Earlier tests of this file requested goods as well: their requests are removed from the month. */
const before = async (): Promise<number> => pieces(await quota(100_000, { valid_from: '2020-01-01', valid_to: day() }))
const refuses = () => scene.rule(scene.h, 'claim_quota', 'refuse')

test('beyond the quota a requisition is asked about or refused, as the rule says, with what is left', async () => {
  proves('ward.monthlyQuota')
  const { hospital, department } = scene
  const asked = await before()
  await scene.one('delete from department_quota where org_id = $1 returning 1', scene.h)
  const sn = await quota(asked + 5)
  const draft = await hospital.add('requisition', claim('6'))
  expect((await hospital.info('requisition', draft)).quota_left).toBe((await standing(sn)).left_amount)
  const { version } = await hospital.info('requisition', draft)
  const question = await hospital.client.post('/v1/business/requisition/submit', { sn: draft, version })
  expect(question.code).toBe(2200)
  await refuses()
  const { name } = await scene.one('select name from department where id = $1', department)
  expectMessage(await hospital.do('requisition', 'submit', draft), `科室【${name}】本月领用额度不足，剩余725元`)
  expect((await attempt(hospital, 'requisition', claim('5'))).code).toBe(0)
  expectMessage(await attempt(hospital, 'requisition', claim('1')), `科室【${name}】本月领用额度不足，剩余0元`)
  expectMessage(await attempt(hospital, 'grantOdo', direct('1')), `科室【${name}】本月领用额度不足，剩余0元`)
})

test('what is asked counts once when it is issued; what is returned, reversed or stopped comes back', async () => {
  const { hospital } = scene
  const base = await before()
  await scene.one('delete from department_quota where org_id = $1 returning 1', scene.h)
  const sn = await quota(base + 100)
  const used = async () => (await pieces(sn)) - base
  const asked = await hospital.add('requisition', claim('10'))
  expect(await used()).toBe(0)
  await hospital.pass('requisition', asked)
  expect(await used()).toBe(10)
  const grant = await hospital.add('grantOdo', {
    source_type: 104,
    source_sn: asked,
    lines: [{ source_line_no: 1, quantity: '6' }],
  })
  await hospital.pass('grantOdo', grant)
  expect(await used()).toBe(10)
  await hospital.done('requisition', 'stop', asked, { reason: '不再需要' })
  expect(await used()).toBe(6)
  const receipt = await hospital.from('wardReceipt', grant)
  await hospital.done('wardReceipt', 'review', receipt.sn)
  const back = await hospital.add('grantReturn', {
    source_type: 1,
    source_sn: grant,
    return_reason: '未用',
    lines: [{ source_line_no: 1, quantity: '2' }],
  })
  await hospital.done('grantReturn', 'submit', back)
  await hospital.done('grantReturn', 'inspect', back)
  expect(await used()).toBe(6)
  await hospital.done('grantReturn', 'review', back)
  expect(await used()).toBe(4)

  const issued = await hospital.add('grantOdo', direct('3'))
  expect(await used()).toBe(4)
  await hospital.pass('grantOdo', issued)
  expect(await used()).toBe(7)
  await hospital.done('grantOdo', 'redReverse', issued, { reason: '错发' })
  expect(await used()).toBe(4)
})

test('a quota of a class is of its goods and those of the classes below it', async () => {
  const { hospital, h, inflator, balloon } = scene
  const add = async (name: string, parent: string | null) =>
    (
      await scene.one(
        "insert into custom_type (org_id, tree, name, parent_id, code) values ($1, 'own', $2, $3, $2) returning id",
        h,
        name,
        parent,
      )
    ).id as string
  const root = await add('额度试类', null)
  const child = await add('额度试小类', root)
  await scene.one(
    `delete from typed_product where org_id = $1 and specification_id = $2 and tree = 'own' returning 1`,
    h,
    inflator,
  )
  await scene.one(
    `insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name)
       values ($1, 'own', $2, $3, current_date, '试') returning 1`,
    h,
    child,
    inflator,
  )
  await refuses()
  await quota(0, { custom_type_sn: root })
  expectMessage(await attempt(hospital, 'requisition', claim('1')), /^科室【.+】额度试类本月领用额度不足，剩余0元$/)
  const other = claim('1', { lines: [{ specification_sn: balloon, quantity: '1' }] })
  expect((await attempt(hospital, 'requisition', other)).code).toBe(0)
})

test('one quota of a class and department at a time; nobody but who keeps rules writes one', async () => {
  const { hospital, department } = scene
  await quota(1)
  const again = await hospital.client.post('/v1/business/departmentQuota/add', {
    department_inner_sn: department,
    amount: '1',
    valid_from: day(),
  })
  expect(JSON.stringify(again)).toContain('该科室同一分类在此期间已有额度')
  const nurse = await scene.person('nurse')
  const written = await nurse.client.post('/v1/business/departmentQuota/add', {
    department_inner_sn: department,
    amount: '99',
    used_amount: '0',
  })
  expect(written.code).not.toBe(0)
})

test('a line says what is left of its month, and no more once the store has no such limit', async () => {
  const { hospital, h, ward, inflator } = scene
  await scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, max_quantity, month_quota)
       values ($1, $2, $3, 9, 100000) returning 1`,
    h,
    ward,
    inflator,
  )
  afterThisTest(() =>
    scene.one('delete from warehouse_product where org_id = $1 and warehouse_id = $2 returning 1', h, ward),
  )
  const draft = await hospital.add('requisition', claim('1'))
  const left = async () => (await hospital.info('requisition', draft)).lines[0].month_quota_left
  expect(await left()).toMatch(/^\d+\.000$/)
  const other = await scene.one(
    "select id from warehouse where org_id = $1 and model = 'ward' and id <> $2 and department_id is not null limit 1",
    h,
    ward,
  )
  await hospital.done('requisition', 'edit', draft, { to_warehouse_model_inner_sn: other.id })
  expect(await left()).toBeNull()
})

test('two requisitions at once do not both find the same rest', async () => {
  const { hospital } = scene
  const base = await before()
  await scene.one('delete from department_quota where org_id = $1 returning 1', scene.h)
  await quota(base + 3)
  await refuses()
  const [one, two] = [await hospital.add('requisition', claim('2')), await hospital.add('requisition', claim('2'))]
  const replies = await Promise.all(
    [one, two].map(sn => hospital.client.post('/v1/business/requisition/submit', { sn, version: 1 })),
  )
  expect(replies.filter(reply => reply.code === 0)).toHaveLength(1)
})
