import { PartitionOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Problem } from '#kernel/rules/errors.ts'
import { post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { savedForm } from '#web/editor/document/document-view.ts'
import type { OpenDocument } from '#web/editor/document/use-document.ts'

type Proposed = { readonly lines: readonly Row[]; readonly problems: readonly Problem[] }

/** Allocates lots: the server proposes those that expire first. One undoable step. */
export function LotsButton({ definition, document: doc }: { definition: AnyDocument; document: OpenDocument }) {
  const { message } = App.useApp()
  const refuse = useRefusal()
  const [busy, setBusy] = useState(false)
  const propose = async () => {
    setBusy(true)
    try {
      const form = savedForm(
        definition,
        doc.header,
        doc.written().map(line => line.values),
        doc.info?.state,
      )
      const { info } = await post<Proposed>(`/v1/business/${definition.kind}/propose`, form)
      doc.lines.replace(info.lines)
      doc.lines.mark(
        info.problems.map(({ line = 0, field = '', msg }) => ({
          at: line - 1,
          field,
          msg,
        })),
      )
      if (info.problems.length > 0) void message.warning(`${info.problems.length}行库存不足，已在表中标出`)
      else void message.success('已按有效期由近到远分配批号')
    } catch (thrown) {
      const sentence = doc.refused(thrown)
      refuse(thrown, { sentence })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<PartitionOutlined />} loading={busy} onClick={() => void propose()}>
      分配批号
    </Button>
  )
}
