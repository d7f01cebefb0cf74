import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { hooks } from '#server/registry/hooks.ts'
import { type Analysis, analysisRights } from '#kernel/definition/analysis.ts'
import { boards, derived, documents, entities, reports, tools, sheetOf } from '#kernel/registry.ts'
import { onlyForCounterparty } from '#server/menu/counterparty-actions.ts'
import { hasSwitch } from '#server/records/row-actions.ts'

/** One node of the menu. Type 1 is a page or a group of pages, type 2 an operation under its page. */
export type MenuNode = {
  readonly content: string
  readonly title: string
  readonly uri: string
  readonly icon: string
  readonly type: 1 | 2
  readonly flag: string
  readonly level: number
  readonly children: readonly MenuNode[]
}

export type Operation = {
  readonly flag: string
  readonly label: string
  readonly orgs?: string
  /** The call whose right is also needed beside its own; having the page does not include it. */
  readonly beside?: string
  /** The call that it opens further, where it has none of its own. */
  readonly call?: string
}
/** A page of the program, and its operations. */
export type Page = { readonly kind: string; readonly screen: Screen; readonly operations: readonly Operation[] }

const standard = { add: '新增', edit: '编辑', del: '删除' } as const

type Labels = Readonly<Record<string, string>>
const labelsOf = (actions: Readonly<Record<string, { readonly label: string }>>): Labels => ({
  ...standard,
  ...Object.fromEntries(Object.entries(actions).map(([flag, action]) => [flag, action.label])),
  export: '导出',
})

const recordLabels = (definition: AnyEntity): Labels => {
  const prints: Labels = definition.prints ? { print: sheetOf(definition.kind) ? '打印' : '打印标签' } : {}
  const calls = Object.fromEntries(Object.entries(definition.calls ?? {}).map(([name, { label }]) => [name, label]))
  // A ledger view's actions are calls of their own.
  const own = Object.fromEntries(Object.entries(definition.actions ?? {}).map(([flag, { label }]) => [flag, label]))
  if (definition.readOnly) return { ...calls, ...own, export: '导出', ...prints }
  return {
    ...labelsOf({
      ...(hasSwitch(definition) ? { enable: { label: '启用' }, disable: { label: '停用' } } : {}),
      ...definition.calls,
      ...definition.actions,
    }),
    ...prints,
  }
}

/** The calls that apply to the organisations of a page. */
const callsOn = ({ lifecycle: { listActions: calls = {} } }: AnyDocument, { orgs, route }: Screen) => {
  const isHere = ([, call]: [string, { readonly orgs?: string; readonly route?: string }]) =>
    (call.route ?? route) === route && [...orgs].some(org => call.orgs?.includes(org) ?? true)
  return Object.fromEntries(Object.entries(calls).filter(isHere))
}

const documentLabels = (definition: AnyDocument, screen: Screen): Labels => ({
  ...(definition.lineRules.import ? { import: '导入', template: '下载模板' } : {}),
  ...(definition.lineRules.scanning ? { scan: '扫码' } : {}),
  ...(sheetOf(definition.kind) ? { print: '打印' } : {}),
  ...labelsOf({ ...callsOn(definition, screen), ...definition.actions }),
})

/** Extra rights that some documents require beside the right to an action. */
const rightsBeside = (definition: AnyDocument): Operation[] =>
  Object.entries(definition.actions).flatMap(([action, { extraPermission: asksRight }]) =>
    asksRight ? [{ flag: asksRight.flag, label: asksRight.label, beside: action }] : [],
  )

/**
 * Calls and workbooks create documents: they are offered where one may be added, or on the page that a call names;
 * codes are scanned where one is written.
 */
function operationsOf(
  screen: Screen,
  labels: Labels,
  calls: AnyDocument['lifecycle']['listActions'] = {},
): Operation[] {
  const adds = screen.actions?.includes('add') ?? false
  const here = Object.keys(calls).filter(name => (calls[name]?.route ? calls[name].route === screen.route : adds))
  const writes = screen.actions?.some(action => action === 'add' || action === 'edit')
  const made = [...here, ...(adds ? ['import', 'template'] : []), ...(writes ? ['scan'] : [])]
  const offered = screen.actions ? [...new Set([...screen.actions, ...made, 'export', 'print'])] : Object.keys(labels)
  return offered.filter(flag => flag in labels).map(flag => ({ flag, label: labels[flag] ?? flag }))
}

/** Read flags belong to all who have the page; the others to those who may write such records. */
const takesAway = new Set(['export', 'print'])
const forWriters = ({ writers, calls }: AnyEntity, operations: readonly Operation[]): readonly Operation[] =>
  operations.map(operation => {
    const orgs = calls?.[operation.flag]?.orgs ?? (takesAway.has(operation.flag) ? undefined : writers)
    return orgs === undefined ? operation : { ...operation, orgs }
  })

/** Records are printed where the page offers it, if it lists its operations at all. */
const isOffered =
  ({ actions }: Screen) =>
  ({ flag }: Operation): boolean =>
    flag !== 'print' || actions === undefined || (actions as readonly string[]).includes('print')

/** Dimensions that not everybody sees are rights of their own. */
const dimensionRights = (kind: string, { dimensions }: Analysis): Operation[] =>
  [...new Set(Object.values(dimensions).flatMap(({ right }) => (right ? [right] : [])))].map(flag => ({
    flag,
    label: analysisRights[flag],
    call: `GET /v1/report/${kind}`,
  }))

/** The operations that take data or pictures out of a board. */
const boardRights: readonly Operation[] = [
  { flag: 'export', label: '导出图片' },
  { flag: 'exportData', label: '导出数据' },
]

/** The operations on ticked rows of a report that are rights of their own. */
const reportCalls = ({ kind, calls = {} }: AnyReport): Operation[] =>
  Object.entries(calls).flatMap(([flag, { label, orgs, right }]) =>
    right === undefined ? [{ flag, label, call: `POST /v1/report/${kind}/${flag}`, ...(orgs ? { orgs } : {}) }] : [],
  )

/** Every page of the program with its operations, in the order of the menu. */
export const allPages = derived((): readonly Page[] =>
  inMenuOrder([
    ...documents().flatMap(definition =>
      definition.screens.map(screen => ({
        kind: definition.kind,
        screen,
        operations: [
          ...operationsOf(screen, documentLabels(definition, screen), definition.lifecycle.listActions),
          ...rightsBeside(definition),
        ].map(onlyForCounterparty(definition, screen)),
      })),
    ),
    ...reports().flatMap(definition =>
      definition.screens.map(screen => ({
        kind: definition.kind,
        screen,
        operations: [
          { flag: 'export', label: '导出' },
          ...(definition.analysis ? dimensionRights(definition.kind, definition.analysis) : []),
          ...reportCalls(definition),
        ],
      })),
    ),
    ...entities().flatMap(definition =>
      definition.screens.map(screen => ({
        kind: definition.kind,
        screen,
        operations: forWriters(definition, operationsOf(screen, recordLabels(definition)).filter(isOffered(screen))),
      })),
    ),
    ...tools().map(screen => {
      const board = boards().find(each => each.screen === screen)
      return board ? { kind: board.kind, screen, operations: boardRights } : { kind: '', screen, operations: [] }
    }),
  ]),
)

/** Pages in the order of the menu, tabs in that of their definitions; pages that no menu shows come last. */
function inMenuOrder(pages: readonly Page[]): readonly Page[] {
  const shown = hooks().menuGroups.flatMap(group => group.pages.map(title => `${group.title}/${title}`))
  const places = new Map(shown.map((page, at) => [page, at]))
  const placeOf = ({ screen }: Page) => places.get(`${screen.menu}/${screen.title}`) ?? shown.length
  return pages.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Rights without a button: to see patients, prices, profit, and to date documents further back than others. */
export const extraFlags = {
  patient: '查看患者信息',
  price: '查看价格与金额',
  profit: '查看成本毛利',
  backdate: '补录更早日期',
} as const

/** All flags that a role of this organisation type may be given: pages and their operations. */
export function permissionsOf(type: OrgType): ReadonlySet<string> {
  return flagsOn(
    allPages().filter(page => page.screen.orgs.includes(type)),
    type,
  )
}

/** True if organisations of a type may have an operation at all. */
export const isFor = (operation: Operation, type: string): boolean => operation.orgs?.includes(type) ?? true

const flagsOn = (some: readonly Page[], type: OrgType): ReadonlySet<string> =>
  new Set(
    some.flatMap(page => [
      `page:${page.screen.route}`,
      ...page.operations.filter(operation => isFor(operation, type)).map(operation => `${page.kind}.${operation.flag}`),
    ]),
  )

/** The flags of all pages in some menu groups, with their operations; extra rights are granted by name. */
export function permissionsIn(type: OrgType, groups: readonly string[]): ReadonlySet<string> {
  return flagsOn(
    allPages()
      .filter(page => page.screen.orgs.includes(type) && groups.includes(page.screen.menu))
      .map(page => ({ ...page, operations: page.operations.filter(operation => operation.beside === undefined) })),
    type,
  )
}

/** The menu for these flags: groups in the standard order, empty ones left out. */
export function menuTree(type: OrgType, may: (flag: string) => boolean): MenuNode[] {
  return hooks().menuGroups.flatMap(group => {
    const children = allPages().filter(
      ({ screen }) =>
        screen.menu === group.title &&
        screen.orgs.includes(type) &&
        !screen.hidden &&
        !screen.hiddenFor?.includes(type) &&
        may(`page:${screen.route}`),
    )
    const nodes = [...Map.groupBy(children, page => page.screen.route).values()].map(tabs => pageNode(tabs, type, may))
    return children.length === 0
      ? []
      : [node({ content: group.title, title: group.title, icon: group.icon, level: 1, children: nodes })]
  })
}

const node = (parts: Partial<MenuNode> & Pick<MenuNode, 'content' | 'title' | 'level'>): MenuNode => ({
  uri: '',
  icon: '',
  type: 1,
  flag: '',
  children: [],
  ...parts,
})

/** A page with its operations; the tabs of a route are one page. */
function pageNode(tabs: readonly Page[], type: OrgType, may: (flag: string) => boolean): MenuNode {
  const flags = new Map(
    tabs.flatMap(({ kind, operations }) =>
      operations.filter(each => isFor(each, type)).map(({ flag, label }) => [`${kind}.${flag}`, label] as const),
    ),
  )
  const children = [...flags]
    .filter(([flag]) => may(flag))
    .map(([flag, label]) => node({ content: label, title: label, type: 2, flag, level: 3 }))
  const { screen } = tabs[0]!
  return node({
    content: screen.title,
    title: screen.title,
    uri: screen.route,
    flag: `page:${screen.route}`,
    level: 2,
    children,
  })
}

/** Rights that are not pages, as shown in the tree used to define roles. */
export const dataPermissions = (may: (flag: string) => boolean): MenuNode =>
  node({
    content: '数据权限',
    title: '数据权限',
    level: 1,
    children: [
      node({
        content: '敏感数据与补录',
        title: '敏感数据与补录',
        level: 2,
        children: Object.entries(extraFlags)
          .filter(([flag]) => may(flag))
          .map(([flag, title]) => node({ content: title, title, type: 2, flag, level: 3 })),
      }),
    ],
  })
