import { screenAddress } from '#kernel/definition/screen.ts'
import { addDays, today } from '#kernel/values/date.ts'
import { compare, isPositive } from '#kernel/values/decimal.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { mayRead, pageOf } from '#modules/platform/assistant/pages.server.ts'
import { figure, tableOf, word } from '#modules/platform/assistant/wording.ts'
import { entityOf, reportOf, tools } from '#kernel/registry.ts'
import { type Args, type Finding, type Link, textOf, type Tool } from '#server/public/assistant.ts'
import { listRecords } from '#server/public/records.ts'
import { wholeReport } from '#modules/platform/assistant/limits.server.ts'
import { may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const SHOWN = 20
type Row = Readonly<Record<string, unknown>>

/** The stock list, for users who have a page of it. */
function stockFor(session: Session): AnyEntity {
  const stock = entityOf('stockBalance')
  if (!stock || !mayRead(session, stock)) throw new BusinessError('forbidden')
  return stock
}

const goods = (row: Row): string => `${word(row.product_name)} ${word(row.specification_name)}`
const heads = ['产品规格', '批号', '仓库', '货位', '数量', '可用', '有效期至', '货主', '质量'] as const
const cells = (row: Row): readonly unknown[] => [
  goods(row),
  row.lot_no,
  row.warehouse_model_name ?? row.warehouse_name ?? row.customer_name,
  row.location,
  figure(row.quantity),
  figure(row.available),
  row.expiry_date,
  row.owner_name,
  qualityStates[row.quality_state as keyof typeof qualityStates] ?? row.quality_state,
]
const dataOf = (row: Row) => Object.fromEntries(heads.map((head, at) => [head, cells(row)[at]]))

function stockFinding(
  session: Session,
  stock: AnyEntity,
  notified: string,
  list: readonly Row[],
  query: Record<string, string>,
  more: readonly Link[] = [],
): Finding {
  const page = pageOf(session, stock)
  return {
    text: `${notified}\n\n${tableOf(heads, list.map(cells))}`,
    rows: list.map(dataOf),
    links: [...(page ? [{ title: page.title, uri: screenAddress(page, null, query) }] : []), ...more],
  }
}

/** A link to the trace page for the typed code, for users who have that page. */
const traceLink = (session: Session, code: string): Link[] =>
  tools()
    .filter(
      screen =>
        screen.page === 'trace' && screen.orgs.includes(session.org.type) && may(session, `page:${screen.route}`),
    )
    .map(screen => ({ title: `追溯 ${code}`, uri: screenAddress(screen, null, { code }) }))

/** Answers where a lot is stored: 批号 B2407 在哪里. */
export const lotTool: Tool = {
  name: 'find_lot',
  description: '查一个批号现在在哪些仓库、货位，数量、有效期与货主',
  parameters: { type: 'object', properties: { lot_no: { type: 'string', description: '批号' } }, required: ['lot_no'] },
  matches: question => {
    const lot = /批号?\s*(?:[：:为是]\s*)?[「“"']?([A-Za-z0-9][A-Za-z0-9._/-]{1,39})/.exec(question)?.[1]
    return lot === undefined ? null : { lot_no: lot }
  },
  run: async (tx: Tx, session: Session, args: Args) => {
    const stock = stockFor(session)
    const lot = textOf(args, 'lot_no')
    if (lot === '') throw new BusinessError('invalid', '请写出要查的批号。')
    const query = { lot_no: lot, in_transit: '1' }
    const { list, total } = await listRecords(tx, session, stock, { ...query, pageSize: String(SHOWN) })
    const trace = traceLink(session, lot)
    if (total === 0)
      return {
        text: `您能看到的仓库里没有批号“${word(lot)}”的库存，可能已经用完、退回或不在您的机构。`,
        rows: [],
        links: trace,
      }
    const notified = `批号 **${word(lot)}** 在 ${total} 处有库存${total > list.length ? `，下面是前 ${list.length} 处` : ''}：`
    return stockFinding(session, stock, notified, list, query, trace)
  },
}

/** Answers which stock expires soon or has expired: 90天内到期的库存有哪些. */
export const expiryTool: Tool = {
  name: 'expiring_stock',
  description: '查多少天内到期或已过期的在库批次',
  parameters: {
    type: 'object',
    properties: { days: { type: 'string', description: '天数，默认90；0 表示已过期' } },
  },
  matches: question => {
    if (!/到期|过期|效期/.test(question) || /怎么|如何|什么是|证照|注册证|资质/.test(question)) return null
    const days = /(\d{1,4})\s*天/.exec(question)?.[1]
    const isPast = /过期/.test(question) && !/快|将|要过期|临近|即将|近效期/.test(question)
    return { days: days ?? (isPast ? '0' : '90') }
  },
  run: async (tx, session, args) => {
    const stock = stockFor(session)
    const days = parseInteger(/^\d{1,4}$/.exec(textOf(args, 'days'))?.[0] ?? 90)
    const query: Record<string, string> =
      days === 0
        ? { end_expiry_date: addDays(today(), -1) }
        : { begin_expiry_date: today(), end_expiry_date: addDays(today(), days) }
    const { list, total } = await listRecords(tx, session, stock, {
      ...query,
      sort: 'expiry_date',
      pageSize: String(SHOWN),
    })
    const what = days === 0 ? '已过期的在库批次' : `${days}天内到期的在库批次`
    if (total === 0) return { text: `没有${what}。`, rows: [], links: [] }
    return stockFinding(
      session,
      stock,
      `${what}共 **${total}** 条${total > list.length ? `，最早到期的 ${list.length} 条` : ''}：`,
      list,
      query,
    )
  },
}

const USE_DAYS = 30

/** Answers which stock would last less than another month: 库存不足的有哪些. */
export const shortTool: Tool = {
  name: 'short_stock',
  description: '查库存不足的规格：现有库存少于最近30天的出库量',
  parameters: { type: 'object', properties: {} },
  matches: question =>
    /(库存|存货|物资|耗材|货)?.{0,4}(不足|不够|短缺|缺货|快用完|要补货|该补货|需要补)/.test(question) &&
    !/怎么|如何|为什么/.test(question)
      ? {}
      : null,
  run: async (tx, session) => {
    const params = { begin_date: addDays(today(), 1 - USE_DAYS), end_date: today() }
    const rows = (await wholeReport(tx, session, 'inventorySummaryReport', params)).filter(
      row => isPositive(String(row.total_out)) && compare(String(row.closing_quantity), String(row.total_out)) < 0,
    )
    const report = reportOf('inventorySummaryReport')
    const page = report ? pageOf(session, report) : null
    const links = page ? [{ title: page.title, uri: screenAddress(page, null, params) }] : []
    if (rows.length === 0) return { text: `没有库存少于最近${USE_DAYS}天出库量的规格。`, rows: [], links }
    const shown = rows
      .toSorted((a, b) => compare(String(a.closing_quantity), String(b.closing_quantity)))
      .slice(0, SHOWN)
    const cellsOf = (row: Row) => [
      goods(row),
      figure(row.closing_quantity),
      figure(row.total_out),
      row.unit_name,
      row.manufacturer_name,
    ]
    const notified =
      `现有库存少于最近${USE_DAYS}天出库量的规格共 **${rows.length}** 个` +
      `${rows.length > shown.length ? `，库存最少的 ${shown.length} 个` : ''}：`
    return {
      text: `${notified}\n\n${tableOf(['产品规格', '现有库存', `近${USE_DAYS}天出库`, '单位', '生产厂家'], shown.map(cellsOf))}`,
      rows: shown,
      links,
    }
  },
}

/** Ways of asking how much there is: 支架还有多少, 支架的库存有多少, 有没有支架的库存. */
const STOCK_OF = [
  /^(.{2,30}?)(?:现在|目前)?(?:还有|还剩|剩下|剩)(?:多少|几)/,
  /^(.{2,30}?)的?(?:库存|现货|存货)(?:还)?(?:有|是|剩)?(?:多少|几|情况|数量|吗|$)/,
  /^(?:还)?有没有(.{2,30}?)的?(?:库存|现货|存货)/,
] as const

/** How much of something is in stock: 支架还有多少库存. */
export const stockTool: Tool = {
  name: 'stock_of',
  description: '按产品名称、规格或编码查现有库存',
  parameters: {
    type: 'object',
    properties: { goods: { type: 'string', description: '产品名称、规格或编码' } },
    required: ['goods'],
  },
  matches: question => {
    if (/怎么|如何|为什么|什么是|是什么/.test(question)) return null
    const asked = question.replace(/^(请问|查一下|查询|看看|帮我查一下|帮我查|我们|咱们|现在|目前)+/, '')
    const named = STOCK_OF.map(pattern => pattern.exec(asked)?.[1]).find(found => found !== undefined)
    const found = named?.replace(/的$/, '').trim()
    return found === undefined || found.length < 2 ? null : { goods: found }
  },
  run: async (tx, session, args) => {
    const stock = stockFor(session)
    const q = textOf(args, 'goods')
    const { list, total } = await listRecords(tx, session, stock, { q, pageNum: '1', pageSize: String(SHOWN) })
    if (total === 0) return { text: `您能看到的仓库里没有“${word(q)}”的库存。`, rows: [], links: [] }
    return stockFinding(
      session,
      stock,
      `“${word(q)}”的库存共 **${total}** 条${total > list.length ? `，下面是前 ${list.length} 条` : ''}：`,
      list,
      { q },
    )
  },
}
