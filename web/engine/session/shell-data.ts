import { asks } from '#web/engine/actions/prompts.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import { queryClient } from '#web/engine/http/query-client.ts'

/** Which stores: the general list, the stores of goods stopped from sale, or those of another kind. */
export type StoreList = 'all' | '' | 'stopSale' | (string & {})

const STOP_SALE = 2
const OTHERS = 3
/** The warehouse type that a list asks for; the general list asks for none. */
export const storeType = (list: StoreList): number | undefined =>
  list === 'all' || list === '' ? undefined : list === 'stopSale' ? STOP_SALE : OTHERS

type ShellRow = Readonly<Record<string, unknown>>
const lists = {
  departments: { key: ['shell', 'departments'], path: '/v1/business/department/tree' },
  employees: { key: ['shell', 'employees'], path: '/v1/business/employee/list' },
} as const
const storesKey = (type: number | undefined) => ['shell', 'stores', type ?? 'all']

const kept = (key: readonly unknown[], path: string, query: Readonly<Record<string, unknown>> = {}) =>
  queryClient.fetchQuery({
    queryKey: key,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await get<unknown, ShellRow>(path, query)).list,
  })

/** Departments of the organisation as a tree; read once and kept. */
export const departments = (): Promise<readonly ShellRow[]> => kept(lists.departments.key, lists.departments.path)
/** Everybody who works here. */
export const employees = (): Promise<readonly ShellRow[]> => kept(lists.employees.key, lists.employees.path)
/** A list of stores, kept per type. When it cannot be read, that is said: without stores hardly a page works. */
export async function stores(list: StoreList = 'all'): Promise<readonly ShellRow[]> {
  const type = storeType(list)
  try {
    return await kept(storesKey(type), '/v1/business/warehouse/list', { type })
  } catch (thrown) {
    if (!isSilent(thrown)) asks.notify(sentenceOf(thrown))
    throw thrown
  }
}

/** Rows that a picker shows before anything is typed. */
const FIRST_CHOICES = 50
const offer = (kind: string, rows: readonly ShellRow[]) =>
  queryClient.setQueryData([kind, 'choices', {}, ''], { list: rows.slice(0, FIRST_CHOICES) })

/** What every page of the shell needs, read in one go after a sign-in; pickers open with it at once. A list that cannot be read is asked for again by who needs it. */
export const loadShellData = (): Promise<unknown> =>
  Promise.allSettled([
    departments(),
    employees().then(rows => offer('employee', rows)),
    stores('all').then(rows => offer('warehouse', rows)),
  ])

/** Forgets the lists of whoever sat here before. */
export function forgetShellData(): void {
  queryClient.removeQueries({ queryKey: ['shell'] })
  for (const kind of ['department', 'employee', 'warehouse']) queryClient.removeQueries({ queryKey: [kind] })
}
