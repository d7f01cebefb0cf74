import { Alert, App, Button, Drawer, Skeleton, Space } from 'antd'
import { useState } from 'react'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { customDrawerWidth, customHeads, customPanels } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { ChildRecords } from '#web/records/ChildRecords.tsx'
import type { Neighbours } from '#web/list/page/neighbours.ts'
import { RecordActions, RecordSteps } from '#web/records/RecordActions.tsx'
import { RecordForm } from '#web/records/RecordForm.tsx'
import { childrenOf, hasPart, hasSwitch, partWritable, rowName } from '#web/records/record-field.ts'
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
  /** The row of its list: the name is shown before the record is loaded. */
  readonly listed?: Row | undefined
  /** True to open it for editing, as its list demands; without it, for reading. */
  readonly edits?: boolean
  /** The rows beside it, and how to go there. */
  readonly neighbours?: Neighbours<string>
  readonly onGo?: (key: string) => void
  readonly onClose: () => void
  readonly onSaved?: (key: string) => void
}

const NARROW = 640
const WIDE = 880
/** More buttons than this need a wide header. */
const FEW = 2
const nothing: Row = {}

/** A record beside its list: opened for reading; edited, and acted on, on the user's command. */
export function RecordDrawer({
  definition,
  recordKey,
  given = nothing,
  begin = nothing,
  row = null,
  listed,
  edits = false,
  neighbours,
  onGo,
  onClose,
  onSaved,
}: Props) {
  const { modal } = App.useApp()
  const record = useRecord(definition, recordKey, { ...begin, ...given }, row)
  const { act, busy, labelOf } = useRecordActs(definition)
  const { info, values } = record
  const isNew = recordKey === null
  const mayEdit = isNew || info?.actions?.includes('edit') === true
  const [edited, setEdited] = useState(edits ? recordKey : null)
  const editing = isNew || (mayEdit && edited !== null && edited === recordKey)
  const others = (info?.actions ?? []).filter(action => action !== 'edit')
  const mayLose = async () =>
    !record.dirty ||
    (await modal.confirm({
      title: '内容还没有保存',
      content: '离开后修改将丢失。',
      okText: '不保存，离开',
      okButtonProps: { danger: true },
      cancelText: '继续编辑',
    }))
  const close = async () => {
    if (await mayLose()) onClose()
  }
  const stopEditing = async () => {
    if (!(await mayLose())) return
    record.discard()
    setEdited(null)
  }
  const save = async () => {
    const key = await record.save()
    if (key === null) return
    if (onSaved) onSaved(key)
    else if (isNew) onClose()
    else setEdited(null)
  }
  const children = isNew || info === null ? [] : childrenOf(definition).filter(child => hasPart(child, info))
  const status = hasSwitch(definition) && info !== null ? definition.fields.status : undefined
  return (
    <Drawer
      open
      size={customDrawerWidth(definition.kind) ?? (children.length > 0 || others.length > FEW ? WIDE : NARROW)}
      className={css.drawer ?? ''}
      onClose={() => void close()}
      mask={{ closable: !record.dirty }}
      title={
        <Space>
          <span className={css.name}>
            {isNew ? `新增${definition.title}` : rowName(definition, { ...listed, ...values })}
          </span>
          {status && <faces.pick.Cell field={status} name="status" value={values.status} row={values} />}
        </Space>
      }
      extra={
        <Space wrap>
          {editing ? (
            <>
              {!isNew && <Button onClick={() => void stopEditing()}>取消</Button>}
              <Button
                type="primary"
                loading={record.saving}
                disabled={!record.dirty && !isNew}
                onClick={() => void save()}
              >
                保存
              </Button>
            </>
          ) : (
            info !== null && (
              <RecordActions
                definition={definition}
                info={info}
                busy={busy}
                onAct={action =>
                  void act(action, { ...listed, ...values }).then(done => done && action === 'del' && onClose())
                }
                onEdit={() => setEdited(recordKey)}
                labelOf={labelOf}
              />
            )
          )}
          {!editing && neighbours !== undefined && onGo !== undefined && <RecordSteps {...neighbours} onGo={onGo} />}
        </Space>
      }
    >
      {!isNew && info === null && record.asked.isPending && <Skeleton active paragraph={{ rows: 8 }} />}
      {record.asked.isError && info === null && (
        <Failed thrown={record.asked.error} onRetry={() => void record.asked.refetch()} />
      )}
      {info !== null &&
        customHeads(definition.kind).map((Head, at) => <Head key={`${definition.kind}${at}`} info={info} />)}
      {isNew && definition.addNote !== undefined && (
        <Alert type="info" showIcon title={definition.addNote} className={css.note ?? ''} />
      )}
      {(isNew || info !== null) && (
        <RecordForm
          definition={definition}
          values={values}
          problems={record.problems}
          locked={!editing}
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
            writable={partWritable(child, info, mayEdit)}
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
