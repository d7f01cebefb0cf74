import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { refuseUncoded } from '#server/documents/posting/lots-and-serials.ts'
import { checkUnserialisedStock } from '#server/documents/posting/serialised-stock.ts'
import { progressEntries, recordProgress } from '#server/documents/progress/progress.ts'
import { withTolerance } from '#server/documents/progress/tolerance.ts'

/** Ends a savepoint whose writes nobody keeps. */
class PreviewOver extends Error {}

/**
 * Refuses at submit what review would refuse for certain: more than the source has left, and coded goods that name no
 * codes. What may still be changed while the document waits is left to the review.
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

/** Counts what the review will take, and takes it back. What may change while the document waits is no refusal yet. */
async function previewProgress(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const entries = await progressEntries(tx, session.org.id, definition, doc, 'review')
  if (entries.length === 0) return
  const allowed = await withTolerance(ctx, entries)
  try {
    await tx.savepoint(async inner => {
      await recordProgress(inner, session, allowed)
      throw new PreviewOver()
    })
  } catch (error) {
    if (error instanceof BusinessError && error.reason !== 'sourceExceeded') return
    if (!(error instanceof PreviewOver)) throw error
  }
}
