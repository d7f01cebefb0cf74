import { asks, dropUnshown } from '#web/engine/actions/prompts.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import { queryClient } from '#web/engine/http/query-client.ts'

/** The kind of warehouses: the general list, the stop-sale warehouses, or those of another kind. */
export type StoreList = 'all' | '' | 'stopSale' | (string & {})

const STOP_SALE = 2
const OTHERS = 3
/** The warehouse type a list requests; none for the general list. */
export const storeType = (list: StoreList): number | undefined =>
  list === 'all' || list === '' ? undefined : list === 'stopSale' ? STOP_SALE : OTHERS

const STORES = 'warehouse'
type ShellRow = Readonly<Record<string, unknown>>
const lists = {
  departments: { key: ['shell', 'departments'], path: '/v1/business/department/tree' },
  employees: { key: ['shell', 'employees'], path: '/v1/business/employee/list' },
} as const
/** By kind first, so that a changed warehouse is read again. */
const storesKey = (type: number | undefined) => [STORES, 'shell', type ?? 'all']

const kept = (key: readonly unknown[], path: string, query: Readonly<Record<string, unknown>> = {}) =>
  queryClient.fetchQuery({
    queryKey: key,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await get<unknown, ShellRow>(path, query)).list,
  })

/** Departments of the organisation as a tree; read once and cached. */
export const departments = (): Promise<readonly ShellRow[]> => kept(lists.departments.key, lists.departments.path)
/** All employees of the organisation. */
export const employees = (): Promise<readonly ShellRow[]> => kept(lists.employees.key, lists.employees.path)
/**
 * A list of warehouses, cached per type. A failed read is reported, because hardly any page works without
 * warehouses.
 */
export async function stores(list: StoreList = 'all'): Promise<readonly ShellRow[]> {
  const type = storeType(list)
  try {
    return await kept(storesKey(type), '/v1/business/warehouse/list', { type })
  } catch (thrown) {
    if (!isSilent(thrown)) asks.notify(sentenceOf(thrown))
    throw thrown
  }
}

/** True if the choices of a kind are a list of the shell, which is small and read once. */
export const isInShell = (kind: string): boolean => kind === STORES
const listOfType: Readonly<Record<string, StoreList>> = { '': 'all', [STOP_SALE]: 'stopSale', [OTHERS]: 'form' }
/** The list of the shell that a picker offers under these filters; null where the shell has no such list. */
export function shellList(kind: string, { type = '', ...others }: Readonly<Record<string, string>>) {
  const list = listOfType[type]
  return isInShell(kind) && list !== undefined && Object.keys(others).length === 0 ? stores(list) : null
}

/** Rows a picker shows before anything is typed. */
const FIRST_CHOICES = 50
const offer = (kind: string, rows: readonly ShellRow[]) =>
  queryClient.setQueryData([kind, 'choices', {}, ''], { list: rows.slice(0, FIRST_CHOICES) })

/**
 * Loads the lists that every page of the shell needs, at once after sign-in, so that pickers open immediately. A list
 * that failed to load is requested again when needed.
 */
export const loadShellData = (): Promise<unknown> =>
  Promise.allSettled([
    departments(),
    employees().then(rows => offer('employee', rows)),
    stores('all').then(rows => offer('warehouse', rows)),
  ])

/** Forgets the lists of the previous user. */
export function forgetShellData(): void {
  dropUnshown()
  queryClient.removeQueries({ queryKey: ['shell'] })
  for (const kind of ['department', 'employee', 'warehouse']) queryClient.removeQueries({ queryKey: [kind] })
}
