import type { ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * The quantity of a source that is no longer expected: received, refused on arrival, unqualified in inspection,
 * returned.
 */
const gone = (tx: Tx, line: Fragment): Fragment => tx`
  coalesce((select sum(g.taken) from line_progress g where g.org_id = s.org_id and g.document_id = s.id
    and g.line_no = ${line}
    and g.purpose in ('receive', 'refuse', 'reject', 'return')), 0)`

/** The source documents of a receipt `d`, as named by its header or its lines. */
const behind = (tx: Tx): Fragment => tx`
  s.org_id = d.org_id and s.id in (
    select d.source_document_id union
    select l.source_document_id from document_line l where l.org_id = d.org_id and l.document_id = d.id)`

/** The quantity still expected from the sources of a receipt `d`, in base units; null if it has none. */
export const expectedQuantity = (tx: Tx): Fragment => tx`
  (select sum(s.total_quantity - ${gone(tx, tx`0`)})::numeric(18,3) from document s where ${behind(tx)})`

/** The number of source lines with something still expected. */
export const expectedLines = (tx: Tx): Fragment => tx`
  (select count(*)::int from document s join document_line x on x.org_id = s.org_id and x.document_id = s.id
    where ${behind(tx)} and abs(x.base_quantity) > abs(${gone(tx, tx`x.line_no`)}))`

export type ExpectedLine = {
  readonly document_id: string
  readonly line_no: number
  readonly product_name: string
  readonly lot_no: string
  readonly expected: string
}

/**
 * The quantity still expected from each line of a receipt's source documents of these kinds, in base units; less
 * what other submitted receipts bring.
 */
export const expectedOfLines = (
  tx: Tx,
  org: string,
  receipt: string,
  kinds: readonly string[],
): Promise<ExpectedLine[]> => tx<ExpectedLine[]>`
  select * from (
    select s.id as document_id, x.line_no, p.name as product_name, coalesce(x.lot_no, '') as lot_no,
           (abs(x.base_quantity) - ${gone(tx, tx`x.line_no`)} - coalesce((
             select sum(o.base_quantity) from document_line o join document r on r.org_id = o.org_id
               and r.id = o.document_id
              where o.org_id = s.org_id and o.source_document_id = s.id and o.source_line_no = x.line_no
                and r.id <> d.id and r.kind = d.kind and r.role = 'own' and r.state = 'submitted'),
                  0))::numeric(18,3) as expected
      from document d join document s on ${behind(tx)}
      join document_line x on x.org_id = s.org_id and x.document_id = s.id
      join specification f on f.id = x.specification_id join product p on p.id = f.product_id
     where d.org_id = ${org} and d.id = ${receipt} and s.kind = any(${kinds as string[]})) w
   where w.expected > 0 order by w.document_id, w.line_no`

const isOpen = (tx: Tx): Fragment => tx`d.state in ('draft', 'rejected')`
/**
 * The expected quantity of a receipt: current while it is a draft, as of submission afterwards. Reversals expect
 * nothing.
 */
const due = (tx: Tx): Fragment => tx`
  case when d.red_of_id is null then
    case when ${isOpen(tx)} then ${expectedQuantity(tx)} else (d.fields->>'expected_quantity')::numeric(18,3) end end`
/** The counted quantity: nothing while a draft created by the counterparty is untouched. */
const counted = (tx: Tx): Fragment => tx`
  case when d.state = 'draft' and d.created_by = 0 and not d.touched then 0 else d.total_quantity end`

/** The figures of a receiving counter, as additional list columns. */
export const receivingColumns: Readonly<Record<string, ListColumn>> = {
  due_count: tx => tx`
    case when d.red_of_id is null then
      case when ${isOpen(tx)} then ${expectedLines(tx)} else (d.fields->>'expected_count')::int end end`,
  due_quantity: tx => tx`${due(tx)}`,
  counted_quantity: tx => tx`(${counted(tx)})::numeric(18,3)`,
  difference_quantity: tx => tx`(${counted(tx)} - (${due(tx)}))::numeric(18,3)`,
}
