import { PERIOD } from '#kernel/definition/analysis.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import type { PrintColumn, PrintSheet } from '#kernel/print/print-definition.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import type { Column } from '#web/list/table/column.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { recordField } from '#web/records/record-field.ts'

export const LIST_PRINT = '/newprint/list'
/** Maximum rows of a printed list; more is for a workbook. A register of a year is handed to an inspector in print. */
export const MOST_PRINTED = 5000
/** The maximum per call. */
const AT_ONCE = 500
const LINES = 28

/** Opens the print view of the list: columns as this user arranged them, rows as filtered. */
export function openListPrint(kind: string, exportHref: string, columns: readonly Column[]): void {
  const asked = new URLSearchParams({
    of: kind,
    title: document.querySelector('h1')?.textContent ?? '',
    columns: columns.flatMap(column => (column.hidden ? [] : [column.name])).join(','),
    titles: columns.flatMap(column => (column.hidden ? [] : [column.title])).join(','),
    rows: exportHref.split('?')[1] ?? '',
    said: window.location.search.slice(1),
  })
  window.open(`${LIST_PRINT}?${asked.toString()}`, '_blank')
}

export const fieldOf = (definition: AnyEntity | AnyReport, name: string): FieldSpec | undefined =>
  definition.is === 'report' ? definition.columns[name] : recordField(definition, name)
const askedField = (definition: AnyEntity | AnyReport, name: string): FieldSpec | undefined =>
  definition.is === 'report' ? definition.parameters[name] : recordField(definition, name)

const ranges: Readonly<Record<string, string>> = { begin: '起', end: '止' }
/** The list's filters, in words. */
export function conditionsOf(definition: AnyEntity | AnyReport, asked: URLSearchParams): string {
  const notified = [...asked].flatMap(([name, value]) => {
    if (value === '' || name.endsWith('~')) return []
    const [, side = '', within = ''] = /^(begin|end)_(.+)$/.exec(name) ?? []
    const exact = askedField(definition, name)
    const field = exact ?? askedField(definition, within)
    if (name !== 'q' && field === undefined) return []
    const shown = asked.get(`${name}~`) ?? field?.choices?.[value] ?? value
    return [`${field?.label ?? '关键字'}${exact === undefined ? (ranges[side] ?? '') : ''} ${shown}`]
  })
  return notified.length === 0 ? '全部' : notified.join('；')
}

const asPrinted: Readonly<Record<string, PrintColumn['as']>> = {
  quantity: 'quantity',
  count: 'number',
  price: 'price',
  amount: 'amount',
}
const WIDTH_OF_SHARE = 14

/** The name of a sum of the list among the printed facts. */
const sumNameOf = (name: string): string => `sum_${name}`

/** The sums of a page of the list: `summary` is what the page answers with its rows. */
const sumsOf = (definition: AnyEntity | AnyReport, names: readonly string[], summary: Row | undefined): Row => {
  const columns = names.flatMap(name => {
    const field = fieldOf(definition, name)
    return field === undefined ? [] : [{ name, field }]
  })
  const sums = meaningfulSums(columns, summary, definition.is === 'report') ?? {}
  return Object.fromEntries(Object.entries(sums).filter(([name]) => (fieldOf(definition, name)?.as ?? '') in asPrinted))
}

/** The sums of the list as printed facts. */
export const printedSums = (
  definition: AnyEntity | AnyReport,
  names: readonly string[],
  summary: Row | undefined,
): Row =>
  Object.fromEntries(
    Object.entries(sumsOf(definition, names, summary)).map(([name, value]) => [sumNameOf(name), value]),
  )

/** True for a balance in rows of several periods: what stood at the end of each is not added up. */
const isOfPeriods = (definition: AnyEntity | AnyReport, names: readonly string[], name: string): boolean => {
  const measure = definition.is === 'report' ? definition.analysis?.measures[name] : undefined
  return measure !== undefined && 'closing' in measure && names.includes(PERIOD)
}

/**
 * The list as a sheet: every page with titles and sums at its foot, of the columns that the page of the list sums; the
 * sums of that page, over all its rows, on the last. `titles`: what the page calls its columns, in the order of
 * `names`.
 */
export function listSheet(
  definition: AnyEntity | AnyReport,
  title: string,
  names: readonly string[],
  summary: Row | undefined,
  titles: readonly string[] = [],
): PrintSheet {
  const sums = sumsOf(definition, names, summary)
  const columns = names.flatMap((name, at): PrintColumn[] => {
    const field = fieldOf(definition, name)
    if (field === undefined) return []
    const as = asPrinted[field.as]
    const label = titles[at] ?? field.label
    const width = field.width ?? Math.max(faces[field.as].width, label.length * WIDTH_OF_SHARE)
    const share = Math.max(4, Math.round(width / WIDTH_OF_SHARE))
    return [
      {
        name,
        label,
        share,
        ...(as ? { as } : {}),
        ...(name in sums && !isOfPeriods(definition, names, name) ? {} : { unsummed: true }),
      },
    ]
  })
  return {
    route: LIST_PRINT,
    title,
    kinds: {},
    papers: [{ paper: 'A4L', lines: LINES }],
    header: [
      ['查询条件', 'conditions'],
      ['行数', 'row_count'],
      ['打印时间', 'printed_moment'],
    ],
    columns,
    totals: columns.flatMap(({ name, label }) => (name in sums ? [[`合计${label}`, sumNameOf(name)] as const] : [])),
    signatures: (definition.is === 'report' ? definition.signatures : undefined) ?? ['制表人', '审核人'],
    carrier: 'code128',
  }
}

/** A row's text as on the page; figures stay numeric, to be summed. */
export const printedRow = (definition: AnyEntity | AnyReport, names: readonly string[], row: Row): Row =>
  Object.fromEntries(
    names.map(name => {
      const field = fieldOf(definition, name)
      if (field === undefined || field.as in asPrinted) return [name, row[name]]
      const text = faces[field.as].text({ field, name, value: row[name], row })
      return [name, text === '-' ? '' : text]
    }),
  )

type Update = { readonly list: readonly Row[]; readonly total?: number; readonly summary?: Row }

/**
 * Fetches the rows of a filtered list call by call, in its order, up to the print limit; returns the total as well, and
 * the sums over all rows.
 */
export async function rowsToPrint(
  ask: (pageNum: number, pageSize: number) => Promise<Update>,
): Promise<{ list: readonly Row[]; total: number; summary?: Row }> {
  const list: Row[] = []
  for (let pageNum = 1; ; pageNum++) {
    const notified = await ask(pageNum, AT_ONCE)
    list.push(...notified.list)
    const total = Math.max(notified.total ?? list.length, list.length)
    if (notified.list.length < AT_ONCE || list.length >= Math.min(total, MOST_PRINTED))
      return { list, total, ...(notified.summary === undefined ? {} : { summary: notified.summary }) }
  }
}
