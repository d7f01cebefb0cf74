import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Clause } from '#kernel/print/contract-template.ts'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import { pixels } from '#kernel/values/inexact.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Carrier } from '#web/print/labels/Barcode.tsx'
import { Corner } from '#web/print/document/PrintCorner.tsx'
import { Facts } from '#web/print/document/HeaderFields.tsx'
import { cellText } from '#web/print/document/cell-text.ts'
import {
  type Block,
  flow,
  type Layout,
  pageStyle,
  saidColumns,
  sizeOf,
  TRIAL,
  watermarkOf,
} from '#web/print/document/page-layout.ts'
import css from '#web/print/Print.module.css'

type Props = { readonly sheet: PrintSheet; readonly layout: Layout; readonly info: Row; readonly times: number }
type Party = { readonly role: string; readonly name: string; readonly facts: readonly (readonly [string, string])[] }
/** One part of the contract that stays whole on a page. */
type Part = { readonly node: ReactNode; readonly keeps?: boolean; readonly line?: Row }
type Measured = { readonly blocks: readonly Block[]; readonly room: number; readonly titles: number }

/** An order as a contract: parties, goods, clauses and the places for both seals, flowing over its pages. */
export function Contract({ sheet, layout, info, times }: Props) {
  const columns = useMemo(() => saidColumns(layout.columns, (info.lines ?? []) as readonly Row[]), [layout, info])
  const parts = partsOf(sheet, layout, info, times)
  const trial = useRef<HTMLElement>(null)
  const [measured, setMeasured] = useState<Measured | null>(null)
  // Rendered once on an endless page: the heights decide what goes on which page.
  useLayoutEffect(() => setMeasured(trial.current === null ? null : measuredOn(trial.current)), [columns, info, times])
  const whole = parts.map((_, at) => at)
  const pages = measured === null ? [] : flow(measured.blocks, measured.room, measured.titles)
  const page = (on: readonly number[], number: number, of: number, ref?: RefObject<HTMLElement | null>) => (
    <Page
      key={ref === undefined ? number : 0}
      info={info}
      sheet={sheet}
      layout={layout}
      number={number}
      of={of}
      trial={ref}
    >
      {stretches(parts, on).map(stretch =>
        parts[stretch[0]!]!.line === undefined ? (
          stretch.map(at => (
            <div key={at} data-block={at} data-keeps={parts[at]!.keeps}>
              {parts[at]!.node}
            </div>
          ))
        ) : (
          <GoodsTable key={stretch[0]} columns={columns} numberShare={layout.numberShare} parts={parts} on={stretch} />
        ),
      )}
    </Page>
  )
  return (
    <>
      {page(whole, 1, 1, trial)}
      {pages.map((on, at) => page(on, at + 1, pages.length))}
    </>
  )
}

/** Groups consecutive parts into table lines and other parts. */
function stretches(parts: readonly Part[], on: readonly number[]): readonly (readonly number[])[] {
  const found: number[][] = []
  for (const at of on) {
    const last = found.at(-1)
    const joins = last !== undefined && (parts[last[0]!]!.line === undefined) === (parts[at]!.line === undefined)
    if (joins) last.push(at)
    else found.push([at])
  }
  return found
}

function measuredOn(page: HTMLElement): Measured {
  const zoom = page.getBoundingClientRect().width / page.offsetWidth
  const heightOf = (part: Element | null) => (part?.getBoundingClientRect().height ?? 0) / zoom
  const style = getComputedStyle(page)
  const padding = pixels(style.paddingTop) + pixels(style.paddingBottom)
  const foot = heightOf(page.querySelector('[data-part="page-no"]'))
  return {
    room: pixels(style.minHeight) - padding - foot - 1,
    titles: heightOf(page.querySelector('thead')),
    blocks: [...page.querySelectorAll<HTMLElement>('[data-block]')].map(part => ({
      height: heightOf(part),
      keeps: part.dataset.keeps === 'true',
      inTable: part.tagName === 'TR',
    })),
  }
}

function partsOf(sheet: PrintSheet, layout: Layout, info: Row, times: number): readonly Part[] {
  const parties = (info.parties ?? []) as readonly Party[]
  const clauses = (info.clauses ?? []) as readonly Clause[]
  const lastArticle = clauses.findLastIndex(({ isHeading }) => isHeading)
  const total = info.taxed_amount
    ? `合同总金额：${String(info.taxed_amount)}元（${String(info.amount_in_words)}）`
    : null
  return [
    { node: <Opening info={info} parties={parties} layout={layout} times={times} />, keeps: true },
    ...((info.lines ?? []) as readonly Row[]).map(line => ({ node: null, line })),
    ...(total === null ? [] : [{ node: <p className={css.clause}>{total}</p> }]),
    ...clauses.map(({ text, isHeading }, at) => ({
      node: (
        <p className={css.clause} data-heading={isHeading}>
          {text}
        </p>
      ),
      // No signature page without text: the last article is kept with the seals.
      keeps: isHeading || at >= lastArticle,
    })),
    ...(layout.note === null ? [] : [{ node: <p className={css.clause}>{layout.note}</p>, keeps: true }]),
    { node: <Sealed parties={parties} signatures={layout.signatures} /> },
  ]
}

type OpeningProps = {
  readonly info: Row
  readonly parties: readonly Party[]
  readonly layout: Layout
  readonly times: number
}

function Opening({ info, parties, layout, times }: OpeningProps) {
  return (
    <>
      <div className={css.head}>
        <Corner layout={layout} info={info} times={times} />
        <h1 className={css.title}>{layout.title ?? String(info.title)}</h1>
      </div>
      <Facts of={layout.head} info={info} />
      <div className={css.parties}>
        {parties.map(({ role, name, facts: said }) => (
          <div key={role}>
            <p>
              <b>
                {role}：{name}
              </b>
            </p>
            {said.map(([label, value]) => (
              <p key={label}>
                {label}：{value}
              </p>
            ))}
          </div>
        ))}
      </div>
    </>
  )
}

/** The fields in which both organisations seal and sign. */
const Sealed = ({
  parties,
  signatures,
}: {
  readonly parties: readonly Party[]
  readonly signatures: readonly string[]
}) => (
  <div className={css.sealed}>
    {parties.map(({ role, name }) => (
      <div key={role}>
        <p>
          {role}（盖章）：{name}
        </p>
        {signatures.map(label => (
          <p key={label}>{label}：</p>
        ))}
      </div>
    ))}
  </div>
)

type GoodsProps = {
  readonly columns: Layout['columns']
  readonly numberShare: number
  readonly parts: readonly Part[]
  readonly on: readonly number[]
}

function GoodsTable({ columns, numberShare, parts, on }: GoodsProps) {
  const whole = columns.reduce((sum, { share }) => sum + share, numberShare)
  const first = parts.findIndex(({ line }) => line !== undefined)
  return (
    <table className={css.table}>
      <colgroup>
        <col style={{ width: `${(numberShare / whole) * 100}%` }} />
        {columns.map(({ label, share }) => (
          <col key={label} style={{ width: `${(share / whole) * 100}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th>序号</th>
          {columns.map(({ label }) => (
            <th key={label}>{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {on.map(at => (
          <tr key={at} data-block={at}>
            <td>{at - first + 1}</td>
            {columns.map(column => (
              <td key={column.label} className={column.as === undefined ? undefined : css.figure}>
                {cellText(column, parts[at]!.line!)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type PageProps = {
  readonly sheet: PrintSheet
  readonly layout: Layout
  readonly info: Row
  readonly number: number
  readonly of: number
  readonly trial: RefObject<HTMLElement | null> | undefined
  readonly children: ReactNode
}

function Page({ sheet, layout, info, number, of, trial, children }: PageProps) {
  const { width, height } = sizeOf(layout.paper)
  const mark = info.trial ? TRIAL : watermarkOf(info, sheet.marks)
  const size = trial === undefined ? { height: `${height}mm` } : { minHeight: `${height}mm` }
  return (
    <section
      ref={trial}
      className={`${css.page} ${css.contract}`}
      data-trial={trial !== undefined}
      aria-hidden={trial !== undefined}
      style={{ width: `${width}mm`, ...size, ...pageStyle(layout) }}
      aria-label={`${String(info.contract_number)} 第${number}页`}
    >
      {mark !== null && (
        <div className={css.watermark} aria-hidden>
          {mark}
        </div>
      )}
      {children}
      <footer className={css.contractFoot} data-part="page-no">
        <span>合同编号：{String(info.contract_number)}</span>
        <span>
          第{number}页/共{of}页
        </span>
        <Carrier as={sheet.carrier} text={String(info.contract_number)} height={12} />
      </footer>
    </section>
  )
}
