import type { MenuItem } from '#web/shell/menu/menu.ts'

/**
 * One action on one page and the rights that it grants. Lists that share a page each have it; it is granted for all of
 * them.
 */
export type Cell = { readonly title: string; readonly flags: readonly string[] }
export type MatrixRow = {
  readonly title: string
  /** The right to open the page. */
  readonly page: string
  /** The actions that have a column, by their name. */
  readonly cells: ReadonlyMap<string, Cell>
  /** The page's own actions, in their order. */
  readonly others: readonly Cell[]
}
export type MatrixGroup = { readonly title: string; readonly rows: readonly MatrixRow[] }
export type Matrix = { readonly columns: readonly string[]; readonly groups: readonly MatrixGroup[] }
export type Granted = 'all' | 'some' | 'none'

const OPERATION = 2
/** Actions that many pages have, in the order of a document's life. */
const COMMON = [
  '新增',
  '编辑',
  '删除',
  '提交',
  '撤回提交',
  '审核',
  '驳回',
  '反审核',
  '作废',
  '红冲',
  '启用',
  '停用',
  '打印',
  '导入',
  '导出',
]

function rowOf(page: MenuItem): MatrixRow {
  const operations = (page.children ?? []).filter(each => each.type === OPERATION && each.flag !== '')
  const cells = [...Map.groupBy(operations, each => each.title)].map(([title, all]) => ({
    title,
    flags: [...new Set(all.map(each => each.flag))],
  }))
  return {
    title: page.title,
    page: page.flag,
    cells: new Map(cells.filter(cell => COMMON.includes(cell.title)).map(cell => [cell.title, cell])),
    others: cells.filter(cell => !COMMON.includes(cell.title)),
  }
}

/** The menu as a matrix: pages by group, actions across. */
export function matrixOf(menu: readonly MenuItem[]): Matrix {
  const groups = menu
    .map(group => ({ title: group.title, rows: (group.children ?? []).map(rowOf) }))
    .filter(group => group.rows.length > 0)
  const used = new Set(groups.flatMap(group => group.rows.flatMap(row => [...row.cells.keys()])))
  return { columns: COMMON.filter(title => used.has(title)), groups }
}

/** Everything that a row grants; the page may appear twice in the menu, but has only one right. */
export const flagsOf = (row: MatrixRow): readonly string[] => [
  ...(row.page === '' ? [] : [row.page]),
  ...[...row.cells.values(), ...row.others].flatMap(cell => cell.flags),
]

export function grantedOf(flags: readonly string[], granted: ReadonlySet<string>): Granted {
  const count = flags.filter(flag => granted.has(flag)).length
  return count === 0 ? 'none' : count === flags.length ? 'all' : 'some'
}

/**
 * The rights after a box was ticked or cleared: an action comes with its page, and a page takes its actions with it.
 */
export function changed(
  granted: ReadonlySet<string>,
  row: MatrixRow,
  flags: readonly string[],
  on: boolean,
): readonly string[] {
  const next = new Set(granted)
  const isPage = flags.includes(row.page)
  if (on) for (const flag of [...flags, row.page]) next.add(flag)
  else for (const flag of isPage ? flagsOf(row) : flags) next.delete(flag)
  next.delete('')
  return [...next]
}

/** How one role differs from another in a cell: it has more there, or less, or both have the same. */
export function differenceOf(
  flags: readonly string[],
  granted: ReadonlySet<string>,
  other: ReadonlySet<string>,
): 'more' | 'less' | null {
  if (flags.some(flag => granted.has(flag) && !other.has(flag))) return 'more'
  return flags.some(flag => !granted.has(flag) && other.has(flag)) ? 'less' : null
}
