import { Spin } from 'antd'
import { lazy, Suspense } from 'react'
import type { PrintTemplate } from '#kernel/print.ts'
import css from '#modules/prints/columns.module.css'
import { ColumnsInput } from '#modules/prints/ColumnsInput.tsx'
import { sheets } from '#modules/prints/sheets.ts'
import type { Customisation } from '#web/engine/customise.ts'
import type { InputProps, Row } from '#web/fields/face.ts'

// What draws papers and codes comes when somebody looks at a template.
const TemplatePreview = lazy(() => import('#web/print/TemplatePreview.tsx'))
const sheetNamed = (row: Row) => sheets.find(({ route }) => route === row.sheet)

const trialOf = (row: Row) =>
  `${String(row.sheet)}?${new URLSearchParams({ trial: 'true', template: String(row.print_template_sn) })}`

/** The columns of the chosen sheet, and how all that stands in the form comes out on paper. */
function ColumnsAndPreview({ value, row, disabled, onChange }: InputProps) {
  const sheet = sheetNamed(row)
  if (sheet === undefined) return <span>请先选择打印单据</span>
  return (
    <>
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

const TrialLink = (row: Row) => (
  <a className="link" href={trialOf(row)} target="_blank" rel="noreferrer">
    测试打印
  </a>
)

export const printTemplateLook: Customisation = {
  of: 'printTemplate',
  inputs: { column_layout: ColumnsAndPreview },
  rowLink: TrialLink,
}
