import { Spin } from 'antd'
import { lazy, Suspense } from 'react'
import { labelSheetAt } from '#kernel/print/label-formats.ts'
import { closingCalled, closingsOf } from '#kernel/print/print-layout.ts'
import { type PageFormat, formats, type PrintSheet, type PrintTemplate } from '#kernel/print/print-definition.ts'
import css from '#modules/platform/prints/columns.module.css'
import { ColumnsInput } from '#modules/platform/prints/ColumnsInput.tsx'
import { LabelLinesInput, ofSheet } from '#modules/platform/prints/LabelLinesInput.tsx'
import { WordsInput } from '#modules/platform/prints/WordsInput.tsx'
import { sheets } from '#modules/platform/prints/sheets/sheets.ts'
import type { Customisation } from '#web/engine/customisation.ts'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'

// The drawing code is loaded only when a template is viewed.
const TemplatePreview = lazy(() => import('#web/print/templates/TemplatePreview.tsx'))
const sheetNamed = (row: Row) => sheets.find(({ route }) => route === row.sheet)

const trialOf = (row: Row) =>
  `${String(row.sheet)}?${new URLSearchParams({ trial: 'true', template: String(row.print_template_sn) })}`

/** The print route and the page size of the sheet, with the labels of the list. */
function DocumentFacts({ sheet, row }: { readonly sheet: PrintSheet; readonly row: Row }) {
  const { width, height } = formats[(row.paper as PageFormat | null) ?? sheet.papers[0]!.paper]
  return (
    <div className={css.chosen}>
      打印路由 {sheet.route}　宽 {width} mm　高 {height} mm　方向 {width > height ? '横向' : '纵向'}
    </div>
  )
}

/** The columns of the chosen sheet, the lines of a label, and a preview of the form's current values. */
function ColumnsAndPreview(props: InputProps) {
  const { value, row, disabled, onChange } = props
  if (labelSheetAt(row.sheet)) return <LabelLinesInput {...props} />
  const sheet = sheetNamed(row)
  if (sheet === undefined) return <span>请先选择单据类型</span>
  return (
    <>
      <DocumentFacts sheet={sheet} row={row} />
      <ColumnsInput
        sheet={sheet}
        value={typeof value === 'string' && value !== '' ? value : null}
        row={row}
        disabled={disabled}
        onChange={onChange}
      />
      <div className={css.above}>
        <strong>预览（样例数据）</strong>
        {typeof row.print_template_sn === 'string' && (
          <a href={trialOf(row)} target="_blank" rel="noreferrer">
            用真实单据预览、测试打印
          </a>
        )}
      </div>
      <Suspense fallback={<Spin />}>
        <TemplatePreview sheet={sheet} template={row as unknown as PrintTemplate} />
      </Suspense>
    </>
  )
}

/** Header fields, totals and signatures of the chosen sheet; those required by law cannot be removed. */
function wordsOfSheet(name: 'head_layout' | 'total_items' | 'signatures') {
  return function WordsOfSheet({ value, row, disabled, onChange }: InputProps) {
    const sheet = sheetNamed(row)
    if (sheet === undefined) return <span>请先选择单据类型</span>
    const words = {
      head_layout: {
        label: '页眉字段',
        usual: sheet.header.map(([label]) => label),
        fixed: sheet.header.filter(([, fact]) => sheet.fixed?.header.includes(fact)).map(([label]) => label),
      },
      total_items: {
        label: '合计项',
        usual: closingsOf(sheet, null).map(each => closingCalled(sheet, each)),
        fixed: [],
      },
      signatures: { label: '签字栏', usual: sheet.signatures, fixed: sheet.fixed?.signatures ?? [] },
    }[name]
    return (
      <WordsInput
        {...words}
        because={sheet.fixed?.because ?? ''}
        value={typeof value === 'string' && value !== '' ? value : null}
        disabled={disabled}
        isFree={name === 'signatures'}
        onChange={onChange}
      />
    )
  }
}

const TrialLink = (row: Row) => (
  <a className="link" href={trialOf(row)} target="_blank" rel="noreferrer">
    测试打印
  </a>
)

export const printTemplateLook: Customisation = {
  of: 'printTemplate',
  inputs: {
    paper: ofSheet('paper'),
    carrier: ofSheet('carrier'),
    column_layout: ColumnsAndPreview,
    head_layout: wordsOfSheet('head_layout'),
    total_items: wordsOfSheet('total_items'),
    signatures: wordsOfSheet('signatures'),
  },
  rowLink: TrialLink,
}
