import { deflateRawSync, deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'
import sharp from 'sharp'
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

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const MB = 1024 * 1024
const repeated = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)

/** A flat OpenDocument sheet of a few hundred bytes that claims millions of cells. */
const manyCells =
  `${XML}<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ' +
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table>' +
  '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000000">' +
  '<text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>' +
  '</office:document>'

const page = (rows: string) => `<html><body><table>${rows}</table></body></html>`

/** An .xls of a few kilobytes that states all rows and columns there are. */
const statesAllCells = (): Buffer => {
  const plain = workbook([['名称'], ['甲']], 'biff8')
  const dimensions = plain.indexOf(Buffer.from([0x00, 0x02, 0x0e, 0x00]))
  plain.writeUInt32LE(65_536, dimensions + 8)
  plain.writeUInt16LE(256, dimensions + 14)
  return plain
}

/** A PDF whose object stream unpacks to so many bytes. */
function packedPdf(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, 32))
  const head =
    `%PDF-1.5\n1 0 obj\n<</Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /Length ${packed.length}>>` + '\nstream\n'
  const tail = '\nendstream\nendobj\ntrailer <</Root 1 0 R>>\n%%EOF'
  return Buffer.concat([Buffer.from(head, 'latin1'), packed, Buffer.from(tail)])
}

/** A zip file of one deflated part that unpacks to so many bytes. */
const packedPart = (name: string, content: Buffer): Buffer => {
  const plain = Buffer.from(zipSync({ [name]: new Uint8Array(0) }, { level: 9 }))
  return content.length === 0 ? plain : Buffer.from(zipSync({ [name]: content }, { level: 9 }))
}

const picture = (width: number, height: number, format: 'png' | 'jpeg' | 'webp') =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .toFormat(format)
    .toBuffer()

/** Files of every kind that hold up a careless reader, each under a name that it does not deserve. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const named = (what: string, name: string, bytes: Buffer | string) => ({ what, name, bytes: Buffer.from(bytes) })
  return [
    ...hostileBooks(),
    ...hostileUploads(),
    named('tags that never end', 'a.xml', XML + repeated('<InvoiceNumber ', 4 * MB)),
    named('elements within elements', 'a.xml', XML + repeated('<a>', 4 * MB)),
    named('ends of elements that never began', 'a.xml', XML + repeated('</a>', 4 * MB)),
    named('an element of a million attributes', 'a.xml', `${XML}<a ${repeated('b="" ', 4 * MB)}/>`),
    named('an attribute of megabytes', 'a.xml', `${XML}<a b="${repeated('x', 4 * MB)}"/>`),
    named(
      'entities that multiply',
      'a.xml',
      `${XML}<!DOCTYPE a [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>`,
    ),
    named('an entity of a file', 'a.xml', `${XML}<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>`),
    named(
      'a page of a million cells across',
      'a.xls',
      page(`<tr>${'<td colspan=1000000000>x</td>'.repeat(5000)}</tr>`),
    ),
    named('a page of cells that reach down', 'a.xls', page('<tr><td rowspan=1000000000>x</td></tr>'.repeat(5000))),
    named('a page of tables in tables', 'a.xls', repeated('<table><tr><td>', 2 * MB)),
    named('a page of a million rows', 'a.csv', page('<tr><td>x'.repeat(400_000))),
    named('millions of cells in a few bytes', 'a.csv', manyCells),
    named('all cells that there are in an old workbook', 'a.csv', statesAllCells()),
    named('a text of commas', 'a.csv', repeated(',', 4 * MB)),
    named('a text of quotes', 'a.csv', repeated('"', 4 * MB)),
    named('a text of a million lines', 'a.csv', repeated('a,b\n', 4 * MB)),
    named('a text of quotes that never end', 'a.csv', repeated('x,"', 4 * MB)),
    named(
      'a sheet of OpenDocument that unpacks to a lot',
      'a.xlsx',
      packedPart('content.xml', Buffer.alloc(120 * MB, 32)),
    ),
    named('an OFD that unpacks to a lot', 'a.ofd', packedPart('OFD.xml', Buffer.alloc(120 * MB, 32))),
    named(
      'an OFD of elements within elements',
      'a.ofd',
      packedPart('OFD.xml', Buffer.from(XML + repeated('<a>', 8 * MB))),
    ),
    named('a package that unpacks to a lot', 'UDID_A.zip', packedPart('UDID.xml', Buffer.alloc(120 * MB, 32))),
    named(
      'a package that is packed twice',
      'UDID_B.zip',
      packedPart('UDID.xml', deflateRawSync(Buffer.alloc(64 * MB))),
    ),
    named('a picture of a hundred million points', 'a.jpg', await picture(10_000, 10_000, 'png')),
    named('a picture that is one line', 'a.png', await picture(16_000, 2, 'webp')),
    named('a PDF that unpacks to a lot', 'a.pdf', packedPdf(128 * MB)),
    named('a PDF of a name alone', 'a.pdf', '%PDF-1.7\n%%EOF'),
    named('a PDF whose pages hold themselves', 'a.pdf', PAGES_IN_PAGES),
    named('a text of the standard of Excel 2003', 'a.xls', spreadsheetXml('2147483647')),
  ]
}

const PAGES_IN_PAGES =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n' +
  '2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000>>endobj\n' +
  'trailer<</Root 1 0 R>>\n%%EOF'

const spreadsheetXml = (index: string) =>
  `${XML}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" ` +
  'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table>' +
  `<Row ss:Index="${index}"><Cell ss:Index="${index}"><Data ss:Type="String">x</Data></Cell></Row>` +
  '</Table></Worksheet></Workbook>'
