import type { FieldKind } from '#kernel/definition/field.ts'
import type { Column } from '#web/list/table/column.ts'

/** The smallest window for which the columns of a list are chosen, in pixels. */
const SMALLEST_WINDOW = 1366
const MENU = 208
/** Gutters, borders and the scroll bar of the table. */
const EDGES = 60
export const SELECT_WIDTH = 40

/** The widths beside the columns of a table, in pixels. */
export type Beside = { readonly selectable: boolean; readonly actions: number; readonly aside?: number }

/** The width that the columns of a table have in a window of this width. */
export const roomFor = (window: number, { selectable, actions, aside = 0 }: Beside): number =>
  Math.max(SMALLEST_WINDOW, window) - MENU - EDGES - (selectable ? SELECT_WIDTH : 0) - actions - aside

/**
 * The facts that identify a row, the most important first. A list shows the first of the names of a fact that it has;
 * where it has none of them, the first column of the kind `or`.
 */
const facts: readonly { readonly names: readonly string[]; readonly or?: FieldKind }[] = [
  { names: ['sn', 'document_sn', 'record_no'] },
  { names: ['state', 'status', 'licence_state', 'certificate_state', 'audit_state', 'rule_state', 'rate_state'] },
  { names: ['product_name', 'product_sn', 'goods_name', 'object_name'] },
  { names: ['specification_name', 'specification_sn', 'specification_names'] },
  { names: ['lot_no'] },
  { names: ['quantity', 'closing_quantity', 'stock'] },
  { names: ['available', 'available_quantity'] },
  { names: ['licence_type', 'certificate_kind'] },
  { names: ['licence_no', 'certificate_no'] },
  {
    names: ['counterparty_sn', 'counterparty_name', 'supplier_sn', 'supplier_name', 'partner_sn', 'partner_name'],
  },
  { names: ['expiry_date', 'valid_to', 'business_date', 'used_on', 'invoice_date', 'at', 'day'], or: 'day' },
  { names: ['taxed_amount', 'amount', 'value', 'closing_value'], or: 'amount' },
  { names: ['invoice_no'] },
  { names: ['department_inner_sn', 'department_name'] },
  { names: ['warehouse_model_inner_sn', 'warehouse_name'] },
  { names: ['to_warehouse_model_inner_sn'] },
  { names: ['price', 'new_price', 'purchase_price'] },
  { names: ['unit_name'] },
]

/** The columns that identify a row: the product and its quantity, the partner, the day, the amount. */
const keysOf = (columns: readonly Column[]): readonly string[] =>
  facts.flatMap(
    ({ names, or }) =>
      names.find(name => columns.some(column => column.name === name)) ??
      columns.find(column => column.field.as === or)?.name ??
      [],
  )

type Wanted = {
  /** The columns by which the rows are summed: without them a row cannot be identified. */
  readonly first?: readonly string[] | undefined
  /** The columns that the screen names. */
  readonly named?: readonly string[] | undefined
  /** If `named` is empty: the other columns for which the rows are read, such as the sums of a report. */
  readonly also?: readonly string[] | undefined
}

/**
 * The columns that are shown at first: those that the screen names, or else those that identify a row, then the others
 * in their order as far as they fit. The rest is hidden, and shown by 列设置.
 */
export function atFirst(
  columns: readonly Column[],
  { first = [], named, also = [] }: Wanted,
  room: number,
): readonly Column[] {
  const pinned = columns.filter(column => column.pin === 'left').map(column => column.name)
  const ranked = new Set([
    ...pinned,
    ...first,
    ...(named ?? [...keysOf(columns), ...also]),
    ...columns.map(column => column.name),
  ])
  const byName = new Map(columns.map(column => [column.name, column]))
  const shown = new Set<string>()
  let left = room
  for (const name of ranked) {
    const width = byName.get(name)?.width ?? 0
    if (width > left && shown.size > 0) continue
    shown.add(name)
    left -= width
  }
  return columns.map(column => (shown.has(column.name) ? column : { ...column, hidden: true }))
}
