import { App, Button, Input, Modal } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import { f } from '#kernel/definition/field.ts'
import { documentOf } from '#kernel/registry.ts'
import { rowHeights } from '#web/engine/session/preferences.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Blank, WithoutRows } from '#web/list/page/EmptyState.tsx'
import { columnFor, type Sort } from '#web/list/table/column.ts'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { useSelection } from '#web/list/table/use-selection.ts'

type Props = {
  readonly kind: string
  readonly take: SourceRule
  readonly counterparty: string | null
  readonly onChoose: (lines: readonly Row[]) => void
  readonly onClose: () => void
}

const columns = [
  columnFor('source_sn', f.text('来源单号', { width: 150 }), 'left'),
  columnFor('business_date', f.day('单据日期')),
  columnFor('counterparty_name', f.text('往来单位', { width: 190 })),
  columnFor('product_name', f.text('产品名称', { width: 190 })),
  columnFor('specification_name', f.text('规格型号', { width: 120 })),
  columnFor('lot_no', f.text('批号', { width: 110 })),
  columnFor('expiry_date', f.day('有效期至')),
  columnFor('left', f.quantity('可用数量')),
  columnFor('price', f.price('含税单价')),
  columnFor('unit_codes', f.codes('院内码')),
].map(column => ({ ...column, sortable: false }))
const MOST = 500
const searched = ['source_sn', 'counterparty_name', 'product_name', 'specification_name', 'lot_no']
const keyOf = (row: Row): string => `${row.source_org_sn}/${row.source_sn}/${row.source_line_no}`

/** Open lines of other documents, to be added to this one. */
export function SourcesDialog({ kind, take, counterparty, onChoose, onClose }: Props) {
  const { message } = App.useApp()
  const [q, setQ] = useState('')
  const { selection, rows, clear } = useSelection(keyOf)
  const title = documentOf(take.from)?.title ?? '来源单'
  const asked = { for: take.for, counterparty_sn: counterparty, pageNum: 1, pageSize: MOST }
  const sources = useQuery({
    queryKey: [kind, 'sources', asked],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get<unknown, Row>(`/v1/business/${kind}/sources`, asked, { signal }),
  })
  const [example] = sources.data?.list ?? []
  // The server sends no prices or goods of sources for a kind that has none; their columns are left out.
  const present = example === undefined ? columns : columns.filter(({ name }) => example[name] !== undefined)
  const wanted = q.trim().toLowerCase()
  const shown = (sources.data?.list ?? []).filter(
    row =>
      wanted === '' ||
      searched.some(name =>
        String(row[name] ?? '')
          .toLowerCase()
          .includes(wanted),
      ),
  )
  const choose = useCallback((row: Row) => selection.toggle(row, !selection.keys.has(keyOf(row))), [selection])
  const confirm = () => {
    const docs = new Set(rows.map(row => `${row.source_org_sn}/${row.source_sn}`))
    const partners = new Set(rows.map(row => String(row.counterparty_sn)))
    if (take.multipleSources !== true && docs.size > 1)
      return void message.warning(`一张单据只能引用一张${title}，已选了${docs.size}张的明细`)
    if (partners.size > 1) return void message.warning('选中的明细属于不同的往来单位，请只选其中一家的')
    onChoose(rows)
  }
  return (
    <Modal
      open
      title={`引用${title}`}
      width="min(1320px, 94vw)"
      onCancel={onClose}
      okText={rows.length === 0 ? '引用' : `引用 ${rows.length} 行`}
      okButtonProps={{ disabled: rows.length === 0 }}
      onOk={confirm}
      styles={{ body: { display: 'flex', flexDirection: 'column', height: 'min(560px, 62vh)' } }}
    >
      <div style={{ display: 'flex', gap: 8, paddingBottom: 12 }}>
        <Input.Search
          allowClear
          autoFocus
          placeholder="单号、产品名称、规格、批号"
          style={{ width: 320 }}
          onChange={event => setQ(event.target.value)}
        />
        {(sources.data?.total ?? 0) > MOST && (
          <span className="faint" style={{ lineHeight: '32px' }}>
            共 {sources.data?.total} 行，先列出最早的 {MOST} 行
          </span>
        )}
        {rows.length > 0 && (
          <Button type="link" onClick={clear}>
            清除已选 {rows.length} 行
          </Button>
        )}
      </div>
      <DataTable
        label={`可引用的${title}明细`}
        columns={present}
        rows={shown}
        rowKey={keyOf}
        rowHeight={rowHeights.compact}
        sort={noSort}
        onSort={() => undefined}
        onResize={() => undefined}
        selection={selection}
        onOpen={choose}
        busy={sources.isFetching}
        empty={
          <WithoutRows asked={sources}>
            <Blank title={`没有可引用的${title}`}>
              <span>
                {counterparty === null
                  ? '来源单审核后、尚有未执行数量时出现在这里。'
                  : '当前往来单位没有未执行完的来源单，可清空往来单位后再试。'}
              </span>
            </Blank>
          </WithoutRows>
        }
      />
    </Modal>
  )
}
const noSort: Sort = null
