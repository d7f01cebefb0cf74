import { expect, it } from 'vitest'
import {
  acknowledgement,
  decodeMessage,
  isAcknowledgement,
  messagesIn,
  namedIn,
  parseMessage,
  UnreadableMessage,
} from '#server/outbound/his/hl7/message.ts'
import { type Frame, frameCutter } from '#server/outbound/his/hl7/mllp.ts'
import { momentOf } from '#server/outbound/his/hl7/parts.ts'
import { readMessage } from '#server/outbound/his/hl7/read-message.ts'
import { receiveFrame } from '#server/outbound/his/hl7/receive.ts'
import { processorSeconds } from '#tests/support/processor-time.ts'

/** The example of the standard (HL7 v2, chapter 3), as it is printed everywhere. */
const admitted = [
  'MSH|^~\\&|ADT1|MCM|LABADT|MCM|198808181126|SECURITY|ADT^A01|MSG00001|P|2.4',
  'EVN|A01|198808181123',
  'PID|||PATID1234^5^M11^ADT1^MR^MCM~123456789^^^USSSA^SS||JONES^WILLIAM^A^III||19610615|M||2106-3|1200 N ELM ' +
    'STREET^^GREENSBORO^NC^27401-1020|GL|(919)379-1212|(919)271-3434||S||PATID12345001^2^M10^ADT1^AN^MCM|' +
    '123456789|9-87654^NC',
  'NK1|1|JONES^BARBARA^K|WIFE||||||NK^NEXT OF KIN',
  'PV1|1|I|2000^2012^01||||004777^LEBAUER^SIDNEY^J.|||SUR||||ADM|A0',
].join('\r')
/** The example that interface engines ship for a new appointment. */
const booked = [
  'MSH|^~\\&|MESA_OP|XYZ_HOSPITAL|iFW|ABC_HOSPITAL|20110613061611||SIU^S12|24916560|P|2.3||||||',
  'SCH|10345^10345|2196178^2196178|||10345|OFFICE^Office visit|reason for the appointment|OFFICE|60|m|' +
    '^^60^20110617084500^20110617093000|||||9^DENT^ARTHUR^||||9^DENT^COREY^|||||Scheduled',
  'PID|1||42||SMITH^PAUL||19781012|M|||1 Broadway Ave^^Fort Wayne^IN^46804||(260)555-1234|||S||999999999||||||||||',
  'PV1|1|O|||||1^Smith^Miranda^A^MD^^^^|2^Withers^Peter^D^MD^^^^||||||||||||||||||||||||||||||||||||||||||99158||',
  'RGS|1|A',
  'AIG|1|A|1^White, Charles|D^^',
  'AIL|1|A|OFFICE^^^OFFICE|^Main Office||20110614084500|||45|m^Minutes||Scheduled',
  'AIP|1|A|1^White^Charles^A^MD^^^^|D^White, Douglas||20110614084500|||45|m^Minutes||Scheduled',
].join('\r')

const texts = (frames: readonly Frame[]) => frames.map(({ bytes }) => String(bytes))

it('the published examples are read as the standard says', () => {
  const { patient, visit } = readMessage(parseMessage(admitted))
  expect(patient).toMatchObject({ patient_no: 'PATID1234', patient_name: 'WILLIAM A JONES', sex: 'male' })
  expect(patient).toMatchObject({ birth_date: '1961-06-15', updated_at: '1988-08-18T03:23:00.000Z' })
  expect(visit).toMatchObject({
    visit_no: 'PATID12345001',
    visit_class: 'inpatient',
    state: 'active',
    department_code: '2000',
    bed_no: '01',
    doctor_no: '004777',
  })
  const { operation } = readMessage(parseMessage(booked))
  expect(operation).toMatchObject({
    surgery_no: '2196178',
    visit_no: '999999999',
    patient_no: '42',
    surgery_name: 'reason for the appointment',
    state: 'planned',
    planned_at: '2011-06-17T00:45:00.000Z',
    theatre: 'OFFICE',
    surgeon_no: '1',
    surgeon_name: 'Charles White',
  })
})

const header = (type: string, more = '') => `MSH|^~\\&|HIS|H01|SPD|H01|20261126080000||${type}|C1|P|2.5${more}`
const person = 'PID|1||P1^^^H01^MR||步^允执||19610118|F|||||||||||V1'

it('charges keep their figures, and credits are refunds', () => {
  const { charges } = readMessage(
    parseMessage(
      [
        header('DFT^P03'),
        person,
        'PV1|1|I|K14||||||||||||||||V9',
        'FT1|1|F1||20261126081500||CG|F310101^支架||  |2|159.00|79.5|K14'.replace('  ', ''),
        'FT1|2|T1|F1|20261126091500||CR|F310101^支架|||1||79.5|K14',
      ].join('\n'),
    ),
  )
  expect(charges.map(each => [each.charge_no, each.charge_kind, each.quantity, each.price, each.amount])).toEqual([
    ['F1', 'charge', '2', '79.5', '159.00'],
    ['T1', 'refund', '1', '79.5', '79.50'],
  ])
  expect(charges[1]).toMatchObject({ refunded_charge_no: 'F1', visit_no: 'V9', visit_class: 'inpatient' })
  expect(charges[0]).toMatchObject({ charged_at: '2026-11-26T00:15:00.000Z', item_name: '支架' })
})

it('escapes, repetitions, other separators and encodings are read; nothing is split after it was unescaped', () => {
  const odd = parseMessage('MSH$*~!@$HIS$$$$20261126$$ADT*A08$7$P$2.5\rPID$$$$$A!S!B!F!C!T!D!R!E!E!F!X41!*G~H*I$$')
  expect(odd.first('PID')!.text(5)).toBe('A*B$C@D~E!FA')
  expect(odd.first('PID')!.repetitions(5)[1]!(2)).toBe('I')
  expect(
    parseMessage(`${header('ADT^A08')}\rPID||||""|x\\.br\\y`)
      .first('PID')!
      .text(4),
  ).toBe('')
  const gb = Buffer.from(`${header('ADT^A01', '||||||GB 18030-2000')}\rPID|||P1||`, 'latin1')
  const name = Buffer.from([0xb2, 0xbd, 0xd4, 0xca, 0xd6, 0xb4])
  const said = decodeMessage(Buffer.concat([gb, name]))
  expect(said).toMatchObject({ encoding: 'gb18030', text: expect.stringMatching(/PID\|\|\|P1\|\|步允执$/) })
  // Without a character set its bytes tell.
  const silent = Buffer.concat([Buffer.from(`${header('ADT^A01')}\rPID|||P1||`), name])
  expect(decodeMessage(silent).text).toMatch(/步允执$/)
  const escaped = parseMessage(`${header('ADT^A01')}\rPID|||||\\XB2BDD4CAD6B4\\`, 'gb18030')
  expect(escaped.first('PID')!.text(5)).toBe('步允执')
  const wrong = Buffer.concat([Buffer.from(`${header('ADT^A01', '||||||UNICODE UTF-8')}\rPID|||P1||`), name])
  expect(() => decodeMessage(wrong)).toThrow('报文的内容与其字符集不符')
  for (const spelling of ['GB 18030-2000', 'gb18030', 'UNICODE UTF-8', 'utf8', '8859/1', 'ISO-8859-15', 'ISO IR192'])
    expect(decodeMessage(Buffer.from(header('ADT^A01', `||||||${spelling}`))).text).toContain('ADT')
  expect(() => decodeMessage(Buffer.from(header('ADT^A01', '||||||EBCDIC')))).toThrow('不支持的字符集EBCDIC')
})

it('reads no Chinese as letters of a Latin character set, and loses no part of a name', () => {
  const latin = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${header('ADT^A01', '||||||8859/1')}\rPID|1||P1||`), bytes])
  expect(decodeMessage(latin(Buffer.from('步允执'))).text).toMatch(/步允执$/)
  // The same name in GBK.
  expect(() => decodeMessage(latin(Buffer.from('b2bdd4cad6b4', 'hex')))).toThrow('报文的内容与其字符集不符')
  expect(decodeMessage(latin(Buffer.from('4df46c6c6572', 'hex'))).text).toMatch(/Môller$/)
  const nameOf = (escaped: string) =>
    parseMessage(`${header('ADT^A01')}\rPID|1||P1||步${escaped}允执`)
      .first('PID')!
      .text(5)
  expect(nameOf('\\H\\')).toBe('步允执')
  for (const escaped of ['\\C2842\\', '\\M244242\\', '\\X4\\']) expect(() => nameOf(escaped)).toThrow('不能识别')
})

it.each([
  ['步\\XE58581\\执', '步允执'],
  ['步\\XE5\\\\X8581\\执', '步允执'],
  ['A\\.sp2\\B\\.in+4\\C\\H\\D\\N\\', 'A\nBCD'],
  ['C:\\his\\data', 'C:\\his\\data'],
  ['10\\20\\30', '10\\20\\30'],
])('the escapes of %s are read, and what is none stays', (written, name) => {
  expect(
    parseMessage(`${header('ADT^A01')}\rPID|1||P1||${written}`)
      .first('PID')!
      .text(5),
  ).toBe(name)
})
it.each(['\\XE5\\', '\\XFFFE\\', '\\Z01\\'])('%s is no part of a name', written => {
  const message = parseMessage(`${header('ADT^A01')}\rPID|1||P1||步${written}允执`)
  expect(() => message.first('PID')!.text(5)).toThrow('不能识别')
})

it('a message whose frame lost its end, or stands behind blank lines, is a message of its own', () => {
  const one = `${header('ADT^A01')}\r${person}`
  expect(messagesIn(`${one}\r\u000b${one}\r\u001c\r`)).toEqual([one, one])
  expect(messagesIn(` \r\n\t\r\n${one}`)).toEqual([one])
})

it('an amount of another currency is refused, and yuan by any of its names is taken', () => {
  const charged = (amount: string) =>
    readMessage(
      parseMessage(
        [header('DFT^P03'), person, 'PV1|1|I|K14||||||||||||||||V9', `FT1|1|F1||20261126||CG|X|||1|${amount}`].join(
          '\r',
        ),
      ),
    ).charges[0]?.amount
  for (const amount of ['100', '100&CNY', '100&rmb^UP']) expect(charged(amount)).toBe('100')
  expect(() => charged('100&USD')).toThrow('FT1-11金额的币种USD不是人民币')
  expect(() => charged('100|50&USD')).toThrow('FT1-12单价的币种USD不是人民币')
})

it('character sets stand in any repetition, Turkish and alternates among them', () => {
  const gb = Buffer.concat([
    Buffer.from(`${header('ADT^A01', '||||||~GB 18030-2000')}\rPID|1||P1||`),
    Buffer.from('b2bdd4cad6b4', 'hex'),
  ])
  expect(decodeMessage(gb)).toMatchObject({ encoding: 'gb18030', text: expect.stringMatching(/步允执$/) })
  expect(decodeMessage(Buffer.from(header('ADT^A01', '||||||8859/9'))).encoding).toBe('iso-8859-9')
})

it('the blanks of columns of a fixed width are no part of a number or a name', () => {
  const padded = [header('ADT^A08'), 'PID|1|| P1 ||步 ^允执  ||19610118|F ', 'PV1|1|I |K14 ^^"" ||||||||||||||||V9  ']
  const { patient, visit } = readMessage(parseMessage(padded.join('\r')))
  expect(patient).toMatchObject({ patient_no: 'P1', patient_name: '步允执', sex: 'female' })
  expect(visit).toMatchObject({ visit_no: 'V9', department_code: 'K14', visit_class: 'inpatient', cleared: ['bed_no'] })
})

it('what cannot be used says what is missing', () => {
  const reason = (text: string) => {
    try {
      readMessage(parseMessage(text))
    } catch (error) {
      if (error instanceof UnreadableMessage) return error.message
      throw error
    }
    return ''
  }
  expect(reason('PID|1')).toBe('报文没有MSH段')
  expect(reason('')).toBe('报文没有MSH段')
  expect(reason('MSH|^~\\&|||||2026||ADT^A01||P')).toBe('MSH段缺少消息类型或控制号')
  expect(reason(header('ORU^R01'))).toBe('不接收ORU^R01')
  expect(reason(header('ADT^A01'))).toBe('缺少PID段')
  expect(reason(`${header('ADT^A01')}\r${person}`)).toBe('缺少PV1段')
  expect(reason(`${header('ADT^A01')}\rPID|1||||步^允执\rPV1|1|I`)).toBe('缺少PID-3患者编号')
  const charged = (line: string) => reason(`${header('DFT^P03')}\r${person}\rPV1|1|I\rFT1|1|F1|||${line}`)
  expect(charged('|CG|X|||many')).toBe('FT1-10数量不是数字')
  expect(charged('||X|||1|5')).toBe('缺少FT1-6交易类型')
  expect(charged('|ZZ|X|||1|5')).toBe('FT1-6交易类型ZZ不能识别，应为CG、CD、PY、CO或AJ')
  expect(charged('|CG|X|||1|-5')).toBe('FT1-11金额不能为负数，退费请用交易类型CD')
  expect(reason(`${header('ADT^A01')}\rPID|1||P1||步^允执||19610231\rPV1|1|I`)).toBe('PID-7出生日期不是有效日期')
  expect(reason(`${header('ADT^A01')}\rPID|1||P1||步^允执||00010101\rPV1|1|I`)).toBe('PID-7出生日期不是有效日期')
  const admittedAt = (at: string) =>
    reason(`${header('ADT^A01')}\r${person}\rPV1|1|I${'|'.repeat(17)}V1${'|'.repeat(25)}${at}`)
  expect(admittedAt('20261399')).toBe('PV1-44入院时间不是有效时间')
  expect(admittedAt('202611260860')).toBe('PV1-44入院时间不是有效时间')
})

it('times of any precision and offset, and none that do not exist', () => {
  expect(momentOf('20261126')).toBe('2026-11-25T16:00:00.000Z')
  expect(momentOf('202611260815-0500')).toBe('2026-11-26T13:15:00.000Z')
  expect(momentOf('20261126081530.1234')).toBe('2026-11-26T00:15:30.000Z')
  expect(momentOf('20261126081530.123456789+0800')).toBe('2026-11-26T00:15:30.000Z')
  expect(momentOf('2026-11-26T08:15:30.5+08:00')).toBe('2026-11-26T00:15:30.500Z')
  expect(momentOf('2026-11-26T08:15:30')).toBe('2026-11-26T00:15:30.000Z')
  expect(momentOf('2026-11-26 08:15')).toBe('2026-11-26T00:15:00.000Z')
  expect(momentOf('2026-11-26')).toBe('2026-11-25T16:00:00.000Z')
  expect(momentOf('2026-11-26T08:15:30-0500')).toBe('2026-11-26T13:15:30.000Z')
  expect(momentOf('0001-01-01T00:00:00Z')).toBeNull()
  expect(momentOf('2026-02-30 08:15')).toBeNull()
  expect(momentOf('20260230')).toBeNull()
  expect(momentOf('00010101')).toBeNull()
  expect(momentOf('2026')).toBeNull()
  expect(momentOf('20261399')).toBeNull()
})

it('the answer names the message and escapes its reason; frames are cut from what arrives in pieces', () => {
  const answer = acknowledgement(parseMessage(admitted), 'AE', '缺少|PV1', '2026-11-26T00:00:00.000Z')
  const read = parseMessage(answer)
  expect(read.first('MSA')!.text(1)).toBe('AE')
  expect([read.first('MSA')!.text(2), read.first('MSA')!.text(3)]).toEqual(['MSG00001', '缺少|PV1'])
  const strange = Buffer.from('MSH|^~\\&|HIS|H01|||2026||ADT^A01|C9|P|2.4|||||\xff\xfe', 'latin1')
  expect(acknowledgement(namedIn(strange), 'AR', 'x', '2026-11-26T00:00:00.000Z')).toMatch(
    /HIS\|H01\|.*MSA\|AR\|C9\|x/s,
  )
  expect(frameCutter().take(Buffer.from('\x0bMSH|half'))).toEqual([])
  const two = frameCutter().take(Buffer.from('noise\x0bone\x1c\r\x0btwo\x1c\r'))
  expect(texts(two)).toEqual(['one', 'two'])
  // Without the carriage return the next frame, or silence, ends it.
  const cutter = frameCutter()
  expect(texts(cutter.take(Buffer.from('\x0bone\x1c\x0btwo\x1c')))).toEqual(['one'])
  expect(cutter.mayBeWhole()).toBe(true)
  expect(texts(cutter.rest())).toEqual(['two'])
  expect(texts(cutter.take(Buffer.from('\r\x0bthree\x1c\r')))).toEqual(['three'])
  expect(texts(cutter.take(Buffer.from('\x0bfour\x1c\n\x0bfive\x1c\r\n\x0bsix\x1c\r')))).toEqual([
    'four',
    'five',
    'six',
  ])
})

it('cuts messages that arrive byte by byte, in time that grows with their length alone', async () => {
  const whole = Buffer.from('noise\x0bone\x1c!\x1c\x1c\r\r\x0btwo\x1c\r')
  const cut = frameCutter()
  const frames = [...whole].flatMap(byte => cut.take(Buffer.from([byte])))
  expect(texts(frames)).toEqual(['one\x1c!\x1c', 'two'])
  const slow = frameCutter()
  slow.take(Buffer.from('\x0b'))
  const one = Buffer.from('x')
  const fed = () => {
    for (let at = 0; at < 500_000; at++) slow.take(one)
  }
  // Looked at again with each byte, they would take some minutes.
  expect(await processorSeconds(fed)).toBeLessThan(20)
  expect(slow.take(Buffer.alloc(600_000, 0x78))).toEqual([])
  // Too long: what it is called is kept, and the next one is read.
  const [long, next] = slow.take(Buffer.from('\x1c\r\x0bnext\x1c\r'))
  expect(long).toMatchObject({ isTooLong: true, bytes: Buffer.alloc(1000, 0x78) })
  expect(String(next!.bytes)).toBe('next')
})

it('a message of many lines, names or escapes, and a frame of many messages hold nobody up', async () => {
  const names = `PID|1||P1||${'A^B~'.repeat(20_000)}`
  const lines = Array.from({ length: 8000 }, (_, at) => `FT1||F${at}||20261126||CG|X|||1|1`)
  const long = [header('DFT^P03'), names, 'PV1|1|I|||||||||||||||||V1', ...lines].join('\r')
  let charges = 0
  const read = () => void (charges = readMessage(parseMessage(long)).charges.length)
  // With the patient read again for each line, or each segment sought among all, it would take some minutes.
  expect(await processorSeconds(read)).toBeLessThan(10)
  expect(charges).toBe(lines.length)
  const escapes = `PID|1||P1||${'\\T\\'.repeat(100_000)}\rPV1|1|I|||||||||||||||||V1`
  expect(() => readMessage(parseMessage(`${header('ADT^A01')}\r${escapes}`))).toThrow('报文中的一个字段过长')
  const flood = Buffer.from('MSH\r'.repeat(200_000))
  const answers = await receiveFrame(null as never, '1', flood)
  expect(answers.map(answer => answer.split('|').at(-1))).toEqual(['一帧最多5000条报文，请分批发送\r'])
})

it('a credit, an adjustment by its sign and what is of no goods are told apart by their type (table 0017)', () => {
  const line = (type: string, amount: string) =>
    `FT1|1|F-${type}${amount}|O1|20261126081500||${type}|F310101|||2|${amount}`
  const { charges } = readMessage(
    parseMessage(
      [
        header('DFT^P03'),
        person,
        'PV1|1|I|K14||||||||||||||||V9',
        line('CG', '10'),
        line('CD', '10'),
        line('AJ', '10'),
        line('AJ', '-10'),
        line('PY', '30'),
        line('CO', '5'),
      ].join('\r'),
    ),
  )
  expect(charges.map(each => [each.charge_no, each.charge_kind, each.price, each.amount])).toEqual([
    ['F-CG10', 'charge', '5.0000', '10'],
    ['F-CD10', 'refund', '5.0000', '10'],
    ['F-AJ10', 'charge', '5.0000', '10'],
    ['F-AJ-10', 'refund', '5.0000', '10'],
  ])
})

it.each([
  ['步^允执', '步允执'],
  ['Bu^Yunzhi^^^^^L^A~步^允执^^^^^L^I', '步允执'],
  ['旧名^^^^^^M~步^允执', '步允执'],
  ['Nick^^^^^^N~Jones^William^A^^^^L', 'William A Jones'],
  ['Alias^^^^^^A~步^允执^^^^^D', '步允执'],
  ['Alias^A^^^^^A~Jones^William^^^^^U', 'William Jones'],
  ['旧^名^^^^^L^^^^^20100101^20201231~步^允执^^^^^L', '步允执'],
  ['旧^名^^^^^L^^^20100101&20201231~步^允执', '步允执'],
  ['步^允执^^^^^L^^^^^20100101^20991231~旧^名^^^^^D', '步允执'],
])('the name in force of %s', (names, name) => {
  const { patient } = readMessage(parseMessage(`${header('ADT^A01')}\rPID|1||P1||${names}\rPV1|1|I|||||||||||||||||V1`))
  expect(patient?.patient_name).toBe(name)
})

it('what is absent stays, what says null is gone, and a new place has what it says alone', () => {
  const visit = (event: string, pv1: string, pid = 'PID|1||P1||步^允执') =>
    readMessage(parseMessage(`${header(event)}\r${pid}\r${pv1}`)).visit
  const at = (place: string, doctor = '') => `PV1|1|I|${place}||||${doctor}${'|'.repeat(12)}V1`
  expect(visit('ADT^A02', at('K14^^31'))).toMatchObject({ bed_no: '31', state: 'active', cleared: [] })
  expect(visit('ADT^A02', at('K15'))).toMatchObject({ department_code: 'K15', bed_no: null, cleared: ['bed_no'] })
  expect(visit('ADT^A08', at(''))).toMatchObject({ keeps: ['state', 'sex'], cleared: [] })
  expect(visit('ADT^A08', at('""', '""'))).toMatchObject({ cleared: ['department_code', 'bed_no', 'doctor_no'] })
  expect(visit('ADT^A08', at('^^""'))).toMatchObject({ department_code: null, cleared: ['bed_no'] })
  expect(visit('ADT^A08', at('""^^31'))).toMatchObject({ bed_no: '31', cleared: ['department_code'] })
  expect(visit('ADT^A13', at('K14^^31'))).toMatchObject({ state: 'active', is_account_open: true, ended_at: null })
  expect(visit('ADT^A08', `${at('')}${'|'.repeat(26)}20261126`)).toMatchObject({ state: 'finished', keeps: ['sex'] })
})

it('a frame may hold several messages, or a batch; answers to ours are none', () => {
  const one = `${header('ADT^A01')}\r${person}`
  expect(messagesIn(`${one}\r\n${one}\n`)).toEqual([one, one])
  expect(messagesIn(`FHS|^~\\&\rBHS|^~\\&\r${one}\r${one}\rBTS|2\rFTS|1`)).toEqual([one, one])
  expect(isAcknowledgement(parseMessage(`${header('ACK^A01')}\rMSA|AA|C1`))).toBe(true)
  expect(isAcknowledgement(parseMessage(one))).toBe(false)
})
