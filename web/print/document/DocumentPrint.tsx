import { App, Button, Result, Spin } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PrintSheet, PrintTemplate } from '#kernel/print/print-definition.ts'
import { sheetOf } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { askAction } from '#web/engine/actions/confirm-action.tsx'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get, post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Choices } from '#web/print/PrintOptions.tsx'
import { Contract } from '#web/print/document/Contract.tsx'
import { choosesParts, EACH_PART, partsOf, type Choice, templatesOf, wasPrinted } from '#web/print/print-options.ts'
import { type Layout, layoutOf } from '#web/print/document/page-layout.ts'
import { PrintedDocument } from '#web/print/document/PrintedDocument.tsx'
import { PrintShell } from '#web/print/PrintShell.tsx'

const MOST = 100

/** A template tested on documents, and extra tools for the bar. */
export type Trial = { readonly template: string; readonly tools: ReactNode }
type Props = {
  readonly sheet: PrintSheet
  readonly kind: string
  readonly sns: readonly string[]
  readonly whose: Row
  readonly trial?: Trial
  /** From the address: a template, and the number of copies. */
  readonly template?: string | null
  readonly copies?: number
}
/** The template of a document: for a reprint that of the first print; for a contract the one whose text it has. */
function templateOf(info: Row, { template, isNewest }: Choice): PrintTemplate | null {
  if (info.used_template !== undefined) return info.used_template as PrintTemplate | null
  if (wasPrinted(info) && !isNewest) return info.first_template as PrintTemplate | null
  const own = templatesOf(info)
  return own.find(each => each.print_template_sn === template) ?? own[0] ?? null
}

/**
 * For sheets other than the document's own, the server returns extra data for the chosen template. A copy is asked for
 * by its name: the answer holds what it shows and nothing else.
 */
function asksOf(sheet: PrintSheet, { template, isNewest, copy }: Choice, trial: Trial | undefined): Row {
  const tried = trial === undefined ? {} : { trial: 'true', template: trial.template }
  const asked = copy === null ? tried : { ...tried, copy }
  if (sheet.besides === undefined) return asked
  return { ...(template === null ? {} : { template }), newest: String(isNewest), ...asked, sheet: sheet.route }
}

/** The sheets of an answer: the document, or its copies, one for each reader. */
const sheetsOf = (info: Row): readonly Row[] => (info.copies as readonly Row[] | undefined) ?? [info]

/** Documents of one kind, each starting on a new page. One that may not be printed is named; the others are printed. */
export function DocumentPrint({ sheet, kind, sns, whose, trial, template = null, copies = 1 }: Props) {
  const { modal } = App.useApp()
  const refuse = useRefusal()
  const Drawn = sheet.contract === undefined ? PrintedDocument : Contract
  const [choice, setChoice] = useState<Choice>({
    template,
    isNewest: template !== null,
    copy: null,
    isPriced: sheet.pricesOptional?.includes(kind) !== true,
    copies,
    parts: EACH_PART,
  })
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
  const docs = asked.flatMap(each => (each.data === undefined ? [] : [each.data]))
  const refused = sns.flatMap((sn, at) => (asked[at]?.isError ? [refusalOf(sn, asked[at].error)] : []))
  if (docs.length === 0)
    return (
      <Result
        status="warning"
        title={`${sns.join('、')}不能打印${sheet.besides === undefined ? '' : sheet.title}`}
        subTitle={refused.join('；')}
        extra={trial?.tools}
      />
    )
  const gathered = sheet.gathers?.(docs)
  if (typeof gathered === 'string') return <Result status="warning" title={gathered} subTitle={refused.join('；')} />
  const copy = sheet.copies?.find(({ name }) => name === choice.copy) ?? null
  const drawnDocs = docs.flatMap(sheetsOf)
  const layouts = drawnDocs.map(info => {
    const priced = info.taxed_amount !== undefined && choice.isPriced && sheet.unpriced?.includes(kind) !== true
    return layoutOf(sheet, templateOf(info, choice), priced, copy, indoorsAs(kind, info))
  })
  const count = async () => {
    const again = docs.filter(info => parseInteger(info.times_printed ?? 0) > 0).length + Object.keys(times).length
    const title = '已打印过，请填写补打原因'
    const why =
      sheet.asksWhyAgain === true && again > 0
        ? await askAction(modal, { title, danger: false, fields: [], values: {}, reason: true })
        : {}
    if (why === null) return false
    try {
      const counted = await Promise.all(
        docs.map(async info => {
          const template = templateOf(info, choice)
          const by = {
            sheet: sheet.route,
            template: template?.print_template_sn ?? 'none',
            ...(template?.revision === undefined ? {} : { revision: String(template.revision) }),
            ...(copy === null ? {} : { copy: copy.name }),
          }
          const said = await post<{ times: number }>(`/v1/business/${kind}/printed`, {
            sn: info.sn,
            ...whose,
            ...by,
            ...why,
          })
          return [String(info.sn), said.info.times] as const
        }),
      )
      setTimes(Object.fromEntries(counted))
      return true
    } catch (thrown) {
      refuse(thrown)
      return false
    }
  }
  const each = drawnDocs.flatMap((info, at) =>
    Array.from({ length: choice.copies }).flatMap((_, nth) =>
      partsOf(sheet, indoorsAs(kind, info), layouts[at]!.paper, copy === null ? choice.parts : null).map(part => ({
        key: `${String(info.sn)} ${at} ${nth} ${part ?? ''}`,
        of: sheet,
        info,
        layout: layouts[at]!,
        part,
      })),
    ),
  )
  const drawn =
    gathered === undefined
      ? each
      : Array.from({ length: choice.copies }).flatMap((_, nth) =>
          together(sheet, kind, gathered, docs, layouts[0]!, nth),
        )
  return (
    <PrintShell
      title={`${sheet.kinds[kind] ?? sheet.title}　${drawnDocs.length}张`}
      papers={layouts.map(({ paper }) => paper)}
      refused={refused}
      onPrint={trial === undefined ? count : null}
      onTrial={setOnTrial}
      tools={
        trial?.tools ?? (
          <>
            {sheet.labels && (
              <Button href={`${sheet.route}?kind=${kind}&sn=${sns.join(',')}&as=labels`}>
                打印{sheet.labels.title}
              </Button>
            )}
            <Choices
              {...{ sheet, kind, documents: docs, choice, setChoice }}
              hasParts={drawnDocs.some((info, at) => choosesParts(sheet, indoorsAs(kind, info), layouts[at]!.paper))}
            />
          </>
        )
      }
    >
      {drawn.map(({ key, of, info, layout, part }) => (
        <Drawn
          key={key}
          sheet={of}
          layout={layout}
          info={onTrial ? { ...info, trial: true } : info}
          times={times[String(info.sn)] ?? parseInteger(info.times_printed ?? 0)}
          {...(part === null ? {} : { part })}
        />
      ))}
    </PrintShell>
  )
}

/** Several documents on one sheet, and after it each of them on its own. */
function together(sheet: PrintSheet, kind: string, whole: Row, docs: readonly Row[], layout: Layout, nth: number) {
  const own = sheetOf(kind) ?? sheet
  return [
    { key: `${nth}`, of: sheet, info: whole, layout, part: null },
    ...docs.map(info => ({
      key: `${String(info.sn)} ${nth}`,
      of: own,
      info,
      layout: layoutOf(own, null, info.taxed_amount !== undefined, null, indoorsAs(kind, info)),
      part: null,
    })),
  ]
}

/** The kind as which a print is for internal use; empty for one that goes to another organisation. */
const indoorsAs = (kind: string, info: Row): string => (info.counterparty_sn ? '' : kind)

/** The reason why one of them is not printed, with its number. */
function refusalOf(sn: string, thrown: unknown): string {
  const sentence = sentenceOf(thrown)
  return sentence.includes(sn) ? sentence : `${sn}：${sentence}`
}
