import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { isDay, today } from '#kernel/values/date.ts'
import { type Decimal, isNegative, isZero, negate, sum } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/public/database.ts'
import type { ReportRules } from '#server/public/reports.ts'
import { asks, reading } from '#server/public/routes.ts'
import { isRestricted, maySeePrices, requirePermission, type Session, WHOLE_ONLY } from '#server/public/session.ts'
import { type WholeSheet, wholeWorkbook } from '#server/public/files.ts'

/** 导出对账单: a sheet for each partner with opening, every document of the period and closing, as the ledger has it. */

type Asked = { readonly begin: string; readonly end: string; readonly partner: string | null }
type Partner = { readonly id: string; readonly name: string }
type Moved = {
  readonly counterparty_id: string
  readonly kind: string
  readonly document_no: string | null
  readonly source_no: string | null
  readonly invoice_no: string | null
  readonly day: string
  readonly is_before: boolean
  readonly billed: Decimal
  readonly amount: Decimal
}

const ROUTE = '/v1/report/settlementSummary/workbook'
const MOST_PARTNERS = 200
const MOST_DOCUMENTS = 20_000

/** A hospital owes for settled goods, and their suppliers are owed. */
const directionOf = ({ org }: Session): 'payable' | 'receivable' => (org.type === 'H' ? 'payable' : 'receivable')

/** The partners of the period's settlements; or the chosen partner, if we ever had business with it. */
const partnersOf = (tx: Tx, session: Session, { begin, end, partner }: Asked) => tx<Partner[]>`
  select o.id, o.name from organisation o
   where ${
     partner === null
       ? tx`o.id in (
           select case d.role when 'own' then d.counterparty_id else d.from_org_id end from document d
            where d.org_id = ${session.org.id} and d.kind = 'settlement' and d.red_of_id is null
              and d.state in ('reviewed', 'partial', 'completed') and d.business_date between ${begin} and ${end})`
       : tx`o.id = ${partner} and (
           exists (select 1 from account_entry e where e.org_id = ${session.org.id} and e.counterparty_id = o.id)
           or exists (select 1 from document d where d.org_id = ${session.org.id}
             and o.id in (d.counterparty_id, d.from_org_id)))`
   }
   order by o.name, o.id limit ${MOST_PARTNERS + 1}`

/**
 * The entries that changed the balance with these partners, document by document; those before the period in one row.
 * An invoice changes the balance only by its difference, but is shown with its amount.
 */
const movedBy = (tx: Tx, session: Session, partners: readonly Partner[], { begin, end }: Asked) => tx<Moved[]>`
  with entry as (
    select e.id, e.counterparty_id, e.account, e.amount, d.id as document_id, d.kind, d.sn, d.source_sn,
           d.fields->>'invoice_no' as invoice_no, (e.at at time zone 'Asia/Shanghai')::date as day,
           e.movement,
           e.movement = 'opening' or e.at < ${begin}::date::timestamp at time zone 'Asia/Shanghai' as is_before
      from money_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
     where e.org_id = ${session.org.id} and e.counterparty_id = any(${partners.map(({ id }) => id)}::bigint[])
       and e.direction = ${directionOf(session)}
       and e.at < (${end}::date + 1)::timestamp at time zone 'Asia/Shanghai')
  select counterparty_id, is_before, min(kind) as kind, min(sn) as document_no, min(source_sn) as source_no,
         min(invoice_no) as invoice_no, min(day)::text as day,
         coalesce(sum(amount) filter (where movement = 'rounding'
           and account like '%_invoiced'), 0)::numeric(18,2) as billed,
         sum(amount)::numeric(18,2) as amount
    from entry group by counterparty_id, is_before, case when is_before then 0 else document_id end,
      case when is_before then null else day end
   order by counterparty_id, is_before desc, min(id) limit ${MOST_DOCUMENTS + 1}`

const columns: WholeSheet['columns'] = [
  { title: '日期', kind: 'day' },
  { title: '单据', kind: 'text' },
  { title: '单号', kind: 'text' },
  { title: '来源单号', kind: 'text' },
  { title: '发票号码', kind: 'text' },
  { title: '发票金额', kind: 'amount' },
  { title: '增加', kind: 'amount' },
  { title: '减少', kind: 'amount' },
  { title: '余额', kind: 'amount' },
]

function sheetOf(session: Session, { name }: Partner, moved: readonly Moved[], { begin, end }: Asked): WholeSheet {
  const opening = sum(
    moved.filter(row => row.is_before).map(row => row.amount),
    2,
  )
  let balance = opening
  const rows = moved
    .filter(row => !row.is_before && !(isZero(row.amount) && isZero(row.billed)))
    .map(row => {
      balance = sum([balance, row.amount], 2)
      const title = documentOf(row.kind)?.title ?? row.kind
      const [raised, lowered] = isNegative(row.amount) ? [null, negate(row.amount)] : [row.amount, null]
      return [
        row.day,
        title,
        row.document_no,
        row.source_no,
        row.invoice_no,
        isZero(row.billed) ? null : row.billed,
        isZero(row.amount) ? null : raised,
        lowered,
        balance,
      ]
    })
  const word = directionOf(session) === 'payable' ? '应付' : '应收'
  return {
    title: name,
    heading: [
      `${session.org.name}与${name}对账单（${word}）`,
      `期间：${begin}至${end}`,
      `期初余额：${opening}元`,
      `制表日期：${today()}`,
    ],
    columns,
    rows: [
      [begin, '期初余额', null, null, null, null, null, null, opening],
      ...rows,
      [end, '期末余额', null, null, null, null, null, null, balance],
    ],
    footer: [
      `期末余额：${balance}元`,
      `本方（盖章）：${session.org.name}　　经办人：＿＿＿＿＿＿　　日期：＿＿＿＿＿＿`,
      `对方（盖章）：${name}　　经办人：＿＿＿＿＿＿　　日期：＿＿＿＿＿＿`,
    ],
  }
}

/** The requested sheets; refuses if the user may not see them or there is nothing to show. */
async function sheetsOf(tx: Tx, session: Session, asked: Asked): Promise<readonly WholeSheet[]> {
  const { begin, end } = asked
  if (begin > end)
    throw new BusinessError('invalid', '期间止不能早于期间起', [{ field: 'end_date', msg: '期间止不能早于期间起' }])
  if (!maySeePrices(session)) throw new BusinessError('forbidden', '没有价格权限，不能导出对账单')
  if (isRestricted(session)) throw new BusinessError('forbidden', `对账单${WHOLE_ONLY}`)
  const partners = await partnersOf(tx, session, asked)
  if (partners.length === 0 && asked.partner !== null)
    throw new BusinessError('rule', '与该单位没有往来，没有可导出的对账单，请重新选择往来单位')
  if (partners.length === 0) throw new BusinessError('rule', `${begin}至${end}没有已确认的结算，没有可导出的对账单`)
  if (partners.length > MOST_PARTNERS)
    throw new BusinessError('rule', `往来单位超过${MOST_PARTNERS}个，请选择往来单位或缩短期间`)
  const moved = await movedBy(tx, session, partners, asked)
  if (moved.length > MOST_DOCUMENTS)
    throw new BusinessError('rule', `单据超过${MOST_DOCUMENTS}张，请选择往来单位或缩短期间`)
  const byPartner = Map.groupBy(moved, row => row.counterparty_id)
  return partners.map(partner => sheetOf(session, partner, byPartner.get(partner.id) ?? [], asked))
}

const askedOf = (given: Readonly<Record<string, unknown>>): Asked => {
  const { begin_date: begin, end_date: end, counterparty_sn: partner } = given
  if (!isDay(begin) || !isDay(end)) throw new BusinessError('invalid', '请填写期间起和期间止')
  return { begin, end, partner: /^\d{1,18}$/.test(String(partner ?? '')) ? String(partner) : null }
}

/** Returns how many sheets there are, and the address from which the file is read. */
export const settlementSummaryRules: ReportRules = {
  kind: 'settlementSummary',
  calls: {
    statement: async ({ tx, session, asked: given }) => {
      const asked = askedOf(given)
      const sheets = await sheetsOf(tx, session, asked)
      const query = new URLSearchParams({
        begin_date: asked.begin,
        end_date: asked.end,
        ...(asked.partner === null ? {} : { counterparty_sn: asked.partner }),
      })
      return { said: `已导出${sheets.length}个往来单位的对账单`, link: `${ROUTE}?${query}` }
    },
  },
}

/** The workbook itself. */
export function addPartnerStatements(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    ROUTE,
    asks('begin_date', 'end_date', 'counterparty_sn'),
    async (request, reply) => {
      const { book, name } = await reading(sql, request, async (tx, session) => {
        // The permission is checked before the parameters.
        requirePermission(session, 'settlementSummary.statement')
        const asked = askedOf(request.query)
        return {
          book: wholeWorkbook(await sheetsOf(tx, session, asked)),
          name: encodeURIComponent(`对账单${asked.begin}至${asked.end}.xlsx`),
        }
      })
      return reply
        .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
        .header('content-disposition', `attachment; filename="statement.xlsx"; filename*=UTF-8''${name}`)
        .send(book)
    },
  )
}
