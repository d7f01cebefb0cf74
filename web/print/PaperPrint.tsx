import { App, Result, Select, Spin } from 'antd'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { PrintSheet, PrintTemplate } from '#kernel/print.ts'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { get, post } from '#web/engine/request.ts'
import type { Row } from '#web/fields/face.ts'
import { Contract } from '#web/print/Contract.tsx'
import { layoutOf, sizeOf } from '#web/print/paper.ts'
import { Paper } from '#web/print/Paper.tsx'
import { PrintDesk } from '#web/print/PrintDesk.tsx'

const MOST = 100

type Props = { readonly sheet: PrintSheet; readonly kind: string; readonly sns: readonly string[]; readonly whose: Row }

/** Papers of one kind, each beginning on a page of its own. One that may not be printed is named; the others are. */
export function PaperPrint({ sheet, kind, sns, whose }: Props) {
  const { message } = App.useApp()
  const Drawn = sheet.contract === undefined ? Paper : Contract
  const [chosen, setChosen] = useState<string | null>(null)
  const [copyName, setCopyName] = useState<string | null>(null)
  const [times, setTimes] = useState<Readonly<Record<string, number>>>({})
  // Of a sheet besides the papers' own the server says more, by the template that was chosen.
  const chosenHere = sheet.besides === undefined ? null : chosen
  const asks =
    sheet.besides === undefined ? {} : { sheet: sheet.route, ...(chosen === null ? {} : { template: chosen }) }
  const asked = useQueries({
    queries: sns.slice(0, MOST).map(sn => ({
      queryKey: [kind, 'print', sn, whose, sheet.route, chosenHere],
      retry: false,
      queryFn: async () =>
        ({ kind, ...(await get<Row>(`/v1/business/${kind}/print`, { sn, ...whose, ...asks })).info }) as Row,
    })),
  })
  if (sns.length > MOST) return <Result status="warning" title={`一次最多打印${MOST}张单据`} />
  if (asked.some(each => each.isPending)) return <Spin fullscreen description="正在准备打印……" />
  const papers = asked.flatMap(each => (each.data === undefined ? [] : [each.data]))
  const refused = sns.filter((_, at) => asked[at]?.isError)
  if (papers.length === 0)
    return (
      <Result
        status="warning"
        title={`${sns.join('、')}不能打印${sheet.besides === undefined ? '' : sheet.title}`}
        subTitle={sentenceOf(asked[0]?.error)}
      />
    )
  const templates = (papers[0]!.templates ?? []) as readonly PrintTemplate[]
  const templateOf = (info: Row): PrintTemplate | null => {
    const own = (info.templates ?? []) as readonly PrintTemplate[]
    return (chosen === null ? own[0] : own.find(each => each.print_template_sn === chosen)) ?? null
  }
  const copy = sheet.copies?.find(({ name }) => name === copyName) ?? null
  const layouts = papers.map(info =>
    layoutOf(
      sheet,
      templateOf(info),
      info.taxed_amount !== undefined && sheet.unpriced?.includes(kind) !== true,
      copy,
      kind,
    ),
  )
  const count = async () => {
    try {
      const counted = await Promise.all(
        papers.map(async ({ sn }) => {
          const { info } = await post<{ times: number }>(`/v1/business/${kind}/printed`, { sn, ...whose })
          return [String(sn), info.times] as const
        }),
      )
      setTimes(Object.fromEntries(counted))
      return true
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
      return false
    }
  }
  return (
    <PrintDesk
      title={`${sheet.kinds[kind] ?? sheet.title}　${papers.length}张${refused.length > 0 ? `　${refused.join('、')}不能打印` : ''}`}
      size={sizeOf(layouts[0]!.paper)}
      onPrint={count}
      tools={
        <>
          {sheet.copies && (
            <Select
              aria-label="选择联次"
              style={{ minWidth: 120 }}
              value={copyName ?? ''}
              onChange={setCopyName}
              options={[
                { value: '', label: '正式联' },
                ...sheet.copies.map(({ name: value, label }) => ({ value, label })),
              ]}
            />
          )}
          {templates.length > 0 && copy === null && (
            <Select
              aria-label="选择模板"
              style={{ minWidth: 160 }}
              value={chosen ?? templates[0]!.print_template_sn}
              onChange={setChosen}
              options={templates.map(({ print_template_sn: value, name: label }) => ({ value, label }))}
            />
          )}
        </>
      }
    >
      {papers.map((info, at) => (
        <Drawn
          key={String(info.sn)}
          sheet={sheet}
          layout={layouts[at]!}
          info={info}
          times={times[String(info.sn)] ?? Number(info.times_printed ?? 0)}
        />
      ))}
    </PrintDesk>
  )
}
