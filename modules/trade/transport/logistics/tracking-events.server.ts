import { instant } from '#kernel/values/date.ts'
import { isSentTo, sendUpdate } from '#server/public/intercompany.ts'
import { patchDocument, type StoredDocument } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Something that happened to a shipment on its way; `by` is the person, or the carrier's system. */
export type TrackingEvent = {
  readonly at: string
  readonly place: string | null
  readonly text: string
  readonly by: string
}

/** A shipment keeps so many events; of more the earliest go. */
const MOST_EVENTS = 300

export const eventsOf = (doc: Readonly<Record<string, unknown>>): readonly TrackingEvent[] =>
  (doc.tracking as readonly TrackingEvent[] | null | undefined) ?? []

/** The events in the order in which they happened; what is known already is not added again. */
export function withEvents(known: readonly TrackingEvent[], added: readonly TrackingEvent[]): readonly TrackingEvent[] {
  const key = ({ at, text }: TrackingEvent) => `${at} ${text}`
  const seen = new Set(known.map(key))
  const fresh = added.filter(event => !seen.has(key(event)) && seen.add(key(event)))
  return [...known, ...fresh].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-MOST_EVENTS)
}

/** Updates the customer's copy once the shipment went on; does nothing where it was sent to nobody. */
export async function updateCustomer(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  said: { readonly label: string; readonly text: string | null },
  sets: Readonly<Record<string, unknown>>,
): Promise<void> {
  const customer = doc.counterparty_sn
  if (!customer || !(await isSentTo(tx, session.org.id, doc.id, customer))) return
  await sendUpdate(tx, session, doc, [customer], { ...said, sets })
}

type Happened = {
  readonly text: string
  readonly at?: string | null | undefined
  readonly place?: string | null
  /** Values that the document gets besides, here and on the customer's copy. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Values that the action itself writes here, and the customer reads as well. */
  readonly shares?: Readonly<Record<string, unknown>>
  /** The text by which the customer's people are notified; null: only the copy changes, nobody is notified. */
  readonly notice?: string | null
}

/** An action on a shipment is an event of its way, which the customer's copy shows as well. */
export async function happened(ctx: ActionContext, { text, at, place, values, shares, notice }: Happened) {
  const { tx, session, doc, spec } = ctx
  const event = { at: at ?? instant(), place: place ?? null, text, by: session.userName }
  const tracking = withEvents(eventsOf(doc), [event])
  await patchDocument(tx, session, doc, { ...values, tracking }, 'withAction')
  const label = spec.label
  await updateCustomer(tx, session, doc, { label, text: notice ?? null }, { ...shares, ...values, tracking })
}
