import type { CopyRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import { documents } from '#kernel/registry.ts'
import { bookOrRefuse } from '#server/documents/intercompany/arrival.ts'
import { applyResponse } from '#server/documents/intercompany/respond.ts'
import { buildDraft, saveDraft } from '#server/documents/draft/draft.ts'
import type {
  ActionMessage,
  DocumentMessage,
  Message,
  StopMessage,
  WithdrawalMessage,
} from '#server/documents/intercompany/outbox.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocument, loadDocuments } from '#server/documents/repository/load.ts'
import { hooks } from '#server/registry/hooks.ts'
import { recordProgress } from '#server/documents/progress/progress.ts'
import { settingsFor } from '#server/settings/settings.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import { insertDocument } from '#server/documents/repository/save.ts'
import { requireArrived, returnRest, stopsWithSource } from '#server/documents/intercompany/stop.ts'
import { stopLinesOfCopy, stopTheirLines } from '#server/documents/intercompany/stopped-lines.ts'
import { leadsTo, madeOf, notifyReceived } from '#server/documents/intercompany/notify.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { kindShownTo } from '#server/realtime/audience.ts'
import { keepSent } from '#server/files/sent.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { postReportReversal, reportNotice, requireReport } from '#server/documents/intercompany/usage-reports.ts'
import { cameIntoForce } from '#server/documents/effective.ts'
import { withdrawCopy } from '#server/documents/intercompany/withdraw.ts'
import { receiveProgress } from '#server/documents/intercompany/receive-progress.ts'
import { receiveUpdate, runPartnerActionHook, runReceivedHook } from '#server/documents/intercompany/updates.ts'

/** Processes an intercompany message at the receiver, in the receiver's own transaction. */
export async function handleMessage(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: Message,
): Promise<void> {
  if (message.message === 'document') await receiveDocument(tx, session, from, message)
  else if (message.message === 'progress') await receiveProgress(tx, session, from, message)
  else if (message.message === 'stopped') await receiveStop(tx, session, from, message)
  else if (message.message === 'notification') await receiveUpdate(tx, session, from, message)
  else if (message.message === 'withdrawn') await receiveWithdrawal(tx, session, from, message)
  else await receiveAction(tx, session, from, message)
}

const receiveWithdrawal = (
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  { kind, sn, label }: WithdrawalMessage,
): Promise<void> => withdrawCopy(tx, session, from, definitionOf(kind), sn, label)

/** Orders and deliveries behind the lines of the copy, by the receiver's own sns. */
async function ownDocuments(tx: Tx, org: string, message: DocumentMessage): Promise<Map<string, string>> {
  const named = message.lines.flatMap(line => [line.order_sn, line.home_sn])
  const sns = [...new Set(named.filter(sn => typeof sn === 'string'))]
  if (sns.length === 0) return new Map()
  const rows = await tx<
    { id: string; sn: string }[]
  >`select id, sn from document where org_id = ${org} and sn = any(${sns}) and role = 'own' and state <> 'deleted'`
  return new Map(rows.map(row => [row.sn, row.id]))
}

/** Our copies of the documents that the sender made this one from: a settlement names the uses that it sums. */
async function copiesBehind(tx: Tx, org: string, from: string, message: DocumentMessage): Promise<Map<string, string>> {
  const kinds = definitionOf(message.kind).sourcing.sources?.map(take => take.from) ?? []
  const sns = [
    ...new Set(message.lines.flatMap(line => (line.from_sn && line.from_org === from ? [line.from_sn] : []))),
  ]
  if (sns.length === 0) return new Map()
  const rows = await tx<{ id: string; sn: string }[]>`
    select id, sn from document where org_id = ${org} and from_org_id = ${from} and sn = any(${sns})
      and kind = any(${kinds}) and role = 'counterparty' and state <> 'cancelled'`
  return new Map(rows.map(row => [row.sn, row.id]))
}

type SoldLine = { readonly order_document_id: string | null; readonly order_line_no: number | null }

/** The orders behind our own deliveries that are returned: exchanged goods are shipped on them again. */
async function ordersOfHomes(
  tx: Tx,
  org: string,
  message: DocumentMessage,
  own: ReadonlyMap<string, string>,
): Promise<Map<string, SoldLine>> {
  const reopens = documents().some(({ sourcing: { sources: takes } }) =>
    takes?.some(take => take.from === message.kind && take.rollup?.some(step => step.via === 'order' && step.ifFlag)),
  )
  if (!reopens) return new Map()
  const ids = message.lines.flatMap(line => own.get(line.home_sn ?? '') ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx<(SoldLine & { document_id: string; line_no: number })[]>`
    select document_id, line_no, order_document_id, order_line_no from document_line
      where org_id = ${org} and document_id = any(${[...new Set(ids)]}::bigint[])`
  return new Map(rows.map(row => [`${row.document_id}/${row.line_no}`, row]))
}

/** The lines of the copy, linked to the receiver's own orders and deliveries. */
function linked(
  message: DocumentMessage,
  own: ReadonlyMap<string, string>,
  behind: ReadonlyMap<string, string>,
  sold: ReadonlyMap<string, SoldLine>,
): StoredLine[] {
  const link = (sn: string | null | undefined, no: number | null) => {
    const id = sn ? own.get(sn) : undefined
    return id ? { id, no } : { id: null, no: null }
  }
  return message.lines.map(({ order_sn, home_sn, home_line_no, from_sn, from_org: _org, from_line_no, ...line }) => {
    const source = behind.get(from_sn ?? '')
    const [order, home] = [link(order_sn, line.order_line_no), link(home_sn, home_line_no)]
    const again = sold.get(`${home.id}/${home.no}`)
    return {
      ...line,
      order_document_id: order.id ?? again?.order_document_id ?? null,
      order_line_no: order.id ? order.no : (again?.order_line_no ?? null),
      delivery_document_id: home.id,
      delivery_line_no: home.no,
      source_document_id: source ?? null,
      source_line_no: source ? from_line_no : null,
    }
  }) as unknown as StoredLine[]
}

/** Progress on our own orders behind the lines of a received copy. */
async function advanceOrders(tx: Tx, session: Session, purpose: Purpose, lines: readonly StoredLine[]): Promise<void> {
  await recordProgress(
    tx,
    session,
    lines.flatMap(line =>
      line.order_document_id && line.order_line_no !== null
        ? [
            {
              document_id: line.order_document_id,
              line_no: line.order_line_no,
              purpose,
              quantity: line.base_quantity,
              measure: 'quantity' as const,
              evenStopped: true,
            },
          ]
        : [],
    ),
  )
}

async function receiveDocument(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: DocumentMessage,
): Promise<void> {
  const org = session.org.id
  const definition = definitionOf(message.kind)
  const send = definition.intercompany.copies?.[message.send]
  const own = await ownDocuments(tx, org, message)
  const sold = await ordersOfHomes(tx, org, message, own)
  const lines = linked(message, own, await copiesBehind(tx, org, from.org, message), sold)
  await dropWithdrawn(tx, org, from.org, message)
  await keepSent(tx, org, from.org, message.files ?? [])
  const id = await insertDocument(
    tx,
    org,
    definition,
    {
      sn: message.sn,
      state: message.state,
      role: 'counterparty',
      from: from.org,
      createdBy: '0',
      redOf: message.red_of ? await requireReport(tx, org, from.org, message.red_of) : null,
    },
    { ...message.header, counterparty_sn: from.org },
    lines,
  )
  await writeHistory(tx, { ...session, userName: '系统' }, id, {
    action: 'receive',
    label: `收到${from.name}的${definition.title}`,
    from: null,
    to: message.state,
  })
  if (send?.countsAs) await advanceOrders(tx, session, send.countsAs, lines)
  const [copy] = await loadDocuments(tx, org, [id])
  if (message.red_of) await postReportReversal(tx, org, copy!)
  else if (send?.receiverPosts) {
    const refused = await bookOrRefuse(tx, session, from, definition, copy!, send as CopyRule<never>)
    if (refused) return
  }
  await cameIntoForce(tx, session, definition, copy!)
  const created = send?.creates
    ? await createSystemDraft(tx, session, definition, copy!, send.creates, message)
    : await runReceivedHook(tx, session, from, copy!, message)
  await notifyReceived(tx, session, from, message, created, reportNotice(message, send as CopyRule<never> | undefined))
}

/**
 * Deletes a withdrawn copy so that the same document can be sent again. A copy that went back to its author after a
 * dispute is replaced by the one that the author reviewed.
 */
async function dropWithdrawn(tx: Tx, org: string, from: string, { sn, state }: DocumentMessage): Promise<void> {
  await tx`
    update document set sn = sn || '/' || id, version = version + 1 where org_id = ${org} and from_org_id = ${from}
      and sn = ${sn} and role = 'counterparty'
       and (state in ('cancelled', 'rejected') or (state = 'submitted' and ${state} <> 'submitted'))`
}

/** The part of a copy's rule that says which documents are created of it at the receiver. */
type Creates = NonNullable<CopyRule<never>['creates']>

/** Creates the waiting draft at the receiver, made from the copy as a user would make it. */
async function createSystemDraft(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  copy: StoredDocument,
  creates: Creates,
  message: DocumentMessage,
): Promise<{ kind: string; sn: string } | null> {
  const settings = await settingsFor(tx, session.org.id)
  const kind =
    creates.alternative && settings[creates.alternative.rule as keyof typeof settings] === true
      ? creates.alternative.kind
      : creates.kind
  const target = definitionOf(kind)
  const take = target.sourcing.sources?.find(way => way.from === definition.kind && way.fromCounterparty)
  if (!take) return hooks().matchReceived(tx, session, target, copy, creates.state, message, creates.headerMap)
  const draft = await buildDraft(
    tx,
    session,
    target,
    {
      source_sn: copy.sn,
      source_org_sn: copy.from_org_id,
      source_type: take.sourceType,
    },
    null,
  )
  return { kind, sn: await saveDraft(tx, session, target, draft, creates.state) }
}

/** The other side's answer on its copy: applied to the original with the other side as actor. */
async function receiveAction(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: ActionMessage,
): Promise<void> {
  const definition = definitionOf(message.kind)
  const doc = await loadDocument(tx, session.org.id, definition, message.sn, { lock: true })
  const spec = definition.actions[message.action]
  const sets = { ...spec?.sets, ...message.sets }
  await applyResponse(tx, session.org.id, doc, sets, message.reason, message.lines)
  const open = spec?.by === 'counterparty' ? spec.from : ['reviewed', 'partial']
  const becomes = message.to && open.includes(doc.state) ? message.to : doc.state
  if (becomes !== doc.state)
    await tx`
      update document set state = ${becomes}, version = version + 1, reviewed_at = case when ${becomes} = 'reviewed'
        then posting_now() else reviewed_at end
       where org_id = ${session.org.id} and id = ${doc.id}`
  await writeHistory(tx, { ...session, userId: '0', userName: `${from.name} ${message.actor}` }, doc.id, {
    action: message.action,
    label: message.label,
    from: doc.state,
    to: becomes,
    reason: message.reason,
  })
  if (message.stops && open.includes(doc.state))
    await stopTheirLines(tx, session, doc, message.stops, { reason: message.reason, by: from.name })
  await runPartnerActionHook(tx, session, doc, message.action, from.org)
  await sendMessage(tx, session.org.id, {
    title: message.label,
    body: `${from.name}：${definition.title}${doc.sn}${message.label}${message.reason ? `，${message.reason}` : ''}`,
    uri: message.kind,
    objectId: doc.sn,
    kind: kindShownTo(session.org.type, [message.kind]),
    stores: [doc.warehouse_model_inner_sn, doc.to_warehouse_model_inner_sn],
    departmentId: doc.department_inner_sn,
    extra: { org_name: from.name, kind: message.kind },
  })
}

/**
 * The sender stopped: no more documents can be made from the copy, and waiting drafts made from it are cancelled;
 * users are notified of the rest.
 */
async function receiveStop(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: StopMessage,
): Promise<void> {
  const org = session.org.id
  await requireArrived(tx, session, from, message)
  if (message.lines) return receiveStoppedLines(tx, session, from, message, message.lines)
  const copies = await tx<{ id: string; state: string }[]>`
    update document set state = 'stopped', version = version + 1 where org_id = ${org} and from_org_id = ${from.org}
      and sn = ${message.sn} and role = 'counterparty' and state in ('reviewed', 'partial', 'completed') returning id,
      state`
  for (const copy of copies) {
    await writeHistory(tx, { ...session, userName: from.name }, copy.id, {
      action: 'stop',
      label: '对方终止',
      from: 'reviewed',
      to: 'stopped',
      reason: message.reason,
    })
    await returnRest(tx, session, from, definitionOf(message.kind), copy.id, message.reason)
    const created = await tx<{ id: string; kind: string; sn: string; state: string }[]>`
      update document set state = case when state in ('reviewed', 'partial') then 'stopped' else 'cancelled' end,
        version = version + 1
       where org_id = ${org} and source_document_id = ${copy.id} and role = 'own'
         and state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial') and kind = any(${stopsWithSource()})
      returning id, kind, sn, state`
    for (const doc of created)
      await writeHistory(tx, { ...session, userName: from.name }, doc.id, {
        action: 'stop',
        label: '对方终止',
        from: null,
        to: doc.state,
        reason: message.reason,
      })
    await sendMessage(tx, org, {
      title: '对方终止了单据',
      body:
        `${from.name}终止了${definitionOf(message.kind).title}${message.sn}` +
        (message.reason ? `：${message.reason}` : ''),
      ...leadsTo(session, message, (await madeOf(tx, org, copy.id)) ?? created[0]),
    })
  }
}

/** The sender stopped lines: nothing more can be made from them, here and in what was made from them already. */
async function receiveStoppedLines(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  { kind, sn, reason }: StopMessage,
  lines: readonly number[],
): Promise<void> {
  const org = session.org.id
  const copies = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and from_org_id = ${from.org} and kind = ${kind} and sn = ${sn}
      and role = 'counterparty' and state in ('reviewed', 'partial', 'completed') order by id for update`
  for (const copy of await loadDocuments(
    tx,
    org,
    copies.map(({ id }) => id),
  )) {
    const made = await tx<{ id: string }[]>`
      select id from document where org_id = ${org} and source_document_id = ${copy.id} and role = 'own'
        and state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial', 'completed')
        and kind = any(${stopsWithSource()}) order by id for update`
    await stopLinesOfCopy(
      tx,
      session,
      copy,
      made.map(({ id }) => id),
      { lines, reason, by: from.name },
    )
    await sendMessage(tx, org, {
      title: '对方终止了单据的部分行',
      body: `${from.name}终止了${definitionOf(kind).title}${sn}第${lines.join('、')}行${reason ? `：${reason}` : ''}`,
      ...leadsTo(session, { kind, sn }, await madeOf(tx, org, copy.id)),
    })
  }
}
