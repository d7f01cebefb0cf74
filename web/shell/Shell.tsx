import { useEffect } from 'react'
import { useBlocker, useLocation, useNavigate } from 'react-router'
import { App } from 'antd'
import { usePreferences } from '#web/engine/session/preferences.ts'
import { followOtherTabs, signInAddress, useSession } from '#web/engine/session/session.ts'
import { Assistant } from '#web/assistant/Assistant.tsx'
import { LiveMessages } from '#web/realtime/LiveMessages.tsx'
import { ConnectionBanner } from '#web/shell/ConnectionBanner.tsx'
import { CallAsks } from '#web/shell/RequestPrompts.tsx'
import { KeptSaves } from '#web/shell/KeptSaves.tsx'
import { Header } from '#web/shell/Header.tsx'
import { ERROR, NotFound } from '#web/shell/NotFound.tsx'
import { KeysDialog } from '#web/shell/KeysDialog.tsx'
import { HOME, placeAt } from '#web/shell/menu/screen-index.ts'
import { SideMenu } from '#web/shell/menu/SideMenu.tsx'
import { TabDeck } from '#web/shell/tabs/OpenTabs.tsx'
import { currentDeck, resetTabs, setDirty, tabOf, visit } from '#web/shell/tabs/tabs.ts'
import { Trail } from '#web/shell/Breadcrumbs.tsx'
import { ChangePassword } from '#web/sign-in/ChangePassword.tsx'
import css from '#web/shell/Shell.module.css'

const YEAR = new Date().getFullYear()

/** The frame around every page: header, menu, breadcrumb with tabs, the pages themselves. */
export default function Shell() {
  const session = useSession()
  const { menuFolded, trail, footer } = usePreferences()
  const isUnknown = useLocation().pathname === ERROR
  useVisits()
  useUnsavedGuard()
  useLeaving(session === null)
  if (session === null) return null
  return (
    <div className={css.shell}>
      <Header session={session} />
      <SideMenu folded={menuFolded} />
      <div className={css.body}>
        <ConnectionBanner />
        {trail && <Trail />}
        <main className={css.stage} data-bare={!trail}>
          {/* Until the password is changed every page would only be refused. */}
          {!session.mustChange && <TabDeck behind={isUnknown} />}
          {isUnknown && (
            <div className={css.layer}>
              <NotFound />
            </div>
          )}
        </main>
        {footer && <Footer />}
      </div>
      <CallAsks />
      <LiveMessages session={session} />
      <KeptSaves />
      <Assistant />
      <KeysDialog />
      <ChangePassword open={session.mustChange} forced login={session.login} onClose={() => undefined} />
    </div>
  )
}

function Footer() {
  return (
    <footer className={css.footer}>
      <span>© {YEAR} 医疗器械全生命周期追溯系统 · 生产、经营、使用全程可追溯</span>
      <span className={css.keys}>
        <span>
          <kbd>/</kbd> 搜索
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>S</kbd> 保存
        </span>
        <span>
          <kbd>?</kbd> 快捷键
        </span>
      </span>
    </footer>
  )
}

/** Signed out, here or in another tab: the shell is cleared completely. */
function useLeaving(isOut: boolean) {
  const navigate = useNavigate()
  const { notification } = App.useApp()
  useEffect(followOtherTabs, [])
  useEffect(() => {
    if (!isOut) return
    notification.destroy()
    resetTabs()
    void navigate(signInAddress())
  }, [isOut, navigate, notification])
}

/** Every visited address opens or activates its tab; an unknown one goes to the 404 page. */
function useVisits() {
  const { pathname, search, state } = useLocation()
  const sameDocument = (state as { sameDocument?: boolean } | null)?.sameDocument === true
  const navigate = useNavigate()
  useEffect(() => {
    if (pathname === ERROR) {
      document.title = '页面不存在 - 医疗器械全生命周期追溯系统'
      return
    }
    if (pathname !== HOME && placeAt(pathname) === null) void navigate(ERROR, { replace: true })
    else visit(pathname, search, sameDocument)
    const title = placeAt(pathname)?.entry.screen.title ?? '工作台'
    document.title = `${title} - 医疗器械全生命周期追溯系统`
  }, [pathname, search, sameDocument, navigate])
}

/** Opening another document in the same tab would lose unsaved input; leaving the site would lose all. */
function useUnsavedGuard() {
  const { modal } = App.useApp()
  const blocker = useBlocker(({ nextLocation }) => {
    const place = placeAt(nextLocation.pathname)
    const tab = place === null ? undefined : tabOf(place.entry.screen.route)
    return tab?.dirty === true && place?.key != null && tab.detail?.split('?')[0] !== nextLocation.pathname
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const ask = async () => {
      const agreed = await modal.confirm({
        title: '当前单据还没有保存',
        content: '打开另一张单据将丢失未保存的内容。',
        okText: '不保存，打开',
        okButtonProps: { danger: true },
        cancelText: '继续编辑',
      })
      if (!agreed) return blocker.reset()
      const route = placeAt(blocker.location.pathname)?.entry.screen.route
      if (route !== undefined) setDirty(route, false)
      blocker.proceed()
    }
    void ask()
  }, [blocker, modal])
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (currentDeck().tabs.some(tab => tab.dirty)) event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => window.removeEventListener('beforeunload', onLeave)
  }, [])
}
