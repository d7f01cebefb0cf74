import { SaveOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { queryKeeper } from '#web/engine/customisation.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { useSession } from '#web/engine/session/session.ts'
import { isFilter, NEW_VALUE } from '#web/list/page/list-query.ts'
import { useMay } from '#web/shell/menu/menu.ts'
import { listAddressOf, NEW, routeOfKind } from '#web/shell/menu/screen-index.ts'

/** Filters and their readable names; no page, no order. */
const isKept = (name: string): boolean => isFilter(name.replace(/~$/, ''))

/** Saves a report query under a name; its form opens with everything filled in. */
export function KeepQuery({ report, query }: { readonly report: string; readonly query: Query }) {
  const { go } = usePage()
  const org = useSession()?.orgType ?? 'P'
  const { of = '', keepsQueries } = queryKeeper() ?? {}
  const may = useMay(routeOfKind(of, org) ?? '', of)
  if (keepsQueries === undefined || !may('add')) return null
  const asked = new URLSearchParams(
    Object.entries(query).filter(([name, value]) => value !== '' && isKept(name)),
  ).toString()
  const values = Object.entries(keepsQueries.begin(report, asked)).map(([name, value]) => [
    `${NEW_VALUE}${name}`,
    value,
  ])
  const to = listAddressOf(of, org, { row: NEW, ...Object.fromEntries(values) })
  return to === null ? null : (
    <Button icon={<SaveOutlined />} onClick={() => go(to)}>
      {keepsQueries.label}
    </Button>
  )
}
