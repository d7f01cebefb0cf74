import type { AnyDocument } from '#kernel/document.ts'
import type { Purpose } from '#kernel/purpose.ts'
import { documents } from '#kernel/registry.ts'
import { applyAnswer } from '#server/engine/documents/answer.ts'
import { composeDraft, storeDraft } from '#server/engine/documents/draft.ts'
import type { ActMessage, Message, PaperMessage, StoppedMessage } from '#server/engine/documents/hand-over.ts'
import { writeHistory } from '#server/engine/documents/history.ts'
import { loadDocument, loadDocuments } from '#server/engine/documents/load.ts'
import { bookOf, post } from '#server/engine/documents/post.ts'
import { hooks } from '#server/registry/hooks.ts'
import { advance } from '#server/engine/documents/progress.ts'
import { settingsOf } from '#server/engine/documents/settings.ts'
import { definitionOf } from '#server/engine/documents/source-lines.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'
import { insertDocument } from '#server/engine/documents/write.ts'
import { mustHaveArrived, sendRestHome, stopsWithSource } from '#server/engine/documents/stopping.ts'
import { tell } from '#server/engine/documents/tell.ts'
import { leaveMessage } from '#server/engine/messages.ts'
import { kindShownTo } from '#server/engine/realtime/audience.ts'
import { keepSent } from '#server/engine/files/sent.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { bookTakenBack, reportOf, toldOf } from '#server/engine/documents/reported.ts'
import { cameIntoForce } from '#server/documents/effective.ts'
import { receiveProgress } from '#server/engine/documents/receive-progress.ts'
import { hear, layArrived, receiveTold } from '#server/engine/documents/told.ts'

/** Does at the receiver what a hand-over asks, inside the receiver's own transaction. */
export async function receive(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: Message,
): Promise<void> {
  if (message.message === 'document') await receivePaper(tx, session, from, message)
  else if (message.message === 'progress') await receiveProgress(tx, session, from, message)
  else if (message.message === 'stopped') await receiveStopped(tx, session, from, message)
  else if (message.message === 'notification') await receiveTold(tx, session, from, message)
  else await receiveAct(tx, session, from, message)
}

/** Orders and deliveries behind the lines of the copy, by the receiver's own sns. */
async function ownPapers(tx: Tx, org: string, message: PaperMessage): Promise<Map<string, string>> {
  const named = message.lines.flatMap(line => [line.order_sn, line.home_sn])
  const sns = [...new Set(named.filter(sn => typeof sn === 'string'))]
  if (sns.length === 0) return new Map()
  const rows = await tx<
    { id: string; sn: string }[]
  >`select id, sn from document where org_id = ${org} and sn = any(${sns}) and role = 'own' and state <> 'deleted'`
  return new Map(rows.map(row => [row.sn, row.id]))
}

/** Copies that we have of the papers which the sender made this one from: a settlement names the uses that it sums. */
async function copiesBehind(tx: Tx, org: string, from: string, message: PaperMessage): Promise<Map<string, string>> {
  const kinds = definitionOf(message.kind).takes?.map(take => take.from) ?? []
  const sns = [
    ...new Set(message.lines.flatMap(line => (line.from_sn && line.from_org === from ? [line.from_sn] : []))),
  ]
  if (sns.length === 0) return new Map()
  const rows = await tx<{ id: string; sn: string }[]>`
    select id, sn from document where org_id = ${org} and from_org_id = ${from} and sn = any(${sns}) and kind = any(${kinds}) and role = 'counterparty' and state <> 'cancelled'`
  return new Map(rows.map(row => [row.sn, row.id]))
}

type SoldLine = { readonly order_document_id: string | null; readonly order_line_no: number | null }

/** The orders behind our own deliveries that come back: what is exchanged goes out on them again. */
async function ordersOfHomes(
  tx: Tx,
  org: string,
  message: PaperMessage,
  own: ReadonlyMap<string, string>,
): Promise<Map<string, SoldLine>> {
  const reopens = documents().some(({ takes }) =>
    takes?.some(take => take.from === message.kind && take.upward?.some(step => step.link === 'order' && step.when)),
  )
  if (!reopens) return new Map()
  const ids = message.lines.flatMap(line => own.get(line.home_sn ?? '') ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx<(SoldLine & { document_id: string; line_no: number })[]>`
    select document_id, line_no, order_document_id, order_line_no from document_line where org_id = ${org} and document_id = any(${[...new Set(ids)]}::bigint[])`
  return new Map(rows.map(row => [`${row.document_id}/${row.line_no}`, row]))
}

/** The lines of the copy, with the receiver's own orders and deliveries behind them. */
function linked(
  message: PaperMessage,
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

/** Our own orders behind the lines of a copy go on by what came. */
async function advanceOrders(tx: Tx, session: Session, purpose: Purpose, lines: readonly StoredLine[]): Promise<void> {
  await advance(
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
            },
          ]
        : [],
    ),
  )
}

async function receivePaper(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: PaperMessage,
): Promise<void> {
  const org = session.org.id
  const definition = definitionOf(message.kind)
  const send = definition.sends?.[message.send]
  const own = await ownPapers(tx, org, message)
  const sold = await ordersOfHomes(tx, org, message, own)
  const lines = linked(message, own, await copiesBehind(tx, org, from.org, message), sold)
  await dropWithdrawn(tx, org, from.org, message.sn)
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
      redOf: message.red_of ? await reportOf(tx, org, from.org, message.red_of) : null,
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
  if (send?.advances) await advanceOrders(tx, session, send.advances, lines)
  const [copy] = await loadDocuments(tx, org, [id])
  if (message.red_of) await bookTakenBack(tx, org, copy!)
  else if (send?.arrives)
    await post(tx, session, { ...definition, goods: 'none' }, copy!, send.arrives(copy as never, bookOf(session)))
  await cameIntoForce(tx, session, definition, copy!)
  const laid = send?.lays
    ? await lay(tx, session, definition, copy!, send.lays, message)
    : await layArrived(tx, session, from, copy!, message)
  await tell(tx, session, from, message, laid, toldOf(message, send?.message))
}

/** A withdrawn copy makes room for the same paper sent again. */
async function dropWithdrawn(tx: Tx, org: string, from: string, sn: string): Promise<void> {
  await tx`
    update document set sn = sn || '/' || id, version = version + 1 where org_id = ${org} and from_org_id = ${from} and sn = ${sn} and role = 'counterparty' and state in ('cancelled', 'rejected')`
}

type Lays = {
  readonly kind: string
  readonly state: 'draft' | 'submitted'
  readonly or?: { readonly rule: string; readonly kind: string }
  readonly carries?: Readonly<Record<string, string>>
}

/** Lays the paper that waits at the receiver, made from the copy as a person would make it. */
async function lay(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  copy: StoredDoc,
  lays: Lays,
  message: PaperMessage,
): Promise<{ kind: string; sn: string } | null> {
  const settings = await settingsOf(tx, session.org.id)
  const kind = lays.or && settings[lays.or.rule as keyof typeof settings] === true ? lays.or.kind : lays.kind
  const target = definitionOf(kind)
  const take = target.takes?.find(way => way.from === definition.kind && way.foreign)
  if (!take) return hooks().matchReceived(tx, session, target, copy, lays.state, message, lays.carries)
  const draft = await composeDraft(
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
  return { kind, sn: await storeDraft(tx, session, target, draft, lays.state) }
}

/** The other side's answer on its copy: done on the original with the other side as actor. */
async function receiveAct(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: ActMessage,
): Promise<void> {
  const definition = definitionOf(message.kind)
  const doc = await loadDocument(tx, session.org.id, definition, message.sn, { lock: true })
  const spec = definition.actions[message.action]
  const sets = { ...spec?.sets, ...message.sets }
  await applyAnswer(tx, session.org.id, doc, sets, message.reason, message.lines)
  const open = spec?.by === 'counterparty' ? spec.from : ['reviewed', 'partial']
  const becomes = message.to && open.includes(doc.state) ? message.to : doc.state
  if (becomes !== doc.state)
    await tx`
      update document set state = ${becomes}, version = version + 1, reviewed_at = case when ${becomes} = 'reviewed' then posting_now() else reviewed_at end
       where org_id = ${session.org.id} and id = ${doc.id}`
  await writeHistory(tx, { ...session, userId: '0', userName: `${from.name} ${message.actor}` }, doc.id, {
    action: message.action,
    label: message.label,
    from: doc.state,
    to: becomes,
    reason: message.reason,
  })
  await hear(tx, session, doc, message.action, from.org)
  await leaveMessage(tx, session.org.id, {
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

/** The sender stopped: the copy gives nothing more, and what was laid from it and waits goes; the rest is told to people. */
async function receiveStopped(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: StoppedMessage,
): Promise<void> {
  const org = session.org.id
  await mustHaveArrived(tx, session, from, definitionOf(message.kind), message.sn)
  const copies = await tx<{ id: string; state: string }[]>`
    update document set state = 'stopped', version = version + 1 where org_id = ${org} and from_org_id = ${from.org} and sn = ${message.sn} and role = 'counterparty' and state in ('reviewed', 'partial', 'completed') returning id, state`
  for (const copy of copies) {
    await writeHistory(tx, { ...session, userName: from.name }, copy.id, {
      action: 'stop',
      label: '对方终止',
      from: 'reviewed',
      to: 'stopped',
      reason: message.reason,
    })
    await sendRestHome(tx, session, from, definitionOf(message.kind), copy.id, message.reason)
    const laid = await tx<{ id: string; sn: string; state: string }[]>`
      update document set state = case when state in ('reviewed', 'partial') then 'stopped' else 'cancelled' end, version = version + 1
       where org_id = ${org} and source_document_id = ${copy.id} and role = 'own' and state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial') and kind = any(${stopsWithSource()})
      returning id, sn, state`
    for (const paper of laid)
      await writeHistory(tx, { ...session, userName: from.name }, paper.id, {
        action: 'stop',
        label: '对方终止',
        from: null,
        to: paper.state,
        reason: message.reason,
      })
    await leaveMessage(tx, org, {
      title: '对方终止了单据',
      body: `${from.name}终止了${definitionOf(message.kind).title}${message.sn}${message.reason ? `：${message.reason}` : ''}`,
      uri: message.kind,
      objectId: message.sn,
      kind: kindShownTo(session.org.type, [message.kind]),
    })
  }
}
