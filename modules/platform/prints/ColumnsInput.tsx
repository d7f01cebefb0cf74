import { Button, Checkbox, InputNumber, Select } from 'antd'
import {
  type PageFormat,
  type PrintColumn,
  type PrintSheet,
  type PrintTemplate,
} from '#kernel/print/print-definition.ts'
import {
  columnsInWords,
  LEAST_WIDTH,
  marginsOf,
  type NamedColumn,
  namedColumns,
  roomForColumns,
  type Side,
  sides,
  usualColumns,
} from '#kernel/print/print-layout.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import css from '#modules/platform/prints/columns.module.css'
import { MoveButtons, movedBy } from '#modules/platform/prints/MoveButtons.tsx'

const bare = ({ label }: PrintColumn): NamedColumn => ({ label, width: null })

type Props = {
  readonly sheet: PrintSheet
  readonly value: string | null
  readonly row: Row
  readonly disabled: boolean
  readonly onChange: (value: string | null) => void
}

/** The printed columns of a sheet, their order and width. If unchanged from the sheet, nothing is stored. */
export function ColumnsInput({ sheet, value, row, disabled, onChange }: Props) {
  const standard = usualColumns(sheet).map(bare)
  const all = sheet.columns.map(bare)
  const known = namedColumns(value).filter(({ label }) => all.some(each => each.label === label))
  const printed = value ? known : standard
  const left = all.filter(({ label }) => !printed.some(each => each.label === label))
  const fixed = new Set(
    sheet.columns.filter(({ name }) => sheet.fixed?.columns.includes(name)).map(({ label }) => label),
  )
  const write = (columns: readonly NamedColumn[]) => {
    const words = columnsInWords(columns)
    onChange(columns.length === 0 || words === columnsInWords(standard) ? null : words)
  }
  const paper = (row.paper as PageFormat | null) ?? sheet.papers[0]!.paper
  const room = roomForColumns(paper, marginsOf(sheet, row as unknown as PrintTemplate))
  const asked = printed.reduce((sum, { width }) => sum + (width ?? 0), 0)
  return (
    <div className={css.columns} role="group" aria-label="明细列">
      {[...printed, ...left].map(({ label, width, side = null }, at) => {
        const isPrinted = at < printed.length
        return (
          <div key={label} className={css.column}>
            <Checkbox
              checked={isPrinted}
              disabled={disabled || fixed.has(label) || (isPrinted && printed.length === 1)}
              title={fixed.has(label) ? sheet.fixed!.because : ''}
              onChange={() =>
                write(isPrinted ? printed.filter(each => each.label !== label) : [...printed, { label, width: null }])
              }
            >
              {label}
            </Checkbox>
            <InputNumber
              aria-label={`${label}的宽度`}
              size="small"
              suffix="毫米"
              placeholder="自动"
              min={LEAST_WIDTH}
              max={room}
              precision={0}
              disabled={disabled || !isPrinted}
              value={width}
              onChange={wide => write(printed.map(each => (each.label === label ? { ...each, width: wide } : each)))}
            />
            <Select<Side | ''>
              aria-label={`${label}的对齐`}
              size="small"
              disabled={disabled || !isPrinted}
              value={side ?? ''}
              onChange={to =>
                write(printed.map(each => (each.label === label ? { ...each, side: to === '' ? null : to } : each)))
              }
              options={[
                { value: '', label: '默认' },
                ...(Object.keys(sides) as Side[]).map(value => ({ value, label: value })),
              ]}
            />
            <MoveButtons
              name={label}
              at={at}
              count={printed.length}
              disabled={disabled}
              onMove={by => write(movedBy(printed, at, by))}
            />
          </div>
        )
      })}
      <div className={css.sum} data-over={asked > room}>
        已定宽度 {asked} 毫米，可用 {room} 毫米；未定宽度的列分余下的宽度，都已定宽时按比例铺满
        {value !== null && !disabled && (
          <Button size="small" type="link" onClick={() => onChange(null)}>
            恢复默认列
          </Button>
        )}
      </div>
    </div>
  )
}
