import { CaretDownOutlined, CaretRightOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { screenKey } from '#kernel/definition/screen.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { customBeside, customRowLink } from '#web/engine/customisation.ts'
import { usePage } from '#web/engine/page-context.ts'
import { rowHeights, usePreferences } from '#web/engine/session/preferences.ts'
import { encodeQuery } from '#web/engine/http/response.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Blank, WithoutRows } from '#web/list/page/EmptyState.tsx'
import { neighboursIn } from '#web/list/page/neighbours.ts'
import type { Column } from '#web/list/table/column.ts'
import { useColumnLayout } from '#web/list/table/column-layout.ts'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { FilterBar } from '#web/list/page/FilterBar.tsx'
import { askedOf, filtersOf, pageOf, sortOf, sortText } from '#web/list/page/list-query.ts'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { ListPaging } from '#web/list/page/Pagination.tsx'
import { ListToolbar } from '#web/list/page/ListToolbar.tsx'
import { useVisibleColumns } from '#web/list/table/visible-columns.ts'
import { useSelection } from '#web/list/table/use-selection.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { SchemeMenu } from '#web/list/schemes/SchemeMenu.tsx'
import { useSchemes } from '#web/list/schemes/use-schemes.ts'
import { RecordCalls, ticksRows } from '#web/records/RecordCalls.tsx'
import { useList } from '#web/list/page/use-list.ts'
import { ImportRecords } from '#web/records/ImportRecords.tsx'
import { ASIDE, handyOf, roomForActions } from '#web/records/actions-width.ts'
import { RecordDrawer } from '#web/records/RecordDrawer.tsx'
import {
  hasSwitch,
  ofOneself,
  parentField,
  recordColumns,
  recordFilters,
  shownColumns,
} from '#web/records/record-field.ts'
import { RecordLinks } from '#web/records/RecordLinks.tsx'
import { useRowInAddress } from '#web/records/row-in-address.ts'
import { useRecordActs } from '#web/records/use-record-acts.ts'
import { type Tree, useTree } from '#web/records/use-tree.ts'
import { useMay } from '#web/shell/menu/menu.ts'
import { NEW } from '#web/shell/menu/screen-index.ts'
import listCss from '#web/list/page/ListFrame.module.css'
import css from '#web/records/Records.module.css'

const NO_ROWS: readonly Row[] = []
/** A tree loads at once: all rows if the kind allows it, else the first ones. */
const treeOf = (definition: AnyEntity): Readonly<Record<string, string>> =>
  definition.whole === true ? { pageNum: '', pageSize: '' } : { pageNum: '1', pageSize: '500' }

/**
 * A kind of record: its list, with one record in a drawer beside it. A kind that refers to itself is shown as a
 * tree.
 */
export default function EntityPage({ definition }: { definition: AnyEntity }) {
  const page = usePage()
  const { screen, query } = page
  const path = `/v1/business/${definition.kind}`
  const may = useMay(screen.route, definition.kind)
  const { density } = usePreferences()
  const standard = useMemo(() => recordColumns(definition, shownColumns(screen), screen), [definition, screen])
  const isTree =
    parentField(definition) !== null && Object.keys(filtersOf(query)).length === 0 && query.sort === undefined
  const list = useList(definition.kind, `${path}/list`, query, screen.where, isTree ? treeOf(definition) : {})
  const rows = list.data?.list ?? NO_ROWS
  const tree = useTree(definition, rows, isTree)
  const keyOf = useCallback((row: Row) => String(row[definition.key]), [definition])
  const { shown: shownKey, begin, show } = useRowInAddress(page)
  const [edits, setEdits] = useState(false)
  const open = useCallback(
    (row: Row, forEditing = false) => {
      setEdits(forEditing)
      show(keyOf(row))
    },
    [show, keyOf],
  )
  const cell = useMemo(() => treeCell(definition, tree), [definition, tree])
  const { act } = useRecordActs(definition)
  const { selection, rows: chosen, clear } = useSelection(keyOf)
  const offered = screen.actions as readonly string[] | undefined
  const allowed = (action: string) => may(action) && (offered?.includes(action) ?? true)
  const ticks = ticksRows(definition, allowed)
  const layout = useColumnLayout(
    screenKey(screen),
    useVisibleColumns(standard, {
      screen,
      selectable: ticks,
      actions: definition.readOnly ? 0 : roomForActions(definition),
      aside: customBeside(definition.kind).length > 0 ? ASIDE : 0,
    }),
  )
  const schemes = useSchemes(screenKey(screen), layout)
  const filtered = Object.keys(filtersOf(query)).length > 0
  const canImport = !definition.readOnly && allowed(definition.onlyRenews === undefined ? 'add' : 'edit')
  const [importing, setImporting] = useState(false)
  const addButton = !definition.readOnly && allowed('add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show(NEW)}>
      新增
    </Button>
  )
  const { pageNum, pageSize } = pageOf(query)
  return (
    <ListFrame
      title={screen.title}
      purpose={screen.purpose}
      of={definition.kind}
      thrown={list.error}
      toolbar={
        <ListToolbar
          primary={
            <>
              {addButton}
              <RecordCalls definition={definition} may={allowed} chosen={chosen.map(keyOf)} onDone={clear} />
              {canImport && (
                <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
                  导入
                </Button>
              )}
            </>
          }
          prints={definition.kind}
          schemes={<SchemeMenu schemes={schemes} />}
          columns={layout.columns}
          onColumns={layout.rearrange}
          onRestore={layout.restore}
          onReload={() => void list.refetch()}
          exportHref={
            may('export')
              ? `${path}/export` +
                `${encodeQuery({ ...askedOf(query, screen.where), pageNum: undefined, pageSize: undefined })}`
              : null
          }
        />
      }
    >
      <FilterBar
        filters={recordFilters(definition, screen)}
        query={query}
        onChange={page.setQuery}
        storeKey={screenKey(screen)}
        kind={definition.kind}
      />
      <DataTable
        label={screen.title}
        columns={layout.columns}
        rows={tree?.branches.map(branch => branch.row) ?? rows}
        rowKey={keyOf}
        rowHeight={rowHeights[density]}
        {...(definition.tone ? { tone: definition.tone } : {})}
        {...(ticks ? { selection } : {})}
        busy={list.isFetching}
        cell={cell}
        sort={sortOf(query)}
        onSort={sort => page.setQuery({ sort: sortText(sort), pageNum: undefined })}
        onOpen={row => open(row)}
        summary={meaningfulSums(layout.columns, list.data?.summary)}
        {...(definition.readOnly
          ? {}
          : {
              rowActions: (row: Row) => (
                <RowButtons
                  definition={definition}
                  row={row}
                  may={allowed}
                  onOpen={open}
                  onAct={(action, of) => void act(action, of)}
                />
              ),
              actionsWidth: roomForActions(definition),
            })}
        onResize={layout.resize}
        empty={
          <WithoutRows asked={list}>
            <NothingHere definition={definition} filtered={filtered} add={addButton} />
          </WithoutRows>
        }
      />
      {!isTree && (
        <ListPaging
          total={list.data?.total}
          capped={(list.data?.total ?? 0) > 10_000}
          pageNum={pageNum}
          pageSize={pageSize}
          onChange={(nextPage, size) =>
            page.setQuery({ pageNum: nextPage === 1 ? undefined : String(nextPage), pageSize: String(size) })
          }
        />
      )}
      {importing && <ImportRecords definition={definition} onClose={() => setImporting(false)} />}
      {shownKey !== undefined && (
        <RecordDrawer
          key={shownKey === NEW ? JSON.stringify(begin) : 'row'}
          edits={edits}
          neighbours={neighboursIn(
            (tree?.branches.map(branch => branch.row) ?? rows).map(keyOf),
            key => key === shownKey,
          )}
          onGo={show}
          listed={rows.find(row => keyOf(row) === shownKey)}
          definition={definition}
          recordKey={shownKey === NEW ? null : shownKey}
          begin={begin}
          given={ofOneself(screen)}
          row={definition.readOnly ? (rows.find(row => keyOf(row) === shownKey) ?? null) : null}
          onClose={() => (page.key === null ? show(undefined) : page.leave())}
        />
      )}
    </ListFrame>
  )
}

/** An empty list says why, and what to do about it. */
function NothingHere({ definition, filtered, add }: { definition: AnyEntity; filtered: boolean; add: ReactNode }) {
  const { screen, query, setQuery } = usePage()
  return filtered ? (
    <Blank title="没有符合条件的记录">
      <Button onClick={() => setQuery(Object.fromEntries(Object.keys(query).map(name => [name, undefined])))}>
        清除筛选
      </Button>
    </Blank>
  ) : (
    <Blank title={`暂无${definition.title}`}>
      <span>{screen.purpose}</span>
      {add}
    </Blank>
  )
}

/** The display column of a tree: indented, with a toggle if there are children. */
function treeCell(
  definition: AnyEntity,
  tree: Tree | null,
): ((column: Column, row: Row) => ReactNode | undefined) | undefined {
  if (tree === null) return undefined
  const { folded, fold } = tree
  const places = new Map(tree.branches.map(branch => [branch.row, branch]))
  return (column, row) => {
    const branch = places.get(row)
    if (branch === undefined || column.name !== definition.display) return undefined
    const key = String(row[definition.key])
    return (
      <span className={css.branch} style={{ paddingLeft: branch.depth * 20 }}>
        {branch.opens ? (
          <button
            type="button"
            className={css.handle}
            aria-expanded={!folded.has(key)}
            aria-label={folded.has(key) ? '展开' : '收起'}
            onClick={() => fold(key)}
          >
            {folded.has(key) ? <CaretRightOutlined /> : <CaretDownOutlined />}
          </button>
        ) : (
          <span className={css.leaf} />
        )}
        {String(row[column.name] ?? '')}
      </span>
    )
  }
}

type ButtonsProps = {
  readonly definition: AnyEntity
  readonly row: Row
  readonly may: (action: string) => boolean
  readonly onOpen: (row: Row, forEditing?: boolean) => void
  readonly onAct: (action: string, row: Row) => void
}

function RowButtons({ definition, row, may, onOpen, onAct }: ButtonsProps) {
  const can = (action: string) => may(action) && (!Array.isArray(row.actions) || row.actions.includes(action))
  const turn = definition.deletedFromList
    ? { action: 'del', label: '删除' }
    : !hasSwitch(definition)
      ? null
      : row.status === 'enabled'
        ? { action: 'disable', label: '停用' }
        : row.status === 'disabled'
          ? { action: 'enable', label: '启用' }
          : null
  return (
    <span className={listCss.rowActions}>
      {customRowLink(definition.kind)?.(row)}
      <button type="button" className="link" onClick={() => onOpen(row, can('edit'))}>
        {can('edit') ? '编辑' : '查看'}
      </button>
      {handyOf(definition)
        .filter(([action]) => can(action))
        .map(([action, { label }]) => (
          <button key={action} type="button" className="link" onClick={() => onAct(action, row)}>
            {label}
          </button>
        ))}
      {turn !== null && can(turn.action) && (
        <button type="button" className="link" onClick={() => onAct(turn.action, row)}>
          {turn.label}
        </button>
      )}
      <RecordLinks definition={definition} row={row} />
    </span>
  )
}
