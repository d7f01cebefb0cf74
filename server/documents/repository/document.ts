import type { AnyDocument, CommonHeader, CommonLine, DocumentDefinition } from '#kernel/definition/document.ts'
import { absentLineFields, goodsFields, priceFields } from '#kernel/definition/line-content.ts'
import { columnOf, type Fields, type Values } from '#kernel/definition/field.ts'
import { commonFields, commonLineFields, headerField, lineField } from '#kernel/definition/common-fields.ts'

/** A line as the engine holds it, with links that are not shown on the wire. It also has the fields of its kind. */
export type StoredLine = CommonLine & {
  readonly lot_id: string | null
  /** 尾差: the amount owed beyond the line's amount. */
  readonly rounding?: string
  readonly source_document_id: string | null
  /** The order that this line executes, on this organisation's side. */
  readonly order_document_id: string | null
  readonly order_line_no: number | null
  /** The delivery (copy of the sender's outbound) that this line receives. */
  readonly delivery_document_id: string | null
  readonly delivery_line_no: number | null
  /** Why a line of an order was stopped; no more of it is to come. */
  readonly stop_reason?: string | null
}

type StoredHeader = CommonHeader & {
  readonly id: string
  readonly from_org_id: string
  readonly source_document_id: string | null
  readonly red_of_id: string | null
  readonly total_quantity: string
  readonly line_count: number
  readonly touched: boolean
  readonly last_line_no: number
  readonly created_by: string | null
  readonly submitted_by: string | null
  /** Earlier authors and submitters. */
  readonly former_authors: readonly string[]
  readonly reviewed_by: string | null
  readonly created_at: string
  readonly submitted_at: string | null
  readonly reviewed_at: string | null
  /** The audit level it waits at, and how many its organisation asked for; none where one reviewer decides. */
  readonly review_level?: number | string | null
  readonly review_levels?: number | string | null
}
/** A document as the engine holds it. It also has the fields of its kind: see `TypedDocument` and `byName`. */
export type StoredDocument = StoredHeader & { readonly lines: readonly StoredLine[] }

/** The document with the fields of its own definition. A document of another kind is a fault of the program. */
export function ofKind<K extends string, H extends Fields, L extends Fields, A extends string>(
  definition: DocumentDefinition<K, H, L, A>,
  doc: StoredDocument,
): TypedDocument<DocumentDefinition<K, H, L, A>> {
  if (doc.kind !== definition.kind) throw new Error(`${doc.kind} ${doc.sn} is no ${definition.kind}`)
  return doc as TypedDocument<DocumentDefinition<K, H, L, A>>
}
/** A stored document whose own fields have the types that its definition gives them. */
export type TypedDocument<D extends { readonly header: Fields; readonly lines: Fields }> = StoredHeader &
  Values<Omit<D['header'], keyof CommonHeader>> & {
    readonly lines: readonly (StoredLine & Values<Omit<D['lines'], keyof CommonLine>>)[]
  }
export type TypedLine<D extends { readonly header: Fields; readonly lines: Fields }> = TypedDocument<D>['lines'][number]

/** A document's or line's values by the names of their fields, for what holds for fields of every kind. */
export const byName = (row: Partial<StoredDocument> | StoredLine): Readonly<Record<string, unknown>> =>
  row as Readonly<Record<string, unknown>>

/** The text of a field by its name; null where it is empty or the kind has no such field. */
export const textOf = (row: StoredDocument | StoredLine, name: string): string | null =>
  (byName(row)[name] as string | null | undefined) || null

/** Columns of `document` that a user may write, and the type of each in a jsonb record set. */
export const headerColumns = {
  counterparty_sn: 'bigint',
  warehouse_model_inner_sn: 'bigint',
  to_warehouse_model_inner_sn: 'bigint',
  department_inner_sn: 'bigint',
  handler_inner_sn: 'bigint',
  business_date: 'date',
  regime: 'text',
  source_type: 'smallint',
  source_sn: 'text',
  source_org_sn: 'bigint',
  remark: 'text',
  attachments: 'text[]',
} as const

/** Columns of `document_line` in wire names, and the type each has in a jsonb record set. */
export const lineColumns = {
  line_no: 'int',
  specification_sn: 'bigint',
  lot_id: 'bigint',
  lot_no: 'text',
  production_date: 'date',
  expiry_date: 'date',
  unit_codes: 'text[]',
  unit_inner_sn: 'bigint',
  quantity: 'numeric',
  base_quantity: 'numeric',
  price: 'numeric',
  tax_rate: 'smallint',
  untaxed_amount: 'numeric',
  tax_amount: 'numeric',
  taxed_amount: 'numeric',
  owner_org_sn: 'bigint',
  quality_state: 'text',
  location: 'text',
  source_sn: 'text',
  source_org_sn: 'bigint',
  source_document_id: 'bigint',
  source_line_no: 'int',
  order_document_id: 'bigint',
  order_line_no: 'int',
  delivery_document_id: 'bigint',
  delivery_line_no: 'int',
  remark: 'text',
} as const

const references = new Set(['bigint'])
/** The database column behind a stored wire name. `_id` names are columns already. */
export const storedColumn = (name: string): string => {
  if (name.endsWith('_id')) return name
  const type = (headerColumns as Record<string, string>)[name] ?? (lineColumns as Record<string, string>)[name]
  return columnOf(name, { as: type !== undefined && references.has(type) ? 'ref' : 'text' })
}

const writable = (fields: Fields, columns: object): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, field]) => !field.readOnly && (name in columns || !(name in commonFields) || name in commonLineFields),
    ),
  )

const ownOnly = (own: Fields, columns: object): Fields =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !(name in columns)))

const transient = (definition: AnyDocument): Fields =>
  Object.fromEntries(Object.entries(definition.header).filter(([, field]) => field.transient === true))

/** The kind's own header fields, stored in `fields`. */
export const customHeaderFields = (definition: AnyDocument): Fields =>
  ownOnly(definition.header, { ...headerColumns, ...commonFields, ...transient(definition) })
/** The kind's own line fields. */
export const customLineFields = (definition: AnyDocument): Fields => ownOnly(definition.lines, lineColumns)

/** Every header field that is kept: always the common ones, plus the kind's own. */
export const writableHeaderFields = (definition: AnyDocument): Fields => ({
  ...Object.fromEntries(Object.keys(headerColumns).map(name => [name, headerField(definition, name)!])),
  ...writable(customHeaderFields(definition), {}),
  ...transient(definition),
})
/** Every line field that is kept. */
export const writableLineFields = (definition: AnyDocument): Fields => {
  const absent = absentLineFields(definition)
  const common = Object.keys(lineColumns).filter(
    name =>
      !absent.includes(name) &&
      !name.endsWith('_id') &&
      !name.startsWith('order_') &&
      !name.startsWith('delivery_') &&
      name !== 'base_quantity' &&
      name !== 'line_no',
  )
  return {
    ...Object.fromEntries(common.map(name => [name, lineField(definition, name)!])),
    ...writable(customLineFields(definition), {}),
  }
}

/** The document that something is made from: every kind may be asked for it, and says where it has none. */
const headerLinks = ['source_type', 'source_sn', 'source_org_sn']
const lineLinks = ['source_sn', 'source_org_sn', 'source_line_no']

/** Fields that a call may send: those that the kind declares and does not fill in itself, and the source. */
const declared = (own: Fields, kept: Fields, links: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(kept).filter(([name]) => links.includes(name) || (name in own && own[name]!.readOnly !== true)),
  )
export const acceptedHeaderFields = (definition: AnyDocument): Fields =>
  declared(definition.header, writableHeaderFields(definition), headerLinks)
const namesLots = ({ posting, lines }: AnyDocument): boolean =>
  posting.stockDirection === 'in' || posting.stockDirection === 'out' || 'lot_no' in lines

/**
 * A line that moves goods or names a lot may say which they are, and one with a price its tax and amounts, also where
 * the kind has no column for it.
 */
export const acceptedLineFields = (definition: AnyDocument): Fields =>
  declared(definition.lines, writableLineFields(definition), [
    ...lineLinks,
    ...(namesLots(definition) ? [...goodsFields, 'quantity'] : []),
    ...(priceFields.some(name => name in definition.lines) ? priceFields : []),
  ])
