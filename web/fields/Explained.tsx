import { QuestionCircleOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import css from '#web/fields/Explained.module.css'

/** The explanation of a figure, a line each: its sentence, its days, its comparison. Empty lines are left out. */
export type Says = readonly (string | null | undefined)[]

const linesOf = (says: Says): readonly string[] => says.filter((line): line is string => !!line)
const Lines = ({ lines }: { readonly lines: readonly string[] }): ReactNode =>
  lines.map(line => (
    <span key={line} className={css.line}>
      {line}
    </span>
  ))

/** A figure's name that explains the figure on hover, focus and tap. Without an explanation it is plain text. */
export function Explained({ says, children }: { readonly says: Says; readonly children: ReactNode }) {
  const lines = linesOf(says)
  if (lines.length === 0) return children
  return (
    <Tooltip title={<Lines lines={lines} />} trigger={['hover', 'focus', 'click']}>
      <button type="button" className={css.text}>
        {children}
      </button>
    </Tooltip>
  )
}

/**
 * The same for a link or a button: hover and focus explain it, and a click runs it. On devices without hover, a sign
 * beside it is tapped.
 */
export function ExplainedControl({
  says,
  of,
  children,
}: {
  readonly says: Says
  /** The name of the figure, for who does not see the sign. */
  readonly of: string
  readonly children: ReactElement
}) {
  const lines = linesOf(says)
  if (lines.length === 0) return children
  const title = <Lines lines={lines} />
  return (
    <>
      <Tooltip title={title} trigger={['hover', 'focus']}>
        {children}
      </Tooltip>
      <Tooltip title={title} trigger="click">
        <button type="button" className={css.sign} aria-label={`${of}的说明`}>
          <QuestionCircleOutlined />
        </button>
      </Tooltip>
    </>
  )
}

/** The days of a figure: 2026-11-01 至 2026-11-29. */
export const daysSaid = (begin: string | undefined, end: string | undefined): string | null =>
  begin === undefined || end === undefined ? null : `期间：${begin === end ? begin : `${begin} 至 ${end}`}`
