import { derived, documents } from '#kernel/registry.ts'
import { correctionKinds } from '#server/documents/progress/corrections.ts'
import { refusalPurposes } from '#server/documents/intercompany/refused-goods.ts'
import { type Check, type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The sends of a kind that book on arrival. */
const arriving = derived(() =>
  documents().flatMap(({ kind, intercompany: { copies: sends } }) =>
    (sends ?? []).flatMap((send, at) => (send.receiverPosts ? [{ kind, send: at }] : [])),
  ),
)
const booksOnArrival = derived(() =>
  documents()
    .filter(definition => definition.intercompany.copies?.some(send => send.receiverPosts))
    .map(definition => definition.kind),
)
const receiving = derived(() =>
  documents()
    .filter(
      definition =>
        definition.posting.postings &&
        definition.category === 'stockIn' &&
        definition.sourcing.sources?.some(take => take.fromCounterparty),
    )
    .map(definition => definition.kind),
)
/** The deliveries from which the other side's receipt is made. */
const delivering = derived(() =>
  documents()
    .filter(definition =>
      documents().some(
        taker =>
          receiving().includes(taker.kind) &&
          taker.sourcing.sources?.some(take => take.fromCounterparty && take.from === definition.kind),
      ),
    )
    .map(definition => definition.kind),
)

/** A document whose copy books at the other side: what one owes is what the other is owed, red parts included. */
const copies: Check['run'] = (tx, pending) => tx<CheckRow[]>`
  with mine as (
    select d.org_id, coalesce(d.red_of_id, d.id) as document_id, e.counterparty_id, sum(e.amount) as amount
      from document d join account_entry e on e.org_id = d.org_id and e.document_id = d.id
     where d.role = 'own' and d.kind = any(${booksOnArrival()}) and e.account like 'payable%' group by 1, 2, 3),
  theirs as (
    select c.from_org_id as org_id, c.org_id as counterparty_id, split_part(c.sn, '/', 1) as sn, sum(e.amount) as amount
      from document c join account_entry e on e.org_id = c.org_id and e.document_id = c.id
     where c.role = 'counterparty' and c.kind = any(${booksOnArrival()}) group by 1, 2, 3)
  select coalesce(m.org_id, t.org_id) as org,
    concat_ws(' ', m.sn, t.sn, '对方', coalesce(m.counterparty_id, t.counterparty_id)) as key,
         coalesce(m.amount, 0)::text as expected, coalesce(t.amount, 0)::text as found
    from (select x.*, d.sn from mine x join document d on d.org_id = x.org_id and d.id = x.document_id
           where exists (select 1 from intercompany_message h
             where h.org_id = x.org_id and h.document_id = x.document_id and h.to_org_id = x.counterparty_id
             and h.message = 'document'
                          and exists (select 1
                            from jsonb_to_recordset(${tx.json(arriving())}) as k(kind text, send int)
                            where k.kind = h.payload->>'kind' and k.send = (h.payload->>'send')::int))) m
    full join theirs t on t.org_id = m.org_id and t.sn = m.sn and t.counterparty_id = m.counterparty_id
   where coalesce(m.amount, 0) <> coalesce(t.amount, 0)
     and not exists (select 1 from jsonb_to_recordset(${tx.json(pending.documents)}) as k(org bigint, sn text)
       where k.org = coalesce(m.org_id, t.org_id) and k.sn = coalesce(m.sn, t.sn))
   order by 1, 2 limit ${MAX_ROWS}`

/** Kinds whose copies book once their receiver agreed, and the own header field that says so. */
const booksOnAgreement = derived(() =>
  documents().flatMap(({ kind, intercompany: { copies: sends } }) =>
    (sends ?? []).flatMap(({ agreedWhen = {} }) =>
      Object.entries(agreedWhen).map(([field, values]) => ({ kind, field, values })),
    ),
  ),
)

/** Values that were agreed must be booked at both sides, and the receiver must have booked nothing else. */
const agreements: Check['run'] = (tx, pending) => tx<CheckRow[]>`
  with agreed as (
    select * from jsonb_to_recordset(${tx.json(booksOnAgreement())}) as k(kind text, field text, "values" jsonb)),
  mine as (
    select d.org_id, d.sn, d.kind, d.counterparty_id,
           case when a."values" ? coalesce(d.fields->>a.field, '') then coalesce((
             select sum(e.amount) from document m join account_entry e on e.org_id = m.org_id and e.document_id = m.id
              where m.org_id = d.org_id and (m.id = d.id or m.red_of_id = d.id)), 0) else 0 end as amount
      from agreed a join document d on d.kind = a.kind and d.role = 'own' and d.red_of_id is null
       and d.state not in ('draft', 'deleted')
     where exists (select 1 from intercompany_message h where h.org_id = d.org_id and h.document_id = d.id
       and h.to_org_id = d.counterparty_id and h.message = 'document')),
  theirs as (
    select c.from_org_id as org_id, c.org_id as counterparty_id, split_part(c.sn, '/', 1) as sn, sum(e.amount) as amount
      from agreed a join document c on c.kind = a.kind and c.role = 'counterparty'
      join account_entry e on e.org_id = c.org_id and e.document_id = c.id group by 1, 2, 3)
  select m.org_id as org, concat_ws(' ', m.kind, m.sn, '对方', m.counterparty_id) as key, m.amount::text as expected,
    coalesce(t.amount, 0)::text as found
    from mine m left join theirs t on t.org_id = m.org_id and t.sn = m.sn and t.counterparty_id = m.counterparty_id
   where m.amount <> coalesce(t.amount, 0)
     and not exists (select 1
       from jsonb_to_recordset(${tx.json(pending.documents)}) as k(org bigint, "to" bigint, sn text)
       where (k.org, k."to") in ((m.org_id, m.counterparty_id), (m.counterparty_id, m.org_id)))
   order by 1, 2 limit ${MAX_ROWS}`

/**
 * My receivable less your payable is the value of what you have not yet received. A fully received delivery leaves
 * nothing: then both books agree on it, except for what was refused; the same for returns, where payable and
 * receivable fall.
 */
const deliveries: Check['run'] = (tx, pending) => tx<CheckRow[]>`
  with sold as (
    select b.org_id, b.document_id, b.amount - case when b.sale then coalesce((
             select sum(round(l.taxed_amount * g.taken / nullif(l.base_quantity, 0), 2)) from line_progress g
               join document_line l on l.org_id = g.org_id and l.document_id = g.document_id and l.line_no = g.line_no
              where g.org_id = b.org_id and g.document_id = b.document_id and g.purpose = any(${refusalPurposes})), 0)
                else 0 end as amount
      from (select d.org_id, coalesce(d.red_of_id, d.id) as document_id, sum(e.amount) as amount,
        bool_or(e.account like 'receivable%') as sale
              from document d join account_entry e on e.org_id = d.org_id and e.document_id = d.id
                and (e.account like 'receivable%' or e.account like 'payable%')
             where d.role = 'own' and d.kind = any(${delivering()}) group by 1, 2) b),
  taken as (
    select c.from_org_id as org_id, split_part(c.sn, '/', 1) as sn, sum(e.amount) as amount
      from document_line l
      join document b on b.org_id = l.org_id and b.id = l.document_id and b.role = 'own'
        and b.kind = any(${receiving()})
      join document c on c.org_id = l.org_id and c.id in (l.delivery_document_id, l.source_document_id)
        and c.role = 'counterparty' and c.kind = any(${delivering()})
      join account_entry e on e.org_id = l.org_id and e.document_id = l.document_id and e.line_no = l.line_no
        and (e.account like 'payable%' or e.account like 'receivable%') group by 1, 2)
  select s.org_id as org, concat_ws(' ', d.kind, d.sn) as key, s.amount::text as expected,
    coalesce(t.amount, 0)::text as found
    from sold s join document d on d.org_id = s.org_id and d.id = s.document_id
    left join taken t on t.org_id = s.org_id and t.sn = d.sn
   where s.amount <> coalesce(t.amount, 0)
     and exists (select 1 from document c where c.org_id = d.counterparty_id and c.from_org_id = d.org_id
       and c.sn = d.sn and c.role = 'counterparty' and c.state = 'completed')
     and not exists (select 1
       from jsonb_to_recordset(${tx.json(pending.documents)}) as k(org bigint, "to" bigint, sn text)
       where (k.org, k."to") in ((d.org_id, d.counterparty_id), (d.counterparty_id, d.org_id)))
   order by 1, 2 limit ${MAX_ROWS}`

/** Corrections of both sides: what one owes more is what the other is owed more. */
const agreed: Check['run'] = (tx, pending) => tx<CheckRow[]>`
  with booked as (
    select d.org_id, d.id, d.sn, d.counterparty_id, d.state, d.fields->>'answer_state' as answer,
      d.fields->>'answers_sn' as answers,
           coalesce((select sum(e.amount) from account_entry e where e.org_id = d.org_id and e.document_id = d.id),
             0) as amount
      from document d where d.kind = any(${correctionKinds()}) and d.role = 'own'
        and d.state in ('reviewed', 'completed'))
  select m.org_id as org, concat_ws(' ', m.sn, '对方', t.sn) as key, m.amount::text as expected,
    coalesce(t.amount, 0)::text as found
    from booked m left join booked t on t.org_id = m.counterparty_id and t.counterparty_id = m.org_id
      and t.answers = m.sn
   where m.answer = '2' and (t.id is null or t.amount <> m.amount)
     and not exists (select 1
       from jsonb_to_recordset(${tx.json(pending.documents)}) as k(org bigint, "to" bigint, sn text)
       where (k.org, k."to") in ((m.org_id, m.counterparty_id), (m.counterparty_id, m.org_id)))
   order by 1, 2 limit ${MAX_ROWS}`

/** The other side released its copy, and our own step did not follow: a document that no one can receive. */
const withdrawn = (tx: Tx) => tx<CheckRow[]>`
  select d.org_id as org, concat_ws(' ', d.kind, d.sn, d.state) as key, concat('对方', h.to_org_id, '有副本') as expected,
    '副本已撤回' as found
    from intercompany_message h join document d on d.org_id = h.org_id and d.id = h.document_id
   where h.withdrawn_at is not null and h.taken_back_at is null order by 1, 2 limit ${MAX_ROWS}`

const OVERDUE_MINUTES = 5

/** Intercompany messages wait for milliseconds; one that waits for minutes needs a person. */
const undelivered = (tx: Tx) => tx<CheckRow[]>`
  select h.org_id as org,
    concat_ws(' ', '交接', h.id, h.message, h.payload->>'kind', h.payload->>'sn', '→', h.to_org_id) as key,
    '已送达' as expected,
         concat('等待', (extract(epoch from now() - h.created_at) / 60)::int, '分钟',
           coalesce('：' || h.last_error, '')) as found
    from intercompany_message h
      where h.delivered_at is null and h.created_at < now() - make_interval(mins => ${OVERDUE_MINUTES}) order by h.id
      limit ${MAX_ROWS}`

export const intercompanyChecks: readonly Check[] = [
  { name: 'copies', title: '双方往来不符', run: copies },
  { name: 'agreements', title: '已确认单据双方不符', run: agreements },
  { name: 'deliveries', title: '发货与收货金额不符', run: deliveries },
  { name: 'agreed', title: '双方变更不符', run: agreed },
  { name: 'withdrawn', title: '单据失去对方副本', run: withdrawn },
  { name: 'undelivered', title: '交接未送达', run: undelivered },
]
