import type { Feeding } from '#kernel/measure/facts.ts'
import { feeding } from '#kernel/measure/feeding.ts'
import { derivedStateOfAny } from '#server/documents/list/figures-sql.ts'

/** The condition that a kind is among these; with a sign, among those that add or those that take back. */
function among(column: string, fed: readonly Feeding[], of?: Feeding['sign']): string {
  const kinds = new Set(fed.flatMap(({ kind, sign }) => (of === undefined || sign === of ? [`'${kind}'`] : [])))
  return kinds.size === 0 ? 'false' : `${column} in (${[...kinds].join(', ')})`
}

const IN_FORCE = ['reviewed', 'partial', 'completed', 'reversed'].map(state => `'${state}'`).join(', ')

/** Conditions on documents by the facts that they are: a column or an alias, then any number of facts. */
const factFragments = {
  /** A document in force that is one of these facts: the own one, or another's copy where that is what counts. */
  counted: (alias: string, ...names: string[]) => {
    const roles = Map.groupBy(feeding(names), ({ role }) => role)
    const each = [...roles].map(([role, fed]) => `${alias}.role = '${role}' and ${among(`${alias}.kind`, fed)}`)
    return `${alias}.state in (${IN_FORCE}) and (${each.join(' or ')})`
  },

  /** The kind of a document that is one of these facts. */
  feeds: (kind: string, ...names: string[]) => `(${among(kind, feeding(names))})`,

  /** The kind of a document that adds to one of these facts. */
  adds: (kind: string, ...names: string[]) => `(${among(kind, feeding(names), 1)})`,

  /** The kind of a document that takes back what was counted as one of these facts. */
  takes_back: (kind: string, ...names: string[]) => `(${among(kind, feeding(names), -1)})`,
} as const

/** The columns of goods, from the joins of `goods`. */
const goodsColumns = {
  product_code: 'p.code as product_code',
  product_name: 'p.name as product_name',
  specification_name: 's.name as specification_name',
  unit_name: 's.unit_name',
  manufacturer_name: 'o.name as manufacturer_name',
} as const
type GoodsColumn = keyof typeof goodsColumns

/** The condition on rows of ours with these values. */
const ownRows = (alias: string, keys: readonly string[]): string =>
  ['org_id = :organisation', ...keys].map(key => `${alias}.${key}`).join(' and ')

/** Columns with which a parameter is compared, where they have other names than it, and how; the rest are equal. */
const comparisons: Readonly<Record<string, (alias: string) => string>> = {
  counterparty_sn: alias => sqlFragments.asked(`${alias}.counterparty_id`, ':counterparty_sn'),
  department_inner_sn: alias => sqlFragments.asked(`${alias}.department_id`, ':department_inner_sn'),
  document_kind: alias => sqlFragments.asked(`${alias}.kind`, ':document_kind'),
  document_sn: alias => sqlFragments.asked(`${alias}.sn`, ':document_sn'),
  handler_inner_sn: alias => sqlFragments.asked(`${alias}.handler_id`, ':handler_inner_sn'),
  invoice_no: alias => sqlFragments.contains(`${alias}.invoice_no`, ':invoice_no'),
  owner_org_sn: alias => sqlFragments.asked(`${alias}.owner_id`, ':owner_org_sn'),
  ownership: alias => sqlFragments.of_owner(`${alias}.owner_id`),
  regime: alias => sqlFragments.of_regime(`${alias}.is_consigned`),
  specification_sn: alias => sqlFragments.same_specification(`${alias}.specification_id`, ':specification_sn'),
  supplier_sn: alias => sqlFragments.asked(`${alias}.supplier_id`, ':supplier_sn'),
  unit_code: alias => sqlFragments.of_code(`${alias}.unit_codes`, ':unit_code'),
  warehouse_model_inner_sn: alias => sqlFragments.asked(`${alias}.warehouse_id`, ':warehouse_model_inner_sn'),
}

/**
 * Conditions that the SQL of every report shares, by the name under which it asks for them: `{{
 * warehouse_scope(m.warehouse_id) }}`. This is the whole set: a name that is not here stops the boot. Arguments are
 * columns (`m.warehouse_id`) or parameters (`:specification_sn`). Values are never written into the text: a fragment
 * names parameters, which are bound.
 */
export const sqlFragments = {
  ...factFragments,

  /** Rows of stores that the session sees: whoever is bound to some reads no row that names none. */
  warehouse_scope: (column: string) => `(:visible_warehouses is null or ${column} = any(:visible_warehouses))`,

  /** Rows of departments that the session sees: whoever is bound to some reads no row that names none. */
  department_scope: (column: string) => `(:visible_departments is null or ${column} = any(:visible_departments))`,

  /** Rows that know a store alone: of stores that the session sees, and of those of its departments. */
  store_scope: (column: string) =>
    `(:visible_warehouses is null or ${column} = any(:visible_warehouses))
      and (:visible_departments is null or ${column} in (select own.id from warehouse own
        where own.org_id = :organisation and own.department_id = any(:visible_departments)))`,

  /** Rows that know a department alone: of departments that the session sees, and of those of its stores. */
  ward_scope: (column: string) =>
    `(:visible_departments is null or ${column} = any(:visible_departments))
      and (:visible_warehouses is null or ${column} in (select own.department_id from warehouse own
        where own.org_id = :organisation and own.id = any(:visible_warehouses)))`,

  /** The documents that the session's user wrote or submitted, where the session sees no one else's. */
  author_scope: (createdBy: string, submittedBy: string) =>
    `(:visible_author is null or :visible_author in (${createdBy}, ${submittedBy}))`,

  /** Documents of stores, departments and authors that the session sees. */
  document_scope: (alias: string): string =>
    [
      sqlFragments.warehouse_scope(`${alias}.warehouse_id`),
      sqlFragments.department_scope(`${alias}.department_id`),
      sqlFragments.author_scope(`${alias}.created_by`, `${alias}.submitted_by`),
    ].join(' and '),

  /** The documents that the reader wrote or handles, where he asks for his own. */
  mine: (createdBy: string, handler: string) =>
    `(:mine is null or ${createdBy} = :reader
      or ${handler} = (select me.employee_id from app_user me where me.id = :reader))`,

  /** Rows of one specification and of those that were mapped to it; all rows where none is asked for. */
  same_specification: (column: string, specification: string) =>
    `(${specification} is null or ${column} = any((select same_sizes(${specification}))::bigint[]))`,

  /** Goods whose name contains what is asked for, or whose code begins with it; all where nothing is. */
  named_product: (name: string, code: string) =>
    `(:product is null or ${name} like '%' || :product || '%' or ${code} like :product || '%')`,

  /** Goods of makers, or of brands, whose name contains what is asked for. */
  made_by: (name: string, brand: string) =>
    `(:manufacturer is null or ${name} like '%' || :manufacturer || '%'
      or ${brand} like '%' || :manufacturer || '%')`,

  /** The class of goods by value: a reagent is one whatever it costs; what is not of high value is of low. */
  value_class_of: (product: string) =>
    `case when ${product}.is_reagent then 'reagent' when ${product}.is_high_value then 'high' else 'low' end`,

  /** Goods of the asked value; all where none is asked for. */
  of_value: (product: string): string =>
    `(:value_class is null or :value_class = ${sqlFragments.value_class_of(product)})`,

  /** The regime of goods: consigned or bought. */
  regime_of: (isConsigned: string) => `case when ${isConsigned} then 'consigned' else 'purchased' end`,

  /** The share of an amount that was invoiced or paid: `none`, `part` or the `whole`. */
  share_of: (done: string, whole: string) =>
    `case when coalesce(${done}, 0) = 0 then 'none' when ${done} = ${whole} then 'whole' else 'part' end`,

  /** Goods that hang on the asked class, or on one below it, on that day: beside the part `reports/classed`. */
  of_class: (asked: string, specification: string, day: string) =>
    `(${asked} is null or exists (select 1 from classed y where y.specification_id = ${specification}
      and ${day} between y.valid_from and y.valid_to))`,

  /** The same on the day of a moment. */
  of_class_at: (asked: string, specification: string, at: string) =>
    `(${asked} is null or exists (select 1 from classed y where y.specification_id = ${specification}
      and (${at} at time zone 'Asia/Shanghai')::date between y.valid_from and y.valid_to))`,

  /** 1, or -1 for a kind that takes back what was counted as this fact. */
  sign: (kind: string, name: string) => `(case when ${among(kind, feeding([name]), -1)} then -1 else 1 end)`,

  /** A moment within the days that are asked for. */
  during: (at: string): string =>
    `${at} >= ${sqlFragments.begin_of(':begin_date')} and ${at} < ${sqlFragments.begin_of(':end_date + 1')}`,

  /** Rows of what is asked for; all where nothing is. */
  asked: (column: string, parameter: string) => `(${parameter} is null or ${column} = ${parameter})`,

  /** Rows under the filters of these names, each with the column that it narrows; all where none is asked for. */
  narrowed: (alias: string, ...filters: string[]): string =>
    filters.map(name => comparisons[name]?.(alias) ?? sqlFragments.asked(`${alias}.${name}`, `:${name}`)).join(' and '),

  /** Rows for which a condition holds that a parameter asks for; all where it is not given. */
  if_asked: (parameter: string, condition: string) => `(${parameter} is null or ${condition})`,

  /** Rows whose text contains what is asked for; all where nothing is. */
  contains: (column: string, parameter: string) =>
    `(${parameter} is null or ${column} like '%' || ${parameter} || '%')`,

  /** Rows from the asked day, or the asked amount, on; all where none is asked for. */
  from: (column: string, parameter: string) => `(${parameter} is null or ${column} >= ${parameter})`,

  /** Rows up to the asked day, or the asked amount; all where none is asked for. */
  until: (column: string, parameter: string) => `(${parameter} is null or ${column} <= ${parameter})`,

  /** Rows of bought or of consigned goods, as asked; all where nothing is. */
  of_regime: (isConsigned: string) => `(:regime is null or (:regime = 'consigned') = ${isConsigned})`,

  /** Rows of our own goods or of other owners', as asked; all where nothing is. */
  of_owner: (owner: string) => `(:ownership is null or (:ownership = 'own') = (${owner} = :organisation))`,

  /** Rows with the asked code of a piece among theirs; all where none is asked for. */
  of_code: (codes: string, parameter: string) =>
    `(${parameter} is null or ${codes} && array(select codes_named(:organisation, ${parameter})))`,

  /** Rows of the asked lot by its number, as it stands; all where none is asked for. */
  of_lot: (column: string, asked: string) =>
    `(${asked} is null or ${column} = any(array(select lot_numbers(${asked}))))`,

  /** Rows of the lots of the asked number, as it was written; all where none is asked for. */
  of_lots: (lot: string) => `(:lot_no is null or ${lot} in (select l.id from lots_named(:lot_no) l))`,

  /** A column that a row knows only where the call groups by it. */
  when_grouped: (asked: string, value: string) => `case when ${asked} then ${value} end`,

  /**
   * What stands behind `join`: rows of a table of ours by their columns, `column = value` each: no row of another
   * organisation.
   */
  own: (table: string, alias: string, ...keys: string[]) => `${table} ${alias} on ${ownRows(alias, keys)}`,

  /** True where rows of a table of ours have these values, `column = value` each. */
  any_own: (table: string, alias: string, ...keys: string[]) =>
    `exists (select 1 from ${table} ${alias} where ${ownRows(alias, keys)})`,

  /** Columns of a row under their own names. */
  columns_of: (alias: string, ...names: string[]) => names.map(name => `${alias}.${name}`).join(', '),

  /** A column of the rows of a `with`. */
  column_of: (source: string, column: string) => `(select ${column} from ${source})`,

  /** The day of a moment. */
  day_of: (at: string) => `(${at} at time zone 'Asia/Shanghai')::date`,

  /** The moment at which a day begins. */
  begin_of: (day: string) => `${/^[:a-z_.]+$/.test(day) ? day : `(${day})`}::timestamp at time zone 'Asia/Shanghai'`,

  /** The lines of a document of ours, as `l`. */
  lines_of: (document: string) => `join document_line l on l.org_id = :organisation and l.document_id = ${document}`,

  /** The quantity that was counted of a line `l` of ours for a purpose: `taken` of `alias`, null where nothing was. */
  progress_of: (alias: string, purpose: string) =>
    `left join line_progress ${alias} on ${alias}.org_id = :organisation and ${alias}.document_id = l.document_id
      and ${alias}.line_no = l.line_no and ${alias}.purpose = '${purpose}'`,

  /** The document of ours that a row names, as `d`. */
  document_of: (document: string) => `join document d on d.org_id = :organisation and d.id = ${document}`,

  /** The store of ours that a row names, as `w`. */
  store_of: (store: string) => `join warehouse w on w.org_id = :organisation and w.id = ${store}`,

  /** The same where a row may name none. */
  store_if_any: (store: string) => `left join warehouse w on w.org_id = :organisation and w.id = ${store}`,

  /** The specification of a row, its product and their maker, as `s`, `p` and `o`. */
  goods: (specification: string) =>
    `join specification s on s.id = ${specification} join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id`,

  /** The department of ours that a row names, as `e`, where it names one. */
  department_if_any: (department: string) =>
    `left join department e on e.org_id = :organisation and e.id = ${department}`,

  /** The accounting class of the goods of `x` on a day, as `fc`: beside the part `reports/finance-class`. */
  class_on: (day: string) =>
    `left join finance_class fc on fc.specification_id = x.specification_id
      and ${day} between fc.valid_from and fc.valid_to`,

  /** The specification of a row and its product, as `s` and `p`. */
  product_of: (specification: string) =>
    `join specification s on s.id = ${specification} join product p on p.id = s.product_id`,

  /** The specification of a row and its product, as `s` and `p`, where it names one. */
  product_if_any: (specification: string) =>
    `left join specification s on s.id = ${specification} left join product p on p.id = s.product_id`,

  /** Columns of goods that `goods` or `product_of` joined, by their names. */
  goods_columns: (...names: string[]) => names.map(name => goodsColumns[name as GoodsColumn]).join(', '),

  /** Goods that the filters of every figure table leave: by specification, product and maker, beside `goods`. */
  asked_goods: (specification: string): string =>
    [
      sqlFragments.same_specification(specification, ':specification_sn'),
      sqlFragments.named_product('p.name', 'p.code'),
      sqlFragments.made_by('o.name', 'p.brand'),
    ].join(' and '),

  /** The sum over those rows of a group for which the condition holds; 0 where it holds for none. */
  sum_where: (value: string, condition: string) => `coalesce(sum(${value}) filter (where ${condition}), 0)`,

  /** An aggregate over those rows of a group for which the condition holds. */
  filtered: (aggregate: string, condition: string) => `${aggregate} filter (where ${condition})`,

  /** The value of a row for which the condition holds, else 0. */
  value_where: (value: string, condition: string) => `case when ${condition} then ${value} else 0 end`,

  /** The value of a row for which the condition holds, else nothing. */
  only_where: (value: string, condition: string) => `case when ${condition} then ${value} end`,

  /** A cost, for those who may know it; it reaches nobody else, whatever is made of it. */
  known_cost: (column: string) => `case when :sees_costs then ${column} end`,

  /** A derived state of the document of that alias, of whichever kind: as lists and pages show it. */
  derived_state: (alias: string, name: string) => derivedStateOfAny(alias, name),
} as const satisfies Record<string, (...columns: string[]) => string>

export type SqlFragment = keyof typeof sqlFragments

/** How fragments whose arguments are not columns and parameters alone read them, beginning with the first. */
const COLUMN = /^(:?[a-z_]+|[a-z_]+\.[a-z_]+)$/
const NAME = /^[a-z_]+$/
const KEY = /^[a-z_]+ = (:?[a-z_]+|[a-z_]+\.[a-z_]+|'[a-z_]+'|\d+|coalesce\([a-z_., ]+\))$/
const EXPRESSION = /./
const argumentsRead: Partial<Record<SqlFragment, readonly RegExp[]>> = {
  sum_where: [EXPRESSION],
  value_where: [EXPRESSION],
  only_where: [EXPRESSION],
  when_grouped: [EXPRESSION],
  day_of: [EXPRESSION],
  begin_of: [EXPRESSION],
  columns_of: [NAME],
  narrowed: [NAME],
  column_of: [NAME],
  own: [NAME, NAME, KEY],
  any_own: [NAME, NAME, KEY],
  filtered: [EXPRESSION],
  if_asked: [COLUMN, EXPRESSION],
}

/** Fragments that take any number of arguments, at least this many. */
const takesMany: Partial<Record<SqlFragment, number>> = {
  ...Object.fromEntries(Object.entries(factFragments).map(([name, { length }]) => [name, length + 1])),
  columns_of: 2,
  goods_columns: 1,
  narrowed: 2,
  own: 3,
  any_own: 3,
}

/** True if the words are arguments of a fragment: columns and parameters, or what it reads instead. */
export function fitsFragment(name: SqlFragment, given: readonly string[]): boolean {
  const { length } = sqlFragments[name] as (...words: string[]) => string
  const least = takesMany[name]
  if (least === undefined ? given.length !== length : given.length < least) return false
  if (name === 'goods_columns') return given.every(word => Object.hasOwn(goodsColumns, word))
  const read = argumentsRead[name] ?? [COLUMN]
  return given.every((word, at) => (read[at] ?? read.at(-1)!).test(word))
}

/** A report's rows are bound to what its reader may see, to his stores and to his departments, by these. */
export const scopeFragments: readonly SqlFragment[] = [
  'warehouse_scope',
  'department_scope',
  'store_scope',
  'ward_scope',
  'document_scope',
]
/** Those that bind to stores and to departments at once. */
const both: readonly SqlFragment[] = ['store_scope', 'ward_scope', 'document_scope']

/** True if a statement with these fragments is bound to stores as well as to departments. */
export const isWhollyScoped = (used: ReadonlySet<SqlFragment>): boolean =>
  both.some(name => used.has(name)) || (used.has('warehouse_scope') && used.has('department_scope'))

/** True if the set has a fragment of this name. */
export const isSqlFragment = (name: string): name is SqlFragment => Object.hasOwn(sqlFragments, name)
