import { today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { measures } from '#modules/base/measures/measures.ts'
import type { FigurePlaces } from '#server/public/reports.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { mayRead, pageOf } from '#modules/platform/assistant/pages.server.ts'
import { tableOf, word } from '#modules/platform/assistant/wording.ts'
import { documentOf, entityOf } from '#kernel/registry.ts'
import { textOf, type Tool } from '#server/public/assistant.ts'
import { maySeePrices } from '#server/public/session.ts'
import { listRecords } from '#server/public/records.ts'

const SHOWN = 20
/** Users who work on these documents may know what is owed. */
const moneyDocuments = ['payment', 'receipt', 'paymentApplication'] as const
const heads = ['往来单位', '应付', '其中已开票', '应收', '其中已开票', '预付', '预收'] as const

/** Ways of naming the counterparty: 与甲公司的往来, 欠甲公司多少, 甲公司的应付是多少. */
const NAMED = [
  /(?:与|和|跟|给|欠|对)([\p{Script=Han}A-Za-z0-9（）()]{2,30}?)(?:的|多少|有多少|应付|应收|欠|往来)/u,
  /^([\p{Script=Han}A-Za-z0-9（）()]{2,30}?)的?(?:应付|应收|欠款|往来余额|预付余额|预收余额)/u,
] as const

/** Answers what we and a counterparty owe each other: 应付余额有多少. */
export const balanceTool: Tool = {
  name: 'balance_with',
  description: '查与往来单位的应付、应收、预付、预收余额',
  parameters: {
    type: 'object',
    properties: { counterparty: { type: 'string', description: '往来单位名称，留空为全部' } },
  },
  matches: question => {
    if (
      !/应付|应收|欠款|欠了|欠我|我们欠|预付余额|预收余额|往来余额/.test(question) ||
      /怎么|如何|什么是|为什么/.test(question)
    )
      return null
    const named = NAMED.map(pattern => pattern.exec(question)?.[1]).find(found => found !== undefined)
    return { counterparty: named !== undefined && !/我们|供应商|客户|多少|款|现在|目前|全部/.test(named) ? named : '' }
  },
  run: async (tx, session, args) => {
    const docs = moneyDocuments
      .flatMap(kind => documentOf(kind) ?? [])
      .filter(definition => mayRead(session, definition))
    const balances = entityOf('accountBalance')
    if (docs.length === 0 || !balances || !maySeePrices(session)) throw new BusinessError('forbidden')
    const q = textOf(args, 'counterparty')
    const { list, total, summary } = await listRecords(tx, session, balances, {
      ...(q ? { q } : {}),
      pageNum: '1',
      pageSize: String(SHOWN),
    })
    const links = docs.flatMap(definition => {
      const page = pageOf(session, definition)
      return page ? [{ title: page.title, uri: page.route }] : []
    })
    if (total === 0) return { text: q ? `与“${word(q)}”没有往来余额。` : '没有往来余额。', rows: [], links }
    const whole = list.length > 1 && summary ? [{ ...summary, counterparty_name: '合计' }] : []
    const cells = [...list, ...whole].map((row: Readonly<Record<string, unknown>>) => [
      row.counterparty_name,
      row.payable,
      row.payable_invoiced,
      row.receivable,
      row.receivable_invoiced,
      row.prepaid,
      row.prereceived,
    ])
    return {
      text:
        `${q ? `与“${word(q)}”的` : ''}往来余额（元）${total > list.length ? `，共 ${total} 家，前 ${list.length} 家` : ''}` +
        `：\n\n${tableOf(heads, cells)}`,
      rows: list.map(({ counterparty_name, payable, receivable, prepaid, prereceived }) => ({
        counterparty_name,
        payable,
        receivable,
        prepaid,
        prereceived,
      })),
      links,
    }
  },
}

/** The measures that the answer about all partners explains, in the order of that answer. */
const said = [
  measures.payable,
  measures.payableBilled,
  measures.receivable,
  null,
  measures.prepaid,
  measures.prereceived,
]

/** The last row of the answer: all partners together, or the only one. */
export const balanceFigures: FigurePlaces = async (tx, session, days) => {
  if (days.end_date !== today()) return []
  const { text, rows } = await balanceTool.run(tx, session, { counterparty: '' })
  if (rows.length === 0) return []
  const cells = text.trimEnd().split('\n').at(-1)!.split('|').slice(2)
  return said.flatMap((measure, at) =>
    measure?.orgs.includes(session.org.type)
      ? [{ measure, report: balanceTool.name, place: heads[at + 1]!, shown: cells[at]!.trim() as Decimal, days }]
      : [],
  )
}
