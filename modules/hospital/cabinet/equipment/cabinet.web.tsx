import { Tree } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Customisation } from '#web/engine/customisation.ts'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** 查看单据: the follow-up document. */
function ToDocument({ info }: { readonly info: Row }) {
  const [kind, sn] = [text(info.document_kind), text(info.document_sn)]
  const address = useDocumentAddress()(kind, sn)
  const to = sn === '' ? null : address
  return to === null ? null : (
    <p>
      <Link to={to}>查看单据 {sn}</Link>
    </p>
  )
}

/** From a stock row to its pieces, to what was taken, and to the comparison of its cabinet. */
function BehindStock({ info }: { readonly info: Row }) {
  const session = useSession()
  if (session === null) return null
  const narrowed = { specification_sn: text(info.specification_sn), lot_no: text(info.lot_no) }
  const cabinet = text(info.cabinet_sn)
  const links = [
    [
      '查看院内码',
      'unitLabel',
      { specification_sn: narrowed.specification_sn, warehouse_model_inner_sn: text(info.warehouse_model_inner_sn) },
    ],
    ['存取记录', 'cabinetTransaction', narrowed],
    ['库存比对', 'cabinetComparison', { cabinet_sn: cabinet }],
  ] as const
  return (
    <p style={{ display: 'flex', gap: 16 }}>
      {links.map(([label, kind, query]) => {
        const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
        const to = listAddressOf(kind, session.orgType, filled)
        return to === null ? null : (
          <Link key={kind} to={to}>
            {label}
          </Link>
        )
      })}
    </p>
  )
}

const EVERY = 'every'

/** Departments with their cabinets: a click filters the doors by one of them. */
function CabinetTree() {
  const { query, setQuery } = usePage()
  const asked = useQuery({
    queryKey: ['cabinet', 'list', 'tree'],
    queryFn: async () => (await get<unknown, Row>('/v1/business/cabinet/list', { pageNum: 1, pageSize: 500 })).list,
  })
  const departments = Map.groupBy(asked.data ?? [], row => text(row.department_name) || '未分配科室')
  const tree = [
    {
      key: EVERY,
      title: '全部智能柜',
      children: [...departments].map(([name, cabinets]) => ({
        key: `department/${name}`,
        title: name,
        selectable: false,
        children: cabinets.map(row => ({ key: text(row.cabinet_sn), title: text(row.name) })),
      })),
    },
  ]
  if (asked.data === undefined) return null
  return (
    <Tree
      aria-label="科室与智能柜"
      blockNode
      defaultExpandAll
      treeData={tree}
      selectedKeys={[query.cabinet_sn ?? EVERY]}
      onSelect={keys => {
        const key = String(keys[0] ?? EVERY)
        setQuery({ cabinet_sn: key === EVERY ? undefined : key, pageNum: undefined })
      }}
    />
  )
}

export const cabinetLooks: readonly Customisation[] = [
  { of: 'cupboard', beside: [CabinetTree] },
  { of: 'cabinetTransaction', panels: [ToDocument] },
  { of: 'cabinetComparison', panels: [ToDocument] },
  { of: 'cabinetStock', panels: [BehindStock] },
]
