import type { AnyDocument } from '#kernel/definition/document.ts'
import { compactDay, today } from '#kernel/values/date.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * The next sn of a kind of document, or of anything else numbered by day: prefix + yyMMdd (server day,
 * Asia/Shanghai) + at least 4 digits. Gapless per organisation, kind and day: the counter's row is locked until the
 * document is committed, and a refused document returns its number with the rollback.
 */
export async function nextNumber(
  tx: Tx,
  org: string,
  definition: Pick<AnyDocument, 'kind' | 'numberPrefix'>,
): Promise<string> {
  const day = today()
  const [row] = await tx<{ last: string }[]>`
    insert into numbering as n (org_id, kind, day, last) values (${org}, ${definition.kind}, ${day}, 1)
    on conflict (org_id, kind, day) do update set last = n.last + 1
    returning last`
  return `${definition.numberPrefix}${compactDay(day)}${row!.last.padStart(4, '0')}`
}
