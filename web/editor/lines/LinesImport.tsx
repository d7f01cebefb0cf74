import { App } from 'antd'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isDecimal, isZero, plain } from '#kernel/values/decimal.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import type { OpenDocument } from '#web/editor/document/use-document.ts'
import { isBlank } from '#web/grid/lines.ts'
import { upload } from '#web/engine/http/request.ts'
import { ImportDialog } from '#web/sheets/ImportDialog.tsx'

type Info = { readonly count: number; readonly lines: readonly Row[]; readonly sums: Row }
type Props = { readonly definition: AnyDocument; readonly document: OpenDocument; readonly onClose: () => void }

/** Imports lines from a workbook into the document. */
export const LinesImport = (props: Props) =>
  typeof props.definition.lineRules.import === 'object' ? <MatchedImport {...props} /> : <NewLines {...props} />

/** Imports count results into existing lines: the template contains them, and the import is saved at once. */
function MatchedImport({ definition, document: doc, onClose }: Props) {
  const { message } = App.useApp()
  const path = `/v1/business/${definition.kind}`
  const sn = String(doc.info?.sn ?? '')
  const fields = { sn, version: doc.info?.version }
  return (
    <ImportDialog<Info>
      title={`导入${definition.title}明细`}
      path={path}
      fields={fields}
      template={`${path}/template?sn=${encodeURIComponent(sn)}`}
      notified={({ count }) => `共 ${count} 行，都已对应到单据里的产品和批号。导入后立即写入单据。`}
      onTake={async file => {
        if (doc.dirty) return void message.warning('请先保存已修改的内容，再导入')
        await upload(`${path}/import`, file, { fields })
        const fresh = await doc.asked.refetch()
        if (fresh.data) doc.takeUp(fresh.data)
      }}
      onClose={onClose}
    />
  )
}

/** New lines, added to the edited document: shown first, and saved with the rest. */
function NewLines({ definition, document: doc, onClose }: Props) {
  // The header decides prices and locations; unsaved lines are not sent to the server.
  const { lines: _, ...header } = savedForm(definition, doc.header, [])
  const given = Object.fromEntries(Object.entries(header).filter(([, value]) => value !== null && value !== ''))
  const notified = ({ count, sums }: Info) => {
    const { total_quantity: quantity, taxed_amount: amount } = sums
    const parts = [
      `共 ${count} 行`,
      ...(typeof quantity === 'string' ? [`数量合计 ${plain(quantity)}`] : []),
      ...(isDecimal(amount) && !isZero(amount) ? [`金额合计 ${amount}`] : []),
    ]
    return `${parts.join('，')}。导入后显示在明细中，保存后生效。`
  }
  return (
    <ImportDialog<Info>
      title={`导入${definition.title}明细`}
      path={`/v1/business/${definition.kind}`}
      fields={given}
      notified={notified}
      onTake={async (_file, { lines }) => {
        const stood = doc.lines.all().filter(line => !isBlank(line))
        doc.lines.replace([...stood.map(line => line.values), ...lines])
      }}
      onClose={onClose}
    />
  )
}
