import { useQuery } from '@tanstack/react-query'
import { Result, Spin } from 'antd'
import type { Label } from '#kernel/print/label-data.ts'
import { hasPrices, type LabelSheet } from '#kernel/print/label-formats.ts'
import type { PrintTemplate } from '#kernel/print/print-definition.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { LabelFace } from '#web/print/labels/LabelView.tsx'
import { labelLook } from '#web/print/labels/label-limits.ts'
import { PrintShell } from '#web/print/PrintShell.tsx'
import css from '#web/print/Print.module.css'

/** A made-up piece with texts of the usual length in every line. */
const sampleLabel = (orgName: string): Label => ({
  key: 'sample',
  type: 'piece',
  code: 'YANGLI0001',
  gs1: '(01)06901234567892(17)290104(10)LOT20260101(21)YANGLI0001',
  link: 'https://example.cn/01/06901234567892/10/LOT20260101/21/YANGLI0001?17=290104',
  ean: '6901234567892',
  org_name: orgName,
  product_name: '一次性使用无菌注射器（带针）',
  specification_name: '5mL 0.7×32mm',
  quantity: '1支',
  manufacturer_name: '样例医疗器械股份有限公司',
  registration_no: '国械注准20263140001',
  lot_no: 'LOT20260101',
  production_date: '2026-01-05',
  expiry_date: '2029-01-04',
  supplier_name: '样例医疗供应链有限公司',
  charge_code: '330100001',
  ownership: '买断',
  store_name: '样例仓库',
  location: 'A-01-02-03',
  department_name: '样例科室',
  cost_price: '12.50元/支',
  sale_price: '15.00元/支',
  marks: [],
  times: 0,
  printed_on: '2026-01-31',
})

type Shown = { readonly sheet: LabelSheet; readonly template: Partial<PrintTemplate> }

/** One label under a template, filled with a sample. */
export function SampleLabel({ sheet, template }: Shown) {
  const session = useSession()
  const { size, code } = labelLook(sheet, template)
  return (
    <div className={css.labels}>
      <LabelFace
        label={sampleLabel(session?.orgName ?? '')}
        code={code}
        size={size}
        correction="M"
        lines={template.column_layout ?? null}
      />
    </div>
  )
}

/** A label template tested on a sample: nothing is counted. */
export function LabelTrial({ sheet, template }: { readonly sheet: LabelSheet; readonly template: string }) {
  const asked = useQuery({
    queryKey: ['printTemplate', 'info', template],
    retry: false,
    queryFn: async () =>
      (await get<Row>('/v1/business/printTemplate/info', { sn: template })).info as unknown as PrintTemplate,
  })
  if (asked.isError) return <Result status="warning" title={sentenceOf(asked.error)} />
  if (asked.isPending) return <Spin fullscreen description="正在准备打印……" />
  const { size } = labelLook(sheet, asked.data)
  return (
    <PrintShell
      title={`${asked.data.name}　测试打印${hasPrices(asked.data) ? '　含价' : ''}`}
      size={size}
      onPrint={null}
      onTrial={() => undefined}
    >
      <SampleLabel sheet={sheet} template={asked.data} />
    </PrintShell>
  )
}
