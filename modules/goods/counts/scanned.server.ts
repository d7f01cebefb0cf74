import {
  loadDocument,
  requireInScope,
  type StoredDocument,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { instant } from '#kernel/values/date.ts'
import { sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  type Books,
  booksOf,
  countedCodes,
  expectedCodes,
  figure,
  isPacked,
  rewrite,
  settled,
  uncounted,
} from '#modules/goods/counts/counted.server.ts'
import { outsidersOf } from '#modules/goods/counts/found-lines.server.ts'
import { stockTake } from '#modules/goods/counts/stock-take.doc.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { serialError } from '#server/public/actions.ts'
import { type KnownUnit, partsOfPacks, serialsByCode, storedCodes } from '#server/public/stock.ts'

type StockTake = TypedDocument<typeof stockTake>
type Line = TypedLine<typeof stockTake>

/** A piece as the count needs it: one known to the network, or an unknown one as its code describes it. */
type Piece = Pick<KnownUnit, 'specification_id' | 'lot_no' | 'owner_id' | 'place'> & {
  readonly lot_id: string | null
  readonly is_pack?: boolean
  readonly production_date?: string | null
  readonly expiry_date?: string | null
}
type Result = { readonly code: string; readonly result: string; readonly msg: string }

const newLine = (unit: Piece, line_no: number, org: string): Line =>
  ({
    line_no,
    specification_sn: unit.specification_id,
    lot_no: unit.lot_no,
    lot_id: unit.lot_id,
    production_date: unit.production_date ?? null,
    expiry_date: unit.expiry_date ?? null,
    owner_org_sn: unit.owner_id ?? org,
    location: unit.place ?? '',
    quality_state: 'qualified',
    ...uncounted,
    book_quantity: '0.000',
    expected_codes: [],
    counted_codes: [],
  }) as unknown as Line

/** The line for a piece: the line that expects it, one of its lot and location, or a new one if it was not expected. */
function lineFor(lines: Line[], unit: Piece, code: string, org: string): number {
  const expected = lines.findIndex(line => expectedCodes(line).includes(code))
  if (expected >= 0) return expected
  const alike = lines.findIndex(
    line =>
      line.lot_id === unit.lot_id &&
      (unit.lot_id !== null || (line.specification_sn === unit.specification_id && line.lot_no === unit.lot_no)) &&
      line.owner_org_sn === (unit.owner_id ?? org) &&
      line.quality_state === 'qualified' &&
      (expectedCodes(line).length > 0 || figure(line, 'book_quantity') === '0.000') &&
      isPacked(line) === (unit.is_pack ?? false) &&
      (line.location ?? '') === (unit.place ?? ''),
  )
  if (alike >= 0) return alike
  const last = lines.reduce((most, line) => Math.max(most, line.line_no), 0)
  lines.push(newLine(unit, last + 1, org))
  return lines.length - 1
}

/** One code under which each piece is listed in the count, whichever of its codes was scanned. */
async function nameOf(tx: Tx, units: readonly KnownUnit[]): Promise<(unit: KnownUnit) => string> {
  const rows = await tx<{ lot_id: string; unit_id: string; bare: string }[]>`
    select lot_id, unit_id, min(bare) as bare from unit_code
     where ended is null and lot_id = any(${units.map(unit => unit.lot_id)}::bigint[])
       and unit_id = any(${units.map(unit => unit.unit_id)}::bigint[]) group by 1, 2`
  const names = new Map(rows.map(row => [`${row.lot_id}/${row.unit_id}`, row.bare]))
  return unit => names.get(`${unit.lot_id}/${unit.unit_id}`) ?? unit.bare
}

function decide(doc: StoredDocument, unit: KnownUnit, org: string): Result['result'] {
  const here = unit.status === 'in_stock' && unit.holder_org_id === org
  if (here && unit.warehouse_id !== doc.warehouse_model_inner_sn) return 'misplaced'
  if (here) return 'matched'
  return mayBeFound(unit, org) ? 'surplus' : 'foreign'
}

/** True for pieces that may be booked as found: those never received, or booked as lost here. */
const mayBeFound = (unit: KnownUnit, org: string): boolean =>
  unit.ended === null && (unit.status === 'void' || (unit.status === 'lost' && unit.holder_org_id === org))

/**
 * The reason why a piece that is physically here cannot be a find: another organisation has it in its ledger, or it
 * left ours for good.
 */
function whoseElse(unit: KnownUnit, code: string, session: Session): string {
  const elsewhere = unit.holder_org_id !== session.org.id && ['in_stock', 'in_transit'].includes(unit.status)
  return elsewhere
    ? `院内码${code}在其他机构账上，不能盘盈，请单独存放并联系对方`
    : `${serialError(unit, code, session)}，不能盘盈`
}

function refuseSame(line: Line, session: Session, isRecount: boolean): void {
  if (isRecount && line.counted_by === session.userName)
    throw new BusinessError('rule', `第${line.line_no}行：复盘人不能为初盘人本人`)
}

/**
 * 扫码盘点: each code is on the count, found although the ledger does not have it here, or belongs to another warehouse;
 * scanning twice changes nothing.
 */
export async function scan(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const org = session.org.id
  const doc = requireInScope(
    session,
    stockTake,
    await loadDocument(tx, org, stockTake, String(body.sn ?? ''), { lock: true }),
  )
  if (!['draft', 'rejected'].includes(doc.state) || doc.count_state === '1')
    throw new BusinessError('wrongState', '盘点单未开始盘点或已提交，不能扫码')
  const isRecount = doc.count_state === '3'
  const blind = doc.take_method === 'blind'
  const scanned = await storedCodes(tx, org, body.codes as readonly string[])
  // A combined pack is counted by all its parts.
  const parts = await partsOfPacks(tx, org, scanned)
  const codes = scanned.flatMap(code => parts.get(code) ?? [code])
  const books = await booksOf(tx, org, doc.warehouse_model_inner_sn)
  const units = await serialsByCode(tx, org, codes)
  const sizeOf = (code: string) => units.get(code)?.quantity ?? books.size(code)
  const given = (body.codes as readonly string[]).flatMap((code, at) => parts.get(scanned[at]!) ?? [code])
  const unheard = given.filter((_, at) => !units.has(codes[at]!))
  const outsiders = await outsidersOf(tx, session, unheard)
  const name = await nameOf(tx, [...units.values()])
  const lines = [...doc.lines]
  const touched = new Set<number>()
  const misplaced: string[] = []
  const results = codes.map((code): Result => {
    const unit = units.get(code)
    const goods = unit ?? outsiders.get(code)
    if (!goods) return { code, result: 'unknown', msg: `院内码${code}不存在，请核对后重新扫描` }
    const piece = unit ? name(unit) : code
    if (lines.some(line => countedCodes(line).includes(piece))) return { code, result: 'repeated', msg: '该码已盘点' }
    const result = unit ? decide(doc, unit, org) : 'surplus'
    if (unit && result === 'foreign') {
      const msg = whoseElse(unit, code, session)
      misplaced.push(`${piece}(${msg})`)
      return { code, result, msg }
    }
    if (result === 'misplaced') {
      const store = unit?.store ?? ''
      misplaced.push(`${piece}(账在${store})`)
      return blind ? { code, result: 'counted', msg: '已盘' } : { code, result, msg: `错库(账在${store})` }
    }
    const at = lineFor(lines, goods, piece, org)
    const line = lines[at]!
    refuseSame(line, session, isRecount)
    const found = [...countedCodes(line), piece]
    const count = sum(found.map(sizeOf), 3)
    lines[at] = {
      ...line,
      counted_codes: found,
      counted_how: 'scanned',
      ...(isRecount
        ? { recount_quantity: count, recounted_by: session.userName }
        : { first_quantity: count, counted_by: session.userName }),
      counted_at: instant(),
    }
    touched.add(line.line_no)
    return {
      code,
      result: blind ? 'counted' : result,
      msg: blind ? '已盘' : result === 'matched' ? '相符' : '盘盈(未在账)',
    }
  })
  await keep(tx, session, doc, lines, books, touched, misplaced)
  return { sn: doc.sn, version: doc.version + 1, results }
}

/** Writes what was scanned: changed lines are recomputed, codes of other warehouses noted. */
async function keep(
  tx: Tx,
  session: Session,
  doc: StockTake,
  lines: readonly Line[],
  books: Books,
  touched: ReadonlySet<number>,
  misplaced: readonly string[],
): Promise<void> {
  const known = String(doc.misplaced ?? '')
  const notes = [known, ...misplaced.filter(note => !known.includes(note))].filter(Boolean).join('、').slice(0, 5000)
  await rewrite(
    tx,
    session,
    doc,
    lines.map(line => (touched.has(line.line_no) ? settled(line, books) : line)),
    { touched: true, ...(notes === '' ? {} : { misplaced: notes }) },
    'version',
  )
}
