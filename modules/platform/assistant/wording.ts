import { type AnyDocument } from '#kernel/definition/document.ts'
import { plain } from '#kernel/values/decimal.ts'
import { type State, states } from '#kernel/definition/document-state.ts'

/** One cell of a markdown table: its text may neither end the cell nor start a link. */
const cell = (value: unknown): string =>
  value === null || value === undefined || value === '' ? '-' : String(value).replace(/[|\n[\]<>]/g, ' ')

/** Text from the database, escaped for markdown. */
export const word = cell

/** Rows as a markdown table. */
export function tableOf(heads: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [lineOf(heads), lineOf(heads.map(() => '---')), ...rows.map(row => lineOf(row.map(cell)))].join('\n')
}

export const linkOf = (title: string, uri: string): string => `[${word(title)}](${uri})`
/** A quantity without its trailing zeros. */
export const figure = (value: unknown): string => plain(String(value ?? '0'))

/** Words people use for a state when they ask. */
const stateWords: readonly (readonly [RegExp, State])[] = [
  [/待审核|未审核|没审核|没有审核|还没审|等待审核|待审|待确认|未确认/, 'submitted'],
  [/草稿|待提交|未提交|没提交/, 'draft'],
  [/驳回|退回修改/, 'rejected'],
  [/部分执行|执行中/, 'partial'],
  [/已完成|完成了|做完/, 'completed'],
  [/终止/, 'stopped'],
  [/作废/, 'cancelled'],
  [/红冲/, 'reversed'],
  [/已审核|审核通过|审核过|审过/, 'reviewed'],
]
/** The state named in a question: by the document's own word for it, otherwise by any word people use. */
export function stateIn(question: string, documents: readonly AnyDocument[] = []): State | null {
  const own = documents
    .flatMap(({ lifecycle: { stateLabels: stateNames } }) => Object.entries(stateNames ?? {}) as [State, string][])
    .find(([, name]) => question.includes(name))
  return own?.[0] ?? stateWords.find(([words]) => words.test(question))?.[1] ?? null
}

export const stateNameOf = (definition: AnyDocument, state: string): string =>
  definition.lifecycle.stateLabels?.[state as State] ?? states[state as State] ?? state

/** Endings of titles that mean stock, not a document. */
const SHELF_WORDS = new Set(['库存', '记录'])

/** Endings of a title by which people name a document: 采购入库单, 入库单, 入库. */
function namesOf(title: string): string[] {
  const bare = title.replace(/单$/, '')
  return [title, bare].flatMap(text => Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at)))
}

/** The documents a question names; the longest name decides: 采购订单 means one kind, 订单 all of them. */
export function documentsIn(question: string, documents: readonly AnyDocument[]): readonly AnyDocument[] {
  const named = documents.map(definition => ({
    definition,
    length: Math.max(
      0,
      ...namesOf(definition.title)
        .filter(name => !SHELF_WORDS.has(name) && question.includes(name))
        .map(name => name.length),
    ),
  }))
  const longest = Math.max(0, ...named.map(each => each.length))
  return longest < 2 ? [] : named.filter(each => each.length === longest).map(each => each.definition)
}
