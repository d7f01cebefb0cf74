import type { AnyEntity } from '#kernel/definition/entity.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inBatches } from '#server/database/batches.ts'
import { checkListReferences } from '#server/lists/asked-references.ts'
import { COUNT_LIMIT, listColumnsOf, type ListQuery, parseListQuery } from '#server/lists/query.ts'
import { differsByRow } from '#server/records/judgement.ts'
import { readerOf } from '#server/records/platform.ts'
import { readableOf, shownOf } from '#server/records/reading-rights.ts'
import { rowActions } from '#server/records/row-actions.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { all, orderOf, partsOf, whereOf } from '#server/records/select.ts'
import { hidePrices, checkPriceQuery } from '#server/access/sensitive-fields.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

export type Page = {
  readonly list: readonly RecordRow[]
  readonly total: number
  readonly page_num: number
  readonly page_size: number
  readonly summary?: RecordRow
}

/** Maximum rows of a list returned in full. */
const wholeLimit = 5000

/**
 * A page of rows visible to the caller, with the exact total up to 10 000. `known`: further parameters for its source.
 * A user without the right to the record, but with a page that picks from it, finds and sees only the columns that
 * identify a row.
 */
export async function listRecords(
  tx: Tx,
  asker: Session,
  definition: AnyEntity,
  raw: Readonly<Record<string, unknown>>,
  known: Readonly<RecordRow> = {},
): Promise<Page> {
  const readable = readableOf(asker, definition)
  if (readable === null) throw new BusinessError('forbidden')
  const session = await readerOf(tx, asker, definition, raw.of_org_sn)
  const asked = parseListQuery(listColumnsOf(readable), raw)
  checkPriceQuery(asker, asked, listColumnsOf(readable).columns)
  await checkListReferences(tx, session, listColumnsOf(readable), asked, definition.key)
  const query = await prepared(tx, session, definition, withKnown(asked, known))
  const isWhole = definition.whole === true && query.page === null
  const size = isWhole ? wholeLimit : query.size
  const page = query.page ?? 1
  const parts = partsOf(tx, session, definition, query.parameters)
  const { sums } = readable
  const [list, counted, summed] = await Promise.all([
    tx<RecordRow[]>`
      select ${parts.columns()} ${parts.from()} where ${whereOf(tx, readable, parts, query)}
       order by ${orderOf(tx, parts, query.order)} limit ${size} offset ${(page - 1) * size}`,
    isWhole
      ? []
      : tx<{ total: number }[]>`
      select count(*)::int as total
        from (select 1 ${parts.from()} where ${whereOf(tx, readable, parts, query)} limit ${COUNT_LIMIT}) counted`,
    sums === undefined
      ? []
      : tx<RecordRow[]>`
      select ${sums
        .map(name => tx`coalesce(sum(${parts.expression(name)}), 0) as ${tx(name)}`)
        .reduce(
          (some, one) => tx`${some},
        ${one}`,
        )} ${unitOfAll(tx, readable)} ${parts.from()}
       where ${whereOf(tx, readable, parts, query)}`,
  ])
  const completed = (await rulesOf(definition.kind).complete?.(tx, session, list)) ?? [...list]
  const shown = hidePrices(asker, definition.kind, completed).map(shownOf(definition, readable))
  return {
    list:
      differsByRow(definition, asker) && session === asker && readable === definition
        ? await withActions(tx, asker, definition, shown)
        : shown,
    total: isWhole ? list.length : (counted[0]?.total ?? 0),
    page_num: page,
    page_size: isWhole ? list.length : size,
    ...(summed[0] ? { summary: hidePrices(asker, definition.kind, [summed[0]])[0]! } : {}),
  }
}

/** Beside sums: the unit in which all rows are counted. Without one, pieces have no sum. */
const unitOfAll = (tx: Tx, { fields }: AnyEntity) =>
  fields.unit_name === undefined
    ? tx``
    : tx`, case when min(t.unit_name) = max(t.unit_name) and count(t.unit_name) = count(*)
        then min(t.unit_name) end as unit_name`

/** Adds the permitted actions to each row where they differ by row: a list offers nothing that would be refused. */
async function withActions(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  rows: readonly RecordRow[],
): Promise<readonly RecordRow[]> {
  const actions = await rowActions(tx, session, definition, rows)
  return rows.map((row, at) => ({ ...row, actions: actions[at] }))
}

const withKnown = (query: ListQuery, known: Readonly<RecordRow>): ListQuery => ({
  ...query,
  parameters: { ...query.parameters, ...known },
})

async function prepared(tx: Tx, session: Session, definition: AnyEntity, query: ListQuery): Promise<ListQuery> {
  const found = await rulesOf(definition.kind).prepare?.(tx, session, query)
  return found ? { ...query, parameters: { ...query.parameters, ...found } } : query
}

/** Every row of a filtered list in batches, whatever the number. */
export async function* allRecords(
  tx: Tx,
  asker: Session,
  definition: AnyEntity,
  asked: ListQuery,
  size?: number,
): AsyncGenerator<readonly RecordRow[]> {
  checkPriceQuery(asker, asked, listColumnsOf(definition).columns)
  const session = await readerOf(tx, asker, definition, asked.parameters.of_org_sn ?? undefined)
  const query = await prepared(tx, session, definition, asked)
  const { complete } = rulesOf(definition.kind)
  const parts = partsOf(tx, session, definition, query.parameters)
  const select = tx<RecordRow[]>`
    select ${parts.columns()} ${parts.from()} where ${whereOf(tx, definition, parts, query)}
     order by ${orderOf(tx, parts, query.order)}`
  for await (const batch of inBatches(tx, select, size)) yield complete ? await complete(tx, session, batch) : batch
}

/** Passed to `visible` when one row is requested by its key: more rows may be looked up than a list shows by itself. */
const oneRow = { one: true } as const

/** One row by its own key. A row of another organisation answers like one that does not exist. */
export async function findRecord(tx: Tx, session: Session, definition: AnyEntity, id: unknown): Promise<RecordRow> {
  const found =
    typeof id === 'string' && /^\d{1,18}$/.test(id) ? await findById(tx, session, definition, id) : undefined
  if (!found) throw new BusinessError('notFound', `${definition.title}不存在或已被删除`)
  return found
}

async function findById(tx: Tx, session: Session, definition: AnyEntity, id: string): Promise<RecordRow | undefined> {
  const parts = partsOf(tx, session, definition, oneRow)
  const [row] = await tx<RecordRow[]>`
    select ${parts.columns()} ${parts.from()} where ${all(tx, [parts.mine(), tx`t.id = ${id}`])} limit 1`
  const [completed] = row ? ((await rulesOf(definition.kind).complete?.(tx, session, [row])) ?? [row]) : []
  return completed
}

/** The row's owner: the caller, or the platform where one row serves all. */
export async function keeperOf(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
): Promise<{ org_sn: string; org_name: string }> {
  if (definition.scope === 'organisation') return { org_sn: session.org.id, org_name: session.org.name }
  const [platform] = await tx<
    { id: string; name: string }[]
  >`select id, name from organisation where system_type = 0 order by id limit 1`
  return { org_sn: platform?.id ?? '', org_name: platform?.name ?? '' }
}
