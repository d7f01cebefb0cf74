import { dayOf } from '#kernel/day.ts'
import { plain, round } from '#kernel/decimal.ts'
import { Fragment, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PrintColumn, PrintSheet } from '#kernel/print.ts'
import { documentOf } from '#modules/registry.ts'
import { asListed } from '#web/fields/as-listed.ts'
import type { Row } from '#web/fields/face.ts'
import { atLeastTwoPlaces } from '#web/fields/figures.tsx'
import { Carrier } from '#web/print/Carrier.tsx'
import { Corner } from '#web/print/Corner.tsx'
import { Facts } from '#web/print/Facts.tsx'
import { measure } from '#web/print/measure.ts'
import {
  type Heights,
  inOrder,
  type Layout,
  mergedLines,
  pagesOf,
  pageStyle,
  saidColumns,
  sealOf,
  sizeOf,
  sumOf,
  TRIAL,
  watermarkOf,
} from '#web/print/paper.ts'
import css from '#web/print/Print.module.css'

/** What a printed cell says: quantities without trailing zeros, prices with two to four places, amounts with two. */
export function cellText({ as = 'text', name }: PrintColumn, line: Row): string {
  const value = line[name]
  if (as === 'blank' || value === null || value === undefined || value === '') return ''
  if (Array.isArray(value)) return value.join('、')
  const text = String(value)
  if (as === 'quantity' || as === 'number') return plain(text)
  if (as === 'price') return atLeastTwoPlaces(text)
  if (as === 'amount') return round(text, 2)
  return as === 'percent' ? `${text}%` : text
}

type Props = { readonly sheet: PrintSheet; readonly layout: Layout; readonly info: Row; readonly times: number }

const NOTHING_MEASURED: Heights = { room: Number.POSITIVE_INFINITY, rows: [], closing: 0 }

/** A business paper on its pages: head and column titles on each, totals and signatures on the last. Rows are as high as their words. */
export function Paper(given: Props) {
  const { info } = given
  const all = inOrder(
    asListed(documentOf(String(info.kind ?? '')), (info.lines ?? []) as readonly Row[]),
    given.layout.sortBy,
  )
  const layout = useMemo(
    () => ({ ...given.layout, columns: saidColumns(given.layout.columns, (info.lines ?? []) as readonly Row[]) }),
    [given.layout, info],
  )
  const props = { ...given, layout }
  const lines = props.sheet.merges ? mergedLines(layout.columns, all) : all
  const trial = useRef<HTMLElement>(null)
  const [heights, setHeights] = useState<Heights | null>(null)
  // Drawn once on a page without end: how high each part is decides what stands on which page.
  useLayoutEffect(() => setHeights(trial.current === null ? null : measure(trial.current)), [layout, info])
  const groupOf = (line: Row) => (props.sheet.groupBy === undefined ? null : line[props.sheet.groupBy])
  const pages = pagesOf(lines, layout.lines, heights ?? NOTHING_MEASURED, groupOf, props.sheet.newPages)
  let from = 0
  return (
    <>
      <Page {...props} page={lines} from={0} trial={trial} last number={1} of={1} />
      {heights !== null &&
        pages.map((page, at) => {
          const begins = from
          from += page.length
          return (
            <Page
              key={at}
              {...props}
              page={page}
              from={begins}
              last={at === pages.length - 1}
              number={at + 1}
              of={pages.length}
            />
          )
        })}
    </>
  )
}

/** More columns than this are printed smaller. */
const MANY_COLUMNS = 12

type PageProps = Props & {
  readonly page: readonly Row[]
  readonly from: number
  readonly last: boolean
  readonly number: number
  readonly of: number
  /** Drawn to be measured, not to be seen. */
  readonly trial?: RefObject<HTMLElement | null>
}

function Page({ sheet, layout, info, times, page, from, last, number, of, trial }: PageProps) {
  const { width, height } = sizeOf(layout.paper)
  const mark = info.trial ? TRIAL : watermarkOf(info, sheet.marks)
  const seal = sealOf(sheet, info)
  const size = trial === undefined ? { height: `${height}mm` } : { minHeight: `${height}mm` }
  return (
    <section
      ref={trial}
      className={css.page}
      data-trial={trial !== undefined}
      data-dense={layout.columns.length > MANY_COLUMNS}
      aria-hidden={trial !== undefined}
      style={{ width: `${width}mm`, ...size, ...pageStyle(layout) }}
      aria-label={`${String(info.sn ?? info.title)} 第${number}页`}
    >
      {mark !== null && (
        <div className={css.watermark} aria-hidden>
          {mark}
        </div>
      )}
      <Head sheet={sheet} layout={layout} info={info} times={times} first={number === 1} />
      {(page.length > 0 || number === 1) && <Table sheet={sheet} layout={layout} page={page} from={from} />}
      <footer className={css.foot}>
        {last && <Closing sheet={sheet} layout={layout} info={info} lines={(info.lines ?? []) as readonly Row[]} />}
        <div className={css.pageNo} data-part="page-no">
          <span>
            打印：{String(info.printed_by ?? '')} {info.printed_at ? dayOf(new Date(String(info.printed_at))) : ''}
          </span>
          {seal !== null && <span className={css.seal}>{seal}</span>}
          <span>
            第{number}页/共{of}页
          </span>
        </div>
      </footer>
    </section>
  )
}

function Head({ sheet, layout, info, times, first }: Props & { readonly first: boolean }) {
  const kind = sheet.kinds[String(info.kind ?? '')] ?? null
  const result = sealOf({ ...sheet, seal: sheet.result ?? '' }, info) || null
  // What the house prints may have another name than the paper: an enquiry whose answers are open is a comparison.
  const own = info.sheet_title ? String(info.sheet_title) : null
  const plainTitle = layout.title ?? own ?? result ?? kind ?? String(info.title)
  const title = info.red && !plainTitle.startsWith('红冲') ? `红冲${plainTitle}` : plainTitle
  const meant = first ? sheet.header : sheet.header.filter(([, name]) => sheet.shortHead?.includes(name) ?? true)
  return (
    <header>
      <div className={css.head}>
        <Corner layout={layout} info={info} times={times} />
        <div className={css.org}>{String(info.org_name ?? '')}</div>
        <h1 className={css.title}>{title}</h1>
        {/* A list has no number to be scanned. */}
        {info.sn !== undefined && (
          <div className={css.code}>
            <Carrier as={sheet.carrier} text={String(info.sn)} height={sheet.carrier === 'qrcode' ? 14 : 8} />
          </div>
        )}
      </div>
      <Facts of={meant} info={info} />
    </header>
  )
}

const isFigure = ({ as }: PrintColumn): boolean => as !== undefined && as !== 'text' && as !== 'blank'

type TableProps = {
  readonly sheet: PrintSheet
  readonly layout: Layout
  readonly page: readonly Row[]
  readonly from: number
}

function Table({ sheet: { groupBy }, layout, page, from }: TableProps) {
  const begins = (at: number) => groupBy !== undefined && page[at]?.[groupBy] !== page[at - 1]?.[groupBy]
  const whole = layout.columns.reduce((sum, column) => sum + column.share, layout.numberShare)
  const summed = layout.columns.filter(({ as }) => as === 'quantity' || as === 'amount')
  return (
    <table className={css.table}>
      <colgroup>
        <col style={{ width: `${(layout.numberShare / whole) * 100}%` }} />
        {layout.columns.map(column => (
          <col key={column.label} style={{ width: `${(column.share / whole) * 100}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th>序号</th>
          {layout.columns.map(({ label }) => (
            <th key={label}>{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {page.map((line, at) => (
          <Fragment key={at}>
            {begins(at) && (
              <tr data-title>
                <td colSpan={layout.columns.length + 1}>
                  <strong>{String(line[groupBy!])}</strong>
                </td>
              </tr>
            )}
            <tr data-struck={line.struck === true}>
              <td className={css.figure}>{from + at + 1}</td>
              {layout.columns.map(column => (
                <td key={column.label} className={isFigure(column) ? css.figure : undefined}>
                  {cellText(column, line)}
                </td>
              ))}
            </tr>
          </Fragment>
        ))}
      </tbody>
      {summed.length > 0 && (
        <tfoot>
          <tr>
            <td />
            {layout.columns.map((column, at) => (
              <td key={column.label} className={isFigure(column) ? css.figure : undefined}>
                {summed.includes(column)
                  ? cellText(column, { [column.name]: sumOf(page, column.name, column.as === 'amount' ? 2 : 3) })
                  : at === 0
                    ? '本页小计'
                    : ''}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}

/** Totals, the amount in capitals where money is printed, and the row of signatures. */
type ClosingProps = {
  readonly sheet: PrintSheet
  readonly layout: Layout
  readonly info: Row
  readonly lines: readonly Row[]
}

function Closing({ sheet: { totals }, layout, info, lines }: ClosingProps) {
  const quantity = layout.columns.find(({ as }) => as === 'quantity')
  const money = layout.columns.some(({ as }) => as === 'amount') && info.taxed_amount !== undefined
  return (
    <div data-part="closing">
      <div className={css.totals}>
        {totals?.map(([label, name]) => (
          <span key={name}>
            {label}：{String(info[name] ?? '0')}
          </span>
        ))}
        {quantity && totals === undefined && (
          <span>
            {quantity.label}合计：{plain(sumOf(lines, quantity.name, 3))}
          </span>
        )}
        {money && (
          <>
            {info.untaxed_amount !== undefined && <span>不含税金额：{String(info.untaxed_amount)}</span>}
            {info.tax_amount !== undefined && <span>税额：{String(info.tax_amount)}</span>}
            <span>
              价税合计：{String(info.taxed_amount)}（{String(info.amount_in_words)}）
            </span>
          </>
        )}
      </div>
      {layout.note && <div>{layout.note}</div>}
      <div className={css.signatures}>
        {layout.signatures.map(each => (
          <span key={each}>{each}：</span>
        ))}
      </div>
    </div>
  )
}
