import { App } from 'antd'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { upload } from '#web/engine/http/request.ts'
import { ImportDialog } from '#web/sheets/ImportDialog.tsx'

/** Imports records from a workbook: all rows or none. */
export function ImportRecords({ definition, onClose }: { definition: AnyEntity; onClose: () => void }) {
  const { message } = App.useApp()
  const path = `/v1/business/${definition.kind}`
  return (
    <ImportDialog<{ readonly count: number }>
      title={`导入${definition.title}`}
      path={path}
      notified={({ count }) => `共 ${count} 行。`}
      onTake={async file => {
        const { info } = await upload<{ count: number }>(`${path}/import`, file)
        void message.success(`已导入 ${info.count} 行`)
        forget(definition.kind)
      }}
      onClose={onClose}
    />
  )
}
