import type { Purpose } from '#kernel/definition/progress.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { derived, documentOf, documents } from '#kernel/registry.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Purposes that reduce what can be taken of a line, whatever for: reversed goods, and those that were stopped. */
export const reducing: readonly Purpose[] = ['reverse', 'stop']

/** The quantity of a line `l` that is to come for a purpose, in base units: neither counted for it nor stopped. */
export const leftOfLine = (tx: Tx, purpose: Purpose) => tx`
  greatest(l.base_quantity - coalesce((
    select sum(p.taken) from line_progress p
     where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
       and p.purpose in (${purpose}, 'stop')), 0), 0)`

/**
 * The purposes whose counted part of a stopped line goes on, by kind and role. Of another organisation's order only
 * what we answered counts on our copy: what was confirmed stays confirmed.
 */
export const underWayOf = derived(() =>
  documents().flatMap(({ kind, progress: { underWay } }) => {
    if (underWay === undefined) return []
    const answers = documents().flatMap(({ sourcing }) =>
      (sourcing.sources ?? []).filter(take => take.from === kind && take.fromCounterparty),
    )
    return [
      { kind, role: 'own', purposes: underWay },
      { kind, role: 'counterparty', purposes: [...new Set(answers.map(take => take.purpose))] },
    ]
  }),
)

/** The change of a line's stopped quantity, in base units; negative where goods turned out to be under way. */
export type StoppedMore = { readonly document_id: string; readonly line_no: number; readonly quantity: Decimal }

/**
 * A stopped line leaves nothing to execute: what is neither under way nor done of it counts as stopped, at once, and
 * again whenever that changes. Goods that come back of it are not sent again; goods that the other side had sent before
 * it knew are still received. Documents that are not in force have nothing stopped yet, unless they come into it now.
 * One statement; returns what changed.
 */
export async function settleStopped(
  tx: Tx,
  org: string,
  ids: readonly string[],
  { comesIntoForce = false }: { readonly comesIntoForce?: boolean } = {},
): Promise<readonly StoppedMore[]> {
  if (ids.length === 0) return []
  return tx<StoppedMore[]>`
    with wanted as (
      select l.document_id, l.line_no, greatest(l.base_quantity - coalesce(g.taken, 0), 0) as quantity
        from jsonb_to_recordset(${tx.json(underWayOf())}) as k(kind text, role text,
          purposes text[])
        join document d on d.org_id = ${org} and d.id = any(${ids as string[]}::bigint[]) and d.kind = k.kind
          and d.role = k.role
          and (${comesIntoForce} or d.state in ('reviewed', 'partial', 'completed', 'stopped'))
        join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.fields ? 'stop_reason'
        left join lateral (
          select max(p.taken) as taken from line_progress p
           where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
             and p.purpose = any(k.purposes)) g on true),
    changed as (
      select w.document_id, w.line_no, w.quantity, w.quantity - coalesce(s.taken, 0) as more
        from wanted w left join line_progress s on s.org_id = ${org} and s.document_id = w.document_id
          and s.line_no = w.line_no and s.purpose = 'stop'
       where s.taken is distinct from w.quantity),
    wrote as (
      insert into line_progress as g (org_id, document_id, line_no, purpose, taken)
      select ${org}::bigint, document_id, line_no, 'stop', more from changed
       union all
      select ${org}::bigint, document_id, 0, 'stop', sum(more) from changed group by document_id
      on conflict (org_id, document_id, line_no, purpose) do update set taken = g.taken + excluded.taken)
    select document_id, line_no, more::numeric(18,3) as quantity from changed order by document_id, line_no`
}

/** True if lines of such documents can be stopped one by one. */
export const stopsLines = (kind: string): boolean => documentOf(kind)?.progress.underWay !== undefined
