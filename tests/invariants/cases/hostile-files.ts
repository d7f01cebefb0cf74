import { zipSync } from 'fflate'
import { workbook } from '../../support/sheets.ts'

/** A malicious file. */
export type HostileFile = { readonly what: string; readonly name: string; readonly bytes: Buffer }

const OFFICE = 'http://schemas.openxmlformats.org'
const text = (value: string) => new TextEncoder().encode(value)
const sheetXml = (rows: string, range = 'A1:B2') =>
  `<?xml version="1.0"?><worksheet xmlns="${OFFICE}/spreadsheetml/2006/main"><dimension ref="${range}"/>` +
  `<sheetData>${rows}</sheetData></worksheet>`
const skeleton = {
  '[Content_Types].xml':
    `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ` +
    'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ' +
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
  '_rels/.rels':
    `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}` +
    '/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  'xl/workbook.xml':
    `<workbook xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${OFFICE}/officeDocument/2006/relationships">` +
    '<sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}` +
    '/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
/** A workbook of hand-written parts. */
const book = (parts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries({ ...skeleton, ...parts }).map(([name, part]) => [name, text(part)]))),
  )
const sheet = (xml: string, more: Readonly<Record<string, string>> = {}) =>
  book({ 'xl/worksheets/sheet1.xml': xml, ...more })
const cell = (value: string) => `<c t="str"><v>${value}</v></c>`

/** The same file with a field of its ZIP directory overwritten, in every entry. */
function withEntries(file: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(file)
  for (
    let place = copy.indexOf('PK\u0001\u0002', 0, 'latin1');
    place >= 0;
    place = copy.indexOf('PK\u0001\u0002', place + 4, 'latin1')
  )
    copy.writeUInt32LE(value, place + at)
  return copy
}

/** Small when packed, and slow to parse. */
export const longBook = (): Buffer => sheet(sheetXml(`<row>${cell('x').repeat(60)}</row>`.repeat(4000), 'A1:BH4000'))

/** Workbooks that break naive readers; each is refused or read within limits. */
export function hostileBooks(): HostileFile[] {
  const plain = workbook([['名称'], ['甲']])
  const bomb = sheet(sheetXml(`<row r="1">${cell(' '.repeat(120_000_000))}</row>`))
  const named = (what: string, bytes: Buffer, name = 'a.xlsx') => ({ what, name, bytes })
  return [
    named('nothing', Buffer.alloc(0)),
    named('noise', Buffer.from('not a workbook at all')),
    named('only the first letters of a zip', Buffer.from('PK\u0003\u0004')),
    named('a zip that breaks off', plain.subarray(0, plain.length / 2)),
    named('a zip without its end', plain.subarray(0, -10)),
    named('an empty zip', Buffer.from(zipSync({}))),
    named('a zip of other things', book({})),
    named('a bomb', bomb),
    named('a bomb that lies about its size', withEntries(bomb, 24, 1000)),
    named('parts that lie outside', withEntries(plain, 42, 0x7fffffff)),
    named('parts longer than the file', withEntries(plain, 20, 0x7fffffff)),
    named('an unknown packing', withEntries(plain, 8, 0x00630000)),
    named('a sheet of all rows and columns', sheet(sheetXml('<row r="1"><c r="A1"/></row>', 'A1:XFD1048576'))),
    named(
      'a cell at the far end',
      sheet(sheetXml(`<row r="1048576"><c r="XFD1048576" t="str"><v>x</v></c></row>`, 'A1:XFD1048576')),
    ),
    named(
      'entities',
      sheet(`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${sheetXml(`<row>${cell('&a;')}</row>`)}`),
    ),
    named(
      'parts named upwards',
      sheet(sheetXml(''), { '../../../../tmp/evil.xml': 'x', '/etc/passwd': 'x', __proto__: 'x' }),
    ),
    named('a formula', workbook([['名称'], ["=cmd|' /c calc'!A1"]])),
    named('ten thousand columns', workbook([Array.from({ length: 10_000 }, (_, at) => `列${at}`)])),
    named(
      'the same heading twice',
      workbook([
        ['名称', '名称'],
        ['甲', '乙'],
      ]),
    ),
    named(
      'headings of every object',
      workbook([
        ['__proto__', 'constructor', 'toString'],
        ['甲', '乙', '丙'],
      ]),
    ),
    named('a name with a path', plain, '../../../../etc/passwd.xlsx'),
    named('a name of strange letters', plain, '\u202e"\\\u0001xslx.xlsx'),
    named('a program', Buffer.from('MZ\u0090\u0000'), 'a.exe'),
    named('an old workbook that breaks off', workbook([['名称'], ['甲']], 'biff8').subarray(0, 900), 'a.xls'),
    named('old noise', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(3000, 0xff)]), 'a.xls'),
  ]
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
/** A picture whose header states the maximum width and height. */
const vastPicture = Buffer.concat([
  PNG,
  Buffer.from('0000000d49484452', 'hex'),
  Buffer.from('7fffffff7fffffff0806000000', 'hex'),
  Buffer.alloc(60),
])

/** Uploads that pretend to be another file type. */
export const hostileUploads = (): HostileFile[] => [
  { what: 'nothing', name: 'a.png', bytes: Buffer.alloc(0) },
  { what: 'a page', name: 'a.png', bytes: Buffer.from('<html><script>alert(1)</script>') },
  {
    what: 'a drawing with a program',
    name: 'a.svg',
    bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
  },
  {
    what: 'a page called a picture by its first letters',
    name: 'a.html',
    bytes: Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]),
  },
  { what: 'a vast picture', name: 'a.png', bytes: vastPicture },
  { what: 'a program', name: 'a.exe', bytes: Buffer.from('MZ\u0090\u0000'.padEnd(64, 'x')) },
  { what: 'a script', name: 'a.sh', bytes: Buffer.from('#!/bin/sh\nrm -rf /\n') },
  { what: 'a name with a path', name: '../../../../etc/cron.d/x.pdf', bytes: Buffer.from('%PDF-1.7 x'.padEnd(64)) },
  { what: 'a zip of no known name', name: 'a.zip', bytes: Buffer.from(zipSync({ a: text('a') })) },
]
