import { dayOf } from '#kernel/values/date.ts'
import { stackedColumns } from '#kernel/print/print-layout.ts'
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import { documentOf } from '#kernel/registry.ts'
import { asListed } from '#web/fields/line-order.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Carrier } from '#web/print/labels/Barcode.tsx'
import { Closing } from '#web/print/document/PrintFooter.tsx'
import { codeColumns, codeRows } from '#web/print/document/unit-code-rows.ts'
import { Corner } from '#web/print/document/PrintCorner.tsx'
import { Facts } from '#web/print/document/HeaderFields.tsx'
import { measure } from '#web/print/document/measure-page.ts'
import {
  blanksFor,
  type Heights,
  inOrder,
  type Layout,
  mergedLines,
  pagesOf,
  pageStyle,
  saidColumns,
  sealOf,
  sizeOf,
  titleOf,
  TRIAL,
  watermarkOf,
} from '#web/print/document/page-layout.ts'
import { type DrawnLayout, DocumentTable } from '#web/print/document/PrintTable.tsx'
import css from '#web/print/Print.module.css'

type Given = {
  readonly sheet: PrintSheet
  readonly layout: Layout
  readonly info: Row
  readonly times: number
  /** The part of a carbon set this is, or all of them. */
  readonly part?: string
}
type Props = Omit<Given, 'layout'> & { readonly layout: DrawnLayout }

const NOTHING_MEASURED: Heights = { room: Number.POSITIVE_INFINITY, rows: [], closing: 0 }

/**
 * A printed business document: head and column titles on each page, totals and signatures on the last. Rows grow
 * with their text.
 */
export function PrintedDocument(given: Given) {
  const { info, sheet } = given
  const listed = asListed(documentOf(String(info.kind ?? '')), (info.lines ?? []) as readonly Row[])
  const all = inOrder(listed, given.layout.sortBy, given.layout.lastFirst)
  const layout = useMemo((): DrawnLayout => {
    const columns = saidColumns(given.layout.columns, (info.lines ?? []) as readonly Row[])
    return {
      ...given.layout,
      columns: given.layout.isStacked ? stackedColumns(columns, given.layout.areGiven) : columns,
    }
  }, [given.layout, info])
  const lines = sheet.merges ? mergedLines(layout.columns, all) : all
  const codes = codeRows(lines, given.layout.sortBy === 'pick_key' ? undefined : sheet.codesBelow)
  const list = useMemo(() => codeList(layout), [layout])
  const groupOf = (line: Row) => (sheet.groupBy === undefined ? null : line[sheet.groupBy])
  const [trial, heights] = useHeights(layout, info)
  const pages = pagesOf(lines, layout.lines, heights ?? NOTHING_MEASURED, groupOf, sheet.newPages)
  const [listTrial, listHeights] = useHeights(list, info)
  const listPages =
    codes.length === 0 ? [] : pagesOf(codes, list.lines, { ...(listHeights ?? NOTHING_MEASURED), closing: 0 })
  const props = { ...given, layout }
  const asList = { ...given, sheet: codeSheet(sheet), layout: list, isList: true }
  const of = pages.length + listPages.length
  const blanks =
    heights !== null && sheet.fillsPages ? blanksFor(pages.at(-1)!.length, layout.lines, lines, heights) : null
  return (
    <>
      <Page {...props} page={lines} from={0} trial={trial} last number={1} of={1} />
      {codes.length > 0 && <Page {...asList} page={codes} from={0} trial={listTrial} last={false} number={2} of={2} />}
      {heights !== null &&
        begun(pages).map(([page, from], at) => (
          <Page
            key={at}
            {...props}
            page={page}
            from={from}
            last={at === pages.length - 1}
            blanks={at === pages.length - 1 ? blanks : null}
            number={at + 1}
            of={of}
          />
        ))}
      {listHeights !== null &&
        begun(listPages).map(([page, from], at) => (
          <Page
            key={`list${at}`}
            {...asList}
            page={page}
            from={from}
            last={false}
            number={pages.length + at + 1}
            of={of}
          />
        ))}
    </>
  )
}

/** Rendered once on an endless page: the heights decide what goes on which page. */
function useHeights(layout: DrawnLayout, info: Row) {
  const trial = useRef<HTMLElement>(null)
  const [heights, setHeights] = useState<Heights | null>(null)
  useLayoutEffect(() => setHeights(trial.current === null ? null : measure(trial.current)), [layout, info])
  return [trial, heights] as const
}

/** Pages with the number of lines before each. */
const begun = (pages: readonly (readonly Row[])[]): readonly (readonly [readonly Row[], number])[] =>
  pages.map((page, at) => [page, pages.slice(0, at).reduce((sum, each) => sum + each.length, 0)])

const CODE_ROWS = 60
/** The document's sheet, without line-specific parts. */
function codeSheet({ groupBy: _group, codesBelow: _codes, ...sheet }: PrintSheet): PrintSheet {
  return sheet
}
/** The code list printed with a document. */
const codeList = (layout: DrawnLayout): DrawnLayout => ({
  ...layout,
  title: '附清单',
  columns: codeColumns,
  lines: CODE_ROWS,
  closings: [],
  head: layout.head.filter(([, name]) => name === 'sn' || name === 'counterparty_name'),
  isStacked: false,
})

/** More columns than this are printed smaller. */
const MANY_COLUMNS = 12

type PageProps = Props & {
  readonly page: readonly Row[]
  readonly from: number
  readonly last: boolean
  readonly number: number
  readonly of: number
  readonly blanks?: ReturnType<typeof blanksFor>
  /** The code list: without cold-chain details. */
  readonly isList?: boolean
  /** Rendered for measuring, not visible. */
  readonly trial?: RefObject<HTMLElement | null>
}

function Page({ sheet, layout, info, times, part, page, from, last, number, of, blanks, isList, trial }: PageProps) {
  const { width, height } = sizeOf(layout.paper)
  const mark = info.trial ? TRIAL : watermarkOf(info, sheet.marks)
  const seal = sealOf(sheet, info)
  const size = trial === undefined ? { height: `${height}mm` } : { minHeight: `${height}mm` }
  return (
    <section
      ref={trial}
      className={css.page}
      data-trial={trial !== undefined}
      data-dense={isList === true || layout.isStacked || layout.columns.length > MANY_COLUMNS}
      data-stacked={layout.isStacked}
      data-list={isList === true}
      aria-hidden={trial !== undefined}
      style={{ width: `${width}mm`, ...size, ...pageStyle(layout) }}
      aria-label={`${String(info.sn ?? info.title)} 第${number}页`}
    >
      {mark !== null && (
        <div className={css.watermark} aria-hidden>
          {mark}
        </div>
      )}
      <Head {...{ sheet, layout, info, times }} first={number === 1} isCold={!isList && isCold(info)} />
      {(page.length > 0 || number === 1) && (
        <DocumentTable sheet={sheet} layout={layout} page={page} from={from} blanks={blanks ?? null} />
      )}
      <footer className={css.foot}>
        {last && <Closing sheet={sheet} layout={layout} info={info} lines={(info.lines ?? []) as readonly Row[]} />}
        <div className={css.pageNo} data-part="page-no">
          <span>
            打印：{String(info.printed_by ?? '')} {info.printed_at ? dayOf(new Date(String(info.printed_at))) : ''}
          </span>
          {part !== undefined && <span>{part}</span>}
          {seal !== null && <span className={css.seal}>{seal}</span>}
          <span>
            第{number}页/共{of}页
          </span>
        </div>
      </footer>
    </section>
  )
}

const isCold = ({ lines }: Row): boolean => ((lines ?? []) as readonly Row[]).some(line => line.is_cold_chain === true)

type HeadProps = Props & { readonly first: boolean; readonly isCold: boolean }

function Head({ sheet, layout, info, times, first, isCold: cold }: HeadProps) {
  const meant = first ? layout.head : layout.head.filter(([, name]) => sheet.shortHead?.includes(name) ?? true)
  return (
    <header>
      <div className={css.head}>
        <Corner layout={layout} info={info} times={times} alsoCode={sheet.alsoCode128 === true} />
        <div className={css.org}>{String(info.org_name ?? '')}</div>
        <h1 className={css.title}>{titleOf(sheet, layout.title, info)}</h1>
        {/* A list has no number to be scanned. */}
        {info.sn !== undefined && (
          <div className={css.code}>
            <Carrier as={layout.carrier} text={String(info.sn)} height={layout.carrier === 'code128' ? 8 : 14} />
          </div>
        )}
      </div>
      <Facts of={meant} info={info} />
      {cold && sheet.coldChain && (
        <div className={css.cold}>
          <strong>冷链运输</strong>
          {sheet.coldChain.map(([label, name]) => (
            <span key={name}>
              {label}：{String(info[name] ?? '')}
            </span>
          ))}
        </div>
      )}
    </header>
  )
}
