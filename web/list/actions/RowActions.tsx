import { EllipsisOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isMeantFor } from '#kernel/rules/action-availability.ts'
import type { State } from '#kernel/definition/document-state.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useRefused } from '#web/list/actions/use-action-availability.ts'
import css from '#web/list/page/ListFrame.module.css'

type Props = {
  readonly definition: AnyDocument
  readonly row: Row
  readonly may: (action: string) => boolean
  readonly offered: readonly string[] | undefined
  readonly onAct: (action: string, row: Row) => void
  readonly onOpen: (row: Row) => void
  /** Omitted if documents of the kind are not created here. */
  readonly onCopy?: ((row: Row) => void) | undefined
}

const editable: readonly State[] = ['draft', 'rejected']

/** Width of the longest action label in any row, plus what is before and after it; of all actions without rows. */
export const rowActionsWidth = (
  { actions }: AnyDocument,
  rows: readonly Row[] | null,
  offered?: readonly string[],
): number => {
  const written = Object.entries(actions).filter(
    ([name, spec]) =>
      spec.tone === 'primary' &&
      (offered?.includes(name) ?? true) &&
      (spec.unavailableWhen === undefined || rows === null || rows.some(row => isMeantFor(spec, row))),
  )
  return Math.max(128, 90 + 13 * Math.max(0, ...written.map(([, { label }]) => label.length)))
}

/** The likely next action as text, the rest in the menu; an action that would be refused shows why. */
export function RowActions({ definition, row, may, offered, onAct, onOpen, onCopy }: Props) {
  const state = row.state as State
  const { because, look } = useRefused(definition, row)
  const possible = Object.entries(definition.actions)
    .filter(
      ([name, spec]) =>
        spec.from.includes(state) &&
        may(name) &&
        (offered?.includes(name) ?? true) &&
        // Counterparty actions are available only on the counterparty's copy.
        (spec.by === 'counterparty') === (row.role === 'counterparty') &&
        isMeantFor(spec, row),
    )
    .map(([name, spec]) => ({
      name,
      label: spec.label,
      danger: spec.tone === 'danger',
      primary: spec.tone === 'primary',
    }))
  const first =
    possible.find(action => action.primary && because(action.name) === null) ?? possible.find(action => action.primary)
  const firstBecause = first ? because(first.name) : null
  const rest = [
    ...possible.filter(action => action !== first),
    ...(onCopy !== undefined && row.role !== 'counterparty' && !row.red_of_sn
      ? [{ name: 'copy', label: '复制', danger: false }]
      : []),
    ...(editable.includes(state) && row.role !== 'counterparty' && may('del')
      ? [{ name: 'del', label: '删除', danger: true }]
      : []),
  ]
  return (
    <span className={css.rowActions}>
      <button type="button" className="link" onClick={() => onOpen(row)}>
        {editable.includes(state) && row.role !== 'counterparty' && may('edit') ? '编辑' : '查看'}
      </button>
      {first && (
        <button
          type="button"
          className="link"
          disabled={firstBecause !== null}
          title={firstBecause ?? first.label}
          onPointerEnter={look}
          onFocus={look}
          onClick={() => onAct(first.name, row)}
        >
          {first.label}
        </button>
      )}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          onOpenChange={look}
          menu={{
            items: rest.map(({ name, label, danger }) => {
              const why = because(name)
              return { key: name, label, danger, ...(why === null ? {} : { disabled: true, title: why }) }
            }),
            onClick: ({ key }) => (key === 'copy' ? onCopy?.(row) : onAct(key, row)),
          }}
        >
          <button type="button" className="link" aria-label={`${row.sn}的更多操作`}>
            <EllipsisOutlined />
          </button>
        </Dropdown>
      )}
    </span>
  )
}
