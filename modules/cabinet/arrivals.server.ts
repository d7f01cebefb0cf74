import { add, compare, type Decimal, isPositive, subtract } from '#kernel/decimal.ts'
import { inNameOf, tried } from '#modules/cabinet/linking.server.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { pass } from '#server/engine/documents/lay-and-pass.ts'

export type Counted = { readonly specification_id: string; readonly quantity: Decimal }
type Line = { sn: string; specification_id: string; quantity: Decimal; unit_codes: string[] }
export type Arrived = {
  /** The receipt under which each piece came in. */
  readonly byCode: ReadonlyMap<string, string>
  /** How many pieces without codes came in, and under which receipt, by specification. */
  readonly bySpecification: ReadonlyMap<string, { readonly quantity: Decimal; readonly sn: string }>
}

/**
 * What was filled up is what the store granted to this cabinet: a receipt that waits here is confirmed when all of it was put in. What
 * goes beyond, or is less than a whole receipt, waits for a person.
 */
export async function receiveArrived(
  at: { readonly tx: Tx; readonly session: Session; readonly warehouse: string; readonly papers: string[] },
  put: { readonly codes: readonly string[]; readonly counts: readonly Counted[] },
): Promise<Arrived> {
  const byCode = new Map<string, string>()
  const bySpecification = new Map<string, { quantity: Decimal; sn: string }>()
  if (put.codes.length === 0 && put.counts.length === 0) return { byCode, bySpecification }
  const { tx, session, warehouse, papers } = at
  const lines = await tx<Line[]>`
    select d.sn, l.specification_id, l.base_quantity as quantity, l.unit_codes from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'wardReceipt' and d.role = 'own' and d.state = 'submitted' and d.warehouse_id = ${warehouse} order by d.id, l.line_no`
  const codes = new Set(put.codes)
  const left = new Map<string, Decimal>()
  for (const { specification_id, quantity } of put.counts)
    left.set(specification_id, add(left.get(specification_id) ?? '0', quantity, 3))
  for (const [sn, mine] of Map.groupBy(lines, line => line.sn)) {
    if (!isCovered(mine, codes, left)) continue
    const passed = await tried(tx, inner => pass(inner, inNameOf(session), 'wardReceipt', sn))
    if ('why' in passed || passed.done !== 'reviewed') continue
    papers.push(sn)
    for (const line of mine) {
      for (const code of line.unit_codes) byCode.set(code, sn)
      if (line.unit_codes.length > 0) continue
      left.set(line.specification_id, subtract(left.get(line.specification_id)!, line.quantity, 3))
      const before = bySpecification.get(line.specification_id)?.quantity ?? '0'
      bySpecification.set(line.specification_id, { quantity: add(before, line.quantity, 3), sn })
    }
  }
  return { byCode, bySpecification }
}

/** Whether all of a receipt was put in: every piece by its code, and of goods without codes as many as it says. */
function isCovered(lines: readonly Line[], codes: ReadonlySet<string>, left: ReadonlyMap<string, Decimal>): boolean {
  const wanted = new Map<string, Decimal>()
  for (const line of lines) {
    if (line.unit_codes.some(code => !codes.has(code))) return false
    if (line.unit_codes.length === 0)
      wanted.set(line.specification_id, add(wanted.get(line.specification_id) ?? '0', line.quantity, 3))
  }
  return [...wanted].every(
    ([specification, quantity]) => !isPositive(quantity) || compare(left.get(specification) ?? '0', quantity) >= 0,
  )
}
