import { issuesOnlyFit } from '#kernel/rules/unfit-goods.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { absentLineFields } from '#kernel/definition/line-content.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { listColumns, readDocumentQuery } from '#server/documents/list/list.ts'
import { without } from '#kernel/values/without.ts'
import { reducing } from '#server/documents/progress/stopped-lines.ts'
import { sourceStates } from '#server/documents/progress/lock-sources.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { Fragment } from '#server/records/hooks.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { checkPriceQuery } from '#server/access/sensitive-fields.ts'
import { documentScopeSql } from '#server/access/data-scope.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** `sources?for=`: source lines that are still open for this kind, oldest document first. */
export async function listOpenLines(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
) {
  requirePermission(session, `${definition.kind}.add`)
  const { for: wanted, ...filters } = raw
  const takes = (definition.sourcing.sources ?? []).filter(
    take => wanted === undefined || wanted === '' || take.for === wanted,
  )
  if (takes.length === 0)
    throw new BusinessError('invalid', undefined, [
      { field: 'for', msg: `${definition.title}不能由“${String(wanted ?? '').slice(0, 30)}”生成` },
    ])
  const taker = { open: documentRulesOf(definition.kind).openLines?.(tx, session), onlyGood: issuesOnlyFit(definition) }
  const pages = await Promise.all(takes.map(take => linesOf(tx, session, take, filters, taker)))
  // A kind without prices or goods is not offered those of its sources.
  const absent = new Set(absentLineFields(definition))
  const list = pages.flatMap(page => page.list.map(row => without(row, absent)))
  return {
    list,
    total: pages.reduce((sum, page) => sum + page.total, 0),
    page_num: pages[0]!.page,
    page_size: pages[0]!.size,
  }
}

/** The own field values that lines must have to be offered. */
const only = (tx: Tx, { eligible: words }: SourceRule) =>
  [
    ...Object.entries(words?.header ?? {}).map(([name, among]) => tx`and d.fields->>${name} = any(${[...among]})`),
    ...Object.entries(words?.line ?? {}).map(([name, among]) => tx`and l.fields->>${name} = any(${[...among]})`),
  ].reduce((all, one) => tx`${all} ${one}`, tx``)

async function linesOf(
  tx: Tx,
  session: Session,
  take: SourceRule,
  filters: Readonly<Record<string, unknown>>,
  { open, onlyGood }: { readonly open: Fragment | undefined; readonly onlyGood: boolean },
) {
  const source: AnyDocument = definitionOf(take.from)
  const query = readDocumentQuery(session, source, filters)
  checkPriceQuery(session, query, listColumns(source).columns)
  const page = query.page ?? 1
  const parameter = query.parameters as Record<string, string | undefined>
  const equal = (name: string) =>
    query.conditions.find(condition => condition.name === name)?.value as string | undefined
  const sn = equal('sn')?.slice(1, -1)
  const amount = take.basis === 'amount'
  const partner = open
    ? tx`w.counterparty_id`
    : take.partnerField
      ? tx`coalesce(d.counterparty_id, (l.fields->>${take.partnerField})::bigint)`
      : tx`d.counterparty_id`
  // Reversed and stopped quantities no longer count: neither goods nor money.
  const whole = amount
    ? tx`l.taxed_amount + l.rounding + coalesce((select sum(r.taxed_amount) from document m
      join document_line r on r.org_id = m.org_id and r.document_id = m.id
                                     where m.org_id = l.org_id and m.red_of_id = l.document_id
                                       and r.line_no = l.line_no), 0)`
    : tx`(l.base_quantity - coalesce(g.reversed, 0))`
  const taken = tx`
    select sum(x.taken) filter (where x.purpose <> all(${[...reducing]})) as taken,
      sum(x.taken) filter (where x.purpose = any(${[...reducing]})) as reversed from line_progress x
     where x.org_id = l.org_id and x.document_id = l.document_id and x.line_no = l.line_no
       and x.purpose = any(${[take.purpose, ...(take.sharesLimitWith ?? []), ...reducing]})`
  const where = tx`
    d.org_id = ${session.org.id} and d.kind = ${take.from}
      and d.role = ${take.fromCounterparty ? 'counterparty' : 'own'}
      and d.state = any(${sourceStates(take) as string[]})
    and d.red_of_id is null and ${documentScopeSql(tx, session)}
    ${take.regime ? tx`and d.regime = ${take.regime}` : tx``} ${only(tx, take)}
    ${equal('counterparty_sn') ? tx`and ${partner} = ${equal('counterparty_sn')!}` : tx``}
    ${equal('warehouse_model_inner_sn') ? tx`and d.warehouse_id = ${equal('warehouse_model_inner_sn')!}` : tx``}
    ${sn ? tx`and d.sn = ${sn.replace(/\\(.)/g, '$1')}` : tx``}
    ${parameter.begin_date ? tx`and d.business_date >= ${parameter.begin_date}` : tx``} ${
      parameter.end_date
        ? tx`and
      d.business_date <= ${parameter.end_date}`
        : tx``
    }
    ${parameter.specification_sn ? tx`and l.specification_id = ${parameter.specification_sn}` : tx``}
      ${parameter.lot_no ? tx`and l.lot_no = any(array(select lot_numbers(${parameter.lot_no})))` : tx``}
    ${onlyGood ? tx`and (l.lot_id is null or lot_is_good(l.org_id, l.lot_id))` : tx``}
    ${open ? tx`` : tx`and abs(${whole}) > abs(coalesce(g.taken, 0))`}`
  const left = tx`(${take.negates ? tx`-` : tx``}((${whole}) - coalesce(g.taken, 0)))::${
    amount ? tx`numeric(18,2)` : tx`numeric(18,3)`
  }`
  const waits = open ? tx`join ${open} w on w.document_id = d.id and w.line_no = l.line_no` : tx``
  const from = tx`
    document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    left join lateral (${taken}) g on true ${waits}`
  const [count] = await tx<
    { n: number }[]
  >`select count(*)::int as n from (select 1 from ${from} where ${where} limit 10001) c`
  const list = await tx`
    select ${take.sourceType}::int as source_type, d.kind as source_kind, d.sn as source_sn,
      d.from_org_id as source_org_sn, l.line_no as source_line_no, ${partner} as counterparty_sn,
           o.name as counterparty_name, d.business_date, d.regime, l.specification_sn_text as specification_sn,
             l.product_name, l.specification_name, l.lot_no, l.production_date, l.expiry_date,
             ${open ? tx`w.unit_codes` : tx`l.unit_codes`},
           l.unit_id as unit_inner_sn, l.quantity, l.base_quantity,
           ${open ? tx`w.price, w.tax_rate, w.taxed_amount` : tx`l.price, l.tax_rate, l.taxed_amount`},
           ${open ? tx`w.left` : left} as left
      from document d
      join lateral (
        select x.*, x.specification_id as specification_sn_text, p.name as product_name, s.name as specification_name
          from document_line x
          left join specification s on s.id = x.specification_id left join product p on p.id = s.product_id
         where x.org_id = d.org_id and x.document_id = d.id) l on true
      left join lateral (${taken}) g on true ${waits}
      left join organisation o on o.id = ${partner}
     where ${where}
     order by ${take.newestFirst ? tx`d.id desc` : tx`d.business_date, d.id`}, l.line_no
       limit ${query.size} offset ${(page - 1) * query.size}`
  return { list: [...list], total: count!.n, page, size: query.size }
}
