import { plain } from '#kernel/values/decimal.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Table } from 'antd'
import type { Customisation } from '#web/engine/customisation.ts'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Tag } from '#web/fields/Tag.tsx'

const TRACE = '/hospital/traceabilityManage'
const WHOLE = '500'
type Answer = {
  readonly recall_delivery_sn: string
  readonly holder: string
  readonly product_name: string | null
  readonly lot_no: string
  readonly received: string | null
  readonly on_hand: string | null
  readonly blocked: string | null
  readonly used: string | null
  readonly returned: string | null
  readonly passed_on: string | null
  readonly gone: string | null
  readonly note: string | null
  readonly answer_state: 'waiting' | 'answered'
  readonly answered_by: string | null
  readonly answered_at: string | null
  readonly delivered_at: string | null
  readonly reminded_on: string | null
}

const figures = {
  received: '收到',
  on_hand: '在库',
  blocked: '已停售',
  used: '已使用',
  returned: '已退回',
  passed_on: '已发出',
  gone: '报废报损',
} as const
const bare = (figure: string | null) => (figure === null ? '' : plain(figure))

const columns = [
  { title: '接收机构', dataIndex: 'holder' },
  { title: '产品名称', dataIndex: 'product_name' },
  { title: '批号', dataIndex: 'lot_no', className: 'mono' },
  {
    title: '反馈状态',
    dataIndex: 'answer_state',
    render: (state: Answer['answer_state']) =>
      state === 'answered' ? <Tag tone="success">已反馈</Tag> : <Tag tone="warning">待反馈</Tag>,
  },
  ...Object.entries(figures).map(([dataIndex, title]) => ({
    title,
    dataIndex,
    align: 'right' as const,
    render: bare,
  })),
  { title: '说明', dataIndex: 'note' },
  { title: '反馈人', dataIndex: 'answered_by' },
  { title: '反馈时间', dataIndex: 'answered_at', render: (at: string | null) => (at === null ? '' : wallTime(at)) },
  { title: '送达时间', dataIndex: 'delivered_at', render: (at: string | null) => (at === null ? '' : wallTime(at)) },
  { title: '催办日期', dataIndex: 'reminded_on' },
]

/** 查看接收情况: every holder of every lot with its answer; before publication, the organisations to which the lots went. */
function Receivers({ info }: { readonly info: Row }) {
  const page = usePage()
  const sn = String(info.sn)
  const published = info.receiver_count !== null && info.receiver_count !== undefined
  const asked = useQuery({
    queryKey: ['recallDelivery', sn, info.version],
    enabled: published,
    queryFn: async () =>
      (await get<unknown, Answer>('/v1/business/recallDelivery/list', { recall_sn: sn, pageSize: WHOLE })).list,
  })
  const lots = [...new Set(((info.lines ?? []) as { lot_no: string | null }[]).flatMap(line => line.lot_no ?? []))]
  if (lots.length === 0) return null
  return (
    <Card
      size="small"
      title={published ? '接收情况' : '批号去向'}
      style={{ marginBlock: 12 }}
      extra={lots.map(lot => (
        <Button
          key={lot}
          size="small"
          style={{ marginInlineStart: 8 }}
          onClick={() => page.go(`${TRACE}?code=${encodeURIComponent(lot)}&direction=forward`)}
        >
          查询批号{lot}去向
        </Button>
      ))}
    >
      {published && (
        <Table<Answer>
          size="small"
          rowKey="recall_delivery_sn"
          loading={asked.isPending}
          dataSource={asked.data ?? []}
          columns={columns}
          pagination={false}
          scroll={{ x: 'max-content' }}
        />
      )}
    </Card>
  )
}

export const recallLook: Customisation = { of: 'recall', panels: [Receivers] }
