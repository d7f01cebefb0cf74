import { Button } from 'antd'
import { useCallback, useMemo } from 'react'
import { screenKey } from '#kernel/definition/screen.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { canBeCopied } from '#kernel/rules/action-availability.ts'
import { standingField, type State, states } from '#kernel/definition/document-state.ts'
import { statesOf, statesOfCopies } from '#kernel/registry.ts'
import { rowHeights, usePreferences } from '#web/engine/session/preferences.ts'
import { type Page, usePage } from '#web/engine/page-context.ts'
import { encodeQuery } from '#web/engine/http/response.ts'
import { useAct } from '#web/engine/actions/use-action.ts'
import { useCopy } from '#web/engine/actions/use-duplicate.ts'
import { useShortcuts } from '#web/engine/shortcuts.ts'
import { currentSession, useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { StateTag, stateName } from '#web/fields/StateTag.tsx'
import { Tag } from '#web/fields/Tag.tsx'
import { Begin, useMayBegin } from '#web/list/actions/CreateButton.tsx'
import { BatchActions } from '#web/list/actions/BulkActions.tsx'
import { Blank, WithoutRows } from '#web/list/page/EmptyState.tsx'
import { parseInteger } from '#kernel/values/integer.ts'
import { documentColumns, filterField, meant, type Column } from '#web/list/table/column.ts'
import { CopyChosen } from '#web/list/actions/DuplicateSelected.tsx'
import { useColumnLayout } from '#web/list/table/column-layout.ts'
import { PrintDocuments } from '#web/list/actions/PrintSelected.tsx'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { FilterBar } from '#web/list/page/FilterBar.tsx'
import { askedOf, filtersOf, pageOf, sortOf, sortText } from '#web/list/page/list-query.ts'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { ListPaging } from '#web/list/page/Pagination.tsx'
import { ListToolbar } from '#web/list/page/ListToolbar.tsx'
import { RowActions, rowActionsWidth } from '#web/list/actions/RowActions.tsx'
import { StateTabs } from '#web/list/page/StateTabs.tsx'
import { useVisibleColumns } from '#web/list/table/visible-columns.ts'
import { useKeepListed } from '#web/list/page/listed-documents.ts'
import { useList, useStateCounts } from '#web/list/page/use-list.ts'
import { usePointedAt } from '#web/list/page/use-open-from-url.ts'
import { useSelection } from '#web/list/table/use-selection.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { SchemeMenu } from '#web/list/schemes/SchemeMenu.tsx'
import { useSchemes } from '#web/list/schemes/use-schemes.ts'
import { ShownAs, ViewSwitch } from '#web/list/views/ViewSwitch.tsx'
import { useMay, useCanSeeField } from '#web/shell/menu/menu.ts'
import { NEW } from '#web/shell/menu/screen-index.ts'

const snOf = (row: Row): string => String(row.sn)
/** Another organisation's document can have the same number as one of ours, and as one of a third. */
const isOthers = ({ role, org_sn }: Row): boolean =>
  role === 'counterparty' || (org_sn !== undefined && String(org_sn) !== currentSession()?.orgSn)
const keyOf = (row: Row): string => (isOthers(row) ? `${snOf(row)}@${row.org_sn}` : snOf(row))
const asOpened = (row: Row) => ({
  key: snOf(row),
  query: isOthers(row) ? { role: String(row.role), source_org_sn: String(row.org_sn) } : {},
})
const openRow = (page: Page, row: Row): void => page.open(snOf(row), asOpened(row).query)

/** The key that begins a new document, where one may be begun without a source. */
function useNewKey(definition: AnyDocument, mayBegin: boolean): void {
  const page = usePage()
  const begin = { keys: 'Alt N', what: `新增${definition.title}`, run: () => page.open(NEW) }
  useShortcuts('列表', mayBegin && definition.lifecycle.manualEntry !== false ? [begin] : [])
}

/** The list of a kind of document on one of its screens. */
export default function ListPage({ definition }: { definition: AnyDocument }) {
  const page = usePage()
  const { screen, query } = page
  const path = `/v1/business/${definition.kind}`
  const may = useMay(screen.route, definition.kind)
  const offered = screen.actions as readonly string[] | undefined
  const { density } = usePreferences()
  const org = useSession()?.orgType
  const standard = useMemo(() => documentColumns(definition, screen, org), [definition, screen, org])
  const notified = useCanSeeField()
  const layout = useColumnLayout(
    screenKey(screen),
    useVisibleColumns(standard, {
      screen,
      selectable: true,
      actions: rowActionsWidth(definition, null, offered),
    }),
  )
  const schemes = useSchemes(screenKey(screen), layout)
  const where = useMemo(
    () => ({ ...screen.where, ...(screen.states && !query.state ? { state: screen.states.join(',') } : {}) }),
    [screen, query.state],
  )
  const ordered = query.sort === undefined && screen.sort !== undefined ? { ...query, sort: screen.sort } : query
  const list = useList(definition.kind, `${path}/list`, ordered, where)
  useKeepListed(screen.route, (list.data?.list ?? []).map(asOpened))
  const { selection, rows: chosen, clear } = useSelection(keyOf)
  const { act } = useAct(definition)
  const begins = { definition, may, offered }
  const copy = useCopy(definition)
  const mayBegin = useMayBegin(begins)
  useNewKey(definition, mayBegin)
  const onCopy = mayBegin && canBeCopied(definition) ? copy : undefined
  const open = useCallback((row: Row) => openRow(page, row), [page])
  usePointedAt({ rows: list.data?.list ?? [], isFetching: list.isFetching }, open)
  const cell = useCallback(
    (column: Column, row: Row) => cellOf(definition, column, row, () => openRow(page, row)),
    [definition, page],
  )
  const drawActions = useCallback(
    (row: Row) => (
      <RowActions
        definition={definition}
        row={row}
        may={may}
        offered={offered}
        onOpen={open}
        onCopy={onCopy && (of => onCopy(snOf(of)))}
        onAct={(action, of) => void act(action, { sn: snOf(of), version: parseInteger(of.version) }, of)}
      />
    ),
    [definition, may, offered, open, onCopy, act],
  )
  const filters = useMemo(
    () =>
      meant(screen, screen.filters, org)
        .filter(name => name !== 'state')
        .map(name => ({ name, field: filterField(definition, name, screen) }))
        .filter(({ field }) => notified(field)),
    [definition, screen, org, notified],
  )
  const filtered = Object.keys(filtersOf(query)).length > 0
  const { pageNum, pageSize } = pageOf(query)
  return (
    <ListFrame
      title={screen.title}
      purpose={screen.purpose}
      thrown={list.error}
      toolbar={
        <ListToolbar
          primary={
            <>
              <ViewSwitch />
              {chosen.length === 0 && <Begin {...begins} withCalls />}
              {may('print') && <PrintDocuments kind={definition.kind} chosen={chosen.map(snOf)} />}
              {onCopy && <CopyChosen chosen={chosen.map(snOf)} onCopy={onCopy} />}
            </>
          }
          schemes={<SchemeMenu schemes={schemes} />}
          columns={layout.columns}
          onColumns={layout.rearrange}
          onRestore={layout.restore}
          onReload={() => void list.refetch()}
          exportHref={
            may('export')
              ? `${path}/export${encodeQuery({ ...askedOf(ordered, where), pageNum: undefined, pageSize: undefined })}`
              : null
          }
          batch={
            chosen.length > 0 && (
              <>
                <BatchActions
                  definition={definition}
                  labels={screen.batchLabels}
                  rows={chosen}
                  may={may}
                  offered={offered}
                  onDone={clear}
                />
                <Button type="link" onClick={clear}>
                  取消选择
                </Button>
              </>
            )
          }
        />
      }
    >
      <ListStates definition={definition} path={`${path}/list`} />
      <FilterBar
        filters={filters}
        query={query}
        onChange={page.setQuery}
        storeKey={screenKey(screen)}
        kind={definition.kind}
      />
      <ShownAs definition={definition} where={where} may={may} onOpen={open}>
        <DataTable
          label={screen.title}
          columns={layout.columns}
          rows={list.data?.list ?? []}
          rowKey={keyOf}
          rowHeight={rowHeights[density]}
          selection={selection}
          busy={list.isFetching}
          sort={sortOf(query)}
          onSort={sort => page.setQuery({ sort: sortText(sort), pageNum: undefined })}
          onOpen={open}
          cell={cell}
          rowActions={drawActions}
          actionsWidth={rowActionsWidth(definition, list.data?.list ?? [], offered)}
          summary={meaningfulSums(layout.columns, list.data?.summary, false)}
          onResize={layout.resize}
          empty={
            <WithoutRows asked={list}>
              <NothingHere {...begins} filtered={filtered} />
            </WithoutRows>
          }
        />
        <ListPaging
          total={list.data?.total}
          capped={list.data?.total_capped === true}
          pageNum={pageNum}
          pageSize={pageSize}
          onChange={(nextPage, size) =>
            page.setQuery({ pageNum: nextPage === 1 ? undefined : String(nextPage), pageSize: String(size) })
          }
        />
      </ShownAs>
    </ListFrame>
  )
}

/** An empty list says why, and what to do about it. */
function NothingHere({ filtered, ...begins }: Parameters<typeof Begin>[0] & { filtered: boolean }) {
  const { screen, query, setQuery } = usePage()
  return filtered ? (
    <Blank title="没有符合条件的单据">
      <Button onClick={() => setQuery(Object.fromEntries(Object.keys(query).map(name => [name, undefined])))}>
        清除筛选
      </Button>
    </Blank>
  ) : (
    <Blank title={`暂无${begins.definition.title}`}>
      <span>{screen.purpose}</span>
      <Begin {...begins} />
    </Blank>
  )
}

/** The number is a link, the state a coloured label; every other cell uses its field's renderer. */
function cellOf(definition: AnyDocument, column: Column, row: Row, open: () => void) {
  if (column.name === 'state')
    return <StateTag definition={definition} state={String(row.state)} named={row.state_name} row={row} />
  if (definition.progress.statuses?.[column.name] !== undefined)
    return <Progress column={column} value={row[column.name]} />
  if (column.name === 'sn')
    return (
      <button type="button" className="link mono" onClick={open}>
        {snOf(row)}
      </button>
    )
  return undefined
}

/** Progress of follow-up documents: coloured only if something happened. */
function Progress({ column, value }: { column: Column; value: unknown }) {
  const label = column.field.choices?.[String(value)]
  if (label === undefined) return '-'
  return value === '3' ? (
    <Tag tone="success">{label}</Tag>
  ) : value === '2' ? (
    <Tag tone="info">{label}</Tag>
  ) : (
    <span className="faint">{label}</span>
  )
}

function ListStates({ definition, path }: { definition: AnyDocument; path: string }) {
  const { screen, query, setQuery } = usePage()
  const standing = standingField(definition)
  const counts = useStateCounts(definition.kind, path, query, screen.where, standing)
  const org = useSession()?.orgType
  const ofOthers =
    screen.where?.role === 'counterparty' ||
    (org && !definition.overseen && definition.ownerTypes !== '' && !definition.ownerTypes.includes(org))
  const reached = ofOthers ? statesOfCopies(definition) : statesOf(definition)
  const named =
    standing === undefined
      ? (screen.states ?? (Object.keys(states) as State[]))
          .filter(state => reached.includes(state) || (counts?.[state] ?? 0) > 0)
          .map(state => ({ key: state as string, label: stateName(definition, state) }))
      : Object.entries(definition.header[standing]!.choices ?? {}).map(([key, label]) => ({ key, label }))
  const total = counts === undefined ? null : named.reduce((sum, { key }) => sum + (counts[key] ?? 0), 0)
  const tabs = [
    { key: '', label: '全部', count: total },
    ...named.map(tab => ({ ...tab, count: counts === undefined ? null : (counts[tab.key] ?? 0) })),
  ]
  return (
    <StateTabs
      tabs={tabs}
      active={query[standing ?? 'state'] ?? ''}
      onChange={key => setQuery({ [standing ?? 'state']: key || undefined, pageNum: undefined })}
    />
  )
}
