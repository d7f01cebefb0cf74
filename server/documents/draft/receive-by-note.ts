import type { AnyDocument } from '#kernel/definition/document.ts'
import { asDocumentSn } from '#kernel/codes/canonical-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { derived, documentOf, documents } from '#kernel/registry.ts'
import { createDraft } from '#server/documents/draft/draft.ts'
import { settingsFor } from '#server/settings/settings.ts'
import { sourceScopeSql } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Copy = { readonly id: string; readonly kind: string; readonly sn: string; readonly from_org_id: string }

/** Kinds that wait at their receiver as a draft of the receiver. */
const sent = derived(() =>
  documents().filter(({ intercompany: { copies: sends } }) => sends?.some(send => send.creates)),
)

const nowhere = (note: string) =>
  new BusinessError(
    'notFound',
    `没有待收货的随货同行单${note.slice(0, 64)}，请核对单号，或是否已收货、已被发货单位收回`,
  )

/**
 * The receiver scanned a delivery note: returns the document to receive the goods with. The waiting one, else a new
 * draft of what is left.
 */
export async function receiptForDeliveryNote(
  tx: Tx,
  session: Session,
  scanned: string,
): Promise<{ kind: string; sn: string }> {
  const note = asDocumentSn(scanned)
  const [copy] = await tx<Copy[]>`
    select d.id, d.kind, d.sn, d.from_org_id from document d
     where d.org_id = ${session.org.id} and d.role = 'counterparty' and d.sn = ${note}
       and d.kind = any(${sent().map(({ kind }) => kind)}) and d.state in ('reviewed', 'partial')
       and ${sourceScopeSql(tx, session)}
     order by d.id desc limit 1`
  if (!copy) throw nowhere(note)
  const targets = targetsOf(documentOf(copy.kind)!)
  const [waiting] = await tx<{ kind: string; sn: string; seen: boolean }[]>`
    select d.kind, d.sn, ${sourceScopeSql(tx, session)} as seen from document d
     where d.org_id = ${session.org.id} and d.role = 'own' and d.source_document_id = ${copy.id}
       and d.kind = any(${targets.map(({ kind }) => kind)}) and d.state in ('draft', 'submitted', 'rejected')
     order by d.id desc limit 1`
  if (waiting && !waiting.seen) throw nowhere(note)
  if (waiting) return { kind: waiting.kind, sn: waiting.sn }
  const settings = await settingsFor(tx, session.org.id)
  const target =
    targets.find(({ rule }) => rule !== null && settings[rule as keyof typeof settings] === true) ?? targets[0]!
  const definition = documentOf(target.kind)!
  const take = definition.sourcing.sources?.find(way => way.from === copy.kind && way.fromCounterparty)
  if (!take) throw new BusinessError('rule', `随货同行单${note}请在${definition.title}里办理`)
  const source = { source_type: String(take.sourceType), source_sn: copy.sn, source_org_sn: copy.from_org_id }
  return { kind: target.kind, sn: (await createDraft(tx, session, definition, source)).sn }
}

/** The documents that may wait at the receiver for a kind: the one of the organisation's rule, else the first. */
const targetsOf = ({
  intercompany: { copies: sends },
}: AnyDocument): readonly { readonly kind: string; readonly rule: string | null }[] =>
  (sends ?? []).flatMap(({ creates }) =>
    creates
      ? [
          { kind: creates.kind, rule: null },
          ...(creates.alternative ? [{ kind: creates.alternative.kind, rule: creates.alternative.rule }] : []),
        ]
      : [],
  )
