import type {
  Bundle,
  ChargeItem,
  ChargeItemDefinition,
  Encounter,
  FhirResource,
  Practitioner,
  Procedure,
} from 'fhir/r4'
import { describe, expect, it } from 'vitest'
import { fhirHis } from '#server/outbound/his/fhir/adapter.ts'
import { pages } from '#server/outbound/his/fhir/fetch.ts'
import { extensions, systems } from '#server/outbound/his/fhir/profile.ts'
import { byNumber, identifier, resourcesOf } from '#server/outbound/his/fhir/elements.ts'
import {
  chargeOf,
  isCharged,
  itemOf,
  operationOf,
  receiptsIn,
  staffOf,
  visitOf,
} from '#server/outbound/his/fhir/read.ts'

/** What a list has first is not what is meant: each element is chosen by what it says of itself. */
const meta = { lastUpdated: '2026-06-01T08:00:00+08:00' }
const found = (...entries: (FhirResource | { fullUrl: string; resource: FhirResource })[]) =>
  resourcesOf({
    resourceType: 'Bundle',
    type: 'searchset',
    entry: entries.map(each => ('resource' in each ? each : { resource: each })),
  } as Bundle)
/** Figures arrive as their digits. */
const figure = (digits: string) => digits as unknown as number

const patient: FhirResource = {
  resourceType: 'Patient',
  id: 'p',
  meta,
  identifier: [identifier(systems.patientNo, 'P1')],
  name: [{ text: '王一' }],
}
const visit = (more: Partial<Encounter>): Encounter => ({
  resourceType: 'Encounter',
  id: 'v',
  meta,
  identifier: [identifier(systems.visitNo, 'V1')],
  status: 'in-progress',
  class: { code: 'IMP' },
  subject: { reference: 'Patient/p' },
  ...more,
})

describe('a reference', () => {
  it.each([
    ['by its place', { reference: 'Patient/p' }, 'P1'],
    ['by an address', { reference: 'https://his.example.cn/fhir/Patient/p' }, 'P1'],
    ['by a version', { reference: 'Patient/p/_history/3' }, 'P1'],
    ['by the full address of the entry', { reference: 'urn:uuid:1' }, 'P1'],
    ['by our number', byNumber(systems.patientNo, 'P7'), 'P7'],
    ['by a number that says nothing else', { identifier: { value: 'P8' } }, 'P8'],
    [
      'beside the number of an identity card',
      { reference: 'Patient/p', identifier: { system: 'urn:oid:2.16.156.1.1', value: '110101199001010010' } },
      'P1',
    ],
  ])('%s is followed', (_, subject, no) => {
    const beside = found({ fullUrl: 'urn:uuid:1', resource: patient })
    expect(visitOf(visit({ subject }), beside).patient_no).toBe(no)
  })

  it('that has only a number of another kind names nobody', () => {
    const card = { identifier: { system: 'urn:oid:2.16.156.1.1', value: '110101199001010010' } }
    expect(() => visitOf(visit({ subject: card }), found())).toThrow('HIS的答复缺少患者编号')
  })
})

describe('a visit', () => {
  it('is open while any of its accounts is', () => {
    const account = (id: string, status: 'active' | 'inactive'): FhirResource => ({
      resourceType: 'Account',
      id,
      status,
    })
    const row = visit({ account: [{ reference: 'Account/1' }, { reference: 'Account/2' }] })
    expect(visitOf(row, found(patient, account('1', 'inactive'), account('2', 'active'))).is_account_open).toBe(true)
    expect(visitOf(row, found(patient, account('1', 'inactive'), account('2', 'inactive'))).is_account_open).toBe(false)
  })

  it('has the bed where the patient came last, and no relative for a doctor', () => {
    const bed = (display: string, start: string) => ({
      location: { display },
      physicalType: { coding: [{ code: 'bd' }] },
      status: 'active' as const,
      period: { start },
    })
    const row = visit({
      location: [bed('3床', '2026-05-01'), bed('12床', '2026-05-03')],
      participant: [
        { individual: { reference: 'RelatedPerson/r', identifier: { value: 'R1' } } },
        { individual: byNumber(systems.staffNo, 'D1') },
      ],
    })
    expect(visitOf(row, found(patient))).toMatchObject({ bed_no: '12床', doctor_no: 'D1' })
  })
})

describe('the surgeon of an operation', () => {
  const performed = (...performer: NonNullable<Procedure['performer']>) =>
    operationOf(
      {
        resourceType: 'Procedure',
        meta,
        identifier: [identifier(systems.surgeryNo, 'S1')],
        status: 'preparation',
        encounter: byNumber(systems.visitNo, 'V1'),
        subject: byNumber(systems.patientNo, 'P1'),
        code: { text: '支架植入' },
        performer,
      },
      found(),
    ).surgeon_no
  const one = (no: string, code?: string) => ({
    actor: byNumber(systems.staffNo, no),
    ...(code === undefined ? {} : { function: { coding: [{ code }] } }),
  })
  it.each([
    ['who is called so', [one('A', '88189002'), one('B', '304292004')], 'B'],
    ['the primary performer', [one('A', 'SPRF'), one('B', 'PPRF')], 'B'],
    ['the only performer', [one('A', '88189002')], 'A'],
    ['the first without another function', [one('A', '88189002'), one('B'), one('C')], 'B'],
    ['nobody, where all have another function', [one('A', '88189002'), one('B', 'SPRF')], null],
  ])('is %s', (_, performers, no) => expect(performed(...performers)).toBe(no))
})

it('a person has the phone, the title and the kind that hold now', () => {
  const person: Practitioner = {
    resourceType: 'Practitioner',
    id: 'd',
    meta,
    identifier: [identifier(systems.staffNo, 'D1')],
    name: [{ text: '李医生' }],
    telecom: [
      { system: 'phone', use: 'old', value: '1' },
      { system: 'phone', use: 'work', value: '2' },
      { system: 'phone', use: 'mobile', rank: 2, value: '4' },
      { system: 'phone', use: 'mobile', rank: 1, value: '3' },
    ],
    qualification: [
      { code: { text: '住院医师' }, period: { end: '2020-01-01' } },
      { code: { text: '主任医师' }, period: { start: '2020-01-02' } },
    ],
  }
  const code = [{ text: '组长' }, { coding: [{ system: systems.staffKind, code: 'doctor' }] }]
  expect(staffOf(person, { resourceType: 'PractitionerRole', meta, code }, found())).toMatchObject({
    mobile: '3',
    professional_title: '主任医师',
    staff_kind: 'doctor',
  })
})

describe('the price of an item', () => {
  const price = (digits: string, currency = 'CNY') => ({
    priceComponent: [{ type: 'base' as const, amount: { value: figure(digits), currency } }],
  })
  const conditional = (digits: string) => ({ ...price(digits), applicability: [{ expression: 'x' }] })
  const item = (...propertyGroup: NonNullable<ChargeItemDefinition['propertyGroup']>) =>
    itemOf({
      resourceType: 'ChargeItemDefinition',
      meta,
      url: 'urn:x',
      identifier: [identifier(systems.item, 'I1')],
      title: '材料费',
      status: 'active',
      propertyGroup,
    }).price
  it('is that for everybody', () => expect(item(conditional('90'), price('100'))).toBe('100'))
  it('is not taken where several differ, or in another currency', () => {
    expect(() => item(price('90'), price('100'))).toThrow('HIS的答复缺少价格')
    expect(() => item(price('100', 'USD'))).toThrow('HIS的答复缺少价格')
  })
})

const charge = (status: ChargeItem['status']): ChargeItem => ({
  resourceType: 'ChargeItem',
  status,
  identifier: [identifier(systems.chargeNo, status)],
  code: { coding: [{ system: systems.item, code: 'I1' }] },
  subject: byNumber(systems.patientNo, 'P1'),
  context: byNumber(systems.visitNo, 'V1'),
  quantity: { value: figure('2') },
  priceOverride: { value: figure('5') },
  enteredDate: '2026-06-01T08:00:00+08:00',
})

it('a charge in another currency is refused', () => {
  const priced = (currency: string) =>
    chargeOf({ ...charge('billed'), priceOverride: { value: figure('5'), currency } }, found())
  expect(priced('CNY').price).toBe('5')
  expect(() => priced('USD')).toThrow('HIS的价格币种USD不是人民币')
})

/** A server that answers each address with the bundle of a search. */
const serverOf = (bundle: (address: string) => object) =>
  ({ get: async (_title: string, address: string) => ({ resourceType: 'Bundle', ...bundle(address) }) }) as never

it('a page that links itself, or one before it, is read once', async () => {
  const asked: string[] = []
  const next = ['Patient?b', 'Patient?c', 'Patient?b']
  const server = serverOf(address => {
    asked.push(address)
    return { link: [{ relation: 'next', url: next[asked.length - 1] ?? 'Patient?b' }] }
  })
  const read = async () => {
    for await (const _page of pages(server, '同步', 'Patient', []));
  }
  await expect(read()).rejects.toThrow('HIS的分页没有结尾')
  expect(asked).toHaveLength(3)
})

it('of patients who bear the number the one is meant to whom it is a number of this kind', async () => {
  const other = { ...patient, id: 'o', identifier: [identifier(systems.patientNo, 'P9'), identifier('urn:card', 'P1')] }
  const server = serverOf(() => ({ entry: [{ resource: other }, { resource: patient }] }))
  expect(await fhirHis(server).patient({ patient_no: 'P1' })).toMatchObject({ patient_no: 'P1', patient_name: '王一' })
})

it('what is planned, given up or booked by mistake is no charge', () => {
  const states = ['planned', 'billable', 'not-billable', 'aborted', 'billed', 'entered-in-error', 'unknown'] as const
  const charges = states.map(charge).filter(isCharged)
  expect(charges.map(row => chargeOf(row, found())).map(row => [row.charge_no, row.amount])).toEqual([
    ['billable', '10.00'],
    ['billed', '10.00'],
    ['unknown', '10.00'],
  ])
})

it('a line of a receipt has the goods that it names, and a line booked by mistake is none', () => {
  const goods = (id: string) => ({
    resourceType: 'Device' as const,
    id,
    type: { coding: [{ system: systems.material, code: id }] },
  })
  const line = (no: string, status: 'completed' | 'entered-in-error'): Parameters<typeof receiptsIn>[0][number] => ({
    resourceType: 'SupplyDelivery',
    status,
    identifier: [identifier(systems.receiptNo, 'R1')],
    type: { coding: [{ system: systems.receiptKind, code: 'purchase' }] },
    occurrenceDateTime: '2026-06-01T08:00:00+08:00',
    contained: [goods('a'), goods('b')],
    suppliedItem: { quantity: { value: figure('2') }, itemReference: { reference: '#b' } },
    extension: [
      { url: extensions.line, valueInteger: figure(no) },
      { url: extensions.price, valueDecimal: figure('5') },
    ],
  })
  expect(receiptsIn([line('1', 'completed'), line('2', 'entered-in-error')])).toMatchObject([
    { amount: '10.00', lines: [{ material_code: 'b' }] },
  ])
})
