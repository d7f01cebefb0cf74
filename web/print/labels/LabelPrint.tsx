import { App, Result, Spin } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askAction } from '#web/engine/actions/confirm-action.tsx'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get, post } from '#web/engine/http/request.ts'
import { type Label, labelTypes } from '#kernel/print/label-data.ts'
import { type LabelChoice, LabelTools, STANDARD, unchosen } from '#web/print/labels/LabelOptions.tsx'
import { LabelFace } from '#web/print/labels/LabelView.tsx'
import { type LabelSheet, sizeName } from '#kernel/print/label-formats.ts'
import type { PrintTemplate } from '#kernel/print/print-definition.ts'
import { documentOf } from '#kernel/registry.ts'
import { labelLook, sheetsOf } from '#web/print/labels/label-limits.ts'
import { PrintShell } from '#web/print/PrintShell.tsx'
import css from '#web/print/Print.module.css'

const MOST = 500
const A4 = { width: 210, height: 297 }
const typesOf = (labels: readonly Label[]) => [...new Set(labels.map(({ type }) => labelTypes[type]))].join('、')

/** The available templates, and the one used. */
type Templates = { readonly templates: readonly PrintTemplate[]; readonly used: string | null }

type Props = { readonly sheet: LabelSheet; readonly of: string | null; readonly keys: readonly string[] }

/**
 * Labels of ticked rows, one per page of the roll or many on a sheet of A4, by the organisation's template if it has
 * one. Reprints of serial labels need a reason.
 */
export function LabelPrint({ sheet, of, keys }: Props) {
  const { modal } = App.useApp()
  const refuse = useRefusal()
  const [choice, setChoice] = useState<LabelChoice>(unchosen)
  const { template, copies, correction } = choice
  const ofLines = of !== null && documentOf(of) !== undefined
  const rows = {
    ...(of === null ? {} : { of }),
    units: keys.join(','),
    ...(ofLines ? { each: choice.each } : {}),
  }
  const asked = useQuery({
    queryKey: ['labels', sheet.route, template, rows],
    retry: false,
    // Keeps the choices visible while the labels load.
    placeholderData: before => before,
    queryFn: async () => {
      const chosen = template === null ? {} : { template }
      const { list, info } = await get<Templates, Label>('/v1/labels', { ...rows, sheet: sheet.route, ...chosen })
      return { labels: list, ...info }
    },
  })
  if (keys.length > MOST) return <Result status="warning" title={`一次最多打印${MOST}张标签`} />
  if (asked.isPending) return <Spin fullscreen description="正在准备打印……" />
  if (asked.isError) return <Result status="warning" title={sentenceOf(asked.error)} />
  const { templates } = asked.data
  const used = templates.find(each => each.print_template_sn === asked.data.used)
  const look = labelLook(sheet, used)
  const chosen = sheet.sizes.find(({ key }) => key === choice.size) ?? look.size
  const carrier = sheet.codes.find(({ key }) => key === choice.code) ?? look.code
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
      await post('/v1/labels/printed', { ...rows, copies: String(copies), layout, ...why })
      return true
    } catch (thrown) {
      refuse(thrown)
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
    <PrintShell
      title={`${sheet.title}　${typesOf(asked.data.labels)}　本次打印${labels.length}张`}
      size={chosen.grid ? A4 : chosen}
      onPrint={count}
      tools={
        <LabelTools
          sheet={sheet}
          templates={templates}
          used={used?.print_template_sn ?? STANDARD}
          size={chosen}
          code={carrier}
          choice={choice}
          ofLines={ofLines}
          most={Math.max(1, Math.floor(MOST / asked.data.labels.length))}
          setChoice={change => setChoice({ ...choice, ...change })}
        />
      }
    >
      {chosen.grid ? (
        sheetsOf(labels, places, Math.min(choice.start, places)).map((page, number) => (
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
    </PrintShell>
  )
}
