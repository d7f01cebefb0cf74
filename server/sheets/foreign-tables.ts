import { createHash } from 'node:crypto'
import { dayOf } from '#kernel/values/date.ts'
import {
  type AskedColumns,
  type ColumnMapping,
  findColumns,
  type ForeignTable,
  headingsKey,
  headingsOf,
  isByPlace,
  MOST_HEADINGS,
  type ReadPreview,
  suggestedPicks,
  wantedOf,
  wrongMapping,
} from '#kernel/tables/foreign-table.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { entities, foreignTables } from '#kernel/registry.ts'
import { BusinessError, ColumnsRequired } from '#kernel/rules/errors.ts'
import { checkUntrusted, parseList, refuseOtherNames } from '#server/access/untrusted-input.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { ActionNotes } from '#server/documents/action/context.ts'
import type { ForeignAnswer, ForeignOptions } from '#server/file-readers/foreign-table.ts'
import type { FileReader } from '#server/file-workers/reader.ts'
import { type ReadFile, readStoredFiles } from '#server/files/read-stored.ts'

/** Files of a foreign table and the reader of them. */
export type ForeignFiles<Given, Result> = {
  readonly table: ForeignTable
  readonly reader: FileReader<ForeignOptions<Given>, ForeignAnswer<Result>>
}

/** The columns of a file as a call names them; with `preview` nothing is imported. */
type Choice = ColumnMapping & { readonly preview: boolean }
type Remembered = ColumnMapping & { readonly by: string; readonly day: string }

type Caller = {
  readonly tx: Tx
  readonly session: Session
  readonly body: Readonly<Record<string, unknown>>
  readonly notes: ActionNotes
}

const MOST_CHOICES = 20
const TABLE = 'column_mapping'

/**
 * Reads files of a foreign table, by the columns that the call names, that the organisation remembers or that are known
 * by their headings. The user is asked for unknown columns; columns that the call named are remembered.
 */
export async function readForeignFiles<Given, Result>(
  caller: Caller,
  names: readonly string[],
  { table, reader }: ForeignFiles<Given, Result>,
  given: Given,
): Promise<readonly ReadFile<Result>[]> {
  const { tx, session, notes } = caller
  const chosen = choicesIn(caller.body.columns, table)
  const kept = await remembered(tx, session, table)
  const mappings = [...chosen, ...kept].map(({ headings, picks, units }) => ({ headings, picks, units }))
  const files = await readStoredFiles(tx, session, names, reader, { mappings, given })
  const found: ReadFile<Result>[] = []
  for (const file of files) {
    if (file.refused) {
      found.push(file)
      continue
    }
    const { name, read } = file
    if ('asked' in read) throw askColumns(table, name, read.asked)
    const choice = read.mapping === null ? undefined : chosen[read.mapping]
    const before = read.mapping === null ? undefined : kept[read.mapping - chosen.length]
    if (choice?.preview) throw previewed(table, name, read.preview)
    if (choice) {
      await remember(tx, session, table, choice)
      const alike = isByPlace(choice) ? '没有列名、列数相同' : '列名相同'
      notes.set(`已记住文件【${name}】的列对应，${alike}的文件以后直接读取`, pagesOf(table, session))
    }
    if (before) notes.set(`文件【${name}】按${before.by}于${before.day}记住的列对应读取`, pagesOf(table, session))
    found.push({ name, read: read.result, refused: null })
  }
  return found
}

/** The pages that list the mappings, for users of this organisation. */
const pagesOf = (table: ForeignTable, { org }: Session): readonly string[] =>
  entities()
    .filter(each => each.table === TABLE)
    .flatMap(({ screens }) => screens)
    .filter(({ orgs, where }) => orgs.includes(org.type) && where?.file_kind === table.kind)
    .map(screen => screenAddress(screen))

function choicesIn(sent: unknown, table: ForeignTable): readonly Choice[] {
  if (sent === undefined || sent === null || sent === '') return []
  const list = parseList(sent)
  if (list === null || list.length > MOST_CHOICES) throw new BusinessError('invalid', '列对应的格式有误')
  return list.flatMap(each => {
    const { kind, preview, ...mapping } = (each ?? {}) as Record<string, unknown>
    if (kind !== table.kind) return []
    return [{ ...mappingOf(table, mapping), preview: preview === true }]
  })
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= MOST_HEADINGS && value.every(each => typeof each === 'string')
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A mapping that somebody sent, or the refusal that says what is wrong with it. */
export function mappingOf(table: ForeignTable, sent: unknown): ColumnMapping {
  const refuse = (msg: string): never => {
    throw new BusinessError('invalid', msg, [{ field: 'columns', msg }])
  }
  if (!isObject(sent)) return refuse('列对应的格式有误')
  checkUntrusted(sent)
  refuseOtherNames(sent, ['headings', 'picks', 'units'])
  const { headings, picks = {}, units = {} } = sent
  if (!isTexts(headings) || !isObject(picks) || !isObject(units)) return refuse('列对应的格式有误')
  if (!Object.values(picks).every(isTexts) || !Object.values(units).every(unit => typeof unit === 'string'))
    return refuse('列对应的格式有误')
  const mapping = { headings, picks, units } as ColumnMapping
  const wrong = wrongMapping(wantedOf(table), mapping)
  return wrong === null ? mapping : refuse(wrong)
}

/** The mappings that the organisation remembers for files of a kind, the newest first. */
async function remembered(tx: Tx, session: Session, table: ForeignTable): Promise<readonly Remembered[]> {
  const rows = await tx<{ headings: string; columns: string; by: string | null; at: Date }[]>`
    select headings, columns, changed_by as by, changed_at as at
      from column_mapping
     where org_id = ${session.org.id} and file_kind = ${table.kind}
     order by changed_at desc, id desc limit 500`
  return rows.map(({ headings, columns, by, at }) => ({
    headings: headings.split('\n'),
    ...(JSON.parse(columns) as Pick<ColumnMapping, 'picks' | 'units'>),
    by: by ?? '同事',
    day: dayOf(new Date(at)),
  }))
}

/** One mapping for a set of headings: what is said later counts. */
async function remember(tx: Tx, session: Session, table: ForeignTable, mapping: ColumnMapping): Promise<void> {
  const { headings, picks, units } = mapping
  const hash = createHash('sha256').update(headingsKey(headings)).digest('hex')
  await tx`
    insert into column_mapping as m (org_id, file_kind, headings_hash, headings, columns, changed_by, changed_at)
    values (${session.org.id}, ${table.kind}, ${hash}, ${headings.join('\n')},
            ${JSON.stringify({ picks, units })}, ${session.userName}, now())
        on conflict (org_id, file_kind, headings_hash)
        do update set headings = excluded.headings, columns = excluded.columns, changed_by = excluded.changed_by,
                      changed_at = excluded.changed_at, version = m.version + 1`
}

/** The kind of file that its titles look like, where it is not the wanted one. */
function resembled(table: ForeignTable, rows: AskedColumns['rows']): string | null {
  const known = (table.resembles ?? []).find(({ is }) => rows.some(is))
  const other = foreignTables().find(each => each.kind !== table.kind && findColumns(each, rows) !== null)
  return known?.title ?? other?.title ?? null
}

function askColumns(
  table: ForeignTable,
  file: string,
  { rows, row, places }: Pick<AskedColumns, 'rows' | 'row' | 'places'>,
): BusinessError {
  const headings = rows.map(cells => headingsOf(table, cells))
  const wanted = wantedOf(table)
  const picks = suggestedPicks(table, headings[row] ?? [])
  const unknown = wanted.filter(({ name, required }) => required && picks[name]!.length === 0)
  const labels = unknown.map(({ label }) => label).join('、')
  const other = resembled(table, rows)
  const what =
    other === null
      ? `文件【${file}】没有认出${labels}所在的列`
      : `文件【${file}】像是${other}，不是${table.title}，没有${labels}列`
  if (places.length < wanted.filter(({ required }) => required).length)
    return new BusinessError('rule', `${what}，请使用${table.origin}`)
  const next = other === null ? '，请指定' : `。请改用${table.origin}；如果确是${table.title}，请指定各列`
  const { kind, title } = table
  const asked = { kind, title, file, wanted, rows, headings, places, row, picks }
  return new ColumnsRequired(what + next, { ...asked, preview: null })
}

const previewed = ({ kind, title }: ForeignTable, file: string, preview: ReadPreview): BusinessError =>
  new ColumnsRequired(preview.refused ?? preview.said, {
    kind,
    title,
    file,
    wanted: [],
    rows: [],
    headings: [],
    places: [],
    row: 0,
    picks: {},
    preview,
  })
