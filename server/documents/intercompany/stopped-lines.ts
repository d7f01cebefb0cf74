import { writeHistory } from '#server/documents/repository/history.ts'
import { patchLines } from '#server/documents/repository/patch.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { releaseStopped, updateSourceStates } from '#server/documents/progress/progress.ts'
import { settleStopped, type StoppedMore, stopsLines } from '#server/documents/progress/stopped-lines.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Marks lines as stopped and settles what follows: the stopped quantity, what is free again on their sources, the
 * document's state. Returns the quantities that are stopped now. The caller holds the document's lock.
 */
export async function markStopped(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  lines: readonly number[],
  reason: string,
): Promise<readonly StoppedMore[]> {
  const patches = lines.map(line_no => ({ line_no, values: { stop_reason: reason } }))
  await patchLines(tx, session, doc, patches, 'withAction')
  const stopped = await settleStopped(tx, session.org.id, [doc.id])
  await releaseStopped(tx, session, stopped)
  await updateSourceStates(tx, session, [doc.id])
  return stopped
}

type Stopped = { readonly lines: readonly number[]; readonly reason: string | null; readonly by: string }

/**
 * The other side stopped lines: our copy of its document, and what we made from them, can no longer be executed beyond
 * what is under way. Returns the documents of ours that it concerns.
 */
export async function stopLinesOfCopy(
  tx: Tx,
  session: Session,
  copy: StoredDocument,
  made: readonly string[],
  said: Stopped,
): Promise<void> {
  await stopTheirLines(tx, session, copy, said.lines, said)
  const ours = (await loadDocuments(tx, session.org.id, made)).filter(doc => stopsLines(doc.kind))
  for (const doc of ours) {
    const lines = doc.lines.filter(
      line => line.source_document_id === copy.id && said.lines.includes(line.source_line_no ?? 0),
    )
    await stopTheirLines(
      tx,
      session,
      doc,
      lines.map(line => line.line_no),
      said,
    )
  }
}

/** Lines of ours that the other side stopped; those that are stopped already keep their reason. */
export async function stopTheirLines(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  among: readonly number[],
  { reason, by }: Omit<Stopped, 'lines'>,
): Promise<void> {
  const lines = among.filter(no => doc.lines.some(line => line.line_no === no && !line.stop_reason))
  if (lines.length === 0) return
  const why = reason ?? `${by}终止`
  await markStopped(tx, session, doc, lines, why)
  const [now] = await tx<{ state: string }[]>`
    update document set version = version + 1 where org_id = ${session.org.id} and id = ${doc.id} returning state`
  await writeHistory(tx, { ...session, userId: '0', userName: by }, doc.id, {
    action: 'stopLine',
    label: `对方终止第${lines.join('、')}行`,
    from: doc.state,
    to: now!.state,
    reason,
  })
}
