import { HolderOutlined, PushpinFilled, PushpinOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import { useState } from 'react'
import type { Column } from '#web/list/table/column.ts'
import css from '#web/list/table/ColumnSettings.module.css'

type Props = {
  readonly columns: readonly Column[]
  readonly onChange: (columns: readonly Column[]) => void
  readonly onRestore: () => void
}

/** Order by drag (or Alt+arrows), visible or not, pinned or not. */
export function ColumnSettings(props: Props) {
  return (
    <Popover trigger="click" placement="bottomRight" content={<Settings {...props} />} destroyOnHidden>
      <Tooltip title="列设置">
        <Button aria-label="列设置" icon={<SettingOutlined />} />
      </Tooltip>
    </Popover>
  )
}

function Settings({ columns, onChange, onRestore }: Props) {
  const [dragged, setDragged] = useState<string | null>(null)
  const patch = (name: string, change: Partial<Column>) =>
    onChange(columns.map(column => (column.name === name ? { ...column, ...change } : column)))
  const move = (name: string, to: number) => {
    const moving = columns.find(column => column.name === name)
    if (moving === undefined || to < 0 || to >= columns.length) return
    const rest = columns.filter(column => column.name !== name)
    onChange([...rest.slice(0, to), moving, ...rest.slice(to)])
  }
  const shown = columns.filter(column => !column.hidden).length
  return (
    <div className={css.panel}>
      <div className={css.head}>
        <span>
          显示 {shown} / {columns.length} 列
        </span>
        <button type="button" className="link" onClick={onRestore}>
          恢复默认
        </button>
      </div>
      <ul className={css.list} aria-label="列">
        {columns.map((column, at) => (
          <li
            key={column.name}
            className={css.item}
            draggable
            data-dragged={dragged === column.name}
            onDragStart={() => setDragged(column.name)}
            onDragEnd={() => setDragged(null)}
            onDragOver={event => {
              event.preventDefault()
              if (dragged !== null && dragged !== column.name) move(dragged, at)
            }}
            onKeyDown={event => {
              if (!event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return
              event.preventDefault()
              move(column.name, at + (event.key === 'ArrowUp' ? -1 : 1))
            }}
          >
            <HolderOutlined className={css.grip} />
            <Checkbox
              checked={!column.hidden}
              disabled={!column.hidden && shown === 1}
              onChange={event => patch(column.name, { hidden: !event.target.checked })}
            >
              {column.title}
            </Checkbox>
            <Tooltip title={column.pin === 'left' ? '取消固定' : '固定在左侧'} placement="left">
              <button
                type="button"
                className={css.pin}
                aria-pressed={column.pin === 'left'}
                aria-label={`固定${column.title}`}
                onClick={() => patch(column.name, { pin: column.pin === 'left' ? null : 'left' })}
              >
                {column.pin === 'left' ? <PushpinFilled /> : <PushpinOutlined />}
              </button>
            </Tooltip>
          </li>
        ))}
      </ul>
    </div>
  )
}
