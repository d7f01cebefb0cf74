import { Button } from 'antd'
import { useNavigate } from 'react-router'
import type { AnyReport } from '#kernel/definition/report.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { useMenu } from '#web/shell/menu/menu.ts'

/** Pages beside a report, for those who have them. */
export function PageLinks({ links = [] }: { readonly links: AnyReport['links'] }) {
  const { menu } = useMenu()
  const navigate = useNavigate()
  const pages = new Set(menu.groups.flatMap(group => group.pages.map(page => page.route)))
  return links.flatMap(({ label, to, tab, with: query }) =>
    typeof to === 'string' && pages.has(to)
      ? [
          <Button
            key={label}
            onClick={() => void navigate(screenAddress({ route: to, ...(tab ? { tab } : {}) }, null, query))}
          >
            {label}
          </Button>,
        ]
      : [],
  )
}
