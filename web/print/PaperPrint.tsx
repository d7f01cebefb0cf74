import { App, Checkbox, Result, Select, Spin } from 'antd'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PrintSheet, PrintTemplate } from '#kernel/print.ts'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { get, post } from '#web/engine/request.ts'
import type { Row } from '#web/fields/face.ts'
import { Contract } from '#web/print/Contract.tsx'
import { layoutOf, sizeOf } from '#web/print/paper.ts'
import { Paper } from '#web/print/Paper.tsx'
import { PrintDesk } from '#web/print/PrintDesk.tsx'

const MOST = 100

/** A template that is tried on papers, and what the bar offers besides. */
export type Trial = { readonly template: string; readonly tools: ReactNode }
type Props = {
  readonly sheet: PrintSheet
  readonly kind: string
  readonly sns: readonly string[]
  readonly whose: Row
  readonly trial?: Trial
}
/** What somebody chose at the bar: a template, and whether papers that were printed before follow the newest one. */
type Choice = { readonly template: string | null; readonly isNewest: boolean }

const templatesOf = (info: Row) => (info.templates ?? []) as readonly PrintTemplate[]
/** It was printed before, and how it looked then is known. */
const wasPrinted = (info: Row): boolean => info.first_template !== undefined

/** By which template a paper is printed: again, by that of the first time; of a contract, by that whose text it bears. */
function templateOf(info: Row, { template, isNewest }: Choice): PrintTemplate | null {
  if (info.used_template !== undefined) return info.used_template as PrintTemplate | null
  if (wasPrinted(info) && !isNewest) return info.first_template as PrintTemplate | null
  const own = templatesOf(info)
  return (template === null ? own[0] : own.find(each => each.print_template_sn === template)) ?? null
}

/** Of a sheet besides the papers' own the server says more, by the template that was chosen. */
function asksOf(sheet: PrintSheet, { template, isNewest }: Choice, trial: Trial | undefined): Row {
  const tried = trial === undefined ? {} : { trial: 'true', template: trial.template }
  if (sheet.besides === undefined) return tried
  return { ...(template === null ? {} : { template }), newest: String(isNewest), ...tried, sheet: sheet.route }
}

/** Papers of one kind, each beginning on a page of its own. One that may not be printed is named; the others are. */
export function PaperPrint({ sheet, kind, sns, whose, trial }: Props) {
  const { message } = App.useApp()
  const Drawn = sheet.contract === undefined ? Paper : Contract
  const [choice, setChoice] = useState<Choice>({ template: null, isNewest: false })
  const [copyName, setCopyName] = useState<string | null>(null)
  const [onTrial, setOnTrial] = useState(trial !== undefined)
  const [times, setTimes] = useState<Readonly<Record<string, number>>>({})
  const asks = asksOf(sheet, choice, trial)
  const asked = useQueries({
    queries: sns.slice(0, MOST).map(sn => ({
      queryKey: [kind, 'print', sn, whose, asks],
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
        extra={trial?.tools}
      />
    )
  const copy = sheet.copies?.find(({ name }) => name === copyName) ?? null
  const layouts = papers.map(info => {
    const priced = info.taxed_amount !== undefined && sheet.unpriced?.includes(kind) !== true
    return layoutOf(sheet, templateOf(info, choice), priced, copy, kind)
  })
  const count = async () => {
    try {
      const counted = await Promise.all(
        papers.map(async info => {
          const template = templateOf(info, choice)
          const by = {
            sheet: sheet.route,
            template: template?.print_template_sn ?? 'none',
            ...(template?.revision === undefined ? {} : { revision: String(template.revision) }),
            ...(copy === null ? {} : { copy: copy.name }),
          }
          const said = await post<{ times: number }>(`/v1/business/${kind}/printed`, { sn: info.sn, ...whose, ...by })
          return [String(info.sn), said.info.times] as const
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
      onPrint={trial === undefined ? count : null}
      onTrial={setOnTrial}
      tools={
        trial?.tools ?? (
          <Choices {...{ sheet, papers, copyName, setCopyName, choice, setChoice }} isCopy={copy !== null} />
        )
      }
    >
      {papers.map((info, at) => (
        <Drawn
          key={String(info.sn)}
          sheet={sheet}
          layout={layouts[at]!}
          info={onTrial ? { ...info, trial: true } : info}
          times={times[String(info.sn)] ?? Number(info.times_printed ?? 0)}
        />
      ))}
    </PrintDesk>
  )
}

type ChoicesProps = {
  readonly sheet: PrintSheet
  readonly papers: readonly Row[]
  readonly copyName: string | null
  readonly setCopyName: (name: string) => void
  readonly choice: Choice
  readonly setChoice: (choice: Choice) => void
  readonly isCopy: boolean
}

/** Which copy, and by which template: papers printed before keep that of the first time until somebody wants the newest. */
function Choices({ sheet, papers, copyName, setCopyName, choice, setChoice, isCopy }: ChoicesProps) {
  const templates = templatesOf(papers[0]!)
  const printed = papers.filter(wasPrinted).length
  const isChosen = choice.isNewest || printed < papers.length
  return (
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
      {printed > 0 && !isCopy && (
        <Checkbox
          style={{ color: 'inherit' }}
          title="补打默认与首次打印的版式相同"
          checked={choice.isNewest}
          onChange={({ target }) => setChoice({ ...choice, isNewest: target.checked })}
        >
          使用最新模板
        </Checkbox>
      )}
      {templates.length > 0 && !isCopy && isChosen && (
        <Select
          aria-label="选择模板"
          style={{ minWidth: 160 }}
          value={choice.template ?? templates[0]!.print_template_sn}
          onChange={template => setChoice({ ...choice, template })}
          options={templates.map(({ print_template_sn: value, name: label }) => ({ value, label }))}
        />
      )}
    </>
  )
}
