import { InputNumber, Select } from 'antd'
import { type LabelCode, type LabelSheet, type LabelSize, sizeName } from '#kernel/print/label-formats.ts'
import type { PrintTemplate } from '#kernel/print/print-definition.ts'
import type { Correction } from '#web/print/labels/draw-barcode.ts'

/** The labels without a template. */
export const STANDARD = 'none'
const corrections: readonly { readonly value: Correction; readonly label: string }[] = [
  { value: 'M', label: '容错M' },
  { value: 'Q', label: '容错Q(易受潮)' },
]

/** The user's choices in the toolbar; null: as the template says, and the template the organisation uses. */
export type LabelChoice = {
  readonly template: string | null
  readonly size: string | null
  readonly code: string | null
  readonly copies: number
  readonly start: number
  readonly correction: Correction
  /** Of a document's line: one label, or one for each unit that it counts. */
  readonly each: 'line' | 'unit'
}
/** Before any choice. */
export const unchosen: LabelChoice = {
  template: null,
  size: null,
  code: null,
  copies: 1,
  start: 1,
  correction: 'M',
  each: 'line',
}

type Props = {
  readonly sheet: LabelSheet
  readonly templates: readonly PrintTemplate[]
  readonly used: string
  readonly size: LabelSize
  readonly code: LabelCode
  readonly choice: LabelChoice
  /** The labels are those of lines of documents. */
  readonly ofLines: boolean
  /** Maximum copies of each per print job. */
  readonly most: number
  readonly setChoice: (change: Partial<LabelChoice>) => void
}

/** Label print options: template, size, code, copies, and the start position on a sheet. */
export function LabelTools({ sheet, templates, used, size, code, choice, ofLines, most, setChoice }: Props) {
  return (
    <>
      {templates.length > 0 && (
        <Select
          aria-label="标签模板"
          value={used}
          onChange={template => setChoice({ template, size: null, code: null })}
          options={[
            { value: STANDARD, label: '标准版式' },
            ...templates.map(({ print_template_sn: value, name: label }) => ({ value, label })),
          ]}
          style={{ minWidth: 140 }}
        />
      )}
      <Select
        aria-label="标签尺寸"
        value={size.key}
        onChange={key => setChoice({ size: key })}
        options={sheet.sizes.map(each => ({ value: each.key, label: sizeName(each) }))}
        style={{ minWidth: 120 }}
      />
      <Select
        aria-label="条码类型"
        value={code.key}
        onChange={key => setChoice({ code: key })}
        options={sheet.codes.map(({ label, key }) => ({ value: key, label }))}
        style={{ minWidth: 150 }}
      />
      {code.as === 'qrcode' && (
        <Select
          aria-label="容错级别"
          value={choice.correction}
          onChange={correction => setChoice({ correction })}
          options={[...corrections]}
          style={{ minWidth: 130 }}
        />
      )}
      {ofLines && (
        <Select
          aria-label="每行张数"
          value={choice.each}
          onChange={each => setChoice({ each })}
          options={[
            { value: 'line', label: '每行一张' },
            { value: 'unit', label: '按数量' },
          ]}
          style={{ minWidth: 110 }}
        />
      )}
      <InputNumber
        aria-label="每个份数"
        prefix="份数"
        min={1}
        max={most}
        precision={0}
        value={choice.copies}
        onChange={copies => setChoice({ copies: copies ?? 1 })}
        style={{ width: 110 }}
      />
      {size.grid && (
        <InputNumber
          aria-label="起始位置"
          prefix="起始位置"
          min={1}
          max={size.grid.columns * size.grid.rows}
          precision={0}
          value={choice.start}
          onChange={start => setChoice({ start: start ?? 1 })}
          style={{ width: 130 }}
        />
      )}
    </>
  )
}
