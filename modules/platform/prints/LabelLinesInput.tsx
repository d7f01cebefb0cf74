import { Select, Spin } from 'antd'
import { lazy, Suspense } from 'react'
import {
  FIXED_BECAUSE,
  fixedLines,
  labelLines,
  labelSheetAt,
  pricedLines,
  sizeName,
} from '#kernel/print/label-formats.ts'
import { numberCodes, formats, type PrintTemplate } from '#kernel/print/print-definition.ts'
import css from '#modules/platform/prints/columns.module.css'
import { sheets } from '#modules/platform/prints/sheets/sheets.ts'
import { WordsInput } from '#modules/platform/prints/WordsInput.tsx'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'

const SampleLabel = lazy(async () => ({ default: (await import('#web/print/labels/LabelPreview.tsx')).SampleLabel }))

/** The lines on a label, their order, and a preview. */
export function LabelLinesInput({ value, row, disabled, onChange }: InputProps) {
  const sheet = labelSheetAt(row.sheet)!
  return (
    <>
      <WordsInput
        label="标签内容"
        usual={Object.values(labelLines)}
        others={Object.values(pricedLines)}
        fixed={fixedLines}
        because={FIXED_BECAUSE}
        value={typeof value === 'string' && value !== '' ? value : null}
        disabled={disabled}
        onChange={onChange}
      />
      <div className={css.above}>
        <strong>预览（样例数据）</strong>
      </div>
      <Suspense fallback={<Spin />}>
        <SampleLabel sheet={sheet} template={row as unknown as PrintTemplate} />
      </Suspense>
    </>
  )
}

/** The options of a field on the chosen sheet. */
const offered: Readonly<Record<'paper' | 'carrier', (row: Row) => { value: string; label: string }[]>> = {
  paper: row =>
    labelSheetAt(row.sheet)?.sizes.map(size => ({ value: size.key as string, label: sizeName(size) })) ??
    (sheets.find(({ route }) => route === row.sheet)?.papers ?? []).map(({ paper }) => ({
      value: paper as string,
      label: formats[paper].label as string,
    })),
  carrier: row =>
    labelSheetAt(row.sheet)?.codes.map(({ key, label }) => ({ value: key as string, label })) ??
    Object.entries(numberCodes).map(([value, label]) => ({ value, label })),
}

/** Paper sizes, label sizes and codes of the chosen sheet. */
export function ofSheet(name: 'paper' | 'carrier') {
  return function OfSheet({ id, field, value, row, onChange, disabled, invalid }: InputProps) {
    const options = offered[name](row)
    return (
      <Select
        id={id}
        aria-label={field.label}
        allowClear
        disabled={disabled || options.length === 0}
        status={invalid ? 'error' : ''}
        style={{ width: '100%' }}
        placeholder={field.hint ?? ''}
        value={options.some(each => each.value === value) ? (value as string) : null}
        options={options}
        onChange={(chosen: string | undefined) => onChange(chosen ?? null)}
      />
    )
  }
}
