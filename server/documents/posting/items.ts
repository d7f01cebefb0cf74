import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Account, type Entry, itemAccounts } from '#kernel/ledger/posting.ts'
import { documentOf } from '#kernel/registry.ts'
import { linesBehind } from '#server/documents/progress/progress.ts'
import { secondaryTargets } from '#server/documents/progress/secondary-target.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'

const opens = (kind: string | null | undefined, account: Account): boolean =>
  kind ? (documentOf(kind)?.posting.opens?.includes(account) ?? false) : false

/**
 * The document under which each entry of an item account stands: the one that the line names besides its source, its
 * source, the source behind an application, or the document itself, whichever opens items of that account.
 */
export async function itemsOf(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: StoredDocument,
  entries: readonly Entry[],
): Promise<Map<Entry, string>> {
  const asked = entries.filter(entry => itemAccounts.includes(entry.account))
  if (asked.length === 0) return new Map()
  const rule = definition.sourcing.secondaryTarget
  const targets = await secondaryTargets(tx, org, definition, doc)
  const behind = await linesBehind(tx, org, doc)
  const lines = new Map(doc.lines.map(line => [line.line_no, line]))
  return new Map(
    asked.map(entry => {
      const { account } = entry
      const line = lines.get(entry.line_no)
      const source = line && behind.get(`${line.source_document_id}/${line.source_line_no}`)
      const target = targets.get(entry.line_no)
      const id =
        target && entry.item !== 'source' && opens(rule?.kind, account)
          ? target.id
          : opens(source?.kind, account)
            ? line!.source_document_id
            : opens(source?.above_kind, account)
              ? source!.source_document_id
              : opens(definition.kind, account)
                ? doc.id
                : null
      if (!id) throw new Error(`${doc.sn} books ${account} on line ${entry.line_no} under no item`)
      return [entry, id]
    }),
  )
}
