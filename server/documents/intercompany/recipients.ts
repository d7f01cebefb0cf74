import type { CopyRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { ownerOfLine } from '#server/documents/progress/owner-of-line.ts'
import { byName, type StoredDocument, type StoredLine } from '#server/documents/repository/document.ts'
import { hooks } from '#server/registry/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** An organisation that gets a copy, the lines that it may see, and its task with them. */
export type Receiver = {
  readonly receiver: string
  readonly lines: readonly StoredLine[]
  /** Own header fields with values for this receiver's copy only. */
  readonly header?: Readonly<Record<string, string>>
  /** The copy is there to be looked up: nobody is notified of it. */
  readonly silent?: boolean
}

/** The receivers of copies, and the lines of each copy. */
export async function recipientsOf(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  send: CopyRule<never>,
): Promise<readonly Receiver[]> {
  if (send.reports) return hooks().reportRecipients(tx, session, definition, doc)
  const others = (orgs: readonly (string | null)[]) => [
    ...new Set(orgs.filter((org): org is string => Boolean(org) && org !== session.org.id)),
  ]
  if (send.toOwners) {
    const meant = doc.lines.filter(line => !send.lineFilter || send.lineFilter(line as never, session.org.id as never))
    return others(meant.map(line => ownerOfLine(definition, doc, line))).map(receiver => ({
      receiver,
      lines: meant.filter(line => ownerOfLine(definition, doc, line) === receiver),
    }))
  }
  const to = send.toAll
    ? ((byName(doc)[send.toAll] ?? []) as string[])
    : [send.recipient ? (send.recipient(doc as never) as string | null) : doc.counterparty_sn]
  return others(to).map(receiver => ({
    receiver,
    lines: send.lineFilter ? doc.lines.filter(line => send.lineFilter!(line as never, receiver as never)) : doc.lines,
  }))
}
