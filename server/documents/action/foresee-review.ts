import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { refuseUncoded } from '#server/documents/posting/lots-and-serials.ts'
import { checkUnserialisedStock } from '#server/documents/posting/serialised-stock.ts'
import { SourceExceeded } from '#server/documents/progress/limits.ts'
import { type ProgressEntry, progressEntries, recordProgress } from '#server/documents/progress/progress.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { naming, otherTakers, type Taker } from '#server/documents/action/takers.ts'
import { withTolerance } from '#server/documents/progress/tolerance.ts'

/** Ends a savepoint whose writes nobody keeps. */
class PreviewOver extends Error {}

/**
 * Refuses at submit what review would refuse for certain: more than the source has left, and coded goods that name no
 * codes. Data that may still change while the document waits is left to the review.
 */
export async function foreseeReview(ctx: ActionContext): Promise<void> {
  const { definition } = ctx
  const { editableWhenSubmitted: waits = [] } = definition.lifecycle
  if (waits === true || waits === false) return
  if (definition.posting.reservesStock && !waits.includes('unit_codes')) await refuseUnscanned(ctx)
  if (!waits.some(name => name.endsWith('quantity'))) await previewProgress(ctx)
}

async function refuseUnscanned(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (!ctx.definition.posting.namesPieces) await refuseUncoded(ctx)
  const bare = doc.lines.filter(line => line.unit_codes.length === 0)
  const lots = bare.flatMap(line => (line.lot_id ? [line.lot_id] : []))
  await checkUnserialisedStock(tx, session.org.id, lots, doc.id)
}

/**
 * Counts the progress that the review will make, and undoes it: against the rest of the sources, then together with the
 * documents of the kind that wait for their review already. Quantities that may change while the document waits are not
 * refused yet.
 */
async function previewProgress(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const entries = await progressEntries(tx, session.org.id, definition, doc, 'review')
  if (entries.length === 0) return
  const allowed = await withTolerance(ctx, entries)
  const others = await otherTakers(ctx)
  await counted(ctx, allowed, ({ left }) => (isPositive(left) ? [] : others))
  const waiting = others.filter(({ kind, state }) => kind === doc.kind && state === 'submitted')
  // A kind that keeps its own account of what is open says in its own words who has it.
  if (waiting.length === 0 || documentRulesOf(doc.kind).openLines) return
  const theirs: ProgressEntry[] = []
  const waitingIds = waiting.map(({ id }) => id)
  for (const other of await loadDocuments(tx, session.org.id, waitingIds))
    theirs.push(...(await progressEntries(tx, session.org.id, definition, other, 'review')))
  const isOurs = (entry: ProgressEntry) =>
    allowed.some(({ document_id, line_no }) => entry.document_id === document_id && entry.line_no === line_no)
  const beside = await withTolerance(ctx, theirs.filter(isOurs))
  const before = beside.map(entry => ({ ...entry, waiting: true }))
  await counted(ctx, [...before, ...allowed], () => waiting)
}

/** Refuses to take more than there is, and names the documents that took it. */
async function counted(
  { tx, session }: ActionContext,
  entries: readonly ProgressEntry[],
  takers: (error: SourceExceeded) => readonly Taker[],
): Promise<void> {
  try {
    await tx.savepoint(async inner => {
      await recordProgress(inner, session, entries)
      throw new PreviewOver()
    })
  } catch (error) {
    if (error instanceof PreviewOver || (error instanceof BusinessError && error.reason !== 'sourceExceeded')) return
    throw error instanceof SourceExceeded ? naming(error, takers(error)) : error
  }
}
