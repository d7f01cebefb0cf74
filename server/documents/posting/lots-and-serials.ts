import { lotForm } from '#kernel/values/lot-no.ts'
import { compare, divide, isZero, sum, wholePieces } from '#kernel/values/decimal.ts'
import type { BusinessDocument, PackMaking } from '#kernel/definition/document.ts'
import { partCode, partNumbers } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { completeLines, tradeContext } from '#server/documents/lines/complete.ts'
import { itemData } from '#server/documents/lines/item-data.ts'
import {
  byName,
  type StoredDocument,
  type StoredLine,
  writableLineFields,
} from '#server/documents/repository/document.ts'
import { replaceLines, totalsOfLines } from '#server/documents/repository/save.ts'
import { nextPackCodes, nextUnitCodes } from '#server/ledger/serial-numbers.ts'
import { serialsByCode } from '#server/ledger/trace.ts'
import { type KnownLot, knownLots, lotName, type NamedLot } from '#server/ledger/known-lots.ts'
import type { Sql } from 'postgres'
import type { Tx } from '#server/database/transaction.ts'

type LotOfLine = { readonly specification_sn: string | null; readonly lot_no: string | null }

/** The key for goods without a lot number: their serial, else the empty lot (无批号). */
const named = ({ specification_sn, lot_no }: LotOfLine): NamedLot[] =>
  specification_sn ? [{ specification_sn, lot_no: lotForm(lot_no ?? '') }] : []

/** The lots of lines, found by what `createLots` found or wrote. */
export async function lotsOfLines(sql: Sql | Tx, lines: readonly LotOfLine[]) {
  const known = await knownLots(sql, lines.flatMap(named))
  return (line: LotOfLine): KnownLot | undefined => named(line).map(lot => known.get(lotName(lot)))[0]
}

/**
 * New lots are written before the posting, in a short transaction of their own: they belong to the network, not to
 * the document.
 */
export async function createLots(sql: Sql | Tx, lines: readonly LotOfLine[]): Promise<void> {
  const wanted = lines.flatMap(named)
  const known = await knownLots(sql, wanted)
  const fresh = wanted.filter(lot => !known.has(lotName(lot)))
  if (fresh.length === 0) return
  await (sql as Tx)`
    insert into lot (specification_id, lot_no, folded)
    select distinct k.specification_id, k.lot_no, false
      from unnest(${fresh.map(lot => lot.specification_sn)}::bigint[],
        ${fresh.map(lot => lot.lot_no)}::text[]) as k(specification_id, lot_no)
     order by 1, 2
    on conflict (specification_id, lot_no) do nothing`
}

const asInput = (names: readonly string[]) => (line: StoredLine) =>
  Object.fromEntries(
    [
      'line_no',
      ...names,
      'lot_id',
      'source_document_id',
      'order_document_id',
      'order_line_no',
      'delivery_document_id',
      'delivery_line_no',
    ].map(name => [name, byName(line)[name] ?? null]),
  )

/**
 * Before submit and review every goods line gets its lot, and issues get the balance they use: drafts written before
 * the goods arrived are proposed again.
 */
export async function assignLots(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  if (definition.lineRules.basis === 'amount' || definition.posting.stockDirection === 'none') return doc
  if (definition.posting.stockDirection === 'out') {
    if (doc.lines.every(line => line.lot_id && line.owner_org_sn && line.location !== null)) return doc
    const inputs = doc.lines.map(asInput(Object.keys(writableLineFields(definition))))
    const lines = await completeLines(tx, session, definition, doc, inputs, doc.last_line_no, doc.id)
    await replaceLines(tx, session.org.id, definition, doc.id, lines)
    const total = totalsOfLines(lines)
    await tx`
      update document set untaxed_amount = ${total.untaxed_amount}, tax_amount = ${total.tax_amount},
        taxed_amount = ${total.taxed_amount}, line_count = ${total.line_count},
        total_quantity = ${total.total_quantity},
          last_line_no = greatest(last_line_no, ${Math.max(0, ...lines.map(line => line.line_no))})
          where org_id = ${session.org.id} and id = ${doc.id}`
    return { ...doc, lines }
  }
  const missing = doc.lines.filter(
    line =>
      line.specification_sn && !line.lot_id && (definition.posting.stockDirection === 'in' || line.lot_no !== null),
  )
  if (missing.length === 0) return doc
  const lotOf = await lotsOfLines(tx, missing)
  const lines = doc.lines.map(line => (line.lot_id ? line : { ...line, lot_id: lotOf(line)?.id ?? null }))
  if (definition.posting.stockDirection === 'in')
    await tx`
      update document_line l set lot_id = k.lot_id
        from unnest(${lines.map(line => line.line_no)}::int[], ${lines.map(line => line.lot_id)}::bigint[])
          as k(line_no, lot_id)
       where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and l.line_no = k.line_no
         and l.lot_id is null`
  return { ...doc, lines }
}

/**
 * One piece, one code: coded goods that come in without codes get in-house codes at review; coded goods that go out
 * are only identified by scanned codes.
 */
export async function assignSerials(ctx: ActionContext): Promise<StoredDocument> {
  if (!ctx.definition.posting.postings || ctx.definition.posting.stockDirection === 'none') return ctx.doc
  if (ctx.definition.posting.makesPacks) return namePacks(ctx, ctx.definition.posting.makesPacks(ctx.doc))
  return nameBare({ ...ctx, doc: ctx.definition.posting.stockDirection === 'out' ? ctx.doc : await takeUnderWay(ctx) })
}

/** Every pack of loose goods gets its code; coded pieces keep theirs in it, whatever the pack is called. */
async function namePacks(
  ctx: ActionContext,
  { size, combined }: PackMaking<BusinessDocument>,
): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  await refuseUncoded(ctx)
  const loose = (line: StoredLine) => line.unit_codes.length === 0
  const counts = doc.lines.map(line => (loose(line) ? wholePieces(divide(line.base_quantity, size(line), 6)) : 0))
  const all = combined ? Math.max(0, ...counts) : counts.reduce((sum, count) => sum + count, 0)
  const codes = await nextPackCodes(tx, session, all)
  const first = partNumbers(doc.lines, Math.max(1, all))
  const lines = doc.lines.map((line, at) =>
    loose(line)
      ? { ...line, unit_codes: combined ? codes.map(code => partCode(code, first[at]!)) : codes.splice(0, counts[at]) }
      : line,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}

/**
 * Goods sent with codes arrive with them: a receipt that names none brings in those still in transit, when their
 * number equals its pieces; otherwise they must be scanned. New codes would leave the old ones in transit for ever.
 */
async function takeUnderWay({ tx, session, definition, doc }: ActionContext): Promise<StoredDocument> {
  const bare = doc.lines.filter(
    line =>
      line.unit_codes.length === 0 &&
      line.source_document_id &&
      line.source_line_no !== null &&
      !isZero(line.base_quantity),
  )
  if (bare.length === 0) return doc
  const sent = await tx<{ document_id: string; line_no: number; unit_codes: string[] }[]>`
    select document_id, line_no, unit_codes from document_line
     where org_id = ${session.org.id}
       and document_id = any(${[...new Set(bare.map(line => line.source_document_id!))]}::bigint[])
       and unit_codes <> '{}'`
  const known = await serialsByCode(
    tx,
    session.org.id,
    sent.flatMap(line => line.unit_codes),
  )
  const named = new Map<number, readonly string[]>()
  for (const line of bare) {
    const source = sent.find(row => row.document_id === line.source_document_id && row.line_no === line.source_line_no)
    if (!source) continue
    const here = new Set([...doc.lines.flatMap(other => other.unit_codes), ...[...named.values()].flat()])
    const waiting = source.unit_codes.filter(code => known.get(code)?.status === 'in_transit' && !here.has(code))
    if (waiting.length === 0 && definition.posting.stockDirection === 'named') continue
    const pieces = sum(
      waiting.map(code => known.get(code)!.quantity),
      3,
    )
    if (compare(line.base_quantity, pieces) !== 0) throw scan(line)
    named.set(line.line_no, waiting)
  }
  if (named.size === 0) return doc
  const lines = doc.lines.map(line => ({ ...line, unit_codes: named.get(line.line_no) ?? line.unit_codes }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}

const scan = (line: StoredLine): BusinessError =>
  new BusinessError('rule', `第${line.line_no}行【${line.product_name ?? ''}】为一物一码产品，请扫描院内码`, [
    { field: 'unit_codes', line: line.line_no, msg: '请扫描院内码' },
  ])

/** Lines of goods that have a code a piece, and name none. */
async function uncodedLines({ tx, session, definition, doc }: ActionContext): Promise<readonly StoredLine[]> {
  const bare = doc.lines.filter(line => line.specification_sn && line.unit_codes.length === 0)
  if (bare.length === 0) return []
  const facts = await itemData(
    tx,
    bare.map(line => line.specification_sn!),
    tradeContext(definition, session, doc),
  )
  return bare.filter(line => facts.get(line.specification_sn!)?.is_unit_coded)
}

/** Coded goods leave by their codes alone. */
export async function refuseUncoded(ctx: ActionContext): Promise<void> {
  const [line] = await uncodedLines(ctx)
  if (line) throw scan(line)
}

async function nameBare(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  if (definition.posting.stockDirection === 'out') {
    if (!definition.posting.namesPieces) await refuseUncoded(ctx)
    return doc
  }
  if (definition.posting.stockDirection !== 'in') return doc
  const coded = await uncodedLines(ctx)
  if (coded.length === 0) return doc
  const fractional = coded.find(line => !/^\d+(\.0+)?$/.test(line.base_quantity))
  if (fractional)
    throw new BusinessError(
      'rule',
      `第${fractional.line_no}行【${fractional.product_name ?? ''}】为一物一码产品，数量应为整数`,
    )
  const total = coded.reduce((count, line) => count + wholePieces(line.base_quantity), 0)
  const fresh = await nextUnitCodes(tx, session, total)
  const named = new Map(coded.map(line => [line.line_no, fresh.splice(0, wholePieces(line.base_quantity))]))
  const lines = doc.lines.map(line =>
    named.has(line.line_no) ? { ...line, unit_codes: named.get(line.line_no)! } : line,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}
