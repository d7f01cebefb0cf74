import sharp from 'sharp'
import { keepFile, receiveFile } from '#server/files/save.ts'
import type { FileStore } from '#server/files/store.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { Sql } from 'postgres'

type Databases = { readonly owner: Sql; readonly app: Sql }
type Good = { id: string; code: string; class: string; is_sterile: boolean; is_reagent: boolean; is_implant: boolean }

/** A simple shape for each sort of goods: it shows what a picture column is for, and no real product. */
function drawing({ is_implant, is_reagent, is_sterile }: Good, hue: number): string {
  const [dark, light] = [`hsl(${hue},45%,38%)`, `hsl(${hue},45%,72%)`]
  if (is_reagent)
    return (
      `<rect x="150" y="90" width="100" height="40" rx="8" fill="${dark}"/><rect x="135" y="130" width="130" ` +
      `height="190" rx="16" fill="${light}"/><rect x="135" y="200" width="130" height="70" fill="#fff"/>`
    )
  if (is_implant)
    return (
      `<g fill="none" stroke="${dark}" stroke-width="8">` +
      [0, 1, 2, 3, 4, 5].map(n => `<path d="M${70 + n * 44} 150 q22 50 0 100 q-22 50 0 0"/>`).join('') +
      '<path d="M60 200 H340"/></g>'
    )
  if (is_sterile)
    return (
      `<rect x="70" y="110" width="260" height="180" rx="10" fill="${light}"/><rect x="90" y="130" width="220" ` +
      `height="110" rx="6" fill="#fff"/><path d="M110 185 q50 -60 90 0 t90 0" fill="none" stroke="${dark}" ` +
      `stroke-width="9"/><rect x="90" y="252" width="130" height="18" fill="${dark}"/>`
    )
  return (
    `<path d="M80 160 L200 100 L320 160 L320 280 L200 340 L80 280 Z" fill="${light}"/><path d="M80 160 L200 ` +
    `220 L320 160 M200 220 V340" fill="none" stroke="${dark}" stroke-width="8"/>`
  )
}

const sheet = (width: number, height: number, inside: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" ` +
      `height="100%" fill="#f6f7f9"/>${inside}</svg>`,
  )
const pictureOf = (good: Good, at: number): Promise<Buffer> =>
  sharp(
    sheet(
      400,
      400,
      `${drawing(good, (at * 47) % 360)}<text x="200" y="384" font-size="26" text-anchor="middle" ` +
        `fill="#555" font-family="sans-serif">${good.code}</text>`,
    ),
  )
    .png({ palette: true })
    .toBuffer()

/** A scan as an office machine makes it: one page with one picture. */
export async function scanOf(lines: readonly string[]): Promise<Buffer> {
  const [width, height] = [620, 877]
  const text = lines
    .map(
      (line, at) =>
        `<text x="70" y="${230 + at * 44}" font-size="24" fill="#333" font-family="sans-serif">${line}</text>`,
    )
    .join('')
  const frame =
    `<rect x="36" y="36" width="${width - 72}" height="${height - 72}" fill="#fff" stroke="#a33" ` +
    'stroke-width="3"/><circle cx="470" cy="720" r="70" fill="none" stroke="#c33" stroke-width="5"/><text ' +
    'x="470" y="728" font-size="22" text-anchor="middle" fill="#c33" font-family="sans-serif">DEMO</text>'
  const picture = await sharp(sheet(width, height, frame + text))
    .jpeg({ quality: 70 })
    .toBuffer()
  return pdfOf(picture, width, height)
}

/** The smallest PDF that holds a picture. */
function pdfOf(picture: Buffer, width: number, height: number): Buffer {
  const content = 'q 595 0 0 842 0 0 cm /I Do Q'
  const objects: (string | Buffer)[][] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /I 4 0 R >> >> ' +
        '/Contents 5 0 R >>',
    ],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB ` +
        `/BitsPerComponent 8 /Filter /DCTDecode /Length ${picture.length} >>\nstream\n`,
      picture,
      '\nendstream',
    ],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const starts: number[] = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  objects.forEach((object, at) => {
    starts.push(length())
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), ...object.map(part => Buffer.from(part)), Buffer.from('\nendobj\n'))
  })
  const table = starts.map(start => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} ` +
        `/Root 1 0 R >>\nstartxref\n${length()}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** Like an upload: type detected from the first bytes, stored in the file store under its owner. */
export async function upload(
  databases: Databases,
  store: FileStore,
  who: Session,
  name: string,
  bytes: Buffer,
): Promise<string> {
  const stored = await receiveFile(
    store,
    (async function* () {
      yield bytes
    })(),
    name,
  )
  await inOrganisation(databases.app, who.org.id, who.userId, tx => keepFile(tx, who, stored))
  return stored.name
}

/**
 * Small pictures and scans, so that no column of the demo is empty and goods can be complete. Separate from the rest
 * of the demo because files are stored outside the database. Runs once, where the demo has none; returns whether it
 * ran.
 */
export async function bringPictures(databases: Databases, store: FileStore): Promise<boolean> {
  const { owner } = databases
  const [done] = await owner`select 1 from product where pictures <> '{}' limit 1`
  const [platform] = await owner<
    { id: string }[]
  >`select id from organisation where system_type = 0 order by id limit 1`
  if (done || !platform) return false
  const who = { ...(await systemSessionOf(owner, platform.id)), userName: '产品主数据专员' }
  const goods = await owner<Good[]>`
    select id, code, device_class as class, is_sterile, is_reagent, is_implant from product
      where status in ('released', 'unreleased') order by id limit 120`
  for (const [at, good] of goods.entries()) {
    // A few stay without a picture, so that the missing state is visible too.
    if (at % 12 === 11) continue
    const name = await upload(databases, store, who, `${good.code}.png`, await pictureOf(good, at))
    await owner`update product set pictures = array[${name}] where id = ${good.id}`
  }
  await bringCertificates(databases, store, who)
  await bringLotDocuments(databases, store, who)
  return true
}

const digits = (text: string) => text.replace(/[^\dA-Za-z-]/g, '')

async function bringCertificates(databases: Databases, store: FileStore, who: Session): Promise<void> {
  const { owner } = databases
  const rows = await owner<{ id: string; no: string; until: string | null }[]>`
    select id, certificate_no as no, valid_to as until from registration_certificate where attachments = '{}'
      order by id limit 120`
  for (const [at, { id, no, until }] of rows.entries()) {
    if (at % 15 === 14) continue
    const scan = await scanOf(['Registration Certificate', `No. ${digits(no)}`, `valid until ${until ?? '-'}`])
    const name = await upload(databases, store, who, `${digits(no)}.pdf`, scan)
    await owner`update registration_certificate set attachments = array[${name}] where id = ${id}`
  }
}

/** One scan serves several lots, as one test report does. */
async function bringLotDocuments(databases: Databases, store: FileStore, who: Session): Promise<void> {
  const { owner } = databases
  for (const [kind, title] of [
    ['conformity', 'Certificate of Conformity'],
    ['sterilisation', 'Sterilisation Report'],
  ] as const) {
    const name = await upload(databases, store, who, `${kind}.pdf`, await scanOf([title, 'DEMO', 'all items: passed']))
    await owner`update quality_certificate set attachments = array[${name}]
      where certificate_type = ${kind} and attachments = '{}'`
  }
}
