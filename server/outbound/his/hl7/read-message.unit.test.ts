import { describe, expect, test } from 'vitest'
import { parseMessage } from '#server/outbound/his/hl7/message.ts'
import { readMessage } from '#server/outbound/his/hl7/read-message.ts'

/** Messages as programs of hospitals write them: each says the same in its own way. */
const read = (type: string, ...segments: string[]) =>
  readMessage(parseMessage([`MSH|^~\\&|HIS|H01|SPD|H01|20261126080000||${type}|C1|P|2.5`, ...segments].join('\r')))
const pid = ({ numbers = 'P1', names = '步^允执', sex = 'F' } = {}) => `PID|1||${numbers}||${names}||19610118|${sex}`
const pv1 = (kind = 'I', place = 'K14^^31') => `PV1|1|${kind}|${place}||||${'|'.repeat(12)}V1`

describe('the number of a patient', () => {
  test.each([
    ['110101196101181234^^^^NI~P77^^^H01^PI', 'P77'],
    ['C9^^^YB^SN~P77', 'P77'],
    ['P77^^^H01^PI~P78^^^H01^MR', 'P78'],
    ['P76^^^H01^MR^^20100101^20201231~P77^^^H01^MR', 'P77'],
    ['P77^^^H01^MR^^20100101^20991231~P78', 'P77'],
    ['^^^^TEAM~P77^^^H01^XX', 'P77'],
    ['C9^^^YB^SN', 'C9'],
  ])('of several is the hospital’s own that is in force: %s', (numbers, number) => {
    expect(read('ADT^A08', pid({ numbers }), pv1()).patient?.patient_no).toBe(number)
  })

  test('that ended and has no successor is none', () => {
    expect(() => read('ADT^A08', pid({ numbers: 'P76^^^H01^MR^^20100101^20201231' }), pv1())).toThrow(
      '缺少PID-3患者编号',
    )
  })
})

test.each([
  ['M', 'male'],
  ['f', 'female'],
  ['Male', 'male'],
  ['男', 'male'],
  ['女', 'female'],
  ['1', 'male'],
  ['2', 'female'],
  ['F^女', 'female'],
  ['A', 'other'],
  ['U', 'unknown'],
  ['9', 'unknown'],
  ['', 'unknown'],
])('the sex %s is %s', (sex, meant) => {
  expect(read('ADT^A08', pid({ sex }), pv1()).patient?.sex).toBe(meant)
})

test('an absent sex keeps what is known, and null says that it is not known', () => {
  expect(read('ADT^A08', pid({ sex: '' }), pv1()).visit?.keeps).toContain('sex')
  expect(read('ADT^A08', pid({ sex: '""' }), pv1()).visit?.keeps).not.toContain('sex')
  expect(read('ADT^A08', pid({ sex: 'U' }), pv1()).visit?.keeps).not.toContain('sex')
})

test.each([
  ['A08', 'I', 'inpatient'],
  ['A08', 'Inpatient', 'inpatient'],
  ['A08', '住院', 'inpatient'],
  ['A01', 'O^门诊', 'outpatient'],
  ['A08', 'E', 'emergency'],
  ['A08', '急诊', 'emergency'],
])('%s of class %s is %s', (event, kind, meant) => {
  expect(read(`ADT^${event}`, pid(), pv1(kind)).visit).toMatchObject({ visit_class: meant })
  expect(read(`ADT^${event}`, pid(), pv1(kind)).visit?.keeps).not.toContain('visit_class')
})

test('a class that says nothing keeps what is known; whoever is new in a ward is an inpatient', () => {
  for (const kind of ['', 'U', 'R', '""']) {
    expect(read('ADT^A08', pid(), pv1(kind)).visit?.keeps).toContain('visit_class')
    expect(read('ADT^A01', pid(), pv1(kind)).visit?.visit_class).toBe('inpatient')
    const [charge] = read('DFT^P03', pid(), pv1(kind), 'FT1|1|F1||20261126081500||cg|F310101|||1|5').charges
    expect(charge).toMatchObject({ visit_class: null, charge_kind: 'charge' })
  }
})

test('a name of another type counts where it is the only one', () => {
  const nameOf = (names: string) => read('ADT^A08', pid({ names }), pv1()).patient?.patient_name
  expect(nameOf('步^允执^^^^^A')).toBe('步允执')
  expect(nameOf('旧名^^^^^^M~步^允执^^^^^L')).toBe('步允执')
  expect(nameOf('ブ^インジ^^^^^L^P~步^允执^^^^^L^I')).toBe('步允执')
  expect(nameOf('SMITH&VAN&SMITH^JOHN^^JR')).toBe('JOHN SMITH')
})

test('gone home when it happened, not when somebody wrote it down', () => {
  const gone = (evn: string, discharged = '') =>
    read('ADT^A03', evn, pid(), `${pv1()}${'|'.repeat(26)}${discharged}`).visit?.ended_at
  expect(gone('EVN|A03|20261126090000||||20261125180000')).toBe('2026-11-25T10:00:00.000Z')
  expect(gone('EVN|A03|20261126090000||||20261125180000', '20261125170000')).toBe('2026-11-25T09:00:00.000Z')
  expect(gone('EVN|A03|20261126090000')).toBe('2026-11-26T01:00:00.000Z')
})

test('of the people of an operation the surgeon is meant, in whatever order they stand', () => {
  const surgeonOf = (...people: string[]) =>
    read('SIU^S12', 'SCH|1|OP1|||||置换术', pid(), pv1(), ...people.map((each, at) => `AIP|${at + 1}|A|${each}`))
      .operation
  expect(surgeonOf('N1^陈^护^^^^^^^^|NURSE^护士', 'S1^薛^牧野|SURGEON^主刀')).toMatchObject({ surgeon_no: 'S1' })
  expect(surgeonOf('A1^何^安|ANES^麻醉医生', 'S1^薛^牧野')).toMatchObject({ surgeon_no: 'S1', surgeon_name: '薛牧野' })
  expect(surgeonOf('A1^何^安|一助', 'S1^薛^牧野|术者')).toMatchObject({ surgeon_no: 'S1' })
  expect(surgeonOf('S1^薛^牧野', 'S2^王^一|')).toMatchObject({ surgeon_no: 'S1' })
  expect(surgeonOf('N1^陈^护|洗手护士')).toMatchObject({ surgeon_no: null, surgeon_name: null })
})

test('a credit with a negative amount is refused in its own words', () => {
  const line = (type: string) => () => read('DFT^P03', pid(), pv1(), `FT1|1|F1||20261126081500||${type}|F310101|||1|-5`)
  expect(line('CD')).toThrow('FT1-11金额不能为负数，退费金额请填正数')
  expect(line('CG')).toThrow('FT1-11金额不能为负数，退费请用交易类型CD')
})
