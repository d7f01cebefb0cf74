import { packCode } from '#kernel/codes/pack-code.ts'
import { compactDay, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

async function nextOf(tx: Tx, org: string, kind: string, count: number): Promise<{ day: string; first: number }> {
  const day = today()
  const [row] = await tx<{ last: string }[]>`
    insert into numbering as n (org_id, kind, day, last) values (${org}, ${kind}, ${day}, ${count})
    on conflict (org_id, kind, day) do update set last = n.last + ${count} returning last`
  return { day: compactDay(day), first: parseInteger(row!.last) - count + 1 }
}

/** The next in-house codes of an organisation: its code, the day, a running number. Never reused. */
export async function nextUnitCodes(tx: Tx, session: Session, count: number): Promise<string[]> {
  const { day, first } = await nextOf(tx, session.org.id, 'unitCode', count)
  return Array.from({ length: count }, (_, at) => `${session.org.code}-${day}${String(first + at).padStart(5, '0')}`)
}

/** The next codes of fixed-quantity packs. Never reused. */
export async function nextPackCodes(tx: Tx, session: Session, count: number): Promise<string[]> {
  const { day, first } = await nextOf(tx, session.org.id, 'packCode', count)
  return Array.from({ length: count }, (_, at) => packCode(day, first + at))
}

/** The number of a job that prints, changes or voids labels: the trace names it in place of a document. */
export async function nextLabelJob(tx: Tx, session: Session): Promise<string> {
  const { day, first } = await nextOf(tx, session.org.id, 'labelJob', 1)
  return `BQ${day}${String(first).padStart(4, '0')}`
}
