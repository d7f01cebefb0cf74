import { ColumnHeightOutlined, PrinterOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { type Density, prefer, usePreferences } from '#web/engine/session/preferences.ts'
import type { Column } from '#web/list/table/column.ts'
import { ExportButton } from '#web/list/actions/ExportButton.tsx'
import { ColumnSettings } from '#web/list/table/ColumnSettings.tsx'
import { openListPrint } from '#web/print/list/list-print.ts'
import css from '#web/list/page/ListFrame.module.css'

type Props = {
  readonly primary?: ReactNode
  /** While rows are ticked: what is done with all of them, in place of what is done with the list. */
  readonly batch?: ReactNode
  /** The list's saved filters and columns. */
  readonly schemes?: ReactNode
  /** Address of the export of exactly this filter; null if the user may not export. */
  readonly exportHref: string | null
  /** The kind of records or reports listed: the list itself can then be printed as filtered. */
  readonly prints?: string
  readonly columns: readonly Column[]
  readonly onColumns: (columns: readonly Column[]) => void
  readonly onRestore: () => void
  readonly onReload: () => void
}
const densities: Readonly<Record<Density, string>> = { compact: '紧凑', standard: '标准', comfortable: '宽松' }

/** The list's actions: create, act on ticked rows, export, change the view. */
export function ListToolbar({
  primary,
  batch,
  schemes,
  exportHref,
  prints,
  columns,
  onColumns,
  onRestore,
  onReload,
}: Props) {
  const { density } = usePreferences()
  return (
    <div className={css.actions} role="toolbar" aria-label="列表操作">
      {batch}
      {primary}
      {!batch && (
        <>
          {exportHref !== null && <ExportButton address={exportHref} />}
          {exportHref !== null && prints !== undefined && (
            <Button icon={<PrinterOutlined />} onClick={() => openListPrint(prints, exportHref, columns)}>
              打印列表
            </Button>
          )}
          {schemes}
          <Tooltip title="刷新">
            <Button aria-label="刷新" icon={<ReloadOutlined />} onClick={onReload} />
          </Tooltip>
          <Dropdown
            trigger={['click']}
            menu={{
              selectable: true,
              selectedKeys: [density],
              items: Object.entries(densities).map(([key, label]) => ({ key, label })),
              onClick: ({ key }) => prefer({ density: key as Density }),
            }}
          >
            <Tooltip title="行高">
              <Button aria-label="行高" icon={<ColumnHeightOutlined />} />
            </Tooltip>
          </Dropdown>
          <ColumnSettings columns={columns} onChange={onColumns} onRestore={onRestore} />
        </>
      )}
    </div>
  )
}
