import { add, compare, type Decimal, isPositive, share, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { tried } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { transition } from '#server/public/documents.ts'
import { inNameOf, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'

export type Counted = { readonly specification_id: string; readonly quantity: Decimal }
type Line = {
  id: string
  sn: string
  touched: boolean
  grant_sn: string
  line_no: number
  specification_id: string
  quantity: Decimal
  entered: Decimal
  unit_codes: string[]
}
export type Arrived = {
  /** The receipt under which each piece arrived. */
  readonly byCode: ReadonlyMap<string, string>
  /** How many pieces without codes arrived, and under which receipt, by specification. */
  readonly bySpecification: ReadonlyMap<string, { readonly quantity: Decimal; readonly sn: string }>
}

/**
 * Receives the goods that were put in, if the warehouse issued them to this cabinet: a waiting receipt is confirmed
 * when all of it was put in; if less was put in, that part is confirmed and the rest keeps waiting under a receipt of
 * its own. Any excess waits for a person.
 */
export async function receiveArrived(
  at: { readonly tx: Tx; readonly session: Session; readonly warehouse: string; readonly documents: string[] },
  put: { readonly codes: readonly string[]; readonly counts: readonly Counted[] },
): Promise<Arrived> {
  const byCode = new Map<string, string>()
  const bySpecification = new Map<string, { quantity: Decimal; sn: string }>()
  if (put.codes.length === 0 && put.counts.length === 0) return { byCode, bySpecification }
  const { tx, session, warehouse, documents: docs } = at
  const lines = await tx<Line[]>`
    select d.id, d.sn, d.touched, d.source_sn as grant_sn, l.source_line_no as line_no, l.specification_id,
      l.base_quantity as quantity, l.quantity as entered, l.unit_codes
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'wardReceipt' and d.role = 'own' and d.state = 'submitted'
       and d.warehouse_id = ${warehouse} order by d.id, l.line_no`
  const codes = new Set(put.codes)
  const left = new Map<string, Decimal>()
  for (const { specification_id, quantity } of put.counts)
    left.set(specification_id, add(left.get(specification_id) ?? '0', quantity, 3))
  for (const mine of Map.groupBy(lines, line => line.sn).values()) {
    const parts = mine.map(line => partOf(line, codes, left))
    const sn = await confirmed(tx, inNameOf(session), mine, parts)
    if (sn === null) continue
    docs.push(sn)
    for (const part of parts) {
      for (const code of part.codes) byCode.set(code, sn)
      if (part.line.unit_codes.length > 0 || !isPositive(part.quantity)) continue
      const { specification_id } = part.line
      left.set(specification_id, subtract(left.get(specification_id)!, part.quantity, 3))
      const before = bySpecification.get(specification_id)?.quantity ?? '0'
      bySpecification.set(specification_id, { quantity: add(before, part.quantity, 3), sn })
    }
  }
  return { byCode, bySpecification }
}

type Part = { readonly line: Line; readonly quantity: Decimal; readonly codes: readonly string[] }

/**
 * How much of a line was put in: pieces by their codes; goods without codes up to the line quantity and what is
 * left.
 */
function partOf(line: Line, codes: ReadonlySet<string>, left: ReadonlyMap<string, Decimal>): Part {
  const mine = line.unit_codes.filter(code => codes.has(code))
  const have = left.get(line.specification_id) ?? '0'
  const counted = compare(have, line.quantity) > 0 ? line.quantity : have
  return { line, codes: mine, quantity: line.unit_codes.length > 0 ? (String(mine.length) as Decimal) : counted }
}

/** Confirms a receipt, or the part of it that was put in; null if nothing was put in or a person is working on it. */
async function confirmed(
  tx: Tx,
  session: Session,
  lines: readonly Line[],
  parts: readonly Part[],
): Promise<string | null> {
  const [first] = lines
  const some = parts.filter(part => isPositive(part.quantity))
  if (!first || some.length === 0) return null
  const isWhole = parts.every(part => compare(part.quantity, part.line.quantity) === 0)
  if (!isWhole && first.touched) return null
  const done = await tried(tx, async inner => {
    if (isWhole) {
      if ((await submitAndReview(inner, session, 'wardReceipt', first.sn)) !== 'reviewed')
        throw new BusinessError('wrongState')
      return first.sn
    }
    return inParts(inner, session, first, parts)
  })
  return 'done' in done ? done.done : null
}

/** The waiting receipt is replaced by two: what arrived, confirmed, and what is still on its way. */
async function inParts(tx: Tx, session: Session, first: Line, parts: readonly Part[]): Promise<string> {
  const source = { source_sn: first.grant_sn, source_type: sourceTypes.GRANT }
  const givesWay = { action: 'cancel', label: '分次收货', from: ['submitted'], to: 'cancelled' } as const
  await transition(tx, session, { id: first.id, kind: 'wardReceipt' }, givesWay)
  const lines = (of: readonly Part[]) =>
    of
      .filter(part => isPositive(part.quantity))
      .map(({ line, quantity, codes }) => ({
        source_line_no: line.line_no,
        quantity: share(line.entered, quantity, line.quantity, 3),
        ...(codes.length > 0 ? { unit_codes: codes } : {}),
      })) as never
  const rest = parts.map(({ line, quantity, codes }) => ({
    line,
    quantity: subtract(line.quantity, quantity, 3),
    codes: line.unit_codes.filter(code => !codes.includes(code)),
  }))
  const sn = await createSystemDraft(tx, session, 'wardReceipt', source, lines(parts), 'submitted')
  if ((await submitAndReview(tx, session, 'wardReceipt', sn)) !== 'reviewed') throw new BusinessError('wrongState')
  await createSystemDraft(tx, session, 'wardReceipt', source, lines(rest), 'submitted')
  return sn
}
