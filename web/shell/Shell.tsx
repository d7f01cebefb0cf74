import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { App } from 'antd'
import { usePhone } from '#web/engine/small-screen.ts'
import { usePreferences } from '#web/engine/session/preferences.ts'
import { followOtherTabs, signInAddress, useSession } from '#web/engine/session/session.ts'
import { Assistant } from '#web/assistant/Assistant.tsx'
import { LiveMessages } from '#web/realtime/LiveMessages.tsx'
import { OnBehalfBanner } from '#web/shell/OnBehalfBanner.tsx'
import { ConnectionBanner } from '#web/shell/ConnectionBanner.tsx'
import { CallAsks } from '#web/shell/RequestPrompts.tsx'
import { KeptSaves } from '#web/shell/KeptSaves.tsx'
import { Header } from '#web/shell/Header.tsx'
import { ERROR, NotFound } from '#web/shell/NotFound.tsx'
import { KeysDialog } from '#web/shell/KeysDialog.tsx'
import { HOME, placeAt } from '#web/shell/menu/screen-index.ts'
import { SideMenu } from '#web/shell/menu/SideMenu.tsx'
import { TabDeck } from '#web/shell/tabs/OpenTabs.tsx'
import { currentDeck, resetTabs, type Visit, visit } from '#web/shell/tabs/tabs.ts'
import { Trail } from '#web/shell/Breadcrumbs.tsx'
import { ChangePassword } from '#web/sign-in/ChangePassword.tsx'
import css from '#web/shell/Shell.module.css'

const YEAR = new Date().getFullYear()

/** The frame around every page: header, menu, breadcrumb with tabs, the pages themselves. */
export default function Shell() {
  const session = useSession()
  const { menuFolded, trail, footer } = usePreferences()
  const isUnknown = useLocation().pathname === ERROR
  const isPhone = usePhone()
  const [menuOpen, setMenuOpen] = useState(false)
  useEscape(isPhone && menuOpen, () => setMenuOpen(false))
  useVisits()
  useUnsavedGuard()
  useLeaving(session === null)
  if (session === null) return null
  // Until the password is changed every call but that one is refused.
  if (session.mustChange)
    return <ChangePassword open forced verified={session.mustVerify} login={session.login} onClose={() => undefined} />
  return (
    <div className={css.shell}>
      <Header
        session={session}
        {...(isPhone ? { menu: { open: menuOpen, toggle: () => setMenuOpen(!menuOpen) } } : {})}
      />
      {!isPhone && <SideMenu folded={menuFolded} />}
      {isPhone && menuOpen && (
        <>
          <button type="button" className={css.backdrop} aria-label="关闭菜单" onClick={() => setMenuOpen(false)} />
          <SideMenu folded={false} overlay onLeave={() => setMenuOpen(false)} />
        </>
      )}
      <div className={css.body}>
        <ConnectionBanner />
        <OnBehalfBanner />
        {trail && <Trail />}
        <main className={css.stage} data-bare={!trail}>
          <TabDeck behind={isUnknown} />
          {isUnknown && (
            <div className={css.layer}>
              <NotFound />
            </div>
          )}
        </main>
        {footer && !isPhone && <Footer />}
      </div>
      <CallAsks />
      <LiveMessages session={session} />
      <KeptSaves />
      <Assistant />
      <KeysDialog />
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

/** Esc closes what covers the page. */
function useEscape(isOpen: boolean, close: () => void) {
  const onEscape = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onEscape()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
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
  const { pathname, search, state, key } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const navigate = useNavigate()
  useEffect(() => {
    if (pathname === ERROR) {
      document.title = '页面不存在 - 医疗器械全生命周期追溯系统'
      return
    }
    const { sameDocument, tab } = (state ?? {}) as Visit
    if (pathname !== HOME && placeAt(pathname) === null) void navigate(ERROR, { replace: true })
    else
      visit(pathname, search, {
        ...(sameDocument === undefined ? {} : { sameDocument }),
        ...(tab === undefined ? {} : { tab }),
        isReturn,
      })
    const title = placeAt(pathname)?.entry.screen.title ?? '工作台'
    document.title = `${title} - 医疗器械全生命周期追溯系统`
    // A visit is one step of the history: the same address may be visited again.
  }, [pathname, search, state, key, isReturn, navigate])
}

/** Leaving the site would lose unsaved input; within it every document keeps its own tab. */
function useUnsavedGuard() {
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (currentDeck().tabs.some(tab => tab.dirty)) event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => window.removeEventListener('beforeunload', onLeave)
  }, [])
}
