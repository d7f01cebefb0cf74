import type { AnyDocument } from '#kernel/definition/document.ts'
import { commonFields, headerField } from '#kernel/definition/common-fields.ts'
import { derivedField } from '#kernel/definition/progress-fields.ts'
import { absentSums } from '#kernel/definition/line-content.ts'
import type { Day } from '#kernel/values/date.ts'
import { f, type Fields } from '#kernel/definition/field.ts'
import { sourceTypeNames } from '#kernel/definition/source-type.ts'
import { standingField, states } from '#kernel/definition/document-state.ts'
import { checkListReferences } from '#server/lists/asked-references.ts'
import { COUNT_LIMIT, type ListColumns, type ListQuery, parseListQuery } from '#server/lists/query.ts'
import { without } from '#kernel/values/without.ts'
import { type ListRow, presentRow } from '#server/documents/list/present.ts'
import { derivedSelect, figuresSelect } from '#server/documents/list/figures-sql.ts'
import { columnSql, conditionSql, lineConditionSql, lineFilters } from '#server/documents/list/conditions-sql.ts'
import { searchDocuments, type SearchHits, searchSql } from '#server/documents/list/search.ts'
import { myDocumentsSql, myFilters } from '#server/documents/list/my-documents.ts'
import { ofReader, readerOf } from '#server/documents/list/overseen.ts'
import { actorName, computedColumnsSql } from '#server/documents/list/computed-columns.ts'
import { customHeaderFields, headerColumns } from '#server/documents/repository/document.ts'
import { maySeePatients } from '#server/access/patient-data.ts'
import { checkPriceQuery, hidePrices, maySeePrices } from '#server/access/sensitive-fields.ts'
import { documentScopeSql, isRestricted } from '#server/access/data-scope.ts'
import { requirePageAccess, requirePermission, type Session } from '#server/access/session.ts'
import { BATCH, inBatches } from '#server/database/batches.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { PendingQuery, Row } from 'postgres'

const known = new Map<string, ListColumns>()

/** Computed columns that can be filtered, for the kinds whose pages use them. */
const requestedColumns = [
  'org_name',
  'created_by_name',
  'counterparty_type',
  'age_days',
  'has_balance',
  'booked_state',
  'payment_state',
  'collection_state',
  'his_push_state',
  'matching_state',
  'items_due_on',
  'last_paid_on',
  'service_fee',
  'settlement_nos',
  'settlement_period',
  'lending_department',
  'borrowing_department',
  'move_kind',
] as const

/** The sums over the lines of a kind. */
const summable = (definition: AnyDocument): Fields => {
  const absent = absentSums(definition)
  const sums = ['untaxed_amount', 'tax_amount', 'taxed_amount', 'rounding', 'total_quantity']
  return Object.fromEntries(sums.filter(name => !absent.has(name)).map(name => [name, headerField(definition, name)!]))
}

/** The further names of a document's number, by which messages point at it. */
const numberNames = ({ screens }: AnyDocument): readonly string[] => screens.flatMap(screen => screen.numberNames ?? [])

/** The columns by which a document list may be filtered and sorted. */
export function listColumns(definition: AnyDocument): ListColumns {
  const before = known.get(definition.kind)
  if (before) return before
  const columns: Fields = {
    ...Object.fromEntries(['sn', ...numberNames(definition)].map(name => [name, f.text('单号')])),
    state: f.pick('状态', states),
    source_sn: f.text('来源单号'),
    source_type: f.pick('来源类型', sourceTypeNames),
    created_at: headerField(definition, 'created_at')!,
    submitted_at: f.instant('提交时间'),
    reviewed_at: f.instant('审核时间'),
    ...Object.fromEntries(
      Object.keys(headerColumns)
        .filter(name => name !== 'attachments' && name !== 'source_type')
        .map(name => [name, headerField(definition, name)!]),
    ),
    ...summable(definition),
    line_count: headerField(definition, 'line_count')!,
    review_level: commonFields.review_level!,
    ...Object.fromEntries(
      requestedColumns
        .filter(name => definition.screens.some(screen => screen.filters.includes(name)))
        .map(name => [name, headerField(definition, name)!]),
    ),
    ...Object.fromEntries(Object.entries(customHeaderFields(definition)).filter(([, field]) => !field.patient)),
    ...Object.fromEntries(
      [
        ...Object.keys(definition.progress.statuses ?? {}),
        ...Object.keys(definition.progress.columns ?? {}),
        ...(definition.lifecycle.dueDate ? ['overdue'] : []),
      ].map(name => [name, derivedField(definition, name)!]),
    ),
  }
  const parameters = {
    begin_date: f.day('开始日期'),
    end_date: f.day('结束日期'),
    ...Object.fromEntries(lineFilters(definition)),
    role: f.pick('单据来源', { own: '本机构', counterparty: '对方' }),
    mine: f.pick('我的', myFilters),
    counts: f.count('计数'),
    summed: f.text('合计的列'),
    after: f.ref('游标', ''),
  }
  const listed: ListColumns = { columns, parameters, defaultOrder: 'sn' }
  known.set(definition.kind, listed)
  return listed
}

/** The same columns, and those that name a patient for users who may see patients; nobody else may filter by them. */
function columnsFor(session: Session, definition: AnyDocument): ListColumns {
  const listed = listColumns(definition)
  if (!maySeePatients(session)) return listed
  const ofPatients = Object.entries(customHeaderFields(definition)).filter(([, field]) => field.patient)
  return { ...listed, columns: { ...listed.columns, ...Object.fromEntries(ofPatients) } }
}

/** Which documents a list shows: own ones, or the copies where the organisation keeps none of this kind. */
export const roleFor = (session: Session, definition: AnyDocument): 'own' | 'counterparty' =>
  session.oversees || definition.ownerTypes.includes(session.org.type) ? 'own' : 'counterparty'

/** The rows of a list by their owner, where the call does not choose. */
function rolesSql(tx: Tx, session: Session, definition: AnyDocument, asked: string | undefined) {
  const both = asked === undefined && definition.lifecycle.listsCopies?.includes(session.org.type)
  return both ? tx`d.role in ('own', 'counterparty')` : tx`d.role = ${asked ?? roleFor(session, definition)}`
}

/** A query whose search words were looked up. */
type Asked = ListQuery & { readonly found?: SearchHits }

/** The WHERE of a list; without the state tabs when `withoutState`. */
function whereOf(tx: Tx, session: Session, definition: AnyDocument, query: Asked, withoutState = false) {
  const parameter = query.parameters as {
    begin_date?: Day
    end_date?: Day
    role?: string
    mine?: string
    after?: string
  }
  const parts = query.conditions
    .filter(condition => !(withoutState && condition.name === 'state'))
    .map(condition => conditionSql(tx, definition, condition))
  if (parameter.begin_date) parts.push(tx`d.business_date >= ${parameter.begin_date}`)
  if (parameter.end_date) parts.push(tx`d.business_date <= ${parameter.end_date}`)
  if (parameter.mine) parts.push(myDocumentsSql(tx, session, definition, parameter.mine))
  if (parameter.after) parts.push(tx`d.id < ${parameter.after}`)
  const line = (condition: PendingQuery<Row[]>) =>
    tx`exists (select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id and ${condition})`
  for (const [name] of lineFilters(definition)) {
    const asked = (query.parameters as Readonly<Record<string, unknown>>)[name]
    if (asked) parts.push(line(lineConditionSql(tx, name, String(asked))))
  }
  if (query.found) parts.push(searchSql(tx, query.found))
  if (isRestricted(session)) parts.push(documentScopeSql(tx, session))
  return parts.reduce(
    (all, part) => tx`${all} and ${part}`,
    tx`${ofReader(tx, session)} and d.kind = ${definition.kind}
      and ${rolesSql(tx, session, definition, parameter.role)} and d.state <> 'deleted'`,
  )
}

/** The rows of a list up to the limit of its count, as part of another statement: `d` is the document. */
export const rowsSql = (tx: Tx, session: Session, definition: AnyDocument, raw: Readonly<Record<string, string>>) =>
  tx`select d.* from document d
    where ${whereOf(tx, session, definition, readDocumentQuery(session, definition, raw))} limit ${COUNT_LIMIT - 1}`

/** The row count of a list, as part of another statement. */
export function countSql(tx: Tx, session: Session, definition: AnyDocument, raw: Readonly<Record<string, string>>) {
  const query = readDocumentQuery(session, definition, raw)
  return tx`(select count(*)::int from document d where ${whereOf(tx, session, definition, query)})`
}

function orderOf(tx: Tx, definition: AnyDocument, query: ListQuery) {
  const orders = query.order.filter(order => order.name !== '')
  return orders.reduceRight(
    (all, order) =>
      tx`${columnSql(tx, definition, order.name)} ${order.descending ? tx`desc nulls last` : tx`asc nulls last`},
        ${all}`,
    tx`d.id desc`,
  )
}

/** The query of a call, with the meaning of its search words. */
async function readAsked(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
): Promise<Asked> {
  const query = readDocumentQuery(session, definition, raw)
  checkPriceQuery(session, query, listColumns(definition).columns)
  await checkListReferences(tx, session, columnsFor(session, definition), query)
  return query.q ? { ...query, found: await searchDocuments(tx, session, definition, query.q) } : query
}

export const readDocumentQuery = (
  session: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
): ListQuery => {
  const listed = columnsFor(session, definition)
  const { sort, ...rest } = raw
  const query =
    sort === undefined || sort === '' ? { ...parseListQuery(listed, rest), order: [] } : parseListQuery(listed, raw)
  const others = new Set(numberNames(definition))
  const byNumber = <Named extends { readonly name: string }>(named: Named): Named =>
    others.has(named.name) ? { ...named, name: 'sn' } : named
  return { ...query, conditions: query.conditions.map(byNumber), order: query.order.map(byNumber) }
}

const namesSelect = (tx: Tx) => tx`
  (select o.name from organisation o where o.id = d.counterparty_id) as counterparty_name,
  (select o.name from organisation o where o.id = d.from_org_id) as org_name,
  (select w.name from warehouse w where w.org_id = d.org_id and w.id = d.warehouse_id) as warehouse_name,
  (select w.name from warehouse w where w.org_id = d.org_id and w.id = d.to_warehouse_id) as to_warehouse_name,
  (select x.name from department x where x.org_id = d.org_id and x.id = d.department_id) as department_name,
  (select e.name from employee e where e.org_id = d.org_id and e.id = d.handler_id) as handler_name,
  (select o.name from organisation o where o.id = d.source_org_id) as source_org_name,
  ${actorName(tx, 'created_by')} as created_by_name,
  ${actorName(tx, 'submitted_by')} as submitted_by_name,
  ${actorName(tx, 'reviewed_by')} as reviewed_by_name,
  case when d.review_level > 0 then (
    select string_agg(n.name, '、') from document_review r cross join lateral (
      select u.name from app_user u where u.id = any(r.users::bigint[]) union all select o.name from role o
        where o.id = any(r.roles::bigint[])) n
     where r.org_id = d.org_id and r.document_id = d.id and r.level_no = d.review_level) end as current_approvers`

const headerSelect = (tx: Tx) => tx`
  d.id, d.kind, d.sn, d.role, d.from_org_id as org_sn, d.state, d.version, d.counterparty_id as counterparty_sn,
    d.warehouse_id as warehouse_model_inner_sn,
  d.to_warehouse_id as to_warehouse_model_inner_sn, d.department_id as department_inner_sn,
    d.handler_id as handler_inner_sn, d.business_date, d.regime,
  d.source_type, d.source_sn, d.source_org_id as source_org_sn,
    (select r.sn from document r where r.org_id = d.org_id and r.id = d.red_of_id) as red_of_sn,
  d.untaxed_amount, d.tax_amount, d.taxed_amount, d.rounding, d.line_count, d.total_quantity, d.review_level,
    d.review_levels, d.remark, d.attachments, d.fields, d.created_at, d.submitted_at, d.reviewed_at`

/** The rows of a list, in its order: only their ids, which an index finds. */
const idsSelect = (tx: Tx, session: Session, definition: AnyDocument, query: Asked) => tx<{ id: string }[]>`
  select d.id from document d where ${whereOf(tx, session, definition, query)}
   order by ${orderOf(tx, definition, query)}`

/** Headers with names, for these rows only. */
async function headersOf(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  ids: readonly { readonly id: string }[],
): Promise<ListRow[]> {
  if (ids.length === 0) return []
  const rows = await tx<Record<string, unknown>[]>`
    select ${headerSelect(tx)},
      ${namesSelect(tx)} ${derivedSelect(tx, definition)} ${figuresSelect(tx, definition)}
      ${
        definition.lifecycle.dueDate
          ? tx`,
      ${columnSql(tx, definition, 'overdue')} as overdue`
          : tx``
      } ${computedColumnsSql(tx, definition)} from document d
      where ${ofReader(tx, session)} and d.id = any(${ids.map(row => row.id)}::bigint[])`
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(({ id }) => (byId.has(id) ? [presentRow(session, definition, byId.get(id)!)] : []))
}

/**
 * The sums of money that follows from progress: of what documents stand for, and of the column that is asked for, which
 * reads the lines of every document.
 */
function summedSql(tx: Tx, session: Session, definition: AnyDocument, { parameters }: Asked) {
  const standing = Object.entries(definition.progress.columns ?? {}).filter(([, { of }]) => of === 'standing')
  const names = new Set([...standing.map(([name]) => name), String(parameters.summed ?? '')])
  return [...names]
    .filter(name => derivedField(definition, name)?.as === 'amount' && maySeePrices(session))
    .reduce(
      (all, name) => tx`${all}, coalesce(sum(${columnSql(tx, definition, name)}), 0)::numeric(18,2) as ${tx(name)}`,
      tx``,
    )
}

/**
 * `list`: a page of headers, the capped total, the sums over the filter, and the counts of the state tabs when
 * asked.
 */
export async function listDocuments(
  tx: Tx,
  asker: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
) {
  const session = await readerOf(tx, asker, definition, null)
  requirePageAccess(session, definition)
  const query = await readAsked(tx, session, definition, raw)
  const page = query.page ?? 1
  const ids = await tx<{ id: string }[]>`
    ${idsSelect(tx, session, definition, query)} limit ${query.size} offset ${(page - 1) * query.size}`
  const list = await headersOf(tx, session, definition, ids)
  const [total] = await tx<{ n: number }[]>`select count(*)::int as n
    from (select 1 from document d where ${whereOf(tx, session, definition, query)} limit ${COUNT_LIMIT}) c`
  const capped = total!.n >= COUNT_LIMIT
  const summary = capped
    ? null
    : (
        await tx`
    select coalesce(sum(d.untaxed_amount), 0)::numeric(18,2) as untaxed_amount,
      coalesce(sum(d.tax_amount), 0)::numeric(18,2) as tax_amount,
           coalesce(sum(d.taxed_amount), 0)::numeric(18,2) as taxed_amount,
             coalesce(sum(d.total_quantity), 0)::numeric(18,3) as total_quantity,
             coalesce(sum(d.line_count), 0)::int as line_count ${summedSql(tx, session, definition, query)}
      from document d where ${whereOf(tx, session, definition, query)}`
      )[0]
  const counts = query.parameters.counts
    ? await tx<{ state: string; n: number }[]>`
    select s.state, c.n from unnest(${Object.keys(states)}::text[]) s(state) cross join lateral (
      select count(*)::int as n from (
        select 1 from document d where ${whereOf(tx, session, definition, query, true)} and d.state = s.state
          limit ${COUNT_LIMIT}) counted) c
     where c.n > 0`
    : null
  const standing = standingField(definition)
  const standings =
    query.parameters.counts && standing !== undefined
      ? await tx<{ stands: string; n: number }[]>`
    select d.fields->>${standing} as stands, count(*)::int as n from document d
     where ${whereOf(tx, session, definition, query)} and d.fields->>${standing} is not null group by 1`
      : null
  return hidePrices(session, definition.kind, {
    list,
    total: capped ? COUNT_LIMIT - 1 : total!.n,
    page_num: page,
    page_size: query.size,
    ...(capped ? { total_capped: true } : {}),
    ...(summary ? { summary: without(summary, absentSums(definition)) } : {}),
    ...(counts ? { state_counts: Object.fromEntries(counts.map(row => [row.state, row.n])) } : {}),
    ...(standings ? { standing_counts: Object.fromEntries(standings.map(row => [row.stands, row.n])) } : {}),
    ...(list.length > 0 ? { next: list.at(-1)!.id } : {}),
  })
}

/** Every row of a filtered list in its order, in batches: constant memory and no deep offset. */
export async function* documentBatches(
  tx: Tx,
  asker: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
  size = BATCH,
): AsyncGenerator<ListRow[]> {
  const session = await readerOf(tx, asker, definition, null)
  requirePermission(session, `${definition.kind}.export`)
  const { pageNum: _page, pageSize: _size, ...asked } = raw
  const query = await readAsked(tx, session, definition, asked)
  for await (const ids of inBatches(tx, idsSelect(tx, session, definition, query), size))
    yield await headersOf(tx, session, definition, ids)
}
export { headerSelect, namesSelect }
