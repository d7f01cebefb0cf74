import { Link } from 'react-router'
import type { AnyEntity, RecordLink } from '#kernel/entity.ts'
import { screenAddress } from '#kernel/screen.ts'
import type { Row } from '#web/fields/face.ts'
import { narrowOf } from '#web/fields/narrow.ts'
import { useMenu } from '#web/shell/menu.ts'

/** Where a link of a row leads; null where the row has no such page. */
function addressOf({ to, by, tab, with: filters }: RecordLink, row: Row): { route: string; address: string } | null {
  const route = typeof to === 'string' ? to : to[String(row[by ?? ''] ?? '')]
  if (route === undefined) return null
  return {
    route,
    address: screenAddress({ route, ...(tab === undefined ? {} : { tab }) }, null, narrowOf({ narrow: filters }, row)),
  }
}

/** Lists one click away from a row, as far as the reader has their pages; a sheet of the row's paper opens beside it. */
export function RecordLinks({ definition, row }: { readonly definition: AnyEntity; readonly row: Row }) {
  const { menu } = useMenu()
  const pages = new Set(menu.groups.flatMap(group => group.pages.map(page => page.route)))
  return (definition.links ?? []).map(link => {
    const found = addressOf(link, row)
    if (found?.route.startsWith('/newprint/'))
      return (
        <a key={link.label} href={found.address} target="_blank" rel="noreferrer" className="link">
          {link.label}
        </a>
      )
    return found === null || !pages.has(found.route) ? null : (
      <Link key={link.label} to={found.address} className="link">
        {link.label}
      </Link>
    )
  })
}
