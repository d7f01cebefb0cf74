import { FileExcelOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { usePage } from '#web/engine/page-context.ts'
import { useSession } from '#web/engine/session/session.ts'
import { ListCalls } from '#web/list/actions/ListActions.tsx'
import { NEW } from '#web/shell/menu/screen-index.ts'

type Props = {
  readonly definition: AnyDocument
  readonly may: (name: string) => boolean
  readonly offered: readonly string[] | undefined
  /** Besides a blank document, the other ways to create documents of the kind. */
  readonly withCalls?: boolean
}

/** True if this user may create documents of the kind on this page. */
export function useMayBegin({ definition, may, offered }: Omit<Props, 'withCalls'>): boolean {
  const session = useSession()
  const keeps = session !== null && (definition.ownerTypes === '' || definition.ownerTypes.includes(session.orgType))
  return keeps && may('add') && (offered?.includes('add') ?? true)
}

/** Starts a document of the kind: only for organisations that keep the kind, as far as page and permissions allow. */
export function Begin({ definition, may, offered, withCalls = false }: Props) {
  const page = usePage()
  const session = useSession()
  const keeps = session !== null && (definition.ownerTypes === '' || definition.ownerTypes.includes(session.orgType))
  if (!keeps) return null
  const isMade = definition.lifecycle.manualEntry !== false || (definition.sourcing.sources ?? []).length > 0
  const canAdd = isMade && may('add') && (offered?.includes('add') ?? true)
  return (
    <>
      {canAdd && (
        <Button type="primary" icon={<PlusOutlined />} onClick={() => page.open(NEW)}>
          新增
        </Button>
      )}
      {canAdd && withCalls && definition.lineRules.import === true && may('import') && (
        <Button icon={<FileExcelOutlined />} onClick={() => page.open(NEW, { import: '1' })}>
          导入
        </Button>
      )}
      {withCalls && <ListCalls definition={definition} may={may} onMade={page.open} />}
    </>
  )
}
