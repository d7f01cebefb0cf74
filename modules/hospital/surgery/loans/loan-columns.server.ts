import type { ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * The open quantity of a plan: at the hospital the stock in its store for loans, at the supplier the rest of his
 * presales.
 */
const openOfPlan: ListColumn = tx => tx`
  (case when d.role = 'own' and exists (select 1 from organisation o where o.id = d.org_id and o.system_type = 1)
     then (select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b
             join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'loan'
            where b.org_id = d.org_id and b.owner_id = d.counterparty_id and (b.location = d.sn or b.location in (
              select c.sn from document c where c.org_id = d.org_id and c.kind = 'bonePresale'
                 and c.role = 'counterparty' and c.from_org_id = d.counterparty_id and c.fields->>'plan_sn' = d.sn)))
     else (select coalesce(sum(p.total_quantity - coalesce(g.taken, 0)), 0)::numeric(18,3) from document p
             left join lateral (select sum(x.taken) as taken from line_progress x
               where x.org_id = p.org_id and x.document_id = p.id and x.line_no = 0
                 and x.purpose in ('use', 'return')) g on true
            where p.org_id = d.org_id and p.kind = 'bonePresale' and p.role = 'own' and p.source_document_id = d.id
              and p.state in ('reviewed', 'partial')) end)`

const usedOfPlan: ListColumn = tx => tx`
  (select coalesce(sum(g.taken), 0)::numeric(18,3) from document p
     join line_progress g on g.org_id = p.org_id and g.document_id = p.id and g.line_no = 0 and g.purpose = 'use'
    where p.org_id = d.org_id and p.kind = 'bonePresale' and p.role = 'own' and p.source_document_id = d.id)`

/**
 * The quantity of a presale that came back, or that was lost or broken: with the used quantity they add up to the lent
 * one, less what is out.
 */
const backOfPresale =
  (isGone: boolean): ListColumn =>
  tx =>
    tx`
  (select coalesce(sum(x.base_quantity), 0)::numeric(18,3) from document_line x
     join document b on b.org_id = x.org_id and b.id = x.document_id and b.kind = 'boneBack' and b.role = d.role
    where x.org_id = d.org_id and x.source_document_id = d.id
      and b.state in ('reviewed', 'partial', 'completed', 'reversed')
      and (coalesce(x.fields->>'return_kind', 'returned') in ('lost', 'damaged')) = ${isGone})`

/** A sum over the lines of the document itself. */
const ofLines =
  (what: (tx: Tx) => Fragment): ListColumn =>
  tx =>
    tx`(select ${what(tx)} from document_line l where l.org_id = d.org_id and l.document_id = d.id)`

const piecesOf = (goodsKind: 'implant' | 'tool') =>
  ofLines(
    tx => tx`coalesce(sum(l.base_quantity) filter (where l.fields->>'goods_kind' = ${goodsKind}), 0)::numeric(18,3)`,
  )

const differenceCounted = ofLines(
  tx => tx`coalesce(sum(abs((l.fields->>'difference_quantity')::numeric)), 0)::numeric(18,3)`,
)

/** A figure of a return: what was due of each line of its presale, which several lines may bring back. */
const ofReturn =
  (what: (tx: Tx) => Fragment): ListColumn =>
  tx =>
    tx`
  (select coalesce(sum(${what(tx)}), 0)::numeric(18,3) from (
     select max((l.fields->>'due_quantity')::numeric) as due, sum(l.base_quantity) as back from document_line l
      where l.org_id = d.org_id and l.document_id = d.id group by l.source_document_id, l.source_line_no) x)`

export const surgeryColumns: Readonly<Record<string, ListColumn>> = {
  open_pieces: openOfPlan,
  used_pieces: usedOfPlan,
  returned_pieces: backOfPresale(false),
  lost_pieces: backOfPresale(true),
  kit_count: ofLines(tx => tx`count(distinct nullif(l.fields->>'kit_code', ''))::int`),
  implant_pieces: piecesOf('implant'),
  tool_pieces: piecesOf('tool'),
  difference_pieces: (tx, definition) =>
    'due_quantity' in definition.lines
      ? ofReturn(inner => inner`x.due - x.back`)(tx, definition)
      : differenceCounted(tx, definition),
  due_pieces: ofReturn(tx => tx`x.due`),
  pieces_to_clean: ofLines(
    tx => tx`
    coalesce(sum(l.base_quantity) filter (where l.fields->>'goods_kind' = 'tool'
      and coalesce(l.fields->>'return_kind', 'returned') = 'returned'), 0)::numeric(18,3)`,
  ),
}
