import type { HumanName } from 'fhir/r4'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { today } from '#kernel/values/date.ts'
import {
  allRows,
  type His,
  type HisChargeOrder,
  HisError,
  type HisReceiptOrder,
} from '#server/outbound/his/contract.ts'
import { momentOrNull, nameOf } from '#server/outbound/his/fhir/elements.ts'
import { fieldMap } from '#server/outbound/his/json/field-map.ts'
import { hisAt } from '#server/outbound/his/open.ts'
import { noFaults } from '../../../deploy/his/faults.ts'
import { type RunningHis, startHis } from '../../../deploy/his/server.ts'
import { pinyinFields } from '#tests/support/pinyin-fields.ts'

/** Every adapter does the same over HTTP, to a HIS that it does not know: the contract is asked of each. */
let stand: RunningHis
beforeAll(async () => {
  stand = await startHis({ token: 'T' })
})
afterAll(() => stand?.close())
beforeEach(() => void Object.assign(stand.faults, noFaults()))

const read: string[] = []
const watch = <T>(title: string, call: () => Promise<T>): Promise<T> => {
  read.push(title)
  return call()
}
const refusal = (call: Promise<unknown>): Promise<HisError> =>
  call.then(
    () => Promise.reject(new Error('it was not refused')),
    error => (error instanceof HisError ? error : Promise.reject(error)),
  )

const dialects = ['fhir', 'json', 'pinyin'] as const
const open = (dialect: (typeof dialects)[number], token = 'T'): His =>
  hisAt(
    { adapter: dialect === 'fhir' ? 'fhir' : 'json', baseUrl: `${stand.url}/${dialect}`, token },
    watch,
    fieldMap(dialect === 'pinyin' ? pinyinFields : []),
  )

describe.each(dialects)('a HIS that speaks %s', dialect => {
  const his = (): His => open(dialect)
  const charge = (more: Partial<HisChargeOrder> = {}): HisChargeOrder => ({
    sn: 'SY1',
    patient_no: 'H01P200627',
    visit_no: '0126012109',
    surgery_no: null,
    department_code: 'HISH01-K14',
    staff_no: 'HSH0117',
    used_at: '2026-11-26T02:00:00.000Z',
    lines: [
      {
        line_no: 1,
        item_code: 'F310101',
        quantity: '0.1',
        price: '798.0001',
        amount: '79.80',
        unit_code: 'DSP-1',
        udi_di: '06999900100016',
        lot_no: 'L1',
      },
      {
        line_no: 2,
        item_code: 'F310102',
        quantity: '2',
        price: '10',
        amount: '20.00',
        unit_code: null,
        udi_di: null,
        lot_no: null,
      },
    ],
    ...more,
  })
  const receipt = (sn: string): HisReceiptOrder => ({
    receipt_kind: 'purchase',
    sn,
    supplier_code: 'D01',
    supplier_name: '供应商',
    warehouse_code: 'H01-W01',
    department_code: null,
    reviewed_at: '2026-11-26T02:00:00.000Z',
    amount: '15600.00',
    lines: [
      {
        line_no: 1,
        material_code: 'HC100001',
        item_name: '支架',
        specification: '2.50×15mm',
        lot_no: 'L1',
        expiry_date: '2028-01-31',
        quantity: '20',
        price: '780.0000',
        amount: '15600.00',
      },
    ],
  })

  it('knows patients by number and wristband, their visits with account, and their operations', async () => {
    const patient = await his().patient({ patient_no: 'H01P200627' })
    expect(patient).toMatchObject({ patient_name: '步允执', sex: 'male', birth_date: '1961-01-18' })
    expect(patient?.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await his().patient({ wristband: patient!.wristband! })).toEqual(patient)
    expect(await his().patient({ patient_no: 'H01P999' })).toBeNull()
    const [visit] = await his().visits('H01P200627')
    expect(visit).toMatchObject({
      visit_no: '0126012109',
      patient_no: 'H01P200627',
      visit_class: 'inpatient',
      state: 'active',
      is_account_open: true,
      department_code: 'HISH01-K14',
      bed_no: '31',
    })
    expect(await his().visit('0126012109')).toEqual(visit)
    expect((await his().visit('0126010000'))?.is_account_open).toBe(false)
    const [operation, ...more] = await his().operations({ visit_no: '0126012109' })
    expect(more).toEqual([])
    expect(operation).toMatchObject({
      surgery_no: 'OP261126060',
      patient_no: 'H01P200627',
      surgery_name: '全膝关节置换术',
      state: 'planned',
      started_at: null,
      theatre: '2号手术间',
      surgeon_no: 'HSH0117',
      department_code: 'HISH01-K14',
    })
    const day = new Date(Date.parse(operation!.planned_at!) + 8 * 3_600_000).toISOString().slice(0, 10)
    expect(await his().operations({ day })).toContainEqual(operation)
  })

  it('gives its dictionaries page by page, and what changed since a moment alone', async () => {
    const items = await allRows(his().chargeItems(null))
    expect(items).toHaveLength(stand.books.items.length)
    expect(new Set(items.map(item => item.item_code)).size).toBe(items.length)
    expect(items.find(item => item.item_code === 'F310101')).toMatchObject({
      material_code: 'HC100001',
      insurance_code: 'C0201010010100199901',
      udi_di: '06999900100016',
      price: '798.00',
      is_active: true,
    })
    const staff = await allRows(his().staff(null))
    expect(staff.map(one => one.staff_no).toSorted()).toEqual(stand.books.staff.map(one => one.staff_no).toSorted())
    expect(staff.find(one => one.staff_no === 'HSH0117')).toMatchObject({
      staff_name: '薛牧野',
      department_code: 'HISH01-K14',
      staff_kind: 'doctor',
      is_active: true,
    })
    expect((await allRows(his().departments(null))).find(one => one.department_code === 'HISH01-K14')).toMatchObject({
      is_active: true,
    })
    expect(await allRows(his().staff('2099-01-01T00:00:00.000Z'))).toEqual([])
  })

  it('books a charge once whatever happens on the way, exactly, and gives it back in parts', async () => {
    const key = `departmentUse:SY-${dialect}:charge`
    Object.assign(stand.faults, { failing: 1, status: 0, after_work: true })
    expect((await refusal(his().charge(key, charge()))).message).toBe('连接不上HIS，请检查网络和接口地址')
    const booked = await his().charge(key, charge())
    expect(booked.map(line => [line.request_line_no, line.quantity, line.price, line.amount])).toEqual([
      [1, '0.1', '798.0001', '79.80'],
      [2, '2', '10', '20.00'],
    ])
    expect(booked[0]).toMatchObject({ charge_kind: 'charge', unit_code: 'DSP-1', request_key: key })
    expect((await his().chargesBy(key)).map(line => line.charge_no)).toEqual(booked.map(line => line.charge_no))
    const taken = { sn: 'SY1', reason: '未使用', staff_no: null }
    const line = { line_no: 1, charge_no: booked[1]!.charge_no, quantity: '1.5' }
    const [back] = await his().refund(`${key}:refund`, { ...taken, lines: [line] })
    expect(back).toMatchObject({
      charge_kind: 'refund',
      refunded_charge_no: booked[1]!.charge_no,
      quantity: '1.5',
      amount: '15.00',
      visit_no: '0126012109',
    })
    const tooMuch = await refusal(his().refund(`${key}:again`, { ...taken, lines: [line] }))
    expect([tooMuch.kind, tooMuch.message]).toEqual(['refused', 'HIS返回422：退费数量大于已计费数量'])
    const ofDay = (await allRows(his().chargesOf(today()))).filter(each => each.request_key?.startsWith(key))
    expect(ofDay.map(each => each.charge_kind)).toEqual(['charge', 'charge', 'refund'])
    expect(ofDay[0]).toMatchObject({ patient_no: 'H01P200627', visit_no: '0126012109', item_code: 'F310101' })
  })

  it('refuses in its own words, without the patient in them', async () => {
    const closed = await refusal(
      his().charge(`closed-${dialect}`, charge({ patient_no: 'H01P200000', visit_no: '0126010000' })),
    )
    expect([closed.kind, closed.status, closed.message]).toEqual(['refused', 422, 'HIS返回422：患者已结账'])
    const [line] = charge().lines
    const unknown = await refusal(
      his().charge(`unknown-${dialect}`, charge({ lines: [{ ...line!, item_code: '0126012109' }] })),
    )
    expect(unknown.message).toBe('HIS返回422：收费项目***不存在或已停用')
    const named = charge({ lines: [{ ...line!, item_code: '林乔' }], names_patient: ['林乔', null] })
    const byName = await refusal(his().charge(`named-${dialect}`, named))
    expect(byName.message).toBe('HIS返回422：收费项目***不存在或已停用')
    expect(await his().chargesBy(`closed-${dialect}`)).toEqual([])
  })

  it('books a receipt once, reverses it once, and says so on its day', async () => {
    const key = `purchaseGrn:RK-${dialect}:review`
    const booked = await his().book(key, receipt(`RK-${dialect}`))
    expect(booked).toMatchObject({
      receipt_kind: 'purchase',
      sn: `RK-${dialect}`,
      amount: '15600.00',
      is_reversed: false,
    })
    expect(booked.lines).toEqual(receipt('').lines)
    expect((await his().book(key, receipt(`RK-${dialect}`))).receipt_no).toBe(booked.receipt_no)
    expect(await his().receiptBy(key)).toEqual(booked)
    const order = { receipt_no: booked.receipt_no, sn: `RK-${dialect}`, reason: '反审核' }
    const back = await his().reverse(`${key}:reverse`, order)
    expect(back).toMatchObject({ amount: '-15600.00' })
    expect((await his().reverse(`${key}:reverse`, order)).receipt_no).toBe(back.receipt_no)
    expect((await refusal(his().reverse(`${key}:twice`, order))).kind).toBe('refused')
    const ofDay = (await allRows(his().receiptsOf(today()))).filter(each => each.sn === `RK-${dialect}`)
    expect(ofDay.map(each => [each.receipt_no, each.is_reversed])).toEqual([
      [booked.receipt_no, true],
      [back.receipt_no, true],
    ])
  })

  it('takes a row of the catalogue, and answers with the item it keeps for it', async () => {
    const order = {
      specification_code: `P-${dialect}`,
      item_name: '缝线',
      specification: '3-0',
      unit: '根',
      price: '12.3400',
      manufacturer: '某厂',
      insurance_code: null,
      udi_di: null,
    }
    const item = await his().publishItem(`item-${dialect}`, order)
    expect(item).toMatchObject({ item_name: '缝线', specification: '3-0', unit: '根', price: '12.3400' })
    expect((await allRows(his().chargeItems(null))).find(each => each.item_code === item.item_code)).toEqual(item)
  })

  it('is out of order, late or strange without anything being believed', async () => {
    Object.assign(stand.faults, { failing: 1 })
    const down = await refusal(his().patient({ patient_no: 'H01P200627' }))
    expect([down.kind, down.message]).toEqual(['unreachable', 'HIS返回503：系统维护'])
    const wrongToken = await refusal(open(dialect, 'X').patient({ patient_no: 'H01P200627' }))
    expect([wrongToken.kind, wrongToken.message]).toEqual(['refused', 'HIS返回401：令牌无效'])
    const index = stand.books.patients.findIndex(each => each.patient_no === 'H01P200627')
    const whole = stand.books.patients[index]!
    stand.books.patients[index] = { ...whole, patient_name: '' }
    expect((await refusal(his().patient({ patient_no: 'H01P200627' }))).kind).toBe('unreadable')
    stand.books.patients[index] = whole
    expect(new Set(read)).not.toContain('H01P200627')
  })
})

it('a refused question names no patient, in whatever words the HIS refuses it', async () => {
  const echo = createServer((request, reply) => {
    const asked = decodeURIComponent(request.url ?? '')
    if (request.url?.startsWith('/json'))
      return void reply.end(JSON.stringify({ code: 500, msg: `无此记录：${asked}` }))
    const issue = [{ severity: 'error', code: 'not-found', diagnostics: `无此记录：${asked}` }]
    reply.writeHead(404).end(JSON.stringify({ resourceType: 'OperationOutcome', issue }))
  })
  await new Promise<void>(resolve => void echo.listen(0, '127.0.0.1', () => resolve()))
  const baseUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
  for (const adapter of ['fhir', 'json'] as const) {
    const his = hisAt({ adapter, baseUrl: `${baseUrl}/${adapter}`, token: '' }, watch)
    for (const call of [
      his.patient({ patient_no: 'NUMBER-1' }),
      his.patient({ wristband: 'NUMBER-2' }),
      his.visit('NUMBER-3'),
      his.visits('NUMBER-4'),
      his.operations({ visit_no: 'NUMBER-5' }),
    ]) {
      const { message } = await refusal(call)
      expect(message).toMatch(/^HIS返回\d{3}：无此记录：.*\*\*\*/)
      expect(message).not.toContain('NUMBER')
    }
  }
  echo.close()
})

it('neither a redirect nor a link takes the token to another address', async () => {
  const asked: string[] = []
  const other = createServer((request, reply) => {
    asked.push(`${request.url}`)
    if (request.url?.startsWith('/a/Patient')) return void reply.writeHead(302, { location: '/b' }).end()
    const next = [{ relation: 'next', url: 'http://127.0.0.1:1/x' }]
    reply.end(JSON.stringify({ resourceType: 'Bundle', type: 'searchset', link: next, entry: [] }))
  })
  await new Promise<void>(resolve => void other.listen(0, '127.0.0.1', () => resolve()))
  const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/a`
  const his = hisAt({ adapter: 'fhir', baseUrl, token: 'T' }, watch)
  expect((await refusal(his.patient({ patient_no: '1' }))).kind).toBe('unreachable')
  expect((await refusal(allRows(his.staff(null)))).message).toBe('HIS给出了其他站点的地址')
  expect(asked).toHaveLength(2)
  other.close()
})

describe('a FHIR server with manners of its own', () => {
  const his = () => open('fhir')

  it('that answers every search with all it has shows nobody else, and nothing else', async () => {
    Object.assign(stand.faults, { lenient: true })
    expect(await his().patient({ wristband: 'NO-SUCH-999' })).toBeNull()
    expect(await his().patient({ patient_no: 'H01P200627' })).toMatchObject({ patient_name: '步允执' })
    expect(await his().visit('NO-SUCH-999')).toBeNull()
    expect(await his().visit('0126012109')).toMatchObject({ patient_no: 'H01P200627' })
    const sentence = /^HIS(答复的.+不是所查询的，请联系HIS管理员|的答复缺少.+)$/
    for (const call of [
      his().visits('H01P200627'),
      his().operations({ visit_no: '0126012109' }),
      his().operations({ day: '2001-01-01' }),
    ])
      expect(await refusal(call)).toMatchObject({ kind: 'unreadable', message: expect.stringMatching(sentence) })
    for (const call of [
      allRows(his().chargesOf('2001-01-01')),
      his().chargesBy('no-such-key'),
      allRows(his().receiptsOf('2001-01-01')),
    ])
      expect(await call.catch(error => (error instanceof HisError ? [] : error))).toEqual([])
    expect(
      await his()
        .receiptBy('no-such-key')
        .catch(error => (error instanceof HisError ? null : error)),
    ).toBeNull()
  })

  it('that puts what is over before what is in force is read by use, period and status', async () => {
    const plain = [await his().patient({ patient_no: 'H01P200627' }), await his().visit('0126012109')]
    Object.assign(stand.faults, { disordered: true })
    expect([await his().patient({ patient_no: 'H01P200627' }), await his().visit('0126012109')]).toEqual(plain)
    const staff = await allRows(his().staff(null))
    expect(staff.find(one => one.staff_no === 'HSH0117')).toMatchObject({ staff_name: '薛牧野' })
  })

  it('that leaves out what it may is read all the same', async () => {
    Object.assign(stand.faults, { sparse: true })
    expect(await his().patient({ patient_no: 'H01P200627' })).toMatchObject({
      patient_name: '步允执',
      sex: 'unknown',
      birth_date: null,
    })
    expect(await his().visit('0126012109')).toMatchObject({ bed_no: null, doctor_no: null, state: 'active' })
    expect((await allRows(his().staff(null))).length).toBe(stand.books.staff.length)
    expect((await allRows(his().chargeItems(null))).length).toBe(stand.books.items.length)
  })
})

it.each([
  [{ use: 'official', family: '欧阳', given: ['若', '兮'] }, '欧阳若兮'],
  [{ use: 'official', family: 'Jones', given: ['William', 'A'] }, 'William A Jones'],
  [{ use: 'usual', text: '步允执' }, '步允执'],
] as const)('a name is joined as its language does: %o', (name, text) => {
  expect(nameOf({ name: [{ ...name, given: 'given' in name ? [...name.given] : undefined }] as HumanName[] })).toBe(
    text,
  )
})

it.each([
  ['2026-11-26', '2026-11-25T16:00:00.000Z'],
  ['2026-11-26T08:00:00+08:00', '2026-11-26T00:00:00.000Z'],
  ['2026-11', null],
  ['2026', null],
])('a dateTime of FHIR with less than a moment: %s', (text, moment) => {
  expect(momentOrNull(text)).toBe(moment)
})
