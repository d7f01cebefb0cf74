import { add, compare, type Decimal, subtract, zero } from '#kernel/values/decimal.ts'
import { chainOf } from '#modules/goods/trace/chain-view.ts'
import type { TraceEvent } from '#modules/goods/trace/trace-info.ts'

/** So many pieces of a lot that went from one place to another, or into a use. */
export type LotLink = { readonly from: string; readonly to: string; readonly quantity: Decimal }

const UNKNOWN = '其他机构'
const PLACES = 3
/** What brings goods into the chain, and what takes them out of it for good. */
const born: Readonly<Record<string, string>> = { produce: '生产', opening: '期初', overflow: '报溢' }
const ended: Readonly<Record<string, string>> = { use: '使用', loss: '报损', scrap: '报废', discard: '废弃' }

/**
 * The path of a lot over the organisations as sums: receipts less what went back the same way, and what became of it.
 * A pair of doing and undoing is none of it. Goods that came to where they had been are left out: they would flow in a
 * circle.
 */
export function lotFlow(events: readonly TraceEvent[]): readonly LotLink[] {
  const sums = new Map<string, LotLink>()
  const put = (from: string, to: string, quantity: string, sign: 1 | -1 = 1) => {
    const key = JSON.stringify([from, to])
    const before = sums.get(key)?.quantity ?? zero
    const after = sign === 1 ? add(before, quantity as Decimal, PLACES) : subtract(before, quantity as Decimal, PLACES)
    sums.set(key, { from, to, quantity: after })
  }
  for (const event of chainOf(events).filter(({ undone, undo_of }) => !undone && undo_of === null)) {
    const [from, to] = [event.from_org_name ?? UNKNOWN, event.to_org_name ?? UNKNOWN]
    const at = event.org_name ?? UNKNOWN
    const [birth, end] = [born[event.step], ended[event.step]]
    if (birth !== undefined) put(birth, at, event.quantity)
    else if (end !== undefined) put(at, `${end}（${at}）`, event.quantity)
    else if (from === to) continue
    else if (event.step === 'return') put(to, from, event.quantity, -1)
    else if (event.step === 'receive' || event.step === 'transfer_in') put(from, to, event.quantity)
  }
  return acyclic([...sums.values()].filter(({ quantity }) => compare(quantity, zero) > 0))
}

/** Without the links that would lead back to where the goods came from. */
function acyclic(links: readonly LotLink[]): readonly LotLink[] {
  const kept: LotLink[] = []
  const reaches = (from: string, to: string): boolean =>
    from === to || kept.some(link => link.from === from && reaches(link.to, to))
  for (const link of links) if (!reaches(link.to, link.from)) kept.push(link)
  return kept
}
