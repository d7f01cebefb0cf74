import { CloseOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { App, Dropdown } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { CourseMark } from '#web/help/CourseMark.tsx'
import { useFavourites } from '#web/shell/menu/favourites.ts'
import { ERROR } from '#web/shell/NotFound.tsx'
import { placeAt, HOME } from '#web/shell/menu/screen-index.ts'
import { addressOfTab, closeTabs, type Tab, tabOf, useDeck } from '#web/shell/tabs/tabs.ts'
import css from '#web/shell/Breadcrumbs.module.css'

/**
 * The open tabs, in a line of their own once there are more than the workbench; below them the path of the current
 * page.
 */
export function Trail() {
  const { tabs, active } = useDeck()
  const isUnknown = useLocation().pathname === ERROR
  const tab = isUnknown ? undefined : tabs.find(each => each.id === active)
  const place = tab === undefined || active === HOME ? null : placeAt(addressOfTab(tab).split('?')[0] ?? HOME)
  const steps = isUnknown
    ? ['首页', '页面不存在']
    : place === null
      ? ['首页', '工作台']
      : [place.entry.screen.menu, place.entry.screen.title]
  return (
    <>
      {tabs.length > 1 && <TabStrip tabs={tabs} active={active} />}
      <nav aria-label="面包屑" className={css.crumbs}>
        <ol>
          {steps.map((step, at) => (
            <li key={at}>{step}</li>
          ))}
        </ol>
        {place !== null && <PageMark route={place.entry.screen.route} title={place.entry.screen.title} />}
        {place !== null && <CourseMark route={place.entry.screen.route} className={css.mark} />}
      </nav>
    </>
  )
}

/** Marks the current page as a favourite; the menu shows favourites first. */
function PageMark({ route, title }: { route: string; title: string }) {
  const { routes, toggle } = useFavourites()
  const isMarked = routes.includes(route)
  const label = isMarked ? '取消收藏本页' : '收藏本页'
  return (
    <button
      type="button"
      className={css.mark}
      data-marked={isMarked}
      aria-label={label}
      aria-pressed={isMarked}
      title={label}
      onClick={() => toggle(route, title)}
    >
      {isMarked ? <StarFilled /> : <StarOutlined />}
    </button>
  )
}

function TabStrip({ tabs, active }: { tabs: readonly Tab[]; active: string }) {
  const navigate = useNavigate()
  const { modal } = App.useApp()
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    strip.current
      ?.querySelector(`[data-route="${CSS.escape(active)}"]`)
      ?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [active])
  const go = (tab: Tab) => void navigate(addressOfTab(tab), { state: { tab: tab.id } })
  const close = async (ids: readonly string[]) => {
    const unsaved = ids.map(tabOf).filter(tab => tab?.dirty)
    if (unsaved.length > 0) {
      const names = unsaved.map(tab => tab?.title).join('、')
      if (
        !(await modal.confirm({
          title: '有未保存的内容',
          content: `${names}还没有保存，关闭后将丢失。`,
          okText: '不保存，关闭',
          okButtonProps: { danger: true },
          cancelText: '继续编辑',
        }))
      )
        return
    }
    const next = closeTabs(ids)
    if (next !== null) go(next)
  }
  const others = (keep: (index: number) => boolean) =>
    tabs.filter((tab, index) => tab.id !== HOME && !keep(index)).map(tab => tab.id)
  return (
    <nav className={css.strip} aria-label="已打开的页面" ref={strip}>
      {tabs.map((tab, at) => (
        <Dropdown
          key={tab.id}
          trigger={['contextMenu']}
          menu={{
            items: [
              { key: 'self', label: '关闭当前', disabled: tab.id === HOME, onClick: () => void close([tab.id]) },
              {
                key: 'left',
                label: '关闭左侧',
                disabled: at <= 1,
                onClick: () => void close(others(index => index >= at)),
              },
              {
                key: 'right',
                label: '关闭右侧',
                disabled: at === tabs.length - 1,
                onClick: () => void close(others(index => index <= at)),
              },
              {
                key: 'others',
                label: '关闭其他',
                disabled: tabs.length <= 2,
                onClick: () => void close(others(index => index === at)),
              },
            ],
          }}
        >
          <div className={css.tab} data-active={tab.id === active} data-route={tab.id}>
            <button
              type="button"
              aria-current={tab.id === active ? 'page' : undefined}
              className={css.label}
              onClick={() => go(tab)}
              onAuxClick={event => event.button === 1 && tab.id !== HOME && void close([tab.id])}
            >
              {tab.title}
              {tab.dirty && <span className={css.dirty} title="有未保存的内容" />}
            </button>
            {tab.id !== HOME && (
              <button
                type="button"
                className={css.close}
                aria-label={`关闭${tab.title}`}
                onClick={() => void close([tab.id])}
              >
                <CloseOutlined />
              </button>
            )}
          </div>
        </Dropdown>
      ))}
    </nav>
  )
}
