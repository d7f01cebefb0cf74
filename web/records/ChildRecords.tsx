import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { rowHeights } from '#web/engine/session/preferences.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Blank, WithoutRows } from '#web/list/page/EmptyState.tsx'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { type Child, recordColumns } from '#web/records/record-field.ts'
import css from '#web/records/Records.module.css'

const MOST = 500

type Props = {
  readonly child: Child
  readonly parent: string
  readonly writable: boolean
  /** Opens one of them; null creates a new one. */
  readonly drawer: (key: string | null, onClose: () => void) => ReactNode
}

/** Child rows of a record: the sizes of a product. */
export function ChildRecords({ child, parent, writable, drawer }: Props) {
  const { definition, by } = child
  const [open, setOpen] = useState<{ readonly key: string | null } | null>(null)
  const columns = useMemo(
    () =>
      recordColumns(
        definition,
        Object.keys(definition.fields).filter(name => name !== by),
      ).map(column => ({ ...column, sortable: false })),
    [definition, by],
  )
  const asked = { [by]: parent, pageNum: 1, pageSize: MOST }
  const list = useQuery({
    queryKey: [definition.kind, 'list', asked],
    queryFn: ({ signal }) => get<unknown, Row>(`/v1/business/${definition.kind}/list`, asked, { signal }),
  })
  return (
    <section className={css.children} aria-label={definition.title}>
      <header className={css.childrenHead}>
        <h2>
          {definition.title} <small className="faint">{list.data?.total ?? ''}</small>
        </h2>
        {writable && (
          <Button size="small" icon={<PlusOutlined />} onClick={() => setOpen({ key: null })}>
            新增{definition.title}
          </Button>
        )}
      </header>
      <DataTable
        label={definition.title}
        columns={columns}
        rows={list.data?.list ?? []}
        rowKey={row => String(row[definition.key])}
        rowHeight={rowHeights.compact}
        sort={null}
        onSort={() => undefined}
        onResize={() => undefined}
        onOpen={row => setOpen({ key: String(row[definition.key]) })}
        busy={list.isFetching}
        empty={
          <WithoutRows asked={list}>
            <Blank title={`暂无${definition.title}`} />
          </WithoutRows>
        }
      />
      {open !== null && drawer(open.key, () => setOpen(null))}
    </section>
  )
}
