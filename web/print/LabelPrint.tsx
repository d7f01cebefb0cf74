import { App, InputNumber, Result, Select, Spin } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askAction } from '#web/engine/ask-action.tsx'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { get, post } from '#web/engine/request.ts'
import type { Correction } from '#web/print/draw-code.ts'
import { type Label, labelTypes } from '#kernel/label.ts'
import { LabelFace } from '#web/print/LabelFace.tsx'
import { type LabelSheet, sizeName } from '#kernel/label-sheets.ts'
import type { PrintTemplate } from '#kernel/print.ts'
import { labelLook, sheetsOf } from '#web/print/labels.ts'
import { PrintDesk } from '#web/print/PrintDesk.tsx'
import css from '#web/print/Print.module.css'

const MOST = 500
const A4 = { width: 210, height: 297 }
const corrections: readonly { readonly value: Correction; readonly label: string }[] = [
  { value: 'M', label: '容错M' },
  { value: 'Q', label: '容错Q(易受潮)' },
]

const typesOf = (labels: readonly Label[]) => [...new Set(labels.map(({ type }) => labelTypes[type]))].join('、')

/** What there is to choose, and which of it is used. */
type Templates = { readonly templates: readonly PrintTemplate[]; readonly used: string | null }
/** The labels as they are without a template. */
const STANDARD = 'none'

type Props = { readonly sheet: LabelSheet; readonly of: string | null; readonly keys: readonly string[] }

/** Labels of ticked rows, one a page of the roll or many on a sheet of A4, as a template of the house says where it has one. Those of pieces, printed again, ask why. */
export function LabelPrint({ sheet, of, keys }: Props) {
  const { message, modal } = App.useApp()
  const [template, setTemplate] = useState<string | null>(null)
  const [size, setSize] = useState<string | null>(null)
  const [code, setCode] = useState<string | null>(null)
  const [copies, setCopies] = useState(1)
  const [start, setStart] = useState(1)
  const [correction, setCorrection] = useState<Correction>('M')
  const asked = useQuery({
    queryKey: ['labels', sheet.route, template, of, keys],
    retry: false,
    // What is chosen stays in sight while its labels are fetched.
    placeholderData: before => before,
    queryFn: async () => {
      const chosen = template === null ? {} : { template }
      const body = { ...(of === null ? {} : { of }), units: keys.join(','), sheet: sheet.route, ...chosen }
      const { list, info } = await get<Templates, Label>('/v1/labels', body)
      return { labels: list, ...info }
    },
  })
  if (keys.length > MOST) return <Result status="warning" title={`一次最多打印${MOST}张标签`} />
  if (asked.isPending) return <Spin fullscreen description="正在准备打印……" />
  if (asked.isError) return <Result status="warning" title={sentenceOf(asked.error)} />
  const { templates } = asked.data
  const used = templates.find(each => each.print_template_sn === asked.data.used)
  const look = labelLook(sheet, used)
  const chosen = sheet.sizes.find(({ key }) => key === size) ?? look.size
  const carrier = sheet.codes.find(({ key }) => key === code) ?? look.code
  const labels = asked.data.labels.flatMap(label => Array.from({ length: copies }, () => label))
  const places = chosen.grid ? chosen.grid.columns * chosen.grid.rows : 1
  const count = async () => {
    const again = asked.data.labels.filter(label => label.times > 0).length
    const title = `${again}张标签已打印，请填写补打原因`
    const why =
      again === 0 ? {} : await askAction(modal, { title, danger: false, fields: [], values: {}, reason: true })
    if (why === null) return false
    try {
      const layout = [sizeName(chosen), carrier.label, used?.name].filter(Boolean).join(' ')
      const body = { ...(of === null ? {} : { of }), units: keys.join(','), copies: String(copies), layout, ...why }
      await post('/v1/labels/printed', body)
      return true
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
      return false
    }
  }
  const face = (label: Label, at: number) => (
    <LabelFace
      key={`${label.key} ${at}`}
      label={label}
      code={carrier}
      size={chosen}
      correction={correction}
      lines={used?.column_layout ?? null}
    />
  )
  return (
    <PrintDesk
      title={`${sheet.title}　${typesOf(asked.data.labels)}　本次打印${labels.length}张`}
      size={chosen.grid ? A4 : chosen}
      onPrint={count}
      tools={
        <>
          {templates.length > 0 && (
            <Select
              aria-label="标签模板"
              value={used?.print_template_sn ?? STANDARD}
              onChange={sn => {
                setTemplate(sn)
                setSize(null)
                setCode(null)
              }}
              options={[
                { value: STANDARD, label: '标准版式' },
                ...templates.map(({ print_template_sn: value, name: label }) => ({ value, label })),
              ]}
              style={{ minWidth: 140 }}
            />
          )}
          <Select
            aria-label="标签尺寸"
            value={chosen.key}
            onChange={setSize}
            options={sheet.sizes.map(each => ({ value: each.key, label: sizeName(each) }))}
            style={{ minWidth: 120 }}
          />
          <Select
            aria-label="条码类型"
            value={carrier.key}
            onChange={setCode}
            options={sheet.codes.map(({ label, key }) => ({ value: key, label }))}
            style={{ minWidth: 150 }}
          />
          {carrier.as === 'qrcode' && (
            <Select
              aria-label="容错级别"
              value={correction}
              onChange={setCorrection}
              options={[...corrections]}
              style={{ minWidth: 130 }}
            />
          )}
          <InputNumber
            aria-label="每个份数"
            prefix="份数"
            min={1}
            max={Math.max(1, Math.floor(MOST / asked.data.labels.length))}
            precision={0}
            value={copies}
            onChange={value => setCopies(value ?? 1)}
            style={{ width: 110 }}
          />
          {chosen.grid && (
            <InputNumber
              aria-label="起始位置"
              prefix="起始位置"
              min={1}
              max={places}
              precision={0}
              value={start}
              onChange={value => setStart(value ?? 1)}
              style={{ width: 130 }}
            />
          )}
        </>
      }
    >
      {chosen.grid ? (
        sheetsOf(labels, places, Math.min(start, places)).map((page, number) => (
          <div
            key={number}
            className={css.labelSheet}
            style={{ gridTemplateColumns: `repeat(${chosen.grid!.columns}, ${chosen.width}mm)` }}
          >
            {page.map((label, at) =>
              label === null ? (
                <span key={at} style={{ width: `${chosen.width}mm`, height: `${chosen.height}mm` }} />
              ) : (
                face(label, at)
              ),
            )}
          </div>
        ))
      ) : (
        <div className={css.labels}>{labels.map(face)}</div>
      )}
    </PrintDesk>
  )
}
