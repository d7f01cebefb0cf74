import { DownOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Dropdown, Space } from 'antd'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Neighbours } from '#web/list/page/neighbours.ts'
import { RecordLinks } from '#web/records/RecordLinks.tsx'

type Props = {
  readonly definition: AnyEntity
  readonly info: Row & { readonly actions?: readonly string[] }
  readonly busy: string | null
  readonly onAct: (action: string) => void
  readonly onEdit: () => void
  readonly labelOf: (action: string) => string
}

/** Actions that take something away; where a row waits for a decision, refusing it is the other half of that. */
function dangerous({ actions = {} }: AnyEntity, offered: readonly string[]): readonly string[] {
  const decides = offered.some(action => actions[action]?.tone === 'primary')
  const standard = ['del', 'disable']
  return offered.filter(
    action =>
      standard.includes(action) ||
      (actions[action]?.tone === 'danger' &&
        actions[action]?.handy !== true &&
        !(decides && actions[action].asksReason)),
  )
}

/** The actions on a record that is read: dangerous ones are behind 更多. */
export function RecordActions({ definition, info, busy, onAct, onEdit, labelOf }: Props) {
  const offered = info.actions ?? []
  const behind = dangerous(definition, offered)
  const shown = offered.filter(action => action !== 'edit' && !behind.includes(action))
  return (
    <Space wrap>
      <RecordLinks definition={definition} row={info} />
      {shown.map(action => (
        <Button
          key={action}
          type={definition.actions?.[action]?.tone === 'primary' ? 'primary' : 'default'}
          danger={definition.actions?.[action]?.tone === 'danger'}
          loading={busy === action}
          disabled={busy !== null}
          onClick={() => onAct(action)}
        >
          {labelOf(action)}
        </Button>
      ))}
      {offered.includes('edit') && (
        <Button disabled={busy !== null} onClick={onEdit}>
          编辑
        </Button>
      )}
      {behind.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: behind.map(action => ({ key: action, label: labelOf(action), danger: true })),
            onClick: ({ key }) => onAct(key),
          }}
        >
          <Button loading={busy !== null && behind.includes(busy)} disabled={busy !== null}>
            更多 <DownOutlined />
          </Button>
        </Dropdown>
      )}
    </Space>
  )
}

type StepsProps = Pick<Neighbours<string>, 'previous' | 'next'> & { readonly onGo: (key: string) => void }

/** To the row before and behind it in the list, without closing. */
export function RecordSteps({ previous, next, onGo }: StepsProps) {
  return (
    <Space.Compact>
      <Button
        aria-label="上一条"
        title="上一条"
        icon={<LeftOutlined />}
        disabled={previous === undefined}
        onClick={() => previous !== undefined && onGo(previous)}
      />
      <Button
        aria-label="下一条"
        title="下一条"
        icon={<RightOutlined />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onGo(next)}
      />
    </Space.Compact>
  )
}
