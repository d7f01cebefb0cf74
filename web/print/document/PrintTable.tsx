import { Fragment } from 'react'
import type { DrawnColumn } from '#kernel/print/print-layout.ts'
import type { PrintColumn, PrintSheet } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { cellText } from '#web/print/document/cell-text.ts'
import { Carrier } from '#web/print/labels/Barcode.tsx'
import { codesBelow, codesOf } from '#web/print/document/unit-code-rows.ts'
import { type Layout, sizeOf, sumOf } from '#web/print/document/page-layout.ts'
import css from '#web/print/Print.module.css'
import { DENSE_MM, fitted, SECOND } from '#web/print/document/text-width.ts'

const isFigure = ({ as }: PrintColumn): boolean =>
  as !== undefined && as !== 'text' && as !== 'blank' && as !== 'code' && as !== 'datamatrix'

/** A value printed below another has one line; alone it has two. */
const LINES_ALONE = 2
const CELL_PADDING_MM = 1.6

export type DrawnLayout = Omit<Layout, 'columns'> & { readonly columns: readonly DrawnColumn[] }
type Props = {
  readonly sheet: PrintSheet
  readonly layout: DrawnLayout
  readonly page: readonly Row[]
  readonly from: number
  /** Empty rows below the last one, and their height. */
  readonly blanks?: { readonly count: number; readonly height: number } | null
}

/** The lines of one page: columns, extra rows below a line, and page totals. */
export function DocumentTable({ sheet, layout, page, from, blanks = null }: Props) {
  const { groupBy } = sheet
  const begins = (at: number) => groupBy !== undefined && page[at]?.[groupBy] !== page[at - 1]?.[groupBy]
  const whole = layout.columns.reduce((sum, column) => sum + column.share, layout.numberShare)
  const room = sizeOf(layout.paper).width - layout.margins.left - layout.margins.right
  const widthOf = ({ share }: PrintColumn) => (share / whole) * room - CELL_PADDING_MM
  const showsCodes = sheet.codesBelow !== undefined && !layout.columns.some(({ name }) => name === 'unit_codes')
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
          {layout.columns.map(column => (
            <th key={column.label}>
              {column.label}
              {column.second && (
                <div
                  className={css.second}
                  style={{ fontSize: `${secondSize(column.second.label, widthOf(column))}em` }}
                >
                  {column.second.label}
                </div>
              )}
            </th>
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
            <tr data-struck={line.struck === true} data-strong={line.strong === true} {...heightOf(sheet)}>
              <td className={css.figure}>{from + at + 1}</td>
              {layout.columns.map(column => (
                <Cell
                  key={column.label}
                  column={column}
                  line={line}
                  width={layout.isStacked ? widthOf(column) : null}
                />
              ))}
            </tr>
            {showsCodes && <CodesRow line={line} most={sheet.codesBelow!} wide={layout.columns.length + 1} />}
          </Fragment>
        ))}
        {Array.from({ length: blanks?.count ?? 0 }, (_, at) => (
          <tr key={`blank${at}`} data-blank style={{ height: `${blanks!.height}px` }}>
            <td />
            {layout.columns.map(({ label }) => (
              <td key={label} />
            ))}
          </tr>
        ))}
      </tbody>
      {layout.closings.includes('page') && (
        <Sums columns={layout.columns} page={page} widthOf={layout.isStacked ? widthOf : null} />
      )}
    </table>
  )
}

/** Rows of sheets onto which labels are stuck are as high as these. */
const heightOf = ({ rowHeight }: PrintSheet) => (rowHeight === undefined ? {} : { style: { height: `${rowHeight}mm` } })

/** Font size of a value below another, small enough for one line. */
const secondSize = (text: string, width: number): number => SECOND * fitted(text, width, DENSE_MM * SECOND, 1)

type CellProps = {
  readonly column: DrawnColumn
  readonly line: Row
  /** Millimetres, if text is shrunk to keep the row low. */
  readonly width: number | null
}

function Cell({ column, line, width }: CellProps) {
  if (column.as === 'code') return <CodesCell codes={codesOf(line)} />
  const text = cellText(column, line)
  if (column.as === 'datamatrix')
    return (
      <td className={css.symbol}>
        {text !== '' && <Carrier as="gs1datamatrix" text={text} height={MATRIX_MM} />}
        <div>{text}</div>
      </td>
    )
  if (column.as === 'bars') return <td>{text !== '' && <Carrier as="code128" text={text} height={BARS_MM} />}</td>
  const figure = isFigure(column) ? css.figure : undefined
  const side = column.side === undefined ? {} : { style: { textAlign: column.side } }
  if (width === null)
    return (
      <td className={figure} {...side}>
        {text}
      </td>
    )
  const { second } = column
  const size = fitted(text, width, DENSE_MM, second === undefined && !isFigure(column) ? LINES_ALONE : 1)
  const below = second === undefined ? '' : cellText(second, line)
  return (
    <td className={figure} {...side}>
      <div style={size === 1 ? {} : { fontSize: `${size}em` }}>{text}</div>
      {second && <div style={{ fontSize: `${secondSize(below, width)}em` }}>{below}</div>}
    </td>
  )
}

const MATRIX_MM = 12
const CODE_MM = 9
const BARS_MM = 7
/** The serial codes of a row, scannable from the print. */
const CodesCell = ({ codes }: { readonly codes: readonly string[] }) => (
  <td>
    {codes.map(code => (
      <Carrier key={code} as="qrcode" text={code} height={CODE_MM} />
    ))}
  </td>
)

/** The serial codes of a row; if many, the first ones and a reference to the list. */
function CodesRow({ line, most, wide }: { readonly line: Row; readonly most: number; readonly wide: number }) {
  const { shown, rest } = codesBelow(line, most)
  if (shown.length === 0) return null
  return (
    <tr data-below>
      <td colSpan={wide}>
        序列号/院内码：{shown.join('　')}
        {rest > 0 && `　等${shown.length + rest}个，附清单`}
      </td>
    </tr>
  )
}

type SumsProps = {
  readonly columns: readonly DrawnColumn[]
  readonly page: readonly Row[]
  readonly widthOf: ((column: PrintColumn) => number) | null
}

function Sums({ columns, page, widthOf }: SumsProps) {
  const summed = columns.filter(({ as, unsummed }) => (as === 'quantity' || as === 'amount') && !unsummed)
  if (summed.length === 0) return null
  return (
    <tfoot>
      <tr>
        <td />
        {columns.map((column, at) =>
          summed.includes(column) ? (
            <Cell
              key={column.label}
              column={bare(column)}
              line={{ [column.name]: sumOf(page, column.name, column.as === 'amount' ? 2 : 3) }}
              width={widthOf?.(column) ?? null}
            />
          ) : (
            <td key={column.label}>{at === 0 ? '本页小计' : ''}</td>
          ),
        )}
      </tr>
    </tfoot>
  )
}

/** Values below another are not summed. */
const bare = ({ second: _second, ...column }: DrawnColumn): PrintColumn => column
