import { byName, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { type Move, type Place, store, transit } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { leaseNoticeIn } from '#modules/trade/lease/notices/lease-notice-in.doc.ts'
import { postDocument } from '#server/public/actions.ts'
import { type KnownUnit, serialsByCode } from '#server/public/stock.ts'
import { undoTrace } from '#server/public/traceability.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Goods managed piece by piece are booked by their codes at both sides. Once the lessor accepted, pieces from the
 * tenant's own store are in transit, and the lessor takes them from there; bought ones it takes from the supplier's
 * delivery. Pieces that are refused or stopped go back to their earlier place.
 */

/** Codes among the own fields of a line. */
export const codesOf = (line: StoredLine, name: string): readonly string[] =>
  (byName(line)[name] as readonly string[] | null | undefined) ?? []

/** The codes that were scanned in a dialog, each once. */
export const scannedCodes = (said: unknown): readonly string[] => [...new Set((said as readonly string[] | null) ?? [])]

/** The quantity for this many codes, one piece each. */
export const pieces = (codes: readonly string[]): Decimal => `${codes.length}.000`

export const without = (codes: readonly string[], ...others: readonly (readonly string[])[]): readonly string[] =>
  codes.filter(code => !others.some(each => each.includes(code)))

/** Refuses, by name, the first code that none of the lines has. */
export function refuseUnknown(codes: readonly string[], known: readonly string[], why: string): void {
  const other = codes.find(code => !known.includes(code))
  if (other) throw new BusinessError('unitNotHere', `院内码${other}${why}`)
}

const quietly = { ...leaseNoticeIn, posting: { stockDirection: 'none' } } as const

/**
 * The lessor accepted: announced pieces leave the tenant's own store, and are in transit. Pieces that left it meanwhile
 * by another document do not move, and the lessor cannot receive them.
 */
export async function putUnderWay(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const coded = byName(doc).notice_type === 'transfer' ? doc.lines.filter(line => line.unit_codes.length > 0) : []
  if (coded.length === 0) return
  const known = await serialsByCode(
    tx,
    session.org.id,
    coded.flatMap(line => line.unit_codes),
  )
  const moves = coded.flatMap(line =>
    line.unit_codes.flatMap((code): Move[] => {
      const unit = known.get(code)
      if (!unit || !isInStore(unit, session, doc)) return []
      const from = store(doc.warehouse_model_inner_sn, unit.place)
      const step = 'transfer_out'
      return [{ line_no: line.line_no, step, quantity: '1.000', codes: [code], from, to: transit(doc.sn) }]
    }),
  )
  await postDocument(tx, session, quietly, doc, { moves })
}

const isInStore = (unit: KnownUnit, session: Session, doc: StoredDocument): boolean =>
  unit.status === 'in_stock' &&
  unit.ended === null &&
  unit.holder_org_id === session.org.id &&
  unit.owner_id === session.org.id &&
  unit.warehouse_id === doc.warehouse_model_inner_sn

/** Takes back the events of a notice about these pieces, which puts them back into their earlier place. */
export async function takeBackTrace(tx: Tx, session: Session, { by, of, lines, codes }: TakenBack): Promise<void> {
  if (codes.length === 0) return
  const known = [...(await serialsByCode(tx, session.org.id, codes)).values()]
  await undoTrace(
    tx,
    { org: session.org.id, kind: by.kind, sn: by.sn, document: by.id, actor: session.userName },
    [...new Set(known.map(unit => unit.lot_id))],
    { lines, units: new Set(known.map(unit => `${unit.lot_id}/${unit.unit_id}`)) },
    { sn: of.sn, document: of.id },
  )
}

type TakenBack = {
  /** The document that takes back, and the document whose events are taken back. */
  readonly by: Pick<StoredDocument, 'id' | 'kind' | 'sn'>
  readonly of: Pick<StoredDocument, 'id' | 'sn'>
  readonly lines: readonly number[]
  readonly codes: readonly string[]
}

/**
 * Announced pieces that will not come are back in their earlier place: all that the lessor did not book, or those
 * named.
 */
export async function releaseAnnounced(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  which: (line: StoredLine) => readonly string[] = line => without(line.unit_codes, codesOf(line, 'booked_codes')),
): Promise<void> {
  const asked = byName(doc).notice_type === 'transfer' ? doc.lines.flatMap(which) : []
  const known = await serialsByCode(tx, session.org.id, asked)
  const codes = asked.filter(code => known.get(code)?.status === 'in_transit' && known.get(code)?.under === doc.sn)
  const of = (line: StoredLine) => line.unit_codes.filter(code => codes.includes(code))
  const coded = doc.lines.filter(line => of(line).length > 0)
  await takeBackTrace(tx, session, { by: doc, of: doc, lines: coded.map(line => line.line_no), codes })
  await postDocument(tx, session, quietly, doc, {
    moves: await homeMoves(tx, session, doc, coded, of, transit(doc.sn)),
  })
}

/** The moves of pieces whose transit was taken back into the store, each to the place that the trace has for it. */
export async function homeMoves(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  lines: readonly StoredLine[],
  codesOfLine: (line: StoredLine) => readonly string[],
  from: Place,
): Promise<Move[]> {
  const known = await serialsByCode(tx, session.org.id, lines.flatMap(codesOfLine))
  return lines.flatMap(line =>
    codesOfLine(line).map(
      (code): Move => ({
        line_no: line.line_no,
        step: 'transfer_in',
        quantity: '1.000',
        traced: false,
        from,
        to: store(doc.warehouse_model_inner_sn, known.get(code)?.place ?? null),
      }),
    ),
  )
}

/** The lines' goods that are managed piece by piece, by the tenant's own list. */
export async function codedSizes(
  tx: Tx,
  org: string,
  lines: readonly StoredLine[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ id: string; name: string }[]>`
    select s.id, p.name from specification s join product p on p.id = s.product_id
      left join dealer_product e on e.org_id = ${org} and e.specification_id = s.id
     where s.id = any(${lines.flatMap(line => line.specification_sn ?? [])}::bigint[])
       and coalesce(e.is_unit_coded, p.is_unit_coded)`
  return new Map(rows.map(row => [row.id, row.name]))
}

/** Coded goods are announced by their codes; goods that a customer sends back must be received by the tenant itself. */
export async function checkCodes({ tx, session, doc }: ActionContext): Promise<void> {
  const sizes = await codedSizes(tx, session.org.id, doc.lines)
  const coded = doc.lines.filter(line => line.unit_codes.length > 0 || sizes.has(line.specification_sn ?? ''))
  const name = (line: StoredLine) => sizes.get(line.specification_sn ?? '') ?? line.product_name ?? ''
  if (byName(doc).notice_type === 'sale_return' && coded[0])
    throw new BusinessError(
      'rule',
      `产品【${name(coded[0])}】一物一码管理，销售退回请先办理销售退货单入库，再按调拨入库通知`,
    )
  const bare = coded.find(line => line.unit_codes.length === 0)
  if (!bare) return checkPieces(tx, session, doc)
  const msg = `第${bare.line_no}行【${name(bare)}】为一物一码产品，请扫描院内码`
  throw new BusinessError('rule', msg, [{ field: 'unit_codes', line: bare.line_no, msg }])
}

/** Pieces may be announced only once; bought ones must be in transit from the supplier to us, others must be new. */
async function checkPieces(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const codes = doc.lines.flatMap(line => line.unit_codes)
  if (codes.length === 0) return
  await refuseAnnounced(tx, session, doc, codes)
  const known = await serialsByCode(tx, session.org.id, codes)
  if (byName(doc).notice_type === 'transfer') {
    const away = codes.find(code => !known.has(code) || !isInStore(known.get(code)!, session, doc))
    if (away) throw new BusinessError('unitNotHere', `院内码${away}不在调出的仓库，请核对后重新扫描`)
    return
  }
  const wrong = codes.find(code => {
    const unit = known.get(code)
    if (!unit || unit.status === 'void') return doc.source_org_sn !== null
    return unit.status !== 'in_transit' || unit.holder_org_id !== doc.source_org_sn
  })
  if (!wrong) return
  const why =
    doc.source_org_sn === null ? '已存在，本机构库存请用调拨入库通知' : '不在供应商的发货单中，请核对后重新扫描'
  throw new BusinessError('unitNotHere', `院内码${wrong}${why}`)
}

/** Refuses pieces that another open notice contains. */
export async function refuseAnnounced(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  codes: readonly string[],
): Promise<void> {
  const [other] = await tx<{ sn: string; code: string }[]>`
    select d.sn, c.code from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      cross join unnest(l.unit_codes) as c(code)
     where d.org_id = ${session.org.id} and d.role = 'own' and d.id <> ${doc.id} and c.code = any(${[...codes]})
       and d.kind = any(${kindsOf('stored_elsewhere')}) and d.state in ('submitted', 'reviewed', 'partial')
       and not coalesce(l.fields->'shipped', '[]') ? c.code and not coalesce(l.fields->'booked_codes', '[]') ? c.code
       and not coalesce(l.fields->'refused_codes', '[]') ? c.code
     limit 1`
  if (other) throw new BusinessError('rule', `院内码${other.code}已在通知${other.sn}中`)
}
