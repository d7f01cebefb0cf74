import { App, Button, Drawer, Skeleton, Space } from 'antd'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { customHeads, customPanels } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { ChildRecords } from '#web/records/ChildRecords.tsx'
import { RecordForm } from '#web/records/RecordForm.tsx'
import { childrenOf, hasPart, hasSwitch, partWritable, rowName } from '#web/records/record-field.ts'
import { RecordLinks } from '#web/records/RecordLinks.tsx'
import { useRecord } from '#web/records/use-record.ts'
import { useRecordActs } from '#web/records/use-record-acts.ts'
import css from '#web/records/Records.module.css'

type Props = {
  readonly definition: AnyEntity
  readonly recordKey: string | null
  readonly given?: Row
  /** Initial values of a new record; all editable. */
  readonly begin?: Row
  readonly row?: Row | null
  readonly onClose: () => void
  readonly onSaved?: (key: string) => void
}

const NARROW = 640
const WIDE = 880
/** More buttons than this need a wide header. */
const FEW = 2
const nothing: Row = {}

/** A record beside its list: view, edit, enable and disable. */
export function RecordDrawer({
  definition,
  recordKey,
  given = nothing,
  begin = nothing,
  row = null,
  onClose,
  onSaved,
}: Props) {
  const { modal } = App.useApp()
  const record = useRecord(definition, recordKey, { ...begin, ...given }, row)
  const { act, busy, labelOf, isDanger } = useRecordActs(definition)
  const { info, values } = record
  const isNew = recordKey === null
  const editable = isNew || info?.actions?.includes('edit') === true
  const others = (info?.actions ?? []).filter(action => action !== 'edit')
  const close = async () => {
    if (
      record.dirty &&
      !(await modal.confirm({
        title: '内容还没有保存',
        content: '关闭后修改将丢失。',
        okText: '不保存，关闭',
        okButtonProps: { danger: true },
        cancelText: '继续编辑',
      }))
    )
      return
    onClose()
  }
  const save = async () => {
    const key = await record.save()
    if (key === null) return
    if (onSaved) onSaved(key)
    else if (isNew) onClose()
  }
  const children = isNew || info === null ? [] : childrenOf(definition).filter(child => hasPart(child, info))
  const status = hasSwitch(definition) && info !== null ? definition.fields.status : undefined
  return (
    <Drawer
      open
      size={children.length > 0 || others.length > FEW ? WIDE : NARROW}
      className={css.drawer ?? ''}
      onClose={() => void close()}
      mask={{ closable: !record.dirty }}
      title={
        <Space>
          {isNew ? `新增${definition.title}` : rowName(definition, values)}
          {status && <faces.pick.Cell field={status} name="status" value={values.status} row={values} />}
        </Space>
      }
      extra={
        <Space wrap>
          {info !== null && <RecordLinks definition={definition} row={info} />}
          {others.map(action => (
            <Button
              key={action}
              danger={isDanger(action)}
              loading={busy === action}
              disabled={busy !== null || record.dirty}
              onClick={() => void act(action, values).then(done => done && action === 'del' && onClose())}
            >
              {labelOf(action)}
            </Button>
          ))}
          {editable && (
            <Button
              type="primary"
              loading={record.saving}
              disabled={!record.dirty && !isNew}
              onClick={() => void save()}
            >
              保存
            </Button>
          )}
        </Space>
      }
    >
      {!isNew && info === null && record.asked.isPending && <Skeleton active paragraph={{ rows: 8 }} />}
      {record.asked.isError && info === null && (
        <Failed thrown={record.asked.error} onRetry={() => void record.asked.refetch()} />
      )}
      {info !== null &&
        customHeads(definition.kind).map((Head, at) => <Head key={`${definition.kind}${at}`} info={info} />)}
      {(isNew || info !== null) && (
        <RecordForm
          definition={definition}
          values={values}
          problems={record.problems}
          locked={!editable}
          isNew={isNew}
          fixed={Object.keys(given)}
          onWrite={record.write}
        />
      )}
      {info !== null &&
        customPanels(definition.kind).map((Panel, at) => <Panel key={`${definition.kind}${at}`} info={info} />)}
      {info !== null &&
        children.map(child => (
          <ChildRecords
            key={child.definition.kind}
            child={child}
            parent={String(info[definition.key])}
            writable={partWritable(child, info, editable)}
            drawer={(key, onChildClose) => (
              <RecordDrawer
                definition={child.definition}
                recordKey={key}
                given={{ [child.by]: info[definition.key] }}
                onClose={onChildClose}
              />
            )}
          />
        ))}
    </Drawer>
  )
}
