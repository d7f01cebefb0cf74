import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 结算依据 按发放: consigned goods are settled once, when granted or when used, however the rule changes between. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(() => scene?.close())

type Line = { state: string; source_kind: string; quantity: string; unit_code: string | null }
let series = 0
const lotNo = () => `GS${100 + series++}`
const byGrant = () => scene.rule(scene.h, 'settle_base', 'grant')
const byUse = () => scene.rule(scene.h, 'settle_base', 'use')
/** The settlement lines that are due for a lot, without those taken back before they were settled. */
const due = async (lot_no: string): Promise<string[]> =>
  ((await scene.hospital.list('settlementLine', { lot_no, pageSize: '100' })) as Line[])
    .filter(line => line.state !== 'netted')
    .map(line => `${line.source_kind} ${line.quantity}`)
    .toSorted()

async function stored(lot: string, quantity: string, codes: readonly string[] = []): Promise<void> {
  const { hospital, central, inflator, balloon, d } = scene
  const goods =
    codes.length > 0
      ? lotOf(balloon, lot, { unit_codes: codes, owner_org_sn: d })
      : lotOf(inflator, lot, { quantity, owner_org_sn: d })
  await scene.shelve(hospital, central, [goods])
}
async function granted(line: object, to = scene.ward): Promise<string> {
  const { hospital, central, department } = scene
  const sn = await hospital.add('grantOdo', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: to,
    department_inner_sn: department,
    lines: [line],
  })
  await hospital.pass('grantOdo', sn)
  return sn
}
async function received(grant: string): Promise<void> {
  const receipt = await scene.hospital.from('wardReceipt', grant)
  await scene.hospital.done('wardReceipt', 'review', receipt.sn)
}
async function used(line: object, store = scene.ward): Promise<string> {
  const { hospital, department } = scene
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: store,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY01',
    lines: [line],
  })
  await hospital.pass('departmentUse', sn)
  return sn
}
async function returned(grant: string, quantity: string): Promise<string> {
  const { hospital } = scene
  const sn = await hospital.add('grantReturn', {
    source_type: 1,
    source_sn: grant,
    return_reason: '未用',
    lines: [{ source_line_no: 1, quantity }],
  })
  await hospital.done('grantReturn', 'submit', sn)
  await hospital.done('grantReturn', 'inspect', sn)
  await hospital.done('grantReturn', 'review', sn)
  return sn
}
const some = (lot_no: string, quantity: string) => ({ specification_sn: scene.inflator, lot_no, quantity })

test('the supplier reads on his report of a use that its grant settled it, and of the rest how far that is', async () => {
  const lot = lotNo()
  await stored(lot, '10')
  await byGrant()
  await received(await granted(some(lot, '6')))
  const covered = await used(some(lot, '4'))
  const stageOf = async (sn: string) => (await scene.dealer.info('departmentUse', sn)).settled_stage
  const line = async (sn: string) =>
    (
      await scene.dealer.client.get('/v1/report/usedLines', { begin_date: day(-1), end_date: day(1), lot_no: lot })
    ).list.find((row: { document_sn: string }) => row.document_sn === sn)
  expect([await stageOf(covered), (await line(covered)).settled_stage]).toEqual(['granted', 'granted'])
  expect((await scene.dealer.list('departmentUse', { settled_stage: 'granted' })).map(row => row.sn)).toContain(covered)
  // Two of these five were settled by the grant; the other three are due by their use.
  await byUse()
  await received(await granted(some(lot, '3')))
  const part = await used(some(lot, '5'))
  expect([await stageOf(part), (await line(part)).settled_stage]).toEqual(['open', 'open'])
  // Taken back, nothing of it is due.
  await scene.hospital.done('departmentUse', 'redReverse', covered, { reason: '未用' })
  expect(await stageOf(covered)).toBe('netted')
  // The hospital's own document shows the quantity of the line that its grant settled, and nobody enters it.
  const typed = await scene.hospital.client.post('/v1/business/departmentUse/add', {
    warehouse_model_inner_sn: scene.ward,
    lines: JSON.stringify([{ ...some(lot, '1'), granted_quantity: '1' }]),
  })
  expect(typed.code).not.toBe(0)
})

test('granted is due, used is not due again; returned, less is due', async () => {
  proves('settlement.base')
  const lot = lotNo()
  await stored(lot, '10')
  await byGrant()
  const grant = await granted(some(lot, '8'))
  expect(await due(lot)).toEqual(['grantOdo 8.000'])
  await received(grant)
  const use = await used(some(lot, '5'))
  expect(await due(lot)).toEqual(['grantOdo 8.000'])
  const back = await returned(grant, '2')
  expect(await due(lot)).toEqual(['grantOdo -2.000', 'grantOdo 8.000'])
  // The return is undone: the goods are at the ward, and due, again.
  await scene.hospital.done('grantReturn', 'unreview', back)
  expect(await due(lot)).toEqual(['grantOdo -2.000', 'grantOdo 2.000', 'grantOdo 8.000'])
  await scene.hospital.done('grantReturn', 'review', back)
  // A use that is taken back frees what it drew on, and the next use draws on it.
  await scene.hospital.done('departmentUse', 'redReverse', use, {
    reason: '登记错误',
    lines: [{ line_no: 1, quantity: '4' }],
  })
  await used(some(lot, '5'))
  expect((await due(lot)).filter(line => line.startsWith('departmentUse'))).toEqual([])
})

test('piece by piece: a settled piece used in another ward is not settled again', async () => {
  const { hospital, ward } = scene
  const lot = lotNo()
  const codes = [`${lot}-1`, `${lot}-2`]
  await stored(lot, '2', codes)
  await byGrant()
  const grant = await granted({ unit_codes: codes })
  await received(grant)
  const other = await scene.one(
    "select id from warehouse where org_id = $1 and model = 'ward' and id <> $2 and department_id is not null limit 1",
    scene.h,
    ward,
  )
  const loan = await hospital.add('transfer', {
    transfer_type: 'borrow',
    warehouse_model_inner_sn: ward,
    to_warehouse_model_inner_sn: other.id,
    due_date: day(5),
    lines: [{ unit_codes: [codes[0]] }],
  })
  await hospital.pass('transfer', loan)
  await hospital.done('transfer', 'receive', loan)
  await used({ unit_codes: [codes[0]] }, other.id)
  await used({ unit_codes: [codes[1]] })
  expect(await due(lot)).toEqual(['grantOdo 1.000', 'grantOdo 1.000'])
})

test('the rule changed in mid-life: each piece is due exactly once', async () => {
  const lot = lotNo()
  await stored(lot, '12')
  // Granted while uses are settled, used while grants are.
  const early = await granted(some(lot, '4'))
  await received(early)
  expect(await due(lot)).toEqual([])
  await byGrant()
  await used(some(lot, '4'))
  expect(await due(lot)).toEqual(['departmentUse 4.000'])
  // Granted while grants are settled, used while uses are: three of five were due by their grant.
  const late = await granted(some(lot, '3'))
  await received(late)
  await byUse()
  const later = await granted(some(lot, '2'))
  await received(later)
  await used(some(lot, '5'))
  expect(await due(lot)).toEqual(['departmentUse 2.000', 'departmentUse 4.000', 'grantOdo 3.000'])
})

test('a grant is undone with what it made due, and not once that is on a settlement', async () => {
  const { hospital, d } = scene
  const lot = lotNo()
  await stored(lot, '6')
  await byGrant()
  const undone = await granted(some(lot, '1'))
  await hospital.done('grantOdo', 'unreview', undone)
  expect(await due(lot)).toEqual([])
  await hospital.done('grantOdo', 'review', undone)
  expect(await due(lot)).toEqual(['grantOdo 1.000'])
  const grant = await granted(some(lot, '3'))
  const made = await hospital.client.post('/v1/business/settlement/generate', {
    counterparty_sn: d,
    begin_date: day(-1),
    end_date: day(1),
  })
  expect(made.msg).toBe('')
  const settlements = made.info.settlements as readonly { sn: string }[]
  for (const { sn } of settlements) await hospital.done('settlement', 'submit', sn)
  expectMessage(await hospital.do('grantOdo', 'unreview', grant), /不能反审核.+（JS\d+）$/)
  await hospital.done('grantOdo', 'redReverse', grant, { reason: '错发' })
  expect((await due(lot)).filter(line => line.includes('-'))).toEqual(['grantOdo -3.000'])
})

test('two wards that use at once draw on one settled grant once', async () => {
  const { hospital, h, ward } = scene
  const lot = lotNo()
  await stored(lot, '8')
  const other = await scene.one(
    "select id from warehouse where org_id = $1 and model = 'ward' and id <> $2 and department_id is not null limit 1",
    h,
    ward,
  )
  await received(await granted(some(lot, '4'), other.id))
  await byGrant()
  await received(await granted(some(lot, '4')))
  await byUse()
  const drafts = await Promise.all(
    [ward, other.id].map(store =>
      hospital.add('departmentUse', {
        warehouse_model_inner_sn: store,
        department_inner_sn: scene.department,
        lines: [some(lot, '4')],
      }),
    ),
  )
  for (const sn of drafts) await hospital.done('departmentUse', 'submit', sn)
  await Promise.all(drafts.map(sn => hospital.done('departmentUse', 'review', sn)))
  expect(await due(lot)).toEqual(['departmentUse 4.000', 'grantOdo 4.000'])
})
