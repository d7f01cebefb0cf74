import type { SourceRule } from '#kernel/definition/document-links.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { documentOf, documents } from '#kernel/registry.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { SourceExceeded } from '#server/documents/progress/limits.ts'

/** A document that takes from the same source lines. */
export type Taker = { readonly id: string; readonly kind: string; readonly sn: string; readonly state: string }
/** So many documents are named in a refusal. */
const MOST_NAMES = 3

/** Kinds whose documents take from the same rest as a take, and whether they take it as soon as they are submitted. */
const sharers = ({ from, purpose, sharesLimitWith = [] }: SourceRule) =>
  documents().flatMap(({ kind, sourcing: { sources = [] } }) =>
    sources
      .filter(take => take.from === from && !take.nonConsuming && [purpose, ...sharesLimitWith].includes(take.purpose))
      .map(take => ({ kind, atSubmit: take.countedAt === 'submit' })),
  )

/** Documents, waiting or in force, that take from the same source lines, first ones first; a draft takes nothing. */
export async function otherTakers({ tx, session, doc, definition }: ActionContext): Promise<readonly Taker[]> {
  const kinds = (definition.sourcing.sources ?? []).flatMap(sharers)
  const early = kinds.flatMap(({ kind, atSubmit }) => (atSubmit || kind === doc.kind ? [kind] : []))
  const lines = doc.lines.map(({ source_document_id: id, source_line_no: no }) => ({ id, no }))
  return tx<Taker[]>`
    select distinct d.id, d.kind, d.sn, d.state from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
      join jsonb_to_recordset(${tx.json(lines)}) s(id bigint, no int)
        on l.source_document_id = s.id and l.source_line_no = s.no
     where l.org_id = ${session.org.id} and d.kind = any(${kinds.map(({ kind }) => kind)}) and d.role = 'own'
       and d.id <> ${doc.id} and d.red_of_id is null
       and (d.state in ('reviewed', 'partial', 'completed') or d.state = 'submitted' and d.kind = any(${early}))
     order by d.id`
}

/** The refusal of a count, with the numbers of those who took what it asked for. */
export function naming(error: SourceExceeded, takers: readonly Taker[]): SourceExceeded {
  if (takers.length === 0) return error
  const named = takers.slice(0, MOST_NAMES)
  const titles = [...Map.groupBy(named, ({ kind }) => documentOf(kind)?.title ?? '')]
  const said = titles.map(([title, some]) => `${title}${some.map(({ sn }) => sn).join('、')}`).join('、')
  return new SourceExceeded(`${error.message}，已有${said}`, error.problems, error.left)
}

/** Counts, and where nothing is left of a source names who has it; what only waits has it if it counts at submit. */
export async function countNaming(
  ctx: ActionContext,
  at: 'submit' | 'review',
  count: () => Promise<void>,
): Promise<void> {
  try {
    await count()
  } catch (error) {
    if (!(error instanceof SourceExceeded) || ctx.doc.red_of_id !== null) throw error
    const takers = await otherTakers(ctx)
    const waits = ({ kind, state }: Taker) => state === 'submitted' && (at === 'submit' || kind !== ctx.doc.kind)
    throw naming(
      error,
      takers.filter(taker => waits(taker) || (taker.state !== 'submitted' && !isPositive(error.left))),
    )
  }
}
