import { screenAddress } from '#kernel/definition/screen.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type State, states } from '#kernel/definition/document-state.ts'
import { mayRead, pageOf } from '#modules/platform/assistant/pages.server.ts'
import { linkOf, documentsIn, stateIn, stateNameOf, tableOf, word } from '#modules/platform/assistant/wording.ts'
import { documents } from '#kernel/registry.ts'
import { type Args, type Finding, periodIn, textOf, type Tool, type ToolParameters } from '#server/public/assistant.ts'
import { documentDetail, listDocuments } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const COUNTING = /几张|几单|几笔|多少|数量|哪些|有没有|列出|还有|到哪|进展|进度|查一下|看看/
const SHOWN = 5
type Row = Readonly<Record<string, unknown>>

/** The definitions named by the arguments: by kind, or by any word for it. */
const kindsOf = (named: string): readonly AnyDocument[] => {
  const exact = documents().filter(({ kind, title }) => kind === named || title === named)
  return exact.length > 0 ? exact : documentsIn(named, documents())
}

type Counted = {
  readonly definition: AnyDocument
  readonly total: number
  readonly list: readonly Row[]
  readonly query: Record<string, string>
}

async function countKind(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  query: Record<string, string>,
): Promise<Counted> {
  const { list, total } = await listDocuments(tx, session, definition, { ...query, pageSize: String(SHOWN) })
  return { definition, total, list, query }
}

/** One line for a kind: the count, and a link to exactly these documents. */
function lineOf(session: Session, { definition, total, list, query }: Counted): string {
  const page = pageOf(session, definition)
  const name = page === null ? definition.title : linkOf(definition.title, screenAddress(page, null, query))
  const sns = list.map(row => snLink(session, definition, String(row.sn))).join('、')
  return `- ${name} **${total}** 张${total === 0 ? '' : `：${sns}${total > list.length ? ' 等' : ''}`}`
}

function snLink(session: Session, definition: AnyDocument, sn: string): string {
  const page = pageOf(session, definition)
  return page === null ? word(sn) : linkOf(sn, `${page.route}/${encodeURIComponent(sn)}`)
}

async function countDocuments(tx: Tx, session: Session, args: Args): Promise<Finding> {
  const kinds = kindsOf(textOf(args, 'document'))
  if (kinds.length === 0) throw new BusinessError('invalid', '没有听懂要查哪种单据，请写出单据名称，例如“采购入库单”。')
  const readable = kinds.filter(definition => mayRead(session, definition))
  if (readable.length === 0) throw new BusinessError('forbidden')
  const state = textOf(args, 'state')
  const period = periodIn(textOf(args, 'period'))
  const query: Record<string, string> = {
    ...(state in states ? { state } : {}),
    ...(period ? { begin_date: period.begin, end_date: period.end } : {}),
  }
  const counted: Counted[] = []
  for (const definition of readable) counted.push(await countKind(tx, session, definition, query))
  const total = counted.reduce((sum, each) => sum + each.total, 0)
  const [first] = readable
  const what = first && readable.length === 1 ? first.title : textOf(args, 'name') || '单据'
  const within = period ? `${period.name}（${period.begin} 至 ${period.end}）` : ''
  const asked = within + (state in states && first ? stateNameOf(first, state) : '')
  const shown = counted.filter(each => each.total > 0 || counted.length === 1)
  return {
    text:
      `${asked ? `${asked}的` : ''}${what}共 **${total}** 张。\n\n` +
      `${shown.map(each => lineOf(session, each)).join('\n')}`,
    rows: counted.map(each => ({
      document: each.definition.title,
      count: each.total,
      sns: each.list.map(row => row.sn),
    })),
    links: shown.flatMap(each => {
      const page = pageOf(session, each.definition)
      return page
        ? [{ title: `${each.definition.title}（${each.total}）`, uri: screenAddress(page, null, each.query) }]
        : []
    }),
  }
}

/** How many documents of a kind are in a state: 本月还有几张入库单待审核. */
export const countTool: Tool = {
  name: 'count_documents',
  description: '统计某类单据的张数并列出最近几张，可按状态和业务日期筛选',
  // A getter, because the names of the documents are known only once the program is put together.
  get parameters(): ToolParameters {
    const titles = documents().map(({ title }) => title)
    return {
      type: 'object',
      properties: {
        document: { type: 'string', description: `单据名称，如：${titles.join('、')}` },
        state: { type: 'string', description: '状态，留空为全部', enum: Object.keys(states) },
        period: { type: 'string', description: '时间，如 今天、本周、本月、上月、今年、近30天；留空为全部' },
      },
      required: ['document'],
    }
  },
  matches(question) {
    const kinds = documentsIn(question, documents())
    const state = stateIn(question, kinds)
    if (kinds.length === 0 || !(COUNTING.test(question) || state !== null)) return null
    if (/怎么|如何|为什么|什么是|是什么/.test(question)) return null
    const [first] = kinds
    return {
      document: kinds.length === 1 && first ? first.kind : commonName(question, kinds),
      name: commonName(question, kinds),
      state: state ?? '',
      period: periodIn(question)?.name ?? '',
    }
  },
  run: countDocuments,
}

/** The longest ending shared by all the titles that occurs in the question: 入库单. */
function commonName(question: string, kinds: readonly AnyDocument[]): string {
  const [first] = kinds
  const title = first?.title ?? ''
  const ends = Array.from({ length: title.length }, (_, at) => title.slice(at)).flatMap(end => [
    end,
    end.replace(/单$/, ''),
  ])
  return ends.find(end => end.length >= 2 && question.includes(end)) ?? title
}

const SN = /(?<![A-Za-z])([A-Za-z]{1,5})\d{8,14}/
const LAST_STEPS = 4

async function whereDocument(tx: Tx, session: Session, args: Args): Promise<Finding> {
  const sn = (SN.exec(textOf(args, 'sn'))?.[0] ?? '').toUpperCase()
  const prefix = SN.exec(sn)?.[1]
  const candidates = documents().filter(definition => definition.numberPrefix === prefix)
  const missing = new BusinessError(
    'notFound',
    `没有找到单号“${word(sn || textOf(args, 'sn'))}”，请核对；对方机构的单据只有在发给您的机构之后才能看到。`,
  )
  if (candidates.length === 0) throw missing
  const readable = candidates.filter(definition => mayRead(session, definition))
  if (readable.length === 0) throw new BusinessError('forbidden')
  for (const definition of readable) {
    const info = await documentDetail(tx, session, definition, sn).catch((thrown: unknown) => {
      if (thrown instanceof BusinessError && thrown.reason === 'notFound') return null
      throw thrown
    })
    if (info !== null) return notified(session, definition, info)
  }
  throw missing
}

type Step = { readonly label: string; readonly actor_name: string; readonly at: string; readonly reason: string | null }
type Related = { readonly direction: string; readonly kind: string; readonly sn: string; readonly state: string }

/** The state of a document, what happened last, and what followed from it. */
function notified(session: Session, definition: AnyDocument, info: Row): Finding {
  const sn = String(info.sn)
  const steps = (info.history as readonly Step[]).slice(-LAST_STEPS)
  const followUps = (info.related as readonly Related[]).filter(each => each.direction === 'follow_up')
  const lines = [
    `${definition.title} ${snLink(session, definition, sn)} 现在是 **${stateNameOf(definition, String(info.state))}**，` +
      `业务日期 ${info.business_date}${info.counterparty_name ? `，往来单位 ${word(info.counterparty_name)}` : ''}。`,
  ]
  if (steps.length > 0)
    lines.push(
      tableOf(
        ['时间', '操作', '操作人', '说明'],
        steps.map(step => [wallTime(step.at), step.label, step.actor_name, step.reason]),
      ),
    )
  const shown = followUps.flatMap(each => {
    const next = documents().find(candidate => candidate.kind === each.kind)
    return next && mayRead(session, next)
      ? [`- ${next.title} ${snLink(session, next, each.sn)}：${stateNameOf(next, each.state)}`]
      : []
  })
  lines.push(shown.length > 0 ? `后续单据：\n${shown.join('\n')}` : '暂无您有权查看的后续单据。')
  const page = pageOf(session, definition)
  return {
    text: lines.join('\n\n'),
    rows: [
      {
        sn,
        state: info.state_name,
        business_date: info.business_date,
        counterparty: info.counterparty_name,
        steps,
        follow_ups: shown,
      },
    ],
    links: page ? [{ title: `${definition.title} ${sn}`, uri: `${page.route}/${encodeURIComponent(sn)}` }] : [],
  }
}

const clockTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'short',
})
const wallTime = (at: unknown): string => clockTime.format(new Date(String(at)))

/** The state of one document: CG2611210001 到哪了. */
export const documentTool: Tool = {
  name: 'find_document',
  description: '按单号查一张单据：状态、最近的操作、后续单据',
  parameters: { type: 'object', properties: { sn: { type: 'string', description: '单号' } }, required: ['sn'] },
  matches: question => {
    const sn = SN.exec(question)?.[0]?.toUpperCase()
    const prefix = SN.exec(question)?.[1]?.toUpperCase()
    return sn !== undefined && documents().some(definition => definition.numberPrefix === prefix) ? { sn } : null
  },
  run: whereDocument,
}

const duties = [
  { state: 'submitted', flag: 'review', text: '待审核' },
  { state: 'rejected', flag: 'edit', text: '已驳回，待修改' },
  { state: 'draft', flag: 'submit', text: '待提交' },
] as const

/** Answers which documents wait for the user: 我还有什么要处理. */
export const dutyTool: Tool = {
  name: 'my_duties',
  description: '查提问者有权处理的待办：待审核、待修改、待提交的单据',
  parameters: { type: 'object', properties: {} },
  matches: question =>
    /待办|要处理|等我|需要我|我的任务|做什么|干什么|有什么事/.test(question) &&
    documentsIn(question, documents()).length === 0
      ? {}
      : null,
  run: async (tx, session) => {
    const rows: { duty: string; document: string; count: number; uri: string }[] = []
    for (const definition of documents()) {
      const page = pageOf(session, definition)
      if (page === null) continue
      for (const { state, flag, text } of duties) {
        if (session.flags !== 'all' && !session.flags.has(`${definition.kind}.${flag}`)) continue
        const asked = { state: state satisfies State, role: 'own' }
        const { total } = await listDocuments(tx, session, definition, { ...asked, pageSize: '1' })
        if (total > 0)
          rows.push({ duty: text, document: definition.title, count: total, uri: screenAddress(page, null, asked) })
      }
    }
    const lines = rows.map(row => `- ${row.duty}：${linkOf(row.document, row.uri)} **${row.count}** 张`)
    return {
      text: rows.length === 0 ? `截至 ${today()}，没有待您处理的单据。` : `待您处理的单据：\n\n${lines.join('\n')}`,
      rows,
      links: rows.map(row => ({ title: `${row.document} ${row.duty}（${row.count}）`, uri: row.uri })),
    }
  },
}
