import { EllipsisOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { Link } from 'react-router'
import type { AnyEntity, RecordLink } from '#kernel/definition/entity.ts'
import { isPrintRoute, screenAddress } from '#kernel/definition/screen.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { narrowOf } from '#web/fields/reference/options-filter.ts'
import { useSession } from '#web/engine/session/session.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { placeAt } from '#web/shell/menu/screen-index.ts'

/** The address to which a row's link leads; null if the row has no such page. */
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

/** Maximum links shown per row; if there are more, the first is shown and the others are in a menu. */
const MOST = 2
/** The number of a kind's links shown per row, and whether there is a menu for more. */
export const visibleLinks = (count: number): { readonly shown: number; readonly more: boolean } =>
  count > MOST ? { shown: 1, more: true } : { shown: count, more: false }

/**
 * Lists linked from a row, if the user has their pages; a printed sheet of the row's document opens in a new window.
 */
export function RecordLinks({ definition, row }: { readonly definition: AnyEntity; readonly row: Row }) {
  const { menu } = useMenu()
  const org = useSession()?.orgType ?? 'P'
  const pages = new Set(menu.groups.flatMap(group => group.pages.map(page => page.route)))
  const links = (definition.links ?? []).flatMap(link => {
    const found = addressOf(link, row)
    if (found === null) return []
    const isSheet = isPrintRoute(found.route)
    // A tab that exists only for other kinds of organisations has no link.
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
