import { App, Result, Select, Spin } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askAction } from '#web/engine/ask-action.tsx'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { get, post } from '#web/engine/request.ts'
import { Carrier } from '#web/print/Carrier.tsx'
import type { LabelSheet } from '#web/print/labels.ts'
import { PrintDesk } from '#web/print/PrintDesk.tsx'
import css from '#web/print/Print.module.css'

const MOST = 500

/** What a label says, as the server puts it together. */
type LabelInfo = {
  readonly unit_sn: string
  readonly code: string
  /** GS1 element string in brackets, and the Digital Link; null where the goods have no UDI-DI. */
  readonly gs1: string | null
  readonly link: string | null
  readonly org_name: string
  readonly product_name: string
  readonly specification_name: string
  readonly manufacturer_name: string
  readonly registration_no: string | null
  readonly lot_no: string
  readonly expiry_date: string | null
  readonly supplier_name: string | null
  readonly marks: readonly string[]
  readonly times: number
}

/** Labels of single pieces, one a page of the roll. Printed again, they ask why. */
export function LabelPrint({ sheet, units }: { sheet: LabelSheet; units: readonly string[] }) {
  const { message, modal } = App.useApp()
  const [size, setSize] = useState(0)
  const [code, setCode] = useState(0)
  const asked = useQuery({
    queryKey: ['labels', units],
    retry: false,
    queryFn: async () => (await get<unknown, LabelInfo>('/v1/labels', { units: units.join(',') })).list,
  })
  if (units.length > MOST) return <Result status="warning" title={`一次最多打印${MOST}张标签`} />
  if (asked.isPending) return <Spin fullscreen description="正在准备打印……" />
  if (asked.isError) return <Result status="warning" title={sentenceOf(asked.error)} />
  const labels = asked.data
  const { width, height } = sheet.sizes[size]!
  const carrier = sheet.codes[code]!
  const count = async () => {
    const again = labels.filter(label => label.times > 0).length
    const why =
      again === 0
        ? {}
        : await askAction(modal, {
            title: `${again}张标签已打印，请填写补打原因`,
            danger: false,
            fields: [],
            values: {},
            reason: true,
          })
    if (why === null) return false
    try {
      await post('/v1/labels/printed', {
        units: units.join(','),
        layout: `${width}×${height} ${carrier.label}`,
        ...why,
      })
      return true
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
      return false
    }
  }
  return (
    <PrintDesk
      title={`${sheet.title}　${labels.length}张`}
      size={{ width, height }}
      onPrint={count}
      tools={
        <>
          <Select
            aria-label="标签尺寸"
            value={size}
            onChange={setSize}
            options={sheet.sizes.map((each, value) => ({ value, label: `${each.width}×${each.height} mm` }))}
          />
          <Select
            aria-label="条码类型"
            value={code}
            onChange={setCode}
            options={sheet.codes.map(({ label }, value) => ({ value, label }))}
            style={{ minWidth: 160 }}
          />
        </>
      }
    >
      <div className={css.labels}>
        {labels.map(label => (
          <Label key={label.unit_sn} label={label} carrier={carrier} width={width} height={height} />
        ))}
      </div>
    </PrintDesk>
  )
}

type LabelProps = { label: LabelInfo; carrier: LabelSheet['codes'][number]; width: number; height: number }

function Label({ label, carrier, width, height }: LabelProps) {
  // Goods without a UDI-DI bear the code of the house, whatever was chosen.
  const text = (carrier.holds === 'gs1' ? label.gs1 : carrier.holds === 'link' ? label.link : null) ?? label.code
  const as = text === label.code && carrier.as.startsWith('gs1') ? 'code128' : carrier.as
  const isWide = as === 'code128' || as === 'gs1-128'
  return (
    <section
      className={css.label}
      data-wide={isWide}
      style={{ width: `${width}mm`, height: `${height}mm` }}
      aria-label={label.code}
    >
      <Carrier as={as} text={text} height={isWide ? height * 0.28 : Math.min(height - 4, width * 0.42)} />
      <div className={css.labelText}>
        <strong>
          {label.marks.map(mark => (
            <span key={mark} className={css.mark}>
              {mark}
            </span>
          ))}
          {label.product_name}
        </strong>
        <div>{label.specification_name}</div>
        <div>批号 {label.lot_no}</div>
        <div>
          <b>有效期至 {label.expiry_date ?? '-'}</b>
        </div>
        {height >= 30 && <div>{label.manufacturer_name}</div>}
        {height >= 40 && label.registration_no && <div>{label.registration_no}</div>}
        {height >= 40 && label.supplier_name && <div>供应商 {label.supplier_name}</div>}
        <div className={`mono ${css.whole}`}>{label.code}</div>
      </div>
    </section>
  )
}
