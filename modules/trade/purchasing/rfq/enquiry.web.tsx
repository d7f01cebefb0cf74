import { compare, isPositive, plain } from '#kernel/values/decimal.ts'
import { App, Button, Card, Input, InputNumber, Radio, Space, Table, type TableColumnsType } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customisation } from '#web/engine/customisation.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Tag } from '#web/fields/Tag.tsx'
import { useMay } from '#web/shell/menu/menu.ts'
import css from '#modules/trade/purchasing/rfq/enquiry.module.css'

type Offer = {
  readonly supplier_sn: string
  readonly price: string
  readonly tax_rate: number
  readonly lead_days: number | null
  readonly substitute: string | null
  readonly remark: string | null
  readonly awarded_quantity: string | null
  readonly is_lowest: boolean
}
type Line = {
  readonly line_no: number
  readonly product_name: string
  readonly specification_name: string
  readonly quantity: string
  readonly limit_price: string | null
  readonly last_price: string | null
  readonly offers: readonly Offer[]
}
type Supplier = {
  readonly supplier_sn: string
  readonly name: string
  readonly taxed_amount: string
  readonly valid_until: string | null
  readonly promised_days: number | null
  readonly award_state: 'won' | 'partly' | 'lost' | null
}
type Comparison = { readonly suppliers: readonly Supplier[]; readonly lines: readonly Line[] }
type Choice = { readonly supplier: string | null; readonly quantity: string | null }

const bare = (figure: string | null): string => (figure === null ? '—' : plain(figure))
const isOver = (line: Line, offer: Offer): boolean =>
  line.limit_price !== null && isPositive(line.limit_price) && compare(offer.price, line.limit_price) > 0
const results = { won: '中标', partly: '部分中标', lost: '未中标' } as const

/** The lowest permitted price of each line, for the whole quantity: the choice until a user changes it. */
const proposed = (line: Line): Choice => {
  const best = line.offers.filter(offer => !isOver(line, offer)).toSorted((a, b) => compare(a.price, b.price))[0]
  return { supplier: best?.supplier_sn ?? null, quantity: plain(line.quantity) }
}

function OfferCell({ line, offer }: { readonly line: Line; readonly offer: Offer | undefined }) {
  if (offer === undefined) return <span className="faint">未报价</span>
  return (
    <span>
      <span className={offer.is_lowest ? css.lowest : css.price}>{bare(offer.price)}</span>{' '}
      {offer.is_lowest && <Tag tone="success">最低</Tag>}
      {isOver(line, offer) && <Tag tone="danger">超限价</Tag>}
      <span className="faint">
        {' '}
        税率{offer.tax_rate}%{offer.lead_days === null ? '' : ` · ${offer.lead_days}天`}
      </span>
      {offer.substitute !== null && <div className="faint">替代品：{offer.substitute}</div>}
      {offer.remark !== null && <div className="faint">{offer.remark}</div>}
      {offer.awarded_quantity !== null && isPositive(offer.awarded_quantity) && (
        <div>
          <Tag tone="success">中标 {bare(offer.awarded_quantity)}</Tag>
        </div>
      )}
    </span>
  )
}

const headOf = (supplier: Supplier) => (
  <span>
    {supplier.name}{' '}
    {supplier.award_state !== null && (
      <Tag tone={supplier.award_state === 'lost' ? 'neutral' : 'success'}>{results[supplier.award_state]}</Tag>
    )}
    <div className={css.terms}>
      合计 {supplier.taxed_amount} · {supplier.promised_days ?? '—'}天交货 · 有效至 {supplier.valid_until ?? '—'}
    </div>
  </span>
)

/**
 * 比价: a row per line, a column per supplier; while the enquiry waits for its award, the winner of each line is
 * chosen here.
 */
function Comparing({ info }: { readonly info: Row }) {
  const sn = String(info.sn)
  const may = useMay('/commonView/enquiryList', 'enquiry')
  const { message } = App.useApp()
  const [choices, setChoices] = useState<Readonly<Record<number, Choice>>>({})
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const isOpen = info.state === 'partial'
  const shown = (isOpen || info.state === 'completed') && may('compare')
  const asked = useQuery({
    queryKey: ['enquiry', 'compare', sn, info.version],
    enabled: shown,
    queryFn: async () => (await post<Comparison>('/v1/business/enquiry/compare', { sn })).info,
  })
  if (!shown) return null
  const { suppliers = [], lines = [] } = asked.data ?? {}
  const choiceOf = (line: Line): Choice => choices[line.line_no] ?? proposed(line)
  const choose = (line: Line, change: Partial<Choice>) =>
    setChoices(before => ({ ...before, [line.line_no]: { ...choiceOf(line), ...change } }))
  const award = async () => {
    const awards = lines.flatMap(line => {
      const { supplier, quantity } = choiceOf(line)
      return supplier === null
        ? []
        : [{ line_no: line.line_no, supplier_sn: supplier, quantity: String(quantity ?? 0) }]
    })
    setBusy(true)
    try {
      await post('/v1/business/enquiry/award', {
        sn,
        version: info.version,
        awards,
        ...(reason ? { award_reason: reason } : {}),
      })
      void message.success(`${sn} 已定标`)
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
      forget('enquiry')
    }
  }
  const columns: TableColumnsType<Line> = [
    { title: '产品名称', dataIndex: 'product_name', fixed: 'left', width: 160 },
    { title: '规格型号', dataIndex: 'specification_name', width: 140 },
    { title: '询价数量', dataIndex: 'quantity', align: 'right', width: 90, render: bare },
    { title: '最高限价', dataIndex: 'limit_price', align: 'right', width: 90, render: bare },
    { title: '上次采购价', dataIndex: 'last_price', align: 'right', width: 100, render: bare },
    ...suppliers.map(supplier => ({
      title: headOf(supplier),
      key: supplier.supplier_sn,
      width: 240,
      render: (_: unknown, line: Line) => {
        const offer = line.offers.find(each => each.supplier_sn === supplier.supplier_sn)
        const cell = <OfferCell line={line} offer={offer} />
        if (!isOpen || offer === undefined) return cell
        return (
          <Radio
            checked={choiceOf(line).supplier === supplier.supplier_sn}
            disabled={isOver(line, offer)}
            onChange={() => choose(line, { supplier: supplier.supplier_sn })}
          >
            {cell}
          </Radio>
        )
      },
    })),
    ...(isOpen
      ? [
          {
            title: '中标数量',
            key: 'award',
            width: 110,
            render: (_: unknown, line: Line) => (
              <InputNumber<string>
                stringMode
                aria-label={`第${line.line_no}行中标数量`}
                min="0"
                max={line.quantity}
                value={choiceOf(line).quantity}
                onChange={quantity => choose(line, { quantity })}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <Card size="small" title="比价" className={css.card ?? ''}>
      {asked.error !== null && !isSilent(asked.error) && <p className="faint">{sentenceOf(asked.error)}</p>}
      <Table<Line>
        size="small"
        rowKey="line_no"
        loading={asked.isPending}
        dataSource={[...lines]}
        columns={columns}
        pagination={lines.length > 50 ? { pageSize: 50 } : false}
        scroll={{ x: 'max-content' }}
      />
      {isOpen && may('award') && (
        <Space className={css.award ?? ''}>
          <Input
            aria-label="定标说明"
            placeholder="定标说明（报价供应商不足3家时必填）"
            maxLength={300}
            value={reason}
            onChange={event => setReason(event.target.value)}
            className={css.reason ?? ''}
          />
          <Button type="primary" loading={busy} onClick={() => void award()}>
            按所选定标
          </Button>
        </Space>
      )}
    </Card>
  )
}

export const enquiryLook: Customisation = { of: 'enquiry', panels: [Comparing] }
