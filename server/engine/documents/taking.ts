import { subtract } from '#kernel/decimal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { sendProgress } from '#server/engine/documents/hand-over.ts'
import { advance, advancesOf, reversedAdvances } from '#server/engine/documents/progress.ts'
import { withTolerance } from '#server/engine/documents/tolerance.ts'
import { release } from '#server/engine/documents/reserve.ts'

/** Counts what the paper takes at this point of its life, and tells the owners of the copies it takes from. */
export async function progressNow(acting: Acting, at: 'submit' | 'review'): Promise<void> {
  const { tx, session, definition, doc } = acting
  const advances = await withTolerance(acting, await advancesOf(tx, session.org.id, definition, doc, at))
  await advance(tx, session, advances)
  await sendProgress(tx, session, doc, advances)
}

/** Gives it back. */
export async function progressBack(acting: Acting, at: 'submit' | 'review'): Promise<void> {
  const { tx, session, definition, doc } = acting
  const back = reversedAdvances(await advancesOf(tx, session.org.id, definition, doc, at))
  const advances = await withTolerance(acting, back)
  await advance(tx, session, advances)
  await sendProgress(tx, session, doc, advances)
}

/** What a stopped paper took at submit and nobody will execute goes back to its sources. */
export async function giveBackRest({ tx, session, definition, doc }: Acting): Promise<void> {
  const held = await advancesOf(tx, session.org.id, definition, doc, 'submit')
  if (held.length === 0) return
  const done = await tx<{ line_no: number; taken: string }[]>`
    select line_no, sum(taken)::text as taken from line_progress
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0 and purpose = any(${[definition.main ?? '', ...(definition.mainAlso ?? [])]}) group by line_no`
  const rest = doc.lines.map(line => {
    const taken = done.find(row => row.line_no === line.line_no)?.taken ?? '0'
    return {
      ...line,
      base_quantity: subtract(line.base_quantity, taken, 3),
      taxed_amount: subtract(line.taxed_amount, taken, 2),
    }
  })
  const advances = reversedAdvances(await advancesOf(tx, session.org.id, definition, { lines: rest }, 'submit'))
  await advance(tx, session, advances)
  await sendProgress(tx, session, doc, advances)
}

/** What the paper promised itself at submit: reservations and counts. */
export async function takeBackSubmit(acting: Acting): Promise<void> {
  if (acting.definition.reserves) await release(acting.tx, acting.session, acting.doc.id)
  await progressBack(acting, 'submit')
}
