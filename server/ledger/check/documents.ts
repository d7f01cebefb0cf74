import { derived, documents } from '#kernel/registry.ts'
import { type Check, type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import type { Tx } from '#server/database/transaction.ts'

const prefixes = derived(() =>
  documents().map(definition => ({ kind: definition.kind, prefix: definition.numberPrefix })),
)

/** The header has the sums of its lines. */
const totals = (tx: Tx) => tx<CheckRow[]>`
  with summed as (
    select org_id, document_id, count(*)::int as line_count, sum(untaxed_amount) as untaxed, sum(tax_amount) as tax,
      sum(taxed_amount) as taxed, sum(base_quantity) as quantity
      from document_line group by 1, 2)
  select d.org_id as org, concat_ws(' ', d.kind, d.sn) as key,
         concat_ws(' ', coalesce(s.line_count, 0), coalesce(s.quantity, 0), coalesce(s.untaxed, 0), coalesce(s.tax, 0),
           coalesce(s.taxed, 0)) as expected,
         concat_ws(' ', d.line_count, d.total_quantity, d.untaxed_amount, d.tax_amount, d.taxed_amount) as found
    from document d left join summed s on s.org_id = d.org_id and s.document_id = d.id
   where (d.line_count, d.total_quantity, d.untaxed_amount, d.tax_amount, d.taxed_amount)
      is distinct from (coalesce(s.line_count, 0), coalesce(s.quantity, 0), coalesce(s.untaxed, 0), coalesce(s.tax, 0),
        coalesce(s.taxed, 0))
   order by 1, 2 limit ${MAX_ROWS}`

/** Every number from 1 to the last one has a document, tombstones included. */
const numbering = (tx: Tx) => tx<CheckRow[]>`
  with given as (
    select d.org_id, d.kind, substr(d.sn, length(p.prefix) + 1, 6) as day, count(*) as documents,
      max(substr(d.sn, length(p.prefix) + 7)::bigint) as last
      from document d join jsonb_to_recordset(${tx.json(prefixes())}) as p(kind text, prefix text) using (kind)
     where d.role = 'own' and d.from_org_id = d.org_id group by 1, 2, 3),
  counted as (
    select n.org_id, n.kind, to_char(n.day, 'YYMMDD') as day, n.last from numbering n
      join jsonb_to_recordset(${tx.json(prefixes())}) as p(kind text, prefix text) using (kind))
  select org_id as org, concat_ws(' ', kind, day) as key, concat('1至', coalesce(c.last, 0)) as expected,
    concat(coalesce(g.documents, 0), '张，最大', coalesce(g.last, 0)) as found
    from counted c full join given g using (org_id, kind, day)
   where c.last is distinct from g.documents or c.last is distinct from g.last order by 1, 2 limit ${MAX_ROWS}`

const standing = ['reviewed', 'partial', 'completed', 'reversed', 'stopped']
const posting = derived(() =>
  documents()
    .filter(definition => definition.posting.postings)
    .map(definition => definition.kind),
)
/** A corrected code only changes how a piece is identified, and a pack is where its pieces were: events, no moves. */
const amending = derived(() =>
  documents()
    .filter(({ lineRules, posting }) => lineRules.correctedValues || posting.stockCard === 'none')
    .map(definition => definition.kind),
)
/** Documents that book accounts alone: goods without a price leave nothing to book. */
const accountsOnly = derived(() =>
  documents()
    .filter(definition => definition.posting.accountsOnly)
    .map(definition => definition.kind),
)
/** Documents that had nothing to book. */
const idle = derived(() =>
  documents().flatMap(({ kind, posting: { skippedWhen: fields = {} } }) =>
    Object.entries(fields).map(([field, values]) => ({ kind, field, values })),
  ),
)

/** Only documents in effect have ledger rows that do not cancel out. */
const unposted = (tx: Tx) => tx<CheckRow[]>`
  select d.org_id as org, concat_ws(' ', d.kind, d.sn, d.state) as key, '无净额' as expected, x.what as found
    from (select org_id, document_id, '库存净额' as what from stock_move where line_no > 0
           group by org_id, document_id, line_no, warehouse_id, location, lot_id, owner_id, quality_state
             having sum(quantity) <> 0
           union select org_id, document_id, '往来净额' from account_entry group by org_id, document_id, line_no,
             counterparty_id, account having sum(amount) <> 0) x
    join document d on d.org_id = x.org_id and d.id = x.document_id
   where d.role = 'own' and not (d.state = any(${standing})) order by 1, 2 limit ${MAX_ROWS}`

/** A document in effect has written all its rows: no half postings. */
const half = (tx: Tx) => tx<CheckRow[]>`
  select d.org_id as org, concat_ws(' ', d.kind, d.sn, d.state) as key, '已记账' as expected, '无流水' as found
    from document d
   where d.role = 'own' and d.kind = any(${posting()}) and d.state in ('reviewed', 'partial', 'completed')
     and (d.taxed_amount <> 0 or d.total_quantity <> 0 and not (d.kind = any(${accountsOnly()})))
     and not exists (select 1 from stock_move m where m.org_id = d.org_id and m.document_id = d.id)
     and not exists (select 1 from account_entry e where e.org_id = d.org_id and e.document_id = d.id)
     and not (d.kind = any(${amending()})
       and exists (select 1 from trace_event t where t.org_id = d.org_id and t.document_kind = d.kind
       and t.document_sn = d.sn))
     and not exists (select 1 from jsonb_to_recordset(${tx.json(idle())}) as k(kind text, field text, "values" jsonb)
       where k.kind = d.kind and k."values" ? (d.fields->>k.field))
   order by 1, 2 limit ${MAX_ROWS}`

/** A move says what kind its document is of. */
const kinds = (tx: Tx) => tx<CheckRow[]>`
  select m.org_id as org, concat_ws(' ', d.sn, m.id) as key, d.kind as expected, m.document_kind as found
    from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
   where m.document_kind <> d.kind order by 1, 2 limit ${MAX_ROWS}`

export const documentChecks: readonly Check[] = [
  { name: 'totals', title: '表头合计与明细不符', run: totals },
  { name: 'numbering', title: '单号不连续', run: numbering },
  { name: 'unposted', title: '未生效的单据仍有净流水', run: unposted },
  { name: 'kinds', title: '流水的单据类型与单据不符', run: kinds },
  { name: 'half', title: '已生效的单据没有流水', run: half },
]
