import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Account, type Entry, itemAccounts } from '#kernel/ledger/posting.ts'
import { documentOf } from '#kernel/registry.ts'
import { linesBehind } from '#server/documents/progress/progress.ts'
import { secondaryTargets } from '#server/documents/progress/secondary-target.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'

const opens = (kind: string | null | undefined, account: Account): boolean =>
  kind ? (documentOf(kind)?.posting.opens?.includes(account) ?? false) : false

/** The document that opened an item, and its line where each line is an item of its own; else 0. */
export type Item = { readonly id: string; readonly line: number }

/** A document, and a line of it, that may have opened what is booked. */
type Opener = {
  readonly kind: string | null | undefined
  readonly id: string | null
  readonly line: number | null
}

/**
 * The item to which each entry of an item account belongs: the document's own, where its kind opens items of that
 * account; else the item of the document that the line names besides its source, of its source, or of the source behind
 * an application, whichever opened one.
 */
export async function itemsOf(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: StoredDocument,
  entries: readonly Entry[],
): Promise<Map<Entry, Item>> {
  const asked = entries.filter(entry => itemAccounts.includes(entry.account))
  if (asked.length === 0) return new Map()
  const rule = definition.sourcing.secondaryTarget
  const targets = await secondaryTargets(tx, org, definition, doc)
  const behind = await linesBehind(tx, org, doc)
  const lines = new Map(doc.lines.map(line => [line.line_no, line]))
  return new Map(
    asked.map(entry => {
      const { account, line_no } = entry
      const line = lines.get(line_no)
      const source = line && behind.get(`${line.source_document_id}/${line.source_line_no}`)
      const target = entry.item === 'source' ? undefined : targets.get(line_no)
      const openers: readonly Opener[] = [
        { kind: definition.kind, id: doc.id, line: line_no },
        { kind: target && rule?.kind, id: target?.id ?? null, line: target?.line_no ?? null },
        { kind: source?.kind, id: line?.source_document_id ?? null, line: line?.source_line_no ?? null },
        { kind: source?.above_kind, id: source?.source_document_id ?? null, line: source?.source_line_no ?? null },
      ]
      const opener = openers.find(({ kind }) => opens(kind, account))
      if (!opener?.id) throw new Error(`${doc.sn} books ${account} on line ${line_no} under no item`)
      const byLine = documentOf(opener.kind!)!.posting.opensByLine === true
      return [entry, { id: opener.id, line: byLine ? (opener.line ?? 0) : 0 }]
    }),
  )
}
