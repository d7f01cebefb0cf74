import { lotForm } from '#kernel/values/lot-no.ts'
import { lotOfSymbol } from '#kernel/codes/merge-symbols.ts'
import { asDocumentSn } from '#kernel/codes/canonical-code.ts'
import { canonicalUdi } from '#kernel/codes/encode.ts'
import { asPackCode } from '#kernel/codes/pack-code.ts'
import type { ParsedCode } from '#kernel/codes/parsed-code.ts'
import { today } from '#kernel/values/date.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Session } from '#server/access/session.ts'
import { barcodeNamed, isUnread, type Named, readByRules } from '#server/traceability/barcodes.ts'
import { knownLots, lotName } from '#server/ledger/known-lots.ts'
import { codesNamedSql } from '#server/ledger/named-codes.ts'
import { partsOfPacks } from '#server/ledger/combined-packs.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The goods that a code names: one unit, or a lot as a whole (unit 0). */
export type Subject = {
  readonly lot_id: string
  readonly unit_id: string
  readonly code: string | null
  readonly specification_id: string
  readonly lot_no: string
}
export type Specification = {
  readonly specification_sn: string
  readonly specification_code: string
  readonly product_name: string
  readonly specification_name: string
  readonly udi_di: string | null
  readonly unit_name: string
  readonly manufacturer_name: string
  readonly manufacturer_sn: string
  readonly device_class: string
  readonly is_implant: boolean
  readonly registration_no: string | null
}

const MOST_HITS = 50

/** Goods in a package: `measure` is how many base units it holds; `unit_name` stays the base unit's. */
export type Packed = Specification & {
  readonly measure: number
  readonly unit_inner_sn: string | null
  readonly pack_name: string | null
}

const packed = (tx: Tx, pack: Fragment, which: Fragment) => tx<Packed[]>`
    select s.id as specification_sn, s.code as specification_code, p.name as product_name,
      s.name as specification_name, s.udi_di, s.unit_name, k.name as pack_name, o.name as manufacturer_name,
      o.id as manufacturer_sn, p.device_class, p.is_implant,
           c.certificate_no as registration_no, coalesce(k.base_measure, 1) as measure, k.id as unit_inner_sn
      from specification s join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id left
        join registration_certificate c on c.id = s.registration_certificate_id
      left join pack_unit k on k.specification_id = s.id and ${pack}
     where ${which} limit 1`

/** The specification of a DI: its own, or the one whose pack has it. */
async function packOfDi(tx: Tx, di: string): Promise<Packed | null> {
  const [row] = await packed(
    tx,
    tx`k.udi_di = ${di}`,
    tx`(s.udi_di = ${di} or s.id = (select specification_id from pack_unit where udi_di = ${di}))`,
  )
  return row ?? null
}

async function packNamed(tx: Tx, { specification_id: id, unit_id: unit }: Named): Promise<Packed | null> {
  const [row] = await packed(tx, tx`k.id = ${unit}`, tx`s.id = ${id}`)
  return row ?? null
}

/** The goods that a code names: by the catalogue, else by codes stored by the organisation or the maker. */
export async function goodsNamed(tx: Tx, session: Session, text: string, parsed: ParsedCode): Promise<Packed | null> {
  const di = parsed.ok ? parsed.di : null
  const known = di ? await packOfDi(tx, di) : null
  if (known) return known
  const kept = await barcodeNamed(tx, session, [text.trim(), ...(parsed.ok ? [parsed.text] : []), ...(di ? [di] : [])])
  return kept ? packNamed(tx, kept) : null
}

/** A code explained neither by a standard nor by a stored code, read by the organisation's rules. */
export async function goodsByRule(
  tx: Tx,
  session: Session,
  parsed: ParsedCode,
): Promise<{ readonly parsed: ParsedCode; readonly goods: Packed | null } | null> {
  if (!isUnread(parsed)) return null
  const read = await readByRules(tx, session, parsed.ok ? parsed.text : parsed.raw.trim())
  if (!read) return null
  return { parsed: read.code, goods: read.goods ? await packNamed(tx, read.goods) : null }
}

export async function specificationOf(tx: Tx, id: string): Promise<Specification | null> {
  const [row] = await tx<Specification[]>`
    select s.id as specification_sn, s.code as specification_code, p.name as product_name,
      s.name as specification_name, s.udi_di, s.unit_name, o.name as manufacturer_name, o.id as manufacturer_sn,
      p.device_class, p.is_implant, c.certificate_no as registration_no
      from specification s join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id left
        join registration_certificate c on c.id = s.registration_certificate_id
     where s.id = ${id}`
  return row ?? null
}

/** The pieces whose serial or code a person typed, in any case or width, of goods that the organisation knows. */
async function unitsTyped(tx: Tx, session: Session, text: string): Promise<Subject[]> {
  const named = await tx<{ code: string }[]>`select unnest(${codesNamedSql(tx, text)}) as code limit ${MOST_HITS}`
  return unitsNamed(
    tx,
    session,
    named.map(({ code }) => code),
  )
}

/** Units with one of these codes. Two short reads: codes and units are stored separately. */
async function unitsNamed(tx: Tx, session: Session, asked: readonly string[]): Promise<Subject[]> {
  const parts = await partsOfPacks(tx, session.org.id, asked, { ever: true })
  const codes = asked.flatMap(code => parts.get(code) ?? [code])
  const named = await tx<
    { bare: string; lot_id: string; unit_id: string; issuer_org_id: string | null; kind: string }[]
  >`
    select bare, lot_id, unit_id, issuer_org_id, kind from unit_code where bare = any(${codes as string[]})
      limit ${MOST_HITS}`
  if (named.length === 0) return []
  const lots = await tx<
    { id: string; lot_no: string; specification_id: string }[]
  >`select id, lot_no, specification_id from lot where id = any(${named.map(row => row.lot_id)}::bigint[])`
  const lotOf = new Map(lots.map(lot => [lot.id, lot]))
  const own = named.filter(row => row.issuer_org_id === session.org.id && row.kind !== 'udi')
  return (own.length > 0 ? own : named).map(row => ({
    lot_id: row.lot_id,
    unit_id: row.unit_id,
    code: row.bare,
    specification_id: lotOf.get(row.lot_id)!.specification_id,
    lot_no: lotOf.get(row.lot_id)!.lot_no,
  }))
}

/** The contents of an opened outer box whose code was scanned: its pieces, or their lot where they have no codes. */
async function subjectsOfBox(tx: Tx, session: Session, codes: readonly string[]): Promise<Subject[]> {
  const rows = await tx<{ id: string; lot_no: string; specification_id: string; piece_codes: string[] }[]>`
    select l.id, l.lot_no, l.specification_id, b.piece_codes from opened_box b join lot l on l.id = b.lot_id
     where b.org_id = ${session.org.id} and b.code = any(${codes as string[]}) limit ${MOST_HITS}`
  const units = await unitsNamed(tx, session, rows.flatMap(row => row.piece_codes).slice(0, MOST_HITS))
  return [...units, ...rows.filter(row => row.piece_codes.length === 0).map(lotSubject)]
}

/** Pieces with a label of the organisation: their code is the serial in its GS1 code. */
async function unitsLabelled(
  tx: Tx,
  session: Session,
  parsed: ParsedCode,
  specification: Specification | null,
): Promise<Subject[]> {
  if (!parsed.ok || !parsed.serial || specification === null) return []
  const named = await unitsNamed(tx, session, [parsed.serial])
  return named.filter(unit => unit.specification_id === specification.specification_sn)
}

const lotSubject = (row: { id: string; lot_no: string; specification_id: string }): Subject => ({
  lot_id: row.id,
  unit_id: '0',
  code: null,
  specification_id: row.specification_id,
  lot_no: row.lot_no,
})

async function lotsNamed(tx: Tx, lotNo: string, specification: string | null): Promise<Subject[]> {
  const rows = await tx<{ id: string; lot_no: string; specification_id: string }[]>`
    select t.id, t.lot_no, t.specification_id
      from unnest(${[...new Set([lotNo, lotForm(lotNo)])]}::text[]) as k(lot_no)
     cross join lateral ${specification ? tx`known_lot(${specification}, k.lot_no)` : tx`lots_named(k.lot_no)`} t
     order by t.id desc
      limit ${MOST_HITS}`
  return rows.map(lotSubject)
}

/**
 * The numbers under which the lot that a label prints may be stored: one where its goods are known. A second symbol
 * names no goods; it may mean any lot of that number. Goods without a lot are one by their serial. Null where neither
 * is printed.
 */
export async function lotNumbersOn(
  tx: Tx,
  parsed: ParsedCode,
  goods: Packed | null,
): Promise<readonly string[] | null> {
  const printed = lotOfSymbol(parsed, today()) ?? (parsed.ok ? parsed.serial : null)
  if (printed === null) return null
  const lot_no = lotForm(printed)
  if (goods !== null) {
    const named = { specification_sn: goods.specification_sn, lot_no }
    return [(await knownLots(tx, [named])).get(lotName(named))?.lot_no ?? lot_no]
  }
  const rows = await tx<{ lot_no: string }[]>`select k.lot_no from lot_numbers(${lot_no}) k(lot_no)`
  return [lot_no, ...rows.map(row => row.lot_no).filter(other => other !== lot_no)]
}

/** Lots and units on a document that the caller can see. */
async function subjectsOfDocument(tx: Tx, session: Session, sn: string): Promise<Subject[]> {
  const rows = await tx<{ lot_id: string; lot_no: string; specification_id: string; unit_codes: string[] }[]>`
    select l.lot_id, coalesce(l.lot_no, '') as lot_no, l.specification_id, l.unit_codes from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
     where d.org_id = ${session.org.id} and d.sn = ${sn} and l.lot_id is not null and d.state <> 'deleted'
       order by l.line_no limit ${MOST_HITS}`
  const units = await unitsNamed(tx, session, rows.flatMap(row => row.unit_codes).slice(0, MOST_HITS))
  const whole = rows.filter(row => row.unit_codes.length === 0).map(row => lotSubject({ id: row.lot_id, ...row }))
  return [...units, ...new Map(whole.map(subject => [subject.lot_id, subject])).values()]
}

/** The goods that the last document brought in a container of its sender. */
async function subjectsSentIn(tx: Tx, session: Session, code: string): Promise<Subject[]> {
  const rows = await tx<{ id: string; lot_no: string; specification_id: string; unit_codes: string[] }[]>`
    select s.lot_id as id, s.lot_no, s.specification_id, s.unit_codes from container_sent s
     where s.org_id = ${session.org.id} and same_name(s.code) = same_name(${code}) and s.document_id = (
       select max(x.document_id) from container_sent x
        where x.org_id = ${session.org.id} and same_name(x.code) = same_name(${code}))
     order by s.lot_id limit ${MOST_HITS}`
  const units = await unitsNamed(tx, session, rows.flatMap(row => row.unit_codes).slice(0, MOST_HITS))
  return [...units, ...rows.filter(row => row.unit_codes.length === 0).map(lotSubject)]
}

/** The goods in a container whose code or label was scanned: its pieces, and the lots of goods without codes. */
async function subjectsInContainer(tx: Tx, session: Session, code: string): Promise<Subject[]> {
  const rows = await tx<{ id: string; lot_no: string; specification_id: string; place: string }[]>`
    select distinct b.lot_id as id, l.lot_no, b.specification_id, b.location as place
      from container_place c
      join stock_balance b on b.org_id = c.org_id and b.location = c.code and b.quantity > 0
      join lot l on l.id = b.lot_id
     where c.org_id = ${session.org.id} and same_name(${code}) in (same_name(c.code), same_name(c.label_code))
     order by 1 limit ${MOST_HITS}`
  if (rows.length === 0) return subjectsSentIn(tx, session, code)
  const codes = await tx<{ lot_id: string; bare: string }[]>`
    select distinct on (u.lot_id, u.id) u.lot_id, c.bare from unit u
      join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id and c.ended is null and c.kind <> 'rfid'
     where u.lot_id = any(${rows.map(row => row.id)}::bigint[]) and u.id > 0 and u.status = 'in_stock'
       and u.holder_org_id = ${session.org.id} and u.place = ${rows[0]!.place}
     order by u.lot_id, u.id, c.kind = 'inhouse' desc, c.bare limit ${MOST_HITS}`
  const coded = new Set(codes.map(row => row.lot_id))
  const units = await unitsNamed(
    tx,
    session,
    codes.map(row => row.bare),
  )
  return [...units, ...rows.filter(row => !coded.has(row.id)).map(lotSubject)]
}

/** Everything that a scanned or typed text may mean, most exact first. Visibility is checked afterwards. */
export async function subjectsOf(
  tx: Tx,
  session: Session,
  text: string,
  parsed: ParsedCode,
  specification: Specification | null,
): Promise<Subject[]> {
  const typed = asPackCode(text.trim().slice(0, 512))
  const readings = parsed.ok ? (parsed.candidates ?? [parsed]) : []
  const codes = [
    ...new Set([
      typed,
      ...readings.flatMap(({ kind, di, serial, text: read }) =>
        di && serial ? canonicalUdi(di, serial) : kind === 'inhouse' ? read : [],
      ),
    ]),
  ]
  const units = await unitsNamed(tx, session, codes)
  if (units.length > 0) return units
  const boxed = await subjectsOfBox(tx, session, codes)
  if (boxed.length > 0) return boxed
  const labelled = await unitsLabelled(tx, session, parsed, specification)
  if (labelled.length > 0) return labelled
  const serials = await unitsTyped(tx, session, text)
  const orLots = (lots: readonly Subject[]) => [
    ...serials,
    ...lots.filter(({ lot_id }) => !serials.some(unit => unit.lot_id === lot_id)),
  ]
  if (specification !== null) return orLots(await lotsOfGoods(tx, specification.specification_sn, typed, parsed))
  const inside = await subjectsInContainer(tx, session, typed)
  if (inside.length > 0) return inside
  const docs = await subjectsOfDocument(tx, session, asDocumentSn(text))
  return docs.length > 0 ? docs : orLots(await lotsNamed(tx, typed, null))
}

/**
 * The lots that a code of some goods names, those of each reading where there are several; all lots of the goods where
 * it names none. A number that is an item number may be that of a lot as well.
 */
async function lotsOfGoods(tx: Tx, specification: string, typed: string, parsed: ParsedCode): Promise<Subject[]> {
  const named = (parsed.ok ? (parsed.candidates ?? [parsed]) : []).flatMap(({ lot }) => lot ?? [])
  const found = await Promise.all(named.map(lot => lotsNamed(tx, lot, specification)))
  if (named.length > 0) return found.flat()
  const alike = parsed.ok && parsed.kind === 'gtin' ? await lotsNamed(tx, typed, null) : []
  const rows = await tx<{ id: string; lot_no: string; specification_id: string }[]>`
    select id, lot_no, specification_id from lot where specification_id = ${specification}
      order by id desc limit ${MOST_HITS}`
  return [...alike, ...rows.map(lotSubject).filter(row => !alike.some(({ lot_id }) => lot_id === row.lot_id))]
}
