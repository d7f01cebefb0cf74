import { screenAddress } from '#kernel/definition/screen.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { lotForm } from '#kernel/values/lot-no.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import { mayRead, pageOf } from '#modules/platform/assistant/pages.server.ts'
import { linkOf, tableOf, word } from '#modules/platform/assistant/wording.ts'
import { type Finding, textOf, type Tool } from '#server/public/assistant.ts'
import { listDocuments } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const SHOWN = 20
/** The states of pre-acceptance in which goods are still lacking; nothing is accepted of a plan that nobody took. */
const NOT_ACCEPTED = '1,3'
type Row = Readonly<Record<string, unknown>>

/** A kind of document, for users who have a page of it. */
function readable(session: Session, kind: string): AnyDocument {
  const definition = documentOf(kind)
  if (!definition || !mayRead(session, definition)) throw new BusinessError('forbidden')
  return definition
}

const numberOf = (session: Session, definition: AnyDocument, sn: string): string => {
  const page = pageOf(session, definition)
  return page === null ? word(sn) : linkOf(sn, `${page.route}/${encodeURIComponent(sn)}`)
}
const linksTo = (session: Session, definition: AnyDocument, query: Record<string, string>): Finding['links'] => {
  const page = pageOf(session, definition)
  return page === null ? [] : [{ title: page.title, uri: screenAddress(page, null, query) }]
}

const words = (definition: AnyDocument, name: string, value: unknown): string =>
  definition.header[name]?.choices?.[String(value)] ?? '–'

/** Names the preparations of an operation that are not finished. */
function missing(definition: AnyDocument, row: Row): string {
  if (row.accept_state !== '2') return words(definition, 'accept_state', row.accept_state)
  return `${words(definition, 'prepare_state', row.prepare_state)}，${words(definition, 'pre_state', row.pre_state)}`
}

/** Which operations of a day still lack their goods: 哪些手术今天还缺器械. */
export const lackingTool: Tool = {
  name: 'operations_lacking_goods',
  description: '查某天（默认今天）哪些跟台手术的器械还没有接单、备货或预验收',
  parameters: { type: 'object', properties: { day: { type: 'string', description: '日期，如2026-11-26，默认今天' } } },
  matches: question => {
    if (!/手术|跟台/.test(question) || !/缺|没到|未到|没送|未送|没有到|未备|没备|还差/.test(question)) return null
    if (/怎么|如何|为什么/.test(question)) return null
    const day = /(\d{4}-\d{2}-\d{2})/.exec(question)?.[1]
    return day ? { day } : {}
  },
  run: async (tx, session, args) => {
    const definition = readable(session, 'bonePlan')
    const day = /^\d{4}-\d{2}-\d{2}$/.exec(textOf(args, 'day'))?.[0] ?? today()
    const query = { state: 'reviewed,partial', pre_state: NOT_ACCEPTED, begin_surgery_at: day, end_surgery_at: day }
    const { list, total } = await listDocuments(tx, session, definition, { ...query, pageSize: String(SHOWN) })
    const rows = list as readonly Row[]
    const links = linksTo(session, definition, query)
    if (total === 0) return { text: `${day}的跟台手术器械都已到位，没有缺的。`, rows: [], links }
    const other = session.org.type === 'H' ? '供应商' : '医院'
    const cells = rows.map(row => [
      numberOf(session, definition, String(row.sn)),
      word(row.theatre),
      word(row.procedure_name),
      word(row.counterparty_name),
      missing(definition, row),
    ])
    return {
      text: `${day}有 **${total}** 台手术的器械还没有到位：\n\n${tableOf(['跟台计划', '手术间', '术式', other, '缺什么'], cells)}`,
      rows: rows.map(row => ({ sn: row.sn, theatre: row.theatre, missing: missing(definition, row) })),
      links,
    }
  },
}

/**
 * Says how much of a lot is with operations and not yet used, under which presales, and whether the lot is recalled.
 */
async function waitingOfLot(tx: Tx, session: Session, lot: string): Promise<string> {
  const rows = await tx<{ sn: string; quantity: Decimal }[]>`
    select d.sn, sum(b.quantity)::numeric(18,3)::text as quantity
      from document d cross join lots_named(${lot}) t
      join stock_balance b on b.org_id = d.org_id and b.lot_id = t.id and b.location = d.sn
        and b.owner_id = d.from_org_id
      join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model in ('loan', 'advance')
     where d.org_id = ${session.org.id} and d.kind = 'bonePresale' and b.quantity > 0
     group by d.sn
    union all
    select d.sn, sum(l.base_quantity - coalesce(g.taken, 0))::numeric(18,3)::text
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
        and l.lot_no = any(array(select lot_numbers(${lot})))
      left join lateral (select sum(x.taken) as taken from line_progress x
        where x.org_id = l.org_id and x.document_id = l.document_id and x.line_no = l.line_no
          and x.purpose in ('use', 'return')) g on true
     where d.org_id = ${session.org.id} and d.kind = 'bonePresale' and d.role = 'own' and d.to_warehouse_id is null
       and d.state in ('reviewed', 'partial')
     group by d.sn having sum(l.base_quantity - coalesce(g.taken, 0)) > 0
     order by 1`
  const unused = rows.map(row => `${row.sn}有${plain(row.quantity)}件未使用`).join('、')
  const [recalled] = await tx<{ sn: string }[]>`
    select recall_sn as sn from recall_feedback
     where org_id = ${session.org.id} and lot_id in (select t.id from lots_named(${lot}) t)
       and state in ('waiting', 'answered') limit 1`
  const recall = recalled ? `\n\n该批号正在召回（${recalled.sn}），不能使用，请由供应商取回。` : ''
  return `${unused === '' ? '' : `\n\n还在跟台手术中的：${unused}。`}${recall}`
}

/** In which operations pieces of a lot were used: 批号 B2407 用在了哪些手术. */
export const lotInOperationsTool: Tool = {
  name: 'operations_of_lot',
  description: '查一个批号用在了哪些手术（手术使用记录），不含患者信息',
  parameters: { type: 'object', properties: { lot_no: { type: 'string', description: '批号' } }, required: ['lot_no'] },
  matches: question => {
    if (!/手术/.test(question)) return null
    const lot = /批号?\s*(?:[：:为是]\s*)?[「“"']?([A-Za-z0-9][A-Za-z0-9._/-]{1,39})/.exec(question)?.[1]
    return lot === undefined ? null : { lot_no: lot }
  },
  run: async (tx, session, args) => {
    const definition = readable(session, 'surgeryUse')
    const lot = lotForm(textOf(args, 'lot_no'))
    if (lot === '') throw new BusinessError('invalid', '请写出要查的批号。')
    const query = { lot_no: lot }
    const { list, total } = await listDocuments(tx, session, definition, { ...query, pageSize: String(SHOWN) })
    const links = linksTo(session, definition, query)
    const waiting = await waitingOfLot(tx, session, lot)
    if (total === 0) return { text: `没有查到批号“${word(lot)}”的手术使用记录。${waiting}`, rows: [], links }
    const heads = ['使用单', '手术日期', session.org.type === 'H' ? '手术科室' : '医院', '状态']
    const cells = (list as readonly Row[]).map(row => [
      numberOf(session, definition, String(row.sn)),
      row.business_date,
      word(session.org.type === 'H' ? row.department_name : row.counterparty_name),
      row.state_name,
    ])
    return {
      text: `批号 **${word(lot)}** 用在了 **${total}** 台手术的使用记录里：\n\n${tableOf(heads, cells)}${waiting}`,
      rows: (list as readonly Row[]).map(row => ({ sn: row.sn, day: row.business_date })),
      links,
    }
  },
}
