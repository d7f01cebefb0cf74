import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Decimal, multiply, plain, sum } from '#kernel/values/decimal.ts'
import { afterThisTest, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** The sheets of an operation: what was used, and what was brought, used and goes back; dealers read no patient. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, stent, inflator, d } = scene
  await scene.shelve(hospital, ward, [
    lotOf(stent, 'SP1', { unit_codes: ['SP-1', 'SP-2', 'SP-3', 'SP-4'], owner_org_sn: d }),
    lotOf(inflator, 'SP2', { quantity: '20', price: '20' }),
  ])
})
afterAll(() => scene?.close())

const REPORT = '/newprint/SurgicalReportFormPrint'
const patient = { patient_no: 'PSP', patient_name: '沈知微', admission_no: 'ZYSP', diagnosis: '冠心病', bed_no: '12床' }
const use = (lines: object[], more: object = {}) =>
  scene.hospital.add('surgeryUse', {
    warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_name: '冠状动脉支架置入术',
    theatre: '3号手术间',
    implant_site: '左前降支',
    attendant: '邹跟台',
    ...patient,
    lines,
    ...more,
  })
const print = (sn: string, who = scene.hospital, sheet?: string) =>
  who.client.get('/v1/business/surgeryUse/print', { sn, ...(sheet === undefined ? {} : { sheet }) })
const inflators = (quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no: 'SP2',
  quantity,
  ...more,
})
type Line = Record<string, unknown>

test('implants come first; what was damaged says so, what was taken back is not on the sheet', async () => {
  const { hospital, h, stent } = scene
  await scene.one(
    'update hospital_product set charge_price = 901.5 where org_id = $1 and specification_id = $2 returning 1',
    h,
    stent,
  )
  const sn = await use([inflators('3', { wasted_quantity: '1' }), { unit_codes: ['SP-1'] }])
  await hospital.pass('surgeryUse', sn)
  const { info } = await print(sn)
  const ordered = (info.lines as Line[]).toSorted((a, b) => String(a.print_order).localeCompare(String(b.print_order)))
  expect(ordered.map(line => [line.is_implant, line.quantity, line.remark])).toEqual([
    [true, '1.000', null],
    [false, '3.000', '术中损耗1'],
  ])
  expect(ordered[0]).toMatchObject({ printed_price: '901.5000', printed_amount: '901.50', part_said: '左前降支' })
  expect(info).toMatchObject({
    patient_name: '沈知微',
    piece_total: '4',
    implant_total: '1',
    operated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
    attended_by: expect.stringMatching(/^邹跟台、/),
    amount_in_words: expect.stringMatching(/元/),
  })
  // One of three was damaged: two are charged.
  expect(ordered[1]!.printed_amount).toBe(multiply(ordered[1]!.printed_price as Decimal, '2' as Decimal, 2))
  await hospital.done('surgeryUse', 'redReverse', sn, { reason: '未用', lines: [{ line_no: 1, quantity: '3' }] })
  expect(((await print(sn)).info.lines as Line[]).map(line => line.is_implant)).toEqual([true])
})

test('a dealer prints his goods at his price, without patient, surgeon or theatre', async () => {
  const { hospital, dealer } = scene
  const sn = await use([{ unit_codes: ['SP-2'] }, inflators('1')])
  await hospital.pass('surgeryUse', sn)
  const { info, code } = await print(sn, dealer)
  expect(code).toBe(0)
  expect((info.lines as Line[]).map(line => line.unit_codes)).toEqual([['SP-2']])
  expect(JSON.stringify(info)).not.toMatch(/沈知微|ZYSP|PSP|冠心病|12床|左前降支|3号手术间|支架置入/)
  expect(info.lines[0].printed_price).toBe('798.0000')
  expect((await print(sn, dealer, REPORT)).code).not.toBe(0)
})

test('手术报台单 waits for the use; 送达 = 使用 + 退回 + 差异, what differs stands out', async () => {
  const { hospital, finance } = scene
  const sn = await use([
    { unit_codes: ['SP-3'], brought_quantity: '2', returned_quantity: '1' },
    inflators('4', { brought_quantity: '6', returned_quantity: '1', remark: '术中遗失一个' }),
  ])
  expectMessage(await print(sn, hospital, REPORT), '请先登记手术使用')
  await hospital.done('surgeryUse', 'submit', sn)
  const { info } = await print(sn, hospital, REPORT)
  expect(
    (info.lines as Line[]).map(line => [line.brought, line.used, line.returned, line.difference, line.strong]),
  ).toEqual([
    ['2.000', '1.000', '1.000', '0.000', false],
    ['6.000', '4.000', '1.000', '1.000', true],
  ])
  expect(info).toMatchObject({
    brought_total: '8',
    used_total: '5',
    returned_total: '2',
    difference_total: '1',
    patient_name: '沈知微',
  })
  expect(new Set((info.lines as Line[]).map(line => line.dealer_group)).size).toBe(2)
  // A copy is made for each dealer, with his lines and their sums; the hospital's own goods are on none.
  const dealers = new Set((info.lines as Line[]).flatMap(line => line.dealer_name ?? []))
  const copied = await hospital.client.get('/v1/business/surgeryUse/print', { sn, sheet: REPORT, copy: 'supplier' })
  const copies = copied.info.copies as (Line & { readonly lines: readonly Line[] })[]
  expect(copies.map(({ dealer_names }) => dealer_names)).toEqual([...dealers])
  expect(copies.flatMap(({ lines }) => lines.map(line => line.used))).toEqual(
    (info.lines as Line[]).filter(line => line.dealer_name !== null).map(line => line.used),
  )
  for (const copy of copies) {
    expect(copy.used_total).toBe(
      plain(
        sum(
          copy.lines.map(line => line.used as Decimal),
          3,
        ),
      ),
    )
    for (const name of [...dealers].filter(each => each !== copy.dealer_names))
      expect(JSON.stringify(copy)).not.toContain(name)
  }
  expect(JSON.stringify(copied)).not.toMatch(/沈知微|ZYSP|PSP|冠心病|支架置入|price|amount|templates/)
  expect((await hospital.client.get('/v1/business/surgeryUse/print', { sn, copy: 'supplier' })).code).not.toBe(0)
  // Without the right to see patients there is no such sheet; the usage sheet has none of their data.
  const { one, h } = scene
  await one(
    `insert into role (org_id, name, flags) values ($1, '手术打印',
    array['page:/commonView/surgicalUsageRecords', 'surgeryUse.print']) returning 1`,
    h,
  )
  await one(`insert into app_user (org_id, login, password_hash, name, is_administrator)
    select org_id, 'use.printer', password_hash, '打印员', false from app_user where login = 'hospital' returning 1`)
  await one(
    `insert into user_role (org_id, user_id, role_id) select $1, u.id, r.id from app_user u, role r
    where u.login = 'use.printer' and r.org_id = $1 and r.name = '手术打印' returning 1`,
    h,
  )
  afterThisTest(() => one(`update app_user set status = 'disabled' where login = 'use.printer' returning 1`))
  const printer = await scene.person('use.printer')
  expectMessage(await print(sn, printer, REPORT), '没有操作权限')
  const seen = await print(sn, printer)
  expect(seen.code).toBe(0)
  expect(JSON.stringify(seen)).not.toMatch(/沈知微|ZYSP|PSP|冠心病/)
  expect((await print(sn, finance)).code).not.toBe(0)
})
