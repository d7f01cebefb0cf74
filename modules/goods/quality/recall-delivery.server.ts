import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { followGoods } from '#modules/goods/quality/recall-receivers.server.ts'
import { booksOfLot } from '#modules/goods/quality/recall-register.server.ts'
import { recallLevels } from '#modules/goods/quality/recall.doc.ts'
import { draftStops } from '#modules/goods/quality/stop-lot.server.ts'
import { patchDocument } from '#server/public/documents.ts'
import { keepSent, type SentFile } from '#server/public/files.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Waiting = {
  readonly org_id: string
  readonly document_id: string
  readonly line_no: number
  readonly to_org_id: string
  readonly specification_id: string
  readonly lot_id: string
  readonly lot_no: string
  readonly requirement: string | null
  readonly sn: string
  readonly state: string
  readonly sender: string
  readonly fields: Readonly<Record<string, string | null>>
  readonly attachments: readonly string[]
  readonly files: readonly SentFile[]
}
type Which = 'deliver' | 'end' | 'remind'

const waitingOf = (owner: Sql, which: Which) => owner<Waiting[]>`
  select x.org_id, x.document_id, x.line_no, x.to_org_id, x.specification_id, x.lot_id, l.lot_no,
    l.fields->>'requirement' as requirement,
         d.sn, d.state, o.name as sender, d.fields, d.attachments,
         (select coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'original_name', f.original_name,
           'content_type', f.content_type, 'size', f.size, 'digest', f.digest)), '[]')
            from stored_file f where f.org_id = x.org_id and f.name = any(d.attachments) and not f.is_shared) as files
    from recall_delivery x join document d on d.org_id = x.org_id and d.id = x.document_id
      join organisation o on o.id = x.org_id
    join document_line l on l.org_id = x.org_id and l.document_id = x.document_id and l.line_no = x.line_no
   where x.ended_at is null and ${
     which === 'deliver'
       ? owner`x.delivered_at is null and d.state = 'partial'`
       : which === 'end'
         ? owner`d.state in ('completed', 'stopped')`
         : owner`d.state = 'partial' and x.answered_at is null and x.remind_on is distinct from x.reminded_on`
   }
   order by x.org_id, x.document_id, x.to_org_id, x.line_no limit 500`

/**
 * Recalls in progress, each in a transaction of its receiver: later receivers of the goods are added; all are notified
 * and held, reminded, released; answers are sent back. Repeated until done.
 */
export async function deliverRecalls(app: Sql, owner: Sql): Promise<void> {
  await followGoods(app, owner)
  for (const waiting of await waitingOf(owner, 'deliver')) {
    await inOrganisation(app, waiting.to_org_id, '0', tx => arrive(tx, waiting))
    await mark(app, waiting, 'delivered_at')
  }
  for (const waiting of await waitingOf(owner, 'remind')) {
    await inOrganisation(app, waiting.to_org_id, '0', tx => notify(tx, waiting, '催办：', false))
    await inOrganisation(
      app,
      waiting.org_id,
      '0',
      tx => tx`update recall_delivery set reminded_on = remind_on where ${same(tx, waiting)}`,
    )
  }
  for (const waiting of await waitingOf(owner, 'end')) {
    await inOrganisation(app, waiting.to_org_id, '0', tx => letGo(tx, waiting))
    await mark(app, waiting, 'ended_at')
  }
  await deliverReports(app, owner)
  await deliverResponses(app, owner)
  await countReaders(app, owner)
}

const same = (tx: Tx, { org_id: org, document_id, line_no, to_org_id: to }: Waiting) =>
  tx`org_id = ${org} and document_id = ${document_id} and line_no = ${line_no} and to_org_id = ${to}`

const mark = (app: Sql, waiting: Waiting, column: 'delivered_at' | 'ended_at') =>
  inOrganisation(
    app,
    waiting.org_id,
    '0',
    tx => tx`update recall_delivery set ${tx(column)} = now() where ${same(tx, waiting)}`,
  )

/** The holder's own row with its ledger figures; a block draft for the goods on hand waits there. */
async function arrive(tx: Tx, waiting: Waiting): Promise<void> {
  const { to_org_id: org, fields } = waiting
  const books = await booksOfLot(tx, org, waiting.lot_id)
  const created = await tx`
    insert into recall_feedback (org_id, from_org_id, from_document_id, from_line_no, recall_sn, title, recall_level,
      recall_reason, requirement, due_date, specification_id, lot_id, lot_no,
                                 received, on_hand, blocked, used, returned, passed_on, gone, attachments)
    values (${org}, ${waiting.org_id}, ${waiting.document_id}, ${waiting.line_no}, ${waiting.sn},
      ${fields.heading ?? ''}, ${fields.recall_level ?? 'second'}, ${fields.recall_reason ?? null},
            ${waiting.requirement}, ${fields.due_date ?? null}, ${waiting.specification_id}, ${waiting.lot_id},
              ${waiting.lot_no},
            ${books.received}, ${books.on_hand}, ${books.blocked}, ${books.used}, ${books.returned},
              ${books.passed_on}, ${books.gone}, ${[...waiting.attachments]})
    on conflict do nothing returning 1`
  if (created.length === 0) return
  await keepSent(tx, org, waiting.org_id, waiting.files)
  try {
    await tx.savepoint(async inner =>
      draftStops(inner, await systemSessionOf(inner, org), {
        specification_sn: waiting.specification_id,
        lot_no: waiting.lot_no,
        stop_reason: 'recall',
        notice_no: waiting.sn,
      }),
    )
  } catch (error) {
    // Nothing is on hand, or all of it is reserved: the recall itself holds the lot nevertheless.
    if (!(error instanceof BusinessError)) throw error
  }
  await notify(tx, waiting, '', true)
}

async function notify(tx: Tx, waiting: Waiting, before: string, needsConfirm: boolean): Promise<void> {
  const { fields, sn, lot_no, sender } = waiting
  const level = recallLevels[fields.recall_level as keyof typeof recallLevels] ?? ''
  await sendMessage(tx, waiting.to_org_id, {
    title: `${before}${level}召回`,
    body: `${sender}召回${fields.goods_summary ?? ''}批号${lot_no}：${fields.recall_reason ?? ''}。请立即停用，清点后逐批反馈（${sn}）`,
    uri: `/commonView/noticeRecord?tab=${encodeURIComponent('召回反馈')}&recall_sn=${sn}`,
    objectId: sn,
    kind: 'recallFeedback',
    type: 'notice',
    needsConfirm,
    from: { org: waiting.org_id, kind: 'recall', id: waiting.document_id },
    extra: { org_name: sender, org_sn: waiting.org_id },
  })
}

/** Closed or withdrawn: the lot may leave again, as far as its quality state allows. */
async function letGo(tx: Tx, waiting: Waiting): Promise<void> {
  const state = waiting.state === 'completed' ? 'closed' : 'withdrawn'
  const ended = await tx`
    update recall_feedback set state = ${state}, version = version + 1
     where org_id = ${waiting.to_org_id} and from_org_id = ${waiting.org_id}
       and from_document_id = ${waiting.document_id} and from_line_no = ${waiting.line_no}
       and state in ('waiting', 'answered') returning 1`
  if (ended.length === 0) return
  await sendMessage(tx, waiting.to_org_id, {
    title: state === 'closed' ? '召回已关闭' : '召回已撤下',
    body: `${waiting.sender}的召回${waiting.sn}${state === 'closed' ? '已关闭' : '已撤下'}，批号${waiting.lot_no}停售的货物可以申请解除`,
    uri: '/commonView/stopSellList',
    objectId: waiting.sn,
    kind: 'recallFeedback',
    type: 'notice',
  })
}

type Report = {
  readonly org_id: string
  readonly id: string
  readonly sn: string
  readonly reporter: string
  readonly goods: string | null
  readonly lots: string | null
  readonly why: string | null
  readonly receivers: readonly string[]
}

/** Sends a report about a lot to its makers and the platform. */
async function deliverReports(app: Sql, owner: Sql): Promise<void> {
  const reports = await owner<Report[]>`
    select d.org_id, d.id, d.sn, o.name as reporter, d.fields->>'goods_summary' as goods,
      d.fields->>'lots_summary' as lots, d.fields->>'recall_reason' as why,
      array(select p.manufacturer_id from document_line l join specification s on s.id = l.specification_id
              join product p on p.id = s.product_id where l.org_id = d.org_id and l.document_id = d.id
             union select x.id from organisation x where x.system_type = 0) as receivers
      from document d join organisation o on o.id = d.org_id
     where d.kind = 'recall' and d.role = 'own' and d.fields->>'reported_at' is not null
       and coalesce(d.fields->>'report_sent', 'false') <> 'true' order by d.id limit 100`
  for (const { org_id: org, id, sn, reporter, goods, lots, why, receivers } of reports) {
    for (const to of receivers.filter(receiver => receiver !== org))
      await inOrganisation(app, to, '0', tx =>
        sendMessage(tx, to, {
          title: '质量问题上报',
          body: `${reporter}上报${goods ?? ''}批号${lots ?? ''}：${why ?? ''}。请核实，需要时发起召回（${sn}）`,
          uri: '/commonView/noticeManage',
          objectId: sn,
          kind: 'recall',
          type: 'notice',
          extra: { org_name: reporter, org_sn: org },
        }),
      )
    const asker = systemSession((await systemSessionOf(app, org)).org)
    await inOrganisation(app, org, '0', tx =>
      patchDocument(tx, asker, { id, kind: 'recall' }, { report_sent: true }, 'derived'),
    )
  }
}

type Answer = Readonly<Record<string, string>>

/** Answers are sent to the issuer, with the count of holders that have answered all of theirs. */
async function deliverResponses(app: Sql, owner: Sql): Promise<void> {
  const answers = await owner<Answer[]>`
    select org_id, id, version, from_org_id, from_document_id, from_line_no, received, on_hand, blocked, used,
      returned, passed_on, gone, note, answered_by, answered_at
      from recall_feedback where state = 'answered' and notified_version <> version order by org_id, id limit 500`
  for (const answer of answers) {
    await inOrganisation(app, answer.from_org_id!, '0', tx => takeAnswer(tx, answer))
    await inOrganisation(
      app,
      answer.org_id!,
      '0',
      tx =>
        tx`update recall_feedback set notified_version = ${answer.version!}
          where org_id = ${answer.org_id!} and id = ${answer.id!}`,
    )
  }
}

async function takeAnswer(tx: Tx, answer: Answer): Promise<void> {
  const [org, document] = [answer.from_org_id!, answer.from_document_id!]
  await tx`
    update recall_delivery set received = ${answer.received!}, on_hand = ${answer.on_hand!},
      blocked = ${answer.blocked!}, used = ${answer.used!}, returned = ${answer.returned!},
           passed_on = ${answer.passed_on!}, gone = ${answer.gone!}, note = ${answer.note!},
             answered_by = ${answer.answered_by!}, answered_at = ${answer.answered_at!}
     where org_id = ${org} and document_id = ${document} and line_no = ${answer.from_line_no!}
       and to_org_id = ${answer.org_id!}`
  const [count] = await tx<{ n: number }[]>`
    select count(*)::int as n from (
      select to_org_id from recall_delivery where org_id = ${org} and document_id = ${document} group by to_org_id
        having bool_and(answered_at is not null)) x`
  const asker = systemSession((await systemSessionOf(tx, org)).org)
  await patchDocument(tx, asker, { id: document, kind: 'recall' }, { answered_count: count!.n }, 'derived')
}

type Readers = {
  readonly org_id: string
  readonly id: string
  readonly read: number
  readonly confirmed: number
  readonly receivers: number
}

/**
 * The organisations where a user has read or confirmed an open recall are counted on it, as a number and a share of
 * all.
 */
async function countReaders(app: Sql, owner: Sql): Promise<void> {
  const changed = await owner<Readers[]>`
    select * from (
      select d.org_id, d.id, (d.fields->>'receiver_count')::int as receivers, count(distinct m.to_org_id)::int as read,
             count(distinct m.to_org_id) filter (where m.confirmed_at is not null)::int as confirmed,
             (d.fields->>'read_count')::int as was_read, (d.fields->>'confirmed_count')::int as was_confirmed
        from document d join message_receipt m on m.org_id = d.org_id and m.of_kind = d.kind and m.of_id = d.id
       where d.kind = 'recall' and d.state = 'partial' group by d.org_id, d.id) n
     where read is distinct from was_read or confirmed is distinct from was_confirmed limit 500`
  for (const { org_id: org, id, read, confirmed, receivers } of changed) {
    const part = (count: number) => (count / Math.max(1, receivers)).toFixed(4)
    const fields = {
      read_count: read,
      read_rate: part(read),
      confirmed_count: confirmed,
      confirmed_rate: part(confirmed),
    }
    const organisation = systemSession((await systemSessionOf(app, org)).org)
    await inOrganisation(app, org, '0', tx =>
      patchDocument(tx, organisation, { id, kind: 'recall' }, fields, 'derived'),
    )
  }
}
