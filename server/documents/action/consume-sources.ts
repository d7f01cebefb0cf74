import { subtract } from '#kernel/values/decimal.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { countNaming } from '#server/documents/action/takers.ts'
import { sendProgress } from '#server/documents/intercompany/outbox.ts'
import { recordProgress, progressEntries, negated } from '#server/documents/progress/progress.ts'
import { checkSecondaryTargets } from '#server/documents/progress/secondary-target.ts'
import { withTolerance } from '#server/documents/progress/tolerance.ts'
import { release } from '#server/documents/allocation/reserve.ts'

/** Counts what the document takes at this point, and notifies the owners of the copies it takes from. */
export async function consumeSources(ctx: ActionContext, at: 'submit' | 'review'): Promise<void> {
  const { tx, session, definition, doc } = ctx
  await checkSecondaryTargets(tx, session.org.id, definition, doc)
  const advances = await withTolerance(ctx, await progressEntries(tx, session.org.id, definition, doc, at))
  await countNaming(ctx, at, () => recordProgress(tx, session, advances, doc.id))
  await sendProgress(tx, session, doc, advances)
}

/** Releases it again. */
export async function releaseSources(ctx: ActionContext, at: 'submit' | 'review'): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const back = negated(await progressEntries(tx, session.org.id, definition, doc, at))
  const advances = await withTolerance(ctx, back)
  await recordProgress(tx, session, advances, doc.id)
  await sendProgress(tx, session, doc, advances)
}

/**
 * A stopped document gives back to its sources what it took at submit and will not be executed; what was stopped of its
 * lines before is free there already.
 */
export async function releaseUnexecuted({ tx, session, definition, doc }: ActionContext): Promise<void> {
  const { main = '', mainAlso = [] } = definition.progress
  const held = await progressEntries(tx, session.org.id, definition, doc, 'submit')
  if (held.length === 0) return
  const done = await tx<{ line_no: number; taken: string }[]>`
    select line_no, sum(taken)::text as taken from line_progress
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0
       and purpose = any(${[main, ...mainAlso, 'stop']}) group by line_no`
  const rest = doc.lines.map(line => {
    const taken = done.find(row => row.line_no === line.line_no)?.taken ?? '0'
    return {
      ...line,
      base_quantity: subtract(line.base_quantity, taken, 3),
      taxed_amount: subtract(line.taxed_amount, taken, 2),
    }
  })
  const advances = negated(await progressEntries(tx, session.org.id, definition, { lines: rest }, 'submit'))
  await recordProgress(tx, session, advances, doc.id)
  await sendProgress(tx, session, doc, advances)
}

/** Undoes what the document claimed at submit: reservations and counts. */
export async function undoSubmitProgress(ctx: ActionContext): Promise<void> {
  if (ctx.definition.posting.reservesStock) await release(ctx.tx, ctx.session, ctx.doc.id)
  await releaseSources(ctx, 'submit')
}
