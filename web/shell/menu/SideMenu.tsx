import { Menu as AntMenu } from 'antd'
import { StarFilled, StarOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { menuIcon } from '#web/shell/menu/menu-icon.tsx'
import { useFavourites } from '#web/shell/menu/favourites.ts'
import { type MenuGroup, type MenuPage, useMenu } from '#web/shell/menu/menu.ts'
import { APPROVALS, entryAt, HOME } from '#web/shell/menu/screen-index.ts'
import { listAddress, routeOfTab, useDeck } from '#web/shell/tabs/tabs.ts'
import css from '#web/shell/Shell.module.css'

/** The favourites group; its entries have their own keys, because each page is also in its own group. */
const MARKED = '收藏'
const MARK = 'marked:'
const routeOfKey = (key: string): string => (key.startsWith(MARK) ? key.slice(MARK.length) : key)

type Marks = ReturnType<typeof useFavourites>

function itemsOf(groups: readonly MenuGroup[], { routes, toggle }: Marks) {
  const pages = groups.flatMap(group => group.pages)
  const marked = routes.flatMap(route => pages.find(page => page.route === route) ?? [])
  const entry = (page: MenuPage, mark = '') => ({
    key: mark + page.route,
    title: page.title,
    label: <MarkedLabel page={page} isMarked={routes.includes(page.route)} onToggle={toggle} />,
  })
  return [
    { key: HOME, icon: menuIcon('Home'), label: '工作台' },
    { key: APPROVALS.route, icon: menuIcon('Checklist'), label: APPROVALS.title },
    ...(marked.length === 0
      ? []
      : [{ key: MARKED, icon: <StarOutlined />, label: MARKED, children: marked.map(page => entry(page, MARK)) }]),
    ...groups.map(group => ({
      key: group.title,
      icon: menuIcon(group.icon),
      label: group.title,
      children: [
        ...group.pages.map(page => entry(page)),
        ...group.links.map(link => ({ key: link.address, title: link.title, label: link.title })),
      ],
    })),
  ]
}

/** A page's name, with a star to mark it as a favourite. */
function MarkedLabel({ page, isMarked, onToggle }: { page: MenuPage; isMarked: boolean; onToggle: Marks['toggle'] }) {
  const label = `${isMarked ? '取消收藏' : '收藏'}${page.title}`
  return (
    <span className={css.entry}>
      <span className={css.entryName}>{page.title}</span>
      <button
        type="button"
        tabIndex={-1}
        className={css.star}
        data-marked={isMarked}
        aria-label={label}
        title={label}
        onClick={event => {
          event.stopPropagation()
          onToggle(page.route, page.title)
        }}
      >
        {isMarked ? <StarFilled /> : <StarOutlined />}
      </button>
    </span>
  )
}

type Props = { folded: boolean; overlay?: boolean; onLeave?: () => void }

/** The menu granted by the server. One group is open at a time; a list already open comes back as it was left. */
export function SideMenu({ folded, overlay = false, onLeave }: Props) {
  const { menu, ready } = useMenu()
  const active = routeOfTab(useDeck())
  const navigate = useNavigate()
  const marks = useFavourites()
  const items = itemsOf(menu.groups, marks)
  const groupOfActive = menu.groups.find(group => group.pages.some(page => page.route === active))?.title
  const [chosen, setChosen] = useState<{ readonly at: string; readonly group: string | null } | null>(null)
  // A manual choice lasts until another page is opened.
  const open = chosen !== null && chosen.at === active ? chosen.group : groupOfActive
  const linkHere = menu.groups.find(group => group.title === open)?.links.find(link => link.route === active)
  return (
    <nav
      className={css.menu}
      data-folded={folded}
      data-overlay={overlay || undefined}
      aria-label="主菜单"
      aria-busy={!ready}
    >
      <AntMenu
        mode="inline"
        inlineCollapsed={folded}
        items={items}
        selectedKeys={open === MARKED ? [MARK + active] : [linkHere?.address ?? active]}
        inlineIndent={16}
        {...(folded ? {} : { openKeys: open === undefined || open === null ? [] : [open] })}
        onOpenChange={keys => setChosen({ at: active, group: keys.find(key => key !== open) ?? null })}
        onClick={({ key }) => {
          onLeave?.()
          const route = routeOfKey(key)
          const link = menu.groups.flatMap(group => group.links).find(({ address }) => address === key)
          if (link) setChosen({ at: link.route, group: link.group })
          if (entryAt(route)?.screen.apart) return void window.open(route, '_blank', 'noopener')
          // An address with filters is opened as such; without them the list comes back as it was left.
          void navigate(link ? route : listAddress(route))
        }}
      />
    </nav>
  )
}
