import { EllipsisOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { Link } from 'react-router'
import type { AnyEntity, RecordLink } from '#kernel/definition/entity.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { narrowOf } from '#web/fields/reference/options-filter.ts'
import { useSession } from '#web/engine/session/session.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { placeAt } from '#web/shell/menu/screen-index.ts'

/** Where a link of a row leads; null where the row has no such page. */
function addressOf({ to, by, tab, with: filters }: RecordLink, row: Row): { route: string; address: string } | null {
  const route = typeof to === 'string' ? to : to[String(row[by ?? ''] ?? '')]
  if (route === undefined) return null
  return {
    route,
    address: screenAddress(
      { route, ...(tab === undefined ? {} : { tab }) },
      null,
      narrowOf({ optionsFilter: filters }, row),
    ),
  }
}

/** So many links stand in a row; where there are more, the first does and the others wait behind it. */
const MOST = 2
/** How many of a kind's links stand in a row, and whether some wait behind them. */
export const visibleLinks = (count: number): { readonly shown: number; readonly more: boolean } =>
  count > MOST ? { shown: 1, more: true } : { shown: count, more: false }

/** Lists one click away from a row, as far as the reader has their pages; a sheet of the row's paper opens beside it. */
export function RecordLinks({ definition, row }: { readonly definition: AnyEntity; readonly row: Row }) {
  const { menu } = useMenu()
  const org = useSession()?.orgType ?? 'P'
  const pages = new Set(menu.groups.flatMap(group => group.pages.map(page => page.route)))
  const links = (definition.links ?? []).flatMap(link => {
    const found = addressOf(link, row)
    if (found === null) return []
    const isSheet = found.route.startsWith('/newprint/')
    // A tab that stands there for other kinds of houses leads nowhere.
    const place = placeAt(found.address)
    const stands = place?.tabs.some(({ screen }) => screen.tab === place.entry.screen.tab && screen.orgs.includes(org))
    return isSheet || (pages.has(found.route) && stands === true)
      ? [{ label: link.label, address: found.address, isSheet }]
      : []
  })
  const { shown } = visibleLinks(links.length)
  const rest = links.slice(shown)
  const drawn = ({ label, address, isSheet }: (typeof links)[number]) =>
    isSheet ? (
      <a key={label} href={address} target="_blank" rel="noreferrer" className="link">
        {label}
      </a>
    ) : (
      <Link key={label} to={address} className="link">
        {label}
      </Link>
    )
  return (
    <>
      {links.slice(0, shown).map(drawn)}
      {rest.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items: rest.map(each => ({ key: each.label, label: drawn(each) })) }}>
          <button type="button" className="link" aria-label="更多链接">
            <EllipsisOutlined />
          </button>
        </Dropdown>
      )}
    </>
  )
}
