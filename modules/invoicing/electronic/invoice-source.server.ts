import type { BilledLine } from '#modules/invoicing/electronic/sheet-lines.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import type { StoredDocument } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/**
 * What electronic invoices are issued over: a kind of document with the fields of a buyer, `invoice_no`,
 * `invoice_date`, `issue_state` and `issue_error`. Request, number, files, delivery and the way back are the same for
 * all; this is what only the kind knows.
 */
export type InvoiceSource = {
  readonly kind: string
  /** 来源, as lists of electronic invoices say it. */
  readonly sourceKind: (doc: StoredDocument) => 'outbound' | 'settlement' | 'fee'
  /** The lines of the document as a tax office reads them, in their order; amounts in yuan, negative on a red one. */
  readonly billed: (tx: Tx, org: string, document: string) => Promise<readonly BilledLine[]>
  /** Where somebody writes the tax class of a line, for the refusal of one without. */
  readonly codeAt: string
  /** What else stands in the way of a request; it throws. */
  readonly refuse?: (ctx: ActionContext) => Promise<void>
  /** What is left of a blue document after its red ones, as the lines of one more, with a minus; none: nothing is. */
  readonly redLines: (
    tx: Tx,
    org: string,
    blue: { readonly document: string; readonly number: string },
  ) => Promise<readonly Record<string, unknown>[]>
  /** It has its number; `isSent`: the customer has it too. */
  readonly onIssued: (tx: Tx, session: Session, doc: StoredDocument, isSent: boolean) => Promise<void>
  /** Red invoices took all of it back. */
  readonly onReversed?: (tx: Tx, session: Session, doc: StoredDocument) => Promise<void>
}
