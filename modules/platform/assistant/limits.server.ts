import { screenAddress } from '#kernel/definition/screen.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { mayRead, pageOf } from '#modules/platform/assistant/pages.server.ts'
import { figure, tableOf, word } from '#modules/platform/assistant/wording.ts'
import { entityOf, reportOf } from '#kernel/registry.ts'
import type { Tool } from '#server/public/assistant.ts'
import { listRecords } from '#server/public/records.ts'
import { runReport } from '#server/public/reports.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const LARGEST = 500
const SHOWN = 20
type Row = Readonly<Record<string, unknown>>

/** Every row of a report, across all pages as its screen would show them. */
export async function wholeReport(tx: Tx, session: Session, kind: string, params: Row): Promise<readonly Row[]> {
  const report = reportOf(kind)
  if (!report || !mayRead(session, report)) throw new BusinessError('forbidden')
  const rows: Row[] = []
  for (let page = 1; page <= 100; page++) {
    const { list, total } = await runReport(tx, session, report, {
      ...params,
      pageNum: String(page),
      pageSize: String(LARGEST),
    })
    rows.push(...list)
    if (rows.length >= total || list.length === 0) break
  }
  return rows
}

/** Answers which stock is below its lower or above its upper limit: 哪些低于安全库存. */
export const limitTool: Tool = {
  name: 'stock_limits',
  description: '查低于库存下限（安全库存）或高于库存上限的规格；没有设置上下限的规格不在其中',
  parameters: {
    type: 'object',
    properties: { side: { type: 'string', description: 'below 低于下限，above 高于上限' } },
  },
  matches: question => {
    if (/怎么|如何|为什么|什么是|在哪里设/.test(question)) return null
    if (/(超|高|多)(过|于|出|储).{0,4}(上限|最高库存)|(积压|超储)/.test(question)) return { side: 'above' }
    return /(低|少|小)于.{0,6}(下限|安全库存|最低库存)|(下限|安全库存).{0,4}(以下|不足|预警)/.test(question)
      ? { side: 'below' }
      : null
  },
  run: async (tx, session, args) => {
    const above = args.side === 'above'
    const [name, label] = above ? (['maximum', '上限'] as const) : (['minimum', '下限'] as const)
    const kind = session.org.type === 'H' ? 'hospitalProduct' : 'dealerProduct'
    const catalogue = entityOf(kind)
    if (!catalogue || !mayRead(session, catalogue)) throw new BusinessError('forbidden')
    const ofLimit = { status: 'enabled', [`begin_${name}`]: '0.001' }
    const asked = { ...ofLimit, stock_state: above ? 'high' : 'none,low' }
    const { total: limited } = await listRecords(tx, session, catalogue, { ...ofLimit, pageSize: '1' })
    if (limited === 0) return { text: `本机构的产品目录里还没有设置库存${label}。`, rows: [], links: [] }
    const { list: shown, total } = await listRecords(tx, session, catalogue, { ...asked, pageSize: String(SHOWN) })
    const page = pageOf(session, catalogue)
    const links = page ? [{ title: page.title, uri: screenAddress(page, null, asked) }] : []
    const what = above ? '高于上限' : '低于下限'
    if (total === 0) return { text: `设置了库存${label}的 ${limited} 个规格中，没有${what}的。`, rows: [], links }
    const cells = shown.map(row => [
      `${word(row.product_name)} ${word(row.specification_name)}`,
      figure(row.stock),
      figure(row[name]),
    ])
    const more = total > shown.length ? `，下面是前 ${shown.length} 个` : ''
    return {
      text: `库存${what}的规格共 **${total}** 个${more}：\n\n${tableOf(['产品规格', '现有库存', label], cells)}`,
      rows: shown,
      links,
    }
  },
}
