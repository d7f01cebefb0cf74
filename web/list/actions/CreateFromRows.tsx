import { App, Button } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { AnyReport } from '#kernel/definition/report.ts'
import { documentOfRows } from '#web/list/report/document-from-rows.ts'
import { documentOf } from '#kernel/registry.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { addressOf, routeOfKind } from '#web/shell/menu/screen-index.ts'

/** True if this user may create the kind of document that report rows become. */
export function useMayBeginFrom(report: AnyReport): boolean {
  const session = useSession()
  const { menu } = useMenu()
  const kind = report.createsDocument?.kind
  const definition = kind === undefined ? undefined : documentOf(kind)
  if (kind === undefined || definition === undefined || session === null) return false
  const flags = menu.operations.get(routeOfKind(kind, session.orgType) ?? '')
  return (
    definition.ownerTypes.includes(session.orgType) &&
    flags !== undefined &&
    (flags.has('add') || flags.has(`${kind}.add`))
  )
}

type Props = { readonly report: AnyReport; readonly rows: readonly Row[]; readonly onDone: () => void }

/**
 * Documents that can be created from the ticked rows of a report: a draft that takes what is left of them, and then
 * opens.
 */
export function RowsToDocument({ report, rows, onDone }: Props) {
  const { message } = App.useApp()
  const refuse = useRefusal()
  const navigate = useNavigate()
  const org = useSession()?.orgType
  const [busy, setBusy] = useState(false)
  const { createsDocument } = report
  const target = createsDocument === undefined ? undefined : documentOf(createsDocument.kind)
  if (createsDocument === undefined || target === undefined || org === undefined) return null
  const begin = async () => {
    const doc = documentOfRows(createsDocument, target.sourcing.sources ?? [], rows)
    if ('why' in doc) return void message.warning(doc.why)
    setBusy(true)
    try {
      const { info } = await post<{ sn: string }>(`/v1/business/${target.kind}/add`, doc.body)
      forget(target.kind)
      onDone()
      void message.success(`已生成${target.title}${info.sn}`)
      const address = addressOf(target.kind, info.sn, org)
      if (address !== null) await navigate(address)
    } catch (thrown) {
      refuse(thrown, { seconds: 6 })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button type="primary" loading={busy} disabled={rows.length === 0} onClick={() => void begin()}>
        {createsDocument.label}
        {rows.length > 0 ? `（${rows.length}）` : ''}
      </Button>
      {rows.length > 0 && (
        <Button type="link" onClick={onDone}>
          取消选择
        </Button>
      )}
    </>
  )
}
