import { DownOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isMeantFor } from '#kernel/rules/action-availability.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { type BatchResult, useAct } from '#web/engine/actions/use-action.ts'
import css from '#web/list/page/ListFrame.module.css'

type Props = {
  readonly definition: AnyDocument
  /** Labels of actions that the page calls otherwise here. */
  readonly labels: Readonly<Record<string, string | undefined>> | undefined
  readonly rows: readonly Row[]
  readonly may: (action: string) => boolean
  readonly offered: readonly string[] | undefined
  readonly onDone: (failed: readonly string[]) => void
}

const MOST = 200
/** The number of buttons that fit beside the name of a list at 1366 pixels; the others are behind 更多. */
const SHOWN = 3

/** Actions on all ticked rows: an action is shown if at least one of them is in a suitable state. */
export function BatchActions({ definition, labels, rows, may, offered, onDone }: Props) {
  const { modal, message } = App.useApp()
  const { actOnMany, busy } = useAct(definition)
  const fitting = (action: string) => {
    const spec = definition.actions[action]
    if (spec === undefined) return []
    // Counterparty actions are available only on the counterparty's copy.
    const isOurs = (row: Row) => (spec.by === 'counterparty') === (row.role === 'counterparty')
    return rows.filter(row => spec.from.includes(row.state as State) && isOurs(row) && isMeantFor(spec, row))
  }
  const actions = Object.entries(definition.actions).filter(
    ([name, spec]) =>
      may(name) &&
      (offered?.includes(name) ?? true) &&
      spec.effect !== 'reverse' &&
      spec.inputs === undefined &&
      fitting(name).length > 0,
  )
  actions.sort(([, one], [, other]) => falseFirst(one.tone !== 'primary', other.tone !== 'primary'))
  const labelOf = (name: string, of: string): string => {
    const label = labels?.[name] ?? of
    const { length } = fitting(name)
    return length < rows.length ? `${label}(${length})` : label
  }
  const run = async (action: string) => {
    const docs = fitting(action)
    if (docs.length > MOST) return void message.warning(`一次最多处理${MOST}张单据，已选${docs.length}张`)
    const results = await actOnMany(
      action,
      docs.map(row => ({
        sn: String(row.sn),
        version: parseInteger(row.version),
        ...(row.role === 'counterparty' ? { source_org_sn: String(row.org_sn) } : {}),
      })),
    )
    if (results === null) return
    const failed = results.filter(result => result.code !== 0)
    onDone(failed.map(result => result.sn))
    if (failed.length === 0) void message.success(`${docs.length}张单据已${definition.actions[action]?.label}`)
    else
      void modal.warning({
        title: `${results.length - failed.length}张成功，${failed.length}张未成功`,
        width: 640,
        okText: '知道了',
        content: <FailedItems results={failed} />,
      })
  }
  return (
    <span className={css.selected}>
      已选 <b>{rows.length}</b> 张
      {actions.slice(0, SHOWN).map(([name, spec]) => (
        <Button
          key={name}
          danger={spec.tone === 'danger'}
          loading={busy === name}
          disabled={busy !== null}
          onClick={() => void run(name)}
        >
          {labelOf(name, spec.label)}
        </Button>
      ))}
      {actions.length > SHOWN && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: actions.slice(SHOWN).map(([name, spec]) => ({
              key: name,
              label: labelOf(name, spec.label),
              danger: spec.tone === 'danger',
            })),
            onClick: ({ key }) => void run(key),
          }}
        >
          <Button disabled={busy !== null}>
            更多 <DownOutlined />
          </Button>
        </Dropdown>
      )}
    </span>
  )
}

/** The failed items with their reasons, by number. */
function FailedItems({ results }: { results: readonly BatchResult[] }) {
  return (
    <ul style={{ maxHeight: 320, overflow: 'auto', paddingLeft: 18 }}>
      {results.map(result => (
        <li key={result.sn}>
          <span className="mono">{result.sn}</span> {result.msg}
        </li>
      ))}
    </ul>
  )
}
