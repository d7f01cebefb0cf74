import type { BilledLine } from '#modules/finance/invoicing/electronic/sheet-lines.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import type { StoredDocument } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/**
 * A kind of document over which electronic invoices are issued, with the fields of a buyer, `invoice_no`,
 * `invoice_date`, `issue_state` and `issue_error`. Request, number, files, delivery and the way back are the same for
 * all kinds; this type has the parts that differ by kind.
 */
export type InvoiceSource = {
  readonly kind: string
  /** 来源, as in the lists of electronic invoices. */
  readonly sourceKind: (doc: StoredDocument) => 'outbound' | 'settlement' | 'fee'
  /** The lines of the document as a tax office reads them, in their order; amounts in yuan, negative on a red one. */
  readonly billed: (tx: Tx, org: string, document: string) => Promise<readonly BilledLine[]>
  /** The place where users enter the tax class of a line, for the refusal of a line without one. */
  readonly codeAt: string
  /** Further checks before a request; throws to refuse it. */
  readonly refuse?: (ctx: ActionContext) => Promise<void>
  /**
   * The rest of a blue document after its red ones, as lines with a minus for one more red document; empty if nothing
   * is left.
   */
  readonly redLines: (
    tx: Tx,
    org: string,
    blue: { readonly document: string; readonly number: string },
  ) => Promise<readonly Record<string, unknown>[]>
  /** Called when it has its number; `isSent`: the customer has it too. */
  readonly onIssued: (tx: Tx, session: Session, doc: StoredDocument, isSent: boolean) => Promise<void>
  /** Called when red invoices took all of it back. */
  readonly onReversed?: (tx: Tx, session: Session, doc: StoredDocument) => Promise<void>
}
