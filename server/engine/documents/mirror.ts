import { type Decimal, compare, isNegative, isPositive, negate, round, share, subtract } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { documentOf } from '#modules/registry.ts'
import type { State } from '#kernel/state.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { writeHistory } from '#server/engine/documents/history.ts'
import { sendCopies, sendProgress } from '#server/engine/documents/hand-over.ts'
import { nextSn } from '#server/engine/documents/numbering.ts'
import { advance, advancesOf } from '#server/engine/documents/progress.ts'
import type { StoredLine } from '#server/engine/documents/stored.ts'
import { blockedInsteadOfShort } from '#server/engine/documents/unpost.ts'
import { insertDocument } from '#server/engine/documents/write.ts'
import { type AccountRow, postAccounts, standingEntries } from '#server/ledger/account.ts'
import { type ConsignedRow, postConsigned, standingConsigned } from '#server/ledger/consigned.ts'
import { postStock, standingMoves, type StockRow } from '#server/ledger/stock.ts'
import { undoTrace } from '#server/ledger/trace.ts'

type Part = {
  readonly line: StoredLine
  readonly quantity: Decimal
  readonly codes: readonly string[]
  readonly whole: boolean
}

/** What the caller wants reversed: everything that is left, or the lines it names. */
function partsOf(acting: Acting, taken: ReadonlyMap<number, Decimal>): Part[] {
  const { doc, body, definition } = acting
  // Money is reversed whole: a payment in part is another payment.
  if (definition.measure === 'amount')
    return doc.lines.map(line => ({ line, quantity: line.base_quantity, codes: [], whole: true }))
  const asked = typeof body.lines === 'string' ? (JSON.parse(body.lines) as unknown) : body.lines
  const left = (line: StoredLine) => subtract(line.base_quantity, taken.get(line.line_no) ?? '0', 3)
  if (!Array.isArray(asked))
    return doc.lines
      .filter(line => isPositive(left(line)))
      .map(line => ({ line, quantity: left(line), codes: line.unit_codes, whole: left(line) === line.base_quantity }))
  return asked.map((row: { line_no?: number; quantity?: string; unit_codes?: string[] }) => {
    const line = doc.lines.find(candidate => candidate.line_no === Number(row.line_no))
    if (!line) throw new Refusal('invalid', `没有第${row.line_no}行，请核对红冲明细`)
    const codes = row.unit_codes ?? []
    const quantity = round(row.quantity ?? (codes.length > 0 ? String(codes.length) : left(line)), 3)
    if (!isPositive(quantity)) throw new Refusal('invalid', `第${line.line_no}行：红冲数量必须大于0`)
    if (compare(quantity, left(line)) > 0)
      throw new Refusal('sourceExceeded', `第${line.line_no}行：红冲数量不能大于可红冲数量${Number(left(line))}`)
    if (line.unit_codes.length > 0 && codes.length !== Number(quantity) && quantity !== line.base_quantity)
      throw new Refusal('rule', `第${line.line_no}行：请指明要红冲的院内码`)
    return { line, quantity, codes: codes.length > 0 ? codes : line.unit_codes, whole: quantity === line.base_quantity }
  })
}

const redLine = ({ line, quantity, codes, whole }: Part): StoredLine => {
  const part = (amount: Decimal) => negate(whole ? amount : share(amount, quantity, line.base_quantity, 2))
  const taxed = part(line.taxed_amount)
  const untaxed = part(line.untaxed_amount)
  return {
    ...line,
    unit_codes: codes,
    unit_inner_sn: whole ? line.unit_inner_sn : null,
    quantity: negate(whole ? line.quantity : quantity),
    base_quantity: negate(quantity),
    price: whole ? line.price : share(line.price, line.quantity, line.base_quantity, 4),
    taxed_amount: taxed,
    untaxed_amount: untaxed,
    tax_amount: subtract(taxed, untaxed, 2),
  }
}

/**
 * 红冲: a mirror paper with negative quantities and its own sn, in later days too and in part. It writes the exact opposite of
 * the share it reverses; the original becomes 已红冲 when nothing of it is left.
 */
export async function mirror(acting: Acting): Promise<{ state: State; red_sn: string }> {
  const { tx, session, doc, definition } = acting
  const org = session.org.id
  if (doc.red_of_id) throw new Refusal('wrongState', '红冲单不能再红冲')
  const progress = await tx<{ line_no: number; purpose: string; taken: Decimal }[]>`
    select line_no, purpose, taken from line_progress where org_id = ${org} and document_id = ${doc.id} and line_no > 0`
  const used = progress.find(row => row.purpose !== 'reverse' && row.purpose !== 'return' && isPositive(row.taken))
  if (used) throw new Refusal('blocked', await followedSentence(acting))
  const taken = new Map<number, Decimal>()
  for (const row of progress) taken.set(row.line_no, subtract(taken.get(row.line_no) ?? '0.000', negate(row.taken), 3))
  const parts = partsOf(acting, taken)
  if (parts.length === 0) throw new Refusal('wrongState', '该单据已全部红冲或退货，没有可红冲的数量')
  const sn = await nextSn(tx, org, definition)
  const red = await insertDocument(
    tx,
    org,
    definition,
    { sn, state: 'reviewed', createdBy: session.userId, redOf: doc.id, sourceDocument: doc.source_document_id },
    { ...doc, business_date: acting.body.business_date ?? doc.business_date, remark: acting.reason },
    parts.map(redLine),
  )
  await tx`update document set reviewed_by = ${session.userId}, reviewed_at = posting_now(), submitted_by = ${session.userId}, submitted_at = posting_now() where org_id = ${org} and id = ${red}`
  await postOpposite(acting, red, sn, parts)
  await advance(
    tx,
    session,
    parts.map(part => ({
      document_id: doc.id,
      line_no: part.line.line_no,
      purpose: 'reverse' as const,
      quantity: definition.measure === 'amount' ? part.line.taxed_amount : part.quantity,
      measure: definition.measure ?? 'quantity',
    })),
  )
  await giveBack(acting, parts)
  await writeHistory(tx, session, red, {
    action: 'redReverse',
    label: '红冲',
    from: null,
    to: 'reviewed',
    reason: acting.reason,
  })
  const rest = doc.lines.some(line =>
    isPositive(
      subtract(
        line.base_quantity,
        subtract(
          taken.get(line.line_no) ?? '0',
          negate(
            parts
              .filter(part => part.line === line)
              .reduce((sum, part) => subtract(sum, negate(part.quantity), 3), '0.000'),
          ),
          3,
        ),
        3,
      ),
    ),
  )
  if (rest && definition.sends)
    await sendCopies(tx, session, definition, { ...doc, lines: remainder(doc.lines, parts, taken) }, 'review')
  return { state: rest ? (doc.state as State) : 'reversed', red_sn: sn }
}

/** What still stands of each line: the other side's copy was withdrawn whole and gets this instead. */
function remainder(
  lines: readonly StoredLine[],
  parts: readonly Part[],
  taken: ReadonlyMap<number, Decimal>,
): StoredLine[] {
  return lines.flatMap(line => {
    const gone = parts.filter(part => part.line === line)
    const left = gone.reduce(
      (rest, part) => subtract(rest, part.quantity, 3),
      subtract(line.base_quantity, taken.get(line.line_no) ?? '0', 3),
    )
    if (!isPositive(left)) return []
    const codes = new Set(gone.flatMap(part => part.codes))
    const red = redLine({
      line,
      quantity: left,
      codes: line.unit_codes.filter(code => !codes.has(code)),
      whole: left === line.base_quantity,
    })
    return [
      {
        ...red,
        quantity: negate(red.quantity),
        base_quantity: left,
        taxed_amount: negate(red.taxed_amount),
        untaxed_amount: negate(red.untaxed_amount),
        tax_amount: negate(red.tax_amount),
      },
    ]
  })
}

async function followedSentence(acting: Acting): Promise<string> {
  const rows = await acting.tx<{ sn: string; kind: string }[]>`
    select distinct d.sn, d.kind from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${acting.session.org.id} and l.source_document_id = ${acting.doc.id} and d.role = 'own' and d.state not in ('cancelled', 'deleted', 'draft') order by d.sn limit 5`
  if (rows.some(row => documentOf(row.kind)?.billType?.endsWith('INVOICE')))
    return `明细已开票（${rows.map(row => row.sn).join('、')}），请先红冲发票`
  return `该${acting.definition.title}已有后续业务${rows.length > 0 ? `（${rows.map(row => row.sn).join('、')}）` : ''}，不能红冲`
}

async function postOpposite(acting: Acting, red: string, sn: string, parts: readonly Part[]): Promise<void> {
  const { tx, session, doc, definition } = acting
  if (!definition.posts) return
  const org = session.org.id
  const posted = { org, document: red, day: doc.business_date }
  const byLine = new Map(parts.map(part => [part.line.line_no, part]))
  const scaled = <R extends { line_no: number; quantity: Decimal; value: Decimal | null }>(rows: readonly R[]): R[] =>
    rows.flatMap(row => {
      const part = byLine.get(row.line_no)
      if (!part) return []
      const scale = (value: Decimal, to: number) =>
        negate(part.whole ? value : share(value, part.quantity, part.line.base_quantity, to))
      return [{ ...row, quantity: scale(row.quantity, 3), value: row.value === null ? null : scale(row.value, 2) }]
    })
  const [moves, consigned, entries] = await Promise.all([
    standingMoves(tx, org, doc.id),
    standingConsigned(tx, org, doc.id),
    standingEntries(tx, org, doc.id),
  ])
  await blockedInsteadOfShort(acting, () =>
    postStock(
      tx,
      posted,
      scaled<StockRow>(moves).sort(
        (a, b) => a.line_no - b.line_no || Number(isNegative(b.quantity)) - Number(isNegative(a.quantity)),
      ),
    ),
  )
  await postConsigned(tx, posted, scaled<ConsignedRow>(consigned))
  await postAccounts(tx, posted, scaledEntries(entries, byLine))
  const codes = parts.flatMap(part => part.codes)
  const units =
    codes.length === 0
      ? undefined
      : new Set(
          (
            await tx<
              { lot_id: string; unit_id: string }[]
            >`select lot_id, unit_id from unit_code where bare = any(${codes as string[]})`
          ).map(row => `${row.lot_id}/${row.unit_id}`),
        )
  await undoTrace(
    tx,
    { org, kind: doc.kind, sn, actor: session.userName },
    [...new Set(parts.flatMap(part => (part.line.lot_id ? [part.line.lot_id] : [])))],
    {
      lines: parts.map(part => part.line.line_no),
      ...(units ? { units } : {}),
      lotQuantity: new Map(parts.map(part => [part.line.line_no, part.quantity])),
    },
    doc.sn,
  )
}

const scaledEntries = (entries: readonly AccountRow[], parts: ReadonlyMap<number, Part>): AccountRow[] =>
  entries.flatMap(entry => {
    const part = parts.get(entry.line_no)
    return part
      ? [
          {
            ...entry,
            amount: negate(part.whole ? entry.amount : share(entry.amount, part.quantity, part.line.base_quantity, 2)),
          },
        ]
      : []
  })

/** Sources get back what the reversed part had taken. */
async function giveBack(acting: Acting, parts: readonly Part[]): Promise<void> {
  const { tx, session, doc, definition } = acting
  const red = { ...doc, lines: parts.map(redLine) }
  const advances = await advancesOf(tx, session.org.id, definition, red, 'review')
  await advance(tx, session, advances)
  await sendProgress(tx, session, red, advances)
}
