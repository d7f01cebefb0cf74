import type { StoredDocument, StoredLine, TypedDocument } from '#server/documents/repository/document.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { inScope } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

type HeaderRow = { readonly id: string; readonly fields: Record<string, unknown>; readonly [column: string]: unknown }
type StoredLineRow = StoredLine & { document_id: string; fields: Record<string, unknown> }

/** The header under its wire names, with internal ids. */
const headerSelect = (tx: Tx) => tx`
  d.id, d.kind, d.sn, d.role, d.from_org_id, d.from_org_id as org_sn, d.state, d.version,
  d.counterparty_id as counterparty_sn, d.warehouse_id as warehouse_model_inner_sn,
    d.to_warehouse_id as to_warehouse_model_inner_sn,
  d.department_id as department_inner_sn, d.handler_id as handler_inner_sn, d.business_date, d.regime,
  d.source_type, d.source_sn, d.source_org_id as source_org_sn, d.source_document_id, d.red_of_id,
  (select r.sn from document r where r.org_id = d.org_id and r.id = d.red_of_id) as red_of_sn,
  d.untaxed_amount, d.tax_amount, d.taxed_amount, d.rounding, d.line_count, d.total_quantity, d.remark, d.attachments,
    d.touched, d.last_line_no, d.review_level, d.review_levels, d.fields,
  d.created_by, d.created_at, d.former_authors, d.submitted_by, d.submitted_at, d.reviewed_by, d.reviewed_at`

const unfold = ({ fields, ...row }: HeaderRow, lines: readonly StoredLine[]): StoredDocument =>
  ({ ...fields, ...row, lines }) as unknown as StoredDocument

/** The product's name on the date of the document: a later name only appears on later documents. */
const nameThen = (tx: Tx) => tx`coalesce(
  (select e.name from product_past e where e.product_id = p.id
      and e.until_day > (select d.business_date from document d where d.org_id = l.org_id and d.id = l.document_id)
        order by e.until_day, e.id limit 1), p.name)`

const lineSelect = (tx: Tx) => tx`
  l.document_id, l.line_no, l.specification_id as specification_sn, ${nameThen(tx)} as product_name,
    s.name as specification_name,
  l.lot_id, l.lot_no, l.production_date, l.expiry_date, l.unit_codes, l.coded_quantity,
    l.unit_id as unit_inner_sn, l.quantity,
    l.base_quantity,
  l.price, l.tax_rate, l.untaxed_amount, l.tax_amount, l.taxed_amount, l.rounding, l.owner_org_id as owner_org_sn,
    l.quality_state, l.location,
  l.source_sn, l.source_org_id as source_org_sn, l.source_document_id, l.source_line_no,
  l.order_document_id, l.order_line_no, l.delivery_document_id, l.delivery_line_no, l.remark, l.fields
   from document_line l
   left join specification s on s.id = l.specification_id
   left join product p on p.id = s.product_id`

/** Lines without packs say nothing of them. */
const unfoldLine = ({ document_id: _document, fields, coded_quantity, ...line }: StoredLineRow): StoredLine =>
  ({ ...fields, ...line, ...(coded_quantity === null ? {} : { coded_quantity }) }) as unknown as StoredLine

/** Lines of documents under their wire names, in order. One statement for any number of documents. */
export async function loadLines(tx: Tx, org: string, documents: readonly string[]): Promise<Map<string, StoredLine[]>> {
  const byDocument = new Map<string, StoredLine[]>(documents.map(id => [id, []]))
  if (documents.length === 0) return byDocument
  const rows = await tx<StoredLineRow[]>`
    select ${lineSelect(tx)}
     where l.org_id = ${org} and l.document_id = any(${documents as string[]}::bigint[])
     order by l.document_id, l.line_no`
  for (const row of rows) byDocument.get(row.document_id)?.push(unfoldLine(row))
  return byDocument
}

/** One document of this organisation by sn; 2106 when there is none, exactly as for another organisation's. */
export async function loadDocument<D extends AnyDocument>(
  tx: Tx,
  org: string,
  definition: D,
  sn: string,
  options: { lock?: boolean; role?: 'own' | 'counterparty'; from?: string | null; version?: unknown } = {},
): Promise<TypedDocument<D>> {
  const chosen = tx`
      from document d
     where d.org_id = ${org} and d.sn = ${sn} and d.kind = ${definition.kind} and d.role = ${options.role ?? 'own'}
       and d.state <> 'deleted'
       ${options.from ? tx`and d.from_org_id = ${options.from}` : tx``}
     order by (d.version = ${parseInteger(options.version ?? 0) || 0}) desc, (d.state = 'cancelled'), d.id desc limit 1`
  const [[row], lines] = await pipelined([
    tx<HeaderRow[]>`select ${headerSelect(tx)} ${chosen} ${options.lock ? tx`for update of d` : tx``}`,
    tx<
      StoredLineRow[]
    >`select ${lineSelect(tx)} where l.org_id = ${org} and l.document_id = (select d.id ${chosen}) order by l.line_no`,
  ])
  if (!row) throw new BusinessError('notFound', `${definition.title}${sn}不存在或已被删除`)
  // While waiting for the lock, another document of that number may have become the one meant.
  const isSame = lines.every(line => line.document_id === row.id)
  const all = isSame ? lines.map(unfoldLine) : ((await loadLines(tx, org, [row.id])).get(row.id) ?? [])
  return unfold(row, all) as TypedDocument<D>
}

/** Documents by id, without locks, with their lines. */
export async function loadDocuments(tx: Tx, org: string, ids: readonly string[]): Promise<StoredDocument[]> {
  if (ids.length === 0) return []
  const rows = await tx<HeaderRow[]>`
    select ${headerSelect(tx)} from document d where d.org_id = ${org} and d.id = any(${ids as string[]}::bigint[])`
  const lines = await loadLines(tx, org, ids)
  return rows.map(row => unfold(row, lines.get(row.id) ?? []))
}

/**
 * The same document, or 2106 as if there were none, where it is outside the session's stores, departments or
 * authorship.
 */
export function requireInScope<D extends StoredDocument>(session: Session, definition: AnyDocument, doc: D): D {
  if (!inScope(session, doc)) throw new BusinessError('notFound', `${definition.title}${doc.sn}不存在或已被删除`)
  return doc
}
