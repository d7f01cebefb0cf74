import { useQuery } from '@tanstack/react-query'
import { App, Button, Input, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import css from '#modules/hospital/charges/matching/product-matching.module.css'
import { forget } from '#web/engine/http/query-client.ts'
import { isSilent, sentencesOf } from '#web/engine/http/request-error.ts'
import { get, post } from '#web/engine/http/request.ts'
import { usePage } from '#web/engine/page-context.ts'
import { ListFrame } from '#web/list/page/ListFrame.tsx'
import { useMay } from '#web/shell/menu/menu.ts'

const KIND = 'productComparison'
const ROWS = '50'
const HEIGHT = 'calc(100vh - 340px)'

type Product = {
  readonly product_comparison_sn: string
  readonly version: number
  readonly product_name: string
  readonly specification_name: string
  readonly unit_name: string
  readonly charge_price?: string | null
}
type Item = {
  readonly his_item_sn: string
  readonly item_code: string
  readonly item_name: string
  readonly his_specification: string | null
  readonly his_unit: string | null
  readonly his_price?: string
}

/** A price as people read it; without the right to it there is none. */
const figure = (price: string | null | undefined): string =>
  price === null || price === undefined ? '' : plain(price as Decimal)

const productColumns: TableColumnsType<Product> = [
  { title: '产品名称', dataIndex: 'product_name', ellipsis: true },
  { title: '规格型号', dataIndex: 'specification_name', ellipsis: true },
  { title: '单位', dataIndex: 'unit_name', width: 64 },
  { title: '收费价', dataIndex: 'charge_price', width: 84, align: 'right', render: figure },
]
const itemColumns: TableColumnsType<Item> = [
  { title: '项目编码', dataIndex: 'item_code', width: 92 },
  { title: 'HIS项目名称', dataIndex: 'item_name', ellipsis: true },
  { title: 'HIS规格', dataIndex: 'his_specification', ellipsis: true },
  { title: 'HIS单位', dataIndex: 'his_unit', width: 76 },
  { title: 'HIS单价', dataIndex: 'his_price', width: 84, align: 'right', render: figure },
]

/** Rows of one side that hold the searched text. */
const useSide = <Row,>(kind: string, fixed: Readonly<Record<string, string>>, q: string) =>
  useQuery({
    queryKey: [kind, 'matching', q],
    queryFn: async ({ signal }) =>
      (await get<unknown, Row>(`/v1/business/${kind}/list`, { ...fixed, q, pageNum: 1, pageSize: ROWS }, { signal }))
        .list,
  })

type SideProps<Row> = {
  readonly title: string
  readonly fixed: Readonly<Record<string, string>>
  readonly kind: string
  readonly rowKey: keyof Row & string
  readonly columns: TableColumnsType<Row>
  readonly chosen: Row | null
  readonly onChoose: (row: Row) => void
}

/** One side of the comparison: a search, and the rows that it finds, of which one is chosen. */
function Side<Row extends object>({ title, fixed, kind, rowKey, columns, chosen, onChoose }: SideProps<Row>) {
  const [q, setQ] = useState('')
  const found = useSide<Row>(kind, fixed, q)
  const keyOf = (row: Row) => String(row[rowKey])
  return (
    <section className={css.side} aria-label={title}>
      <header className={css.head}>
        <h2 className={css.name}>{title}</h2>
        <Input.Search allowClear placeholder="编码、名称或规格" aria-label={`查找${title}`} onSearch={setQ} />
      </header>
      <Table<Row>
        size="small"
        rowKey={keyOf}
        columns={columns}
        dataSource={[...(found.data ?? [])]}
        loading={found.isPending}
        pagination={false}
        scroll={{ y: HEIGHT }}
        locale={{ emptyText: '暂无符合条件的行' }}
        rowSelection={{
          type: 'radio',
          selectedRowKeys: chosen === null ? [] : [keyOf(chosen)],
          onSelect: onChoose,
        }}
        onRow={row => ({ onClick: () => onChoose(row) })}
      />
    </section>
  )
}

/** 人工对照: a product on the left, an item of the HIS on the right, and how many of its units ours is. */
export default function ProductMatchingPage() {
  const { screen } = usePage()
  const { message } = App.useApp()
  const may = useMay(screen.route, KIND)
  const [product, setProduct] = useState<Product | null>(null)
  const [item, setItem] = useState<Item | null>(null)
  const [factor, setFactor] = useState('1')
  const [busy, setBusy] = useState(false)
  const match = async () => {
    if (product === null || item === null) return
    setBusy(true)
    try {
      await post(`/v1/business/${KIND}/edit`, {
        sn: product.product_comparison_sn,
        version: product.version,
        his_item_sn: item.his_item_sn,
        factor,
      })
      void message.success(`【${product.product_name} ${product.specification_name}】已对照${item.item_code}`)
      setProduct(null)
      setItem(null)
      setFactor('1')
      forget(KIND)
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentencesOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ListFrame
      title={screen.title}
      purpose={screen.purpose}
      toolbar={
        <div className={css.bar}>
          <label className={css.factor}>
            换算系数
            <Input value={factor} onChange={event => setFactor(event.target.value)} aria-label="换算系数" />
          </label>
          <Button
            type="primary"
            loading={busy}
            disabled={!may('edit') || product === null || item === null}
            onClick={() => void match()}
          >
            对照
          </Button>
        </div>
      }
    >
      <div className={css.sides}>
        <Side<Product>
          title="本院未对照产品"
          kind={KIND}
          fixed={{ match_state: 'none', is_chargeable: 'true' }}
          rowKey="product_comparison_sn"
          columns={productColumns}
          chosen={product}
          onChoose={setProduct}
        />
        <Side<Item>
          title="HIS收费项目"
          kind="hisItem"
          fixed={{ is_active: 'true' }}
          rowKey="his_item_sn"
          columns={itemColumns}
          chosen={item}
          onChoose={setItem}
        />
      </div>
    </ListFrame>
  )
}
