import { Menu as AntMenu } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { menuIcon } from '#web/shell/menu-icon.tsx'
import { type MenuGroup, useMenu } from '#web/shell/menu.ts'
import { HOME } from '#web/shell/screen-index.ts'
import { addressOfTab, tabOf, useDeck } from '#web/shell/tabs.ts'
import css from '#web/shell/Shell.module.css'

const itemsOf = (groups: readonly MenuGroup[]) => [
  { key: HOME, icon: menuIcon('Home'), label: '工作台' },
  ...groups.map(group => ({
    key: group.title,
    icon: menuIcon(group.icon),
    label: group.title,
    children: group.pages.map(page => ({ key: page.route, label: page.title, title: page.title })),
  })),
]

/** The menu as the server grants it. One group is open at a time; a page already open comes back as it was left. */
export function SideMenu({ folded }: { folded: boolean }) {
  const { menu, ready } = useMenu()
  const { active } = useDeck()
  const navigate = useNavigate()
  const items = useMemo(() => itemsOf(menu.groups), [menu])
  const groupOfActive = menu.groups.find(group => group.pages.some(page => page.route === active))?.title
  const [chosen, setChosen] = useState<{ readonly at: string; readonly group: string | null } | null>(null)
  // A choice made by hand holds until another page is opened.
  const open = chosen !== null && chosen.at === active ? chosen.group : groupOfActive
  return (
    <nav className={css.menu} data-folded={folded} aria-label="主菜单" aria-busy={!ready}>
      <AntMenu
        mode="inline"
        inlineCollapsed={folded}
        items={items}
        selectedKeys={[active]}
        inlineIndent={16}
        {...(folded ? {} : { openKeys: open === undefined || open === null ? [] : [open] })}
        onOpenChange={keys => setChosen({ at: active, group: keys.find(key => key !== open) ?? null })}
        onClick={({ key }) => {
          const tab = tabOf(key)
          void navigate(tab === undefined ? key : addressOfTab(tab))
        }}
      />
    </nav>
  )
}
