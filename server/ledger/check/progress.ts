import type { Purpose } from '#kernel/definition/progress.ts'
import { multiply } from '#kernel/values/decimal.ts'
import { derived, documents } from '#kernel/registry.ts'
import { systemType } from '#kernel/values/organisation-type.ts'
import { overDeliveryAllowed } from '#server/documents/progress/over-delivery.ts'
import { underWayOf } from '#server/documents/progress/stopped-lines.ts'
import { refusalPurposes } from '#server/documents/intercompany/refused-goods.ts'
import type { StoredLine } from '#server/documents/repository/document.ts'
import { type Check, type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Every way a document counts on another, one row for each step: the definitions as a table. */
const steps = derived(() =>
  documents().flatMap(definition => {
    const takes = (definition.sourcing.sources ?? []).filter(take => !take.nonConsuming)
    // Several takes from one kind are distinguished by the document's source type; documents of any other type were
    // made by the first.
    return takes.flatMap(take => {
      const ways = takes.filter(way => way.from === take.from)
      const others = ways.filter(way => way !== take).map(way => way.sourceType)
      const type = { type: take === ways[0] ? null : take.sourceType, not_types: take === ways[0] ? others : [] }
      return [
        ...[take.purpose, ...(take.alsoCounts ?? [])].map(purpose => ({
          ...type,
          kind: definition.kind,
          from: take.from,
          at: take.countedAt ?? 'review',
          mains: [definition.progress.main ?? '', ...(definition.progress.mainAlso ?? [])],
          amount: take.basis === 'amount',
          besides: take.alsoAmount ?? null,
          link: 'own',
          purpose,
          own: purpose,
          sign: take.negates ? -1 : 1,
          quiet: take.localOnly ?? false,
          keeps: take.retained ?? null,
          when: null,
          through: null,
        })),
        ...(take.rollup ?? []).map(step => ({
          ...type,
          kind: definition.kind,
          from: take.from,
          at: take.countedAt ?? 'review',
          mains: [definition.progress.main ?? '', ...(definition.progress.mainAlso ?? [])],
          amount: take.basis === 'amount',
          besides: take.alsoAmount ?? null,
          link: step.via,
          purpose: step.purpose,
          own: take.purpose,
          sign: step.givenBack ? -1 : 1,
          quiet: false,
          keeps: null,
          when: step.ifFlag ?? null,
          through: step.ifFrom ?? null,
        })),
      ]
    })
  }),
)
/** Documents that lines deal with besides their sources, by the own fields that name them. */
const dealing = derived(() =>
  documents().flatMap(({ kind, sourcing: { secondaryTarget: dealsWith } }) =>
    dealsWith
      ? [
          {
            kind,
            on: dealsWith.kind,
            sn: dealsWith.sn,
            line: dealsWith.line,
            purpose: dealsWith.purpose,
            amount: dealsWith.basis === 'amount',
            role: dealsWith.fromCounterparty ? 'counterparty' : 'own',
          },
        ]
      : [],
  ),
)
/** Copies that count on the receiver's order when they arrive. */
const arriving = derived(() =>
  documents().flatMap(definition =>
    (definition.intercompany.copies ?? []).flatMap(send =>
      send.countsAs ? [{ kind: definition.kind, purpose: send.countsAs }] : [],
    ),
  ),
)
/** Copies of which nothing is left once their sender stopped: what no one received counts there as refused. */
const ending = derived(() =>
  documents().flatMap(({ kind, progress: { main }, intercompany: { copies: sends } }) =>
    (sends ?? []).flatMap(send =>
      send.onStopCountsAs ? [{ kind, main: main ?? '', purpose: send.onStopCountsAs }] : [],
    ),
  ),
)
/** Copies whose progress is not reported to the owner, at organisations of the types that take from them so. */
const quiet = derived(() =>
  documents().flatMap(definition =>
    (definition.sourcing.sources ?? []).flatMap(take =>
      take.localOnly
        ? [{ kind: take.from, purpose: take.purpose, types: definition.ownerTypes || Object.keys(systemType).join('') }]
        : [],
    ),
  ),
)
/** A partner without an account answers at once, with nothing that could be counted. */
const answering = derived(() =>
  documents().flatMap(definition =>
    Object.keys(definition.intercompany.onProgress ?? {})
      // Such a receiver takes everything that it is sent, and refuses nothing.
      .filter(purpose => !refusalPurposes.includes(purpose as Purpose))
      .map(purpose => ({ kind: definition.kind, purpose })),
  ),
)
const amounts = derived(() =>
  documents()
    .filter(definition => definition.lineRules.basis === 'amount')
    .map(definition => definition.kind),
)

const counted = ['reviewed', 'partial', 'completed', 'reversed', 'stopped']

/** Kinds whose own lines close or refuse part of themselves: no follow-up records it. */
const saying = derived(() =>
  documents().filter(definition => definition.lineRules.selfClosed || definition.lineRules.rejected),
)

type Said = StoredLine & {
  org: string
  kind: string
  document_id: string
  copy_id: string | null
  copy_line_no: number | null
  measure: string
}

/**
 * The progress that the lines of such documents state themselves: the document's own closed part, and the refused part
 * of its source document.
 */
async function saidByLines(tx: Tx) {
  const rows = await tx<(Said & { fields: object })[]>`
    select l.org_id as org, d.kind, l.document_id, l.line_no, l.quantity, l.base_quantity, l.fields,
      coalesce(u.base_measure, 1)::text as measure,
           case when s.role = 'counterparty' then s.id when c.role = 'counterparty' then c.id end as copy_id,
           case when s.role = 'counterparty' then l.source_line_no else l.delivery_line_no end as copy_line_no
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join unit_tree u on u.id = l.unit_id
      left join document s on s.org_id = l.org_id and s.id = l.source_document_id
      left join document c on c.org_id = l.org_id and c.id = l.delivery_document_id
     where d.kind = any(${saying().map(definition => definition.kind)}) and d.role = 'own' and d.red_of_id is null
       and d.state = any(${counted})`
  return rows.flatMap(({ fields, ...row }) => {
    const definition = saying().find(candidate => candidate.kind === row.kind)!
    const line = { ...fields, ...row } as never
    const [closed, refused] = [definition.lineRules.selfClosed?.(line), definition.lineRules.rejected?.(line)]
    return [
      ...(closed ? [{ org: row.org, document: row.document_id, line_no: row.line_no, ...closed }] : []),
      ...(refused && row.copy_id
        ? [
            {
              org: row.org,
              document: row.copy_id,
              line_no: row.copy_line_no,
              purpose: refused.purpose,
              quantity: multiply(refused.quantity, row.measure, 3),
            },
          ]
        : []),
    ]
  })
}

/** The part of a line that the other side refused was not executed. */
const sentAway = (tx: Tx) => tx`
    select org_id, document_id, line_no, sum(taken) as quantity from line_progress
      where purpose = any(${refusalPurposes}) and line_no > 0 group by 1, 2, 3`

/** Reversals count with their own sign. */
const takenBack = (tx: Tx) => tx`
    select r.org_id, r.red_of_id, l.line_no, 'reverse', -case when r.kind = any(${amounts()}) then l.taxed_amount
      else l.base_quantity end
      from document r join document_line l on l.org_id = r.org_id and l.document_id = r.id
        where r.red_of_id is not null and r.role = 'own'`

/** Goods sent to a partner that gets no messages: it answered at once. Only goods in transit to it are answered. */
const answeredItself = (tx: Tx) => tx`
    select d.org_id, coalesce(d.red_of_id, d.id), l.line_no, a.purpose, l.base_quantity
      from jsonb_to_recordset(${tx.json(answering())}) as a(kind text, purpose text)
      join document d on d.kind = a.kind and d.role = 'own' and d.state = any(${counted})
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.counterparty_id is not null
       and exists (select 1 from stock_move m join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id
         and w.model = 'transit'
                    where m.org_id = d.org_id and m.document_id = coalesce(d.red_of_id, d.id))
       and not exists (select 1 from intercompany_message h
         where h.org_id = d.org_id and h.document_id = coalesce(d.red_of_id, d.id) and h.to_org_id = d.counterparty_id
         and h.message = 'document')`

/** The part that was sent to the other side and has not arrived there does not count yet. */
const underWay = (tx: Tx, pending: Parameters<Check['run']>[1]) => tx`
    select d.org_id, d.id, k.line_no, k.purpose, -k.quantity
      from jsonb_to_recordset(${tx.json(pending.progress)}) as k(org bigint, kind text, sn text, line_no int,
        purpose text, quantity numeric)
      join document d on d.org_id = k.org and d.sn = k.sn and d.kind = k.kind and d.role = 'own'`

/** The progress that lines make on documents which they name by own fields. */
const dealtWith = (tx: Tx) => tx`
    select l.org_id, t.id, (l.fields->>w.line)::int, w.purpose,
           case when w.amount then l.taxed_amount else l.base_quantity - coalesce(f.quantity, 0) end
      from jsonb_to_recordset(${tx.json(dealing())}) as w(kind text, "on" text, sn text, line text, purpose text,
        amount boolean, role text)
      join document d on d.kind = w.kind and d.role = 'own' and d.state = any(${counted})
      join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.fields->>w.sn is not null
      left join gone f on f.org_id = l.org_id and f.document_id = l.document_id and f.line_no = l.line_no
      join document t on t.org_id = l.org_id and t.kind = w.on and t.role = w.role and t.sn = l.fields->>w.sn
        and (t.role = 'own' or t.from_org_id = d.counterparty_id)`

const ended = (tx: Tx) => tx`
    select c.org_id, c.id, l.line_no, e.purpose,
           l.base_quantity - coalesce((select sum(g.taken) from line_progress g
             where g.org_id = c.org_id and g.document_id = c.id and g.line_no = l.line_no and g.purpose = e.main), 0)
             - coalesce((select sum(s.quantity) from said s where s.org = c.org_id and s.document = c.id
               and s.line_no = l.line_no and s.purpose = e.purpose), 0)
      from jsonb_to_recordset(${tx.json(ending())}) as e(kind text, main text, purpose text)
      join document c on c.kind = e.kind and c.role = 'counterparty' and c.state = 'stopped'
      join document_line l on l.org_id = c.org_id and l.document_id = c.id`

/** The quantity of a stopped line that is neither under way nor done. */
const stoppedLines = (tx: Tx) => tx`
    select d.org_id, d.id, l.line_no, 'stop', greatest(l.base_quantity - coalesce(g.taken, 0), 0)
      from jsonb_to_recordset(${tx.json(underWayOf())}) as k(kind text, role text,
        purposes text[])
      join document d on d.kind = k.kind and d.role = k.role
        and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.fields ? 'stop_reason'
      left join lateral (
        select max(p.taken) as taken from line_progress p
         where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
           and p.purpose = any(k.purposes)) g on true`

/**
 * The progress of a line is what live follow-ups took of it: own documents by their links, reversals with their own
 * sign, copies at the other side by their progress there, less what is still in transit.
 */
const followUps: Check['run'] = async (tx, pending) => tx<CheckRow[]>`
  with said as (select *
    from jsonb_to_recordset(${tx.json(await saidByLines(tx))}) as k(org bigint, document bigint, line_no int,
    purpose text, quantity numeric)),
  gone as (${sentAway(tx)}),
  step as (
    select * from jsonb_to_recordset(${tx.json(steps())}) as k(kind text, "from" text, at text, mains text[],
      amount boolean, besides text, link text, purpose text, own text, sign int, quiet boolean, type int,
      not_types jsonb, keeps text, "when" text, through text)),
  line as (
    select l.org_id, l.document_id, l.line_no, d.kind, d.state, d.source_type, s.kind as from_kind,
      l.source_document_id, l.source_line_no, l.order_document_id, l.order_line_no, l.delivery_document_id,
      l.delivery_line_no,
           b.source_document_id as above_document_id, b.source_line_no as above_line_no,
             l.base_quantity - coalesce(f.quantity, 0) as base_quantity, l.taxed_amount, l.fields, d.fields as header,
             a.kind as above_kind, coalesce(u.base_measure, 1) as measure, coalesce(x.taken, 0) as stopped
      from document_line l
      left join gone f on f.org_id = l.org_id and f.document_id = l.document_id and f.line_no = l.line_no
      left join line_progress x on x.org_id = l.org_id and x.document_id = l.document_id and x.line_no = l.line_no
        and x.purpose = 'stop'
      left join unit_tree u on u.id = l.unit_id
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'own'
        and (d.state = any(${counted}) or d.state = 'submitted')
      join document s on s.org_id = l.org_id and s.id = l.source_document_id
      left join document_line b on b.org_id = l.org_id and b.document_id = l.source_document_id
        and b.line_no = l.source_line_no left join document a on a.org_id = b.org_id and a.id = b.source_document_id),
  taken as (
    select l.org_id,
           case p.link when 'own' then l.source_document_id when 'order' then l.order_document_id when 'delivery'
             then l.delivery_document_id else l.above_document_id end as document_id,
           case p.link when 'own' then l.source_line_no when 'order' then l.order_line_no when 'delivery'
             then l.delivery_line_no else l.above_line_no end as line_no,
           p.purpose, p.sign * case
             -- What was stopped holds no more than what was executed of it; what is done, no more than it keeps.
             when l.state = 'stopped' and p.at = 'submit' then coalesce((select sum(g.taken) from line_progress g
               where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
                 and g.purpose = any(p.mains)), 0)
             when l.state = 'completed' and p.keeps is not null
               then coalesce((l.fields->>p.keeps)::numeric, 0) * l.measure when p.amount
               and p.link in ('own', 'source') then l.taxed_amount + coalesce((l.fields->>p.besides)::numeric, 0)
             -- What was stopped of a line is free again on its source.
             when p.at = 'submit' then l.base_quantity - l.stopped
             else l.base_quantity end as quantity
      from line l join step p on p.kind = l.kind and p."from" = l.from_kind
        and (l.state <> 'submitted' or p.at = 'submit') and (p.type is null or p.type = l.source_type)
        and not p.not_types @> to_jsonb(l.source_type)
     where (p."when" is null or (l.header->>p."when")::boolean)
       and (p.through is null or p.through = l.above_kind or p.through = 'delivery'
       and l.delivery_document_id is not null)
       and not (p.link = 'order' and l.order_document_id is not distinct
         from l.source_document_id and p.purpose = p.own)
       and not (p.link = 'delivery' and l.delivery_document_id is not distinct
         from l.source_document_id and p.purpose = p.own)
     union all
    select l.org_id, l.order_document_id, l.order_line_no, a.purpose, l.base_quantity - coalesce(f.quantity, 0)
      from jsonb_to_recordset(${tx.json(arriving())}) as a(kind text, purpose text)
      join document d on d.kind = a.kind and d.role = 'counterparty' and d.state not in ('cancelled', 'deleted')
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join gone f on f.org_id = l.org_id and f.document_id = l.document_id and f.line_no = l.line_no
     union all
    ${dealtWith(tx)}
     union all
    select org, document, line_no, purpose, quantity from said
     union all
    ${takenBack(tx)} union all ${ended(tx)} union all ${stoppedLines(tx)}
     union all
    select d.org_id, d.id, g.line_no, g.purpose, g.taken
      from document c join line_progress g on g.org_id = c.org_id and g.document_id = c.id and g.line_no > 0
        and g.purpose <> 'stop'
      join document d on d.org_id = c.from_org_id and d.sn = split_part(c.sn, '/', 1) and d.role = 'own'
     where c.role = 'counterparty'
       and not exists (select 1 from jsonb_to_recordset(${tx.json(quiet())}) as q(kind text, purpose text, types text)
         join organisation o on o.id = c.org_id
         where q.kind = c.kind and q.purpose = g.purpose
           and position(substr('PHDV', o.system_type + 1, 1) in q.types) > 0)
     union all
    ${underWay(tx, pending)}
     union all
    ${answeredItself(tx)}),
  expected as (
    select org_id, document_id, line_no, purpose, sum(quantity) as quantity from taken
      where document_id is not null and line_no is not null group by 1, 2, 3, 4 having sum(quantity) <> 0)
  select x.org_id as org, concat_ws(' ', d.kind, d.sn, concat('第', x.line_no, '行'), x.purpose) as key,
    coalesce(x.should, 0)::text as expected, coalesce(x.stands, 0)::text as found
    from (select org_id, document_id, line_no, purpose, e.quantity as should, g.taken as stands
            from expected e full join (select * from line_progress where line_no > 0 and taken <> 0) g
              using (org_id, document_id, line_no, purpose)) x
    join document d on d.org_id = x.org_id and d.id = x.document_id
   where x.should is distinct from x.stands
   order by 1, 2 limit ${MAX_ROWS}`

/** Line 0 is the sum over the document; excess on lines that may be exceeded is not in it. */
const wholeDocument = (tx: Tx) => tx<CheckRow[]>`
  select g.org_id as org, concat_ws(' ', d.kind, d.sn, g.purpose) as key,
    coalesce(sum(c.taken) filter (where g.line_no > 0), 0)::text as expected,
         coalesce(sum(g.taken) filter (where g.line_no = 0), 0)::text as found
    from line_progress g join document d on d.org_id = g.org_id and d.id = g.document_id
    left join document_line l on l.org_id = g.org_id and l.document_id = g.document_id and l.line_no = g.line_no
    cross join lateral (select case when (d.kind || '.' || g.purpose) = any(${[...overDeliveryAllowed()]})
      then least(g.taken, l.base_quantity) else g.taken end as taken) c
   group by g.org_id, d.kind, d.sn, g.document_id, g.purpose
  having coalesce(sum(c.taken) filter (where g.line_no > 0), 0) <> coalesce(sum(g.taken) filter (where g.line_no = 0),
    0)
   order by 1, 2 limit ${MAX_ROWS}`

export const progressChecks: readonly Check[] = [
  { name: 'followUps', title: '来源进度与后续单据不符', run: followUps },
  { name: 'wholePaper', title: '单据进度与各行进度不符', run: wholeDocument },
]
