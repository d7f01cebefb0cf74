import { createBrowserRouter, Outlet, redirect, type RouteObject, useLocation } from 'react-router'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import { currentSession, hasFlag, hasLoginCookie, restoreSession, useSession } from '#web/engine/session/session.ts'
import { CallFailure } from '#web/engine/http/request-error.ts'
import { StartFailed } from '#web/shell/StartFailed.tsx'
import { ThemeProvider } from '#web/theme/ThemeProvider.tsx'

/**
 * Requires a sign-in. A known user whose session ended returns to the requested page; an address that does not exist is
 * the 404 page for everybody, signed in or not.
 */
const mustBeSignedIn =
  (isPage: (at: URL) => Promise<boolean>) =>
  async ({ request }: { request: Request }) => {
    if (currentSession() !== null) return null
    const at = new URL(request.url)
    const isPublic = at.pathname === '/error'
    const wanted = at.pathname + at.search
    const signIn = async () => {
      if (isPublic) return null
      if (wanted === '/') return redirect('/Login')
      if (!(await isPage(at))) return redirect('/error')
      return redirect(hasFlag() ? `/Login?redirect=${encodeURIComponent(wanted)}` : '/Login')
    }
    if (!hasFlag() || !hasLoginCookie()) return signIn()
    try {
      await restoreSession()
      return null
    } catch (thrown) {
      if (isPublic || (thrown instanceof CallFailure && thrown.kind === 'session')) return signIn()
      throw thrown
    }
  }

/**
 * True if the address is a page by the definitions. They are loaded for a person who opens one without a session, and
 * needs them next.
 */
const isScreen = async ({ pathname }: URL): Promise<boolean> => {
  const [{ placeAt, HOME }, { registerModules }] = await loadChunk(() =>
    Promise.all([import('#web/shell/menu/screen-index.ts'), import('#app/register-modules.web.ts')]),
  )
  registerModules()
  return pathname === HOME || placeAt(pathname) !== null
}

const isPrint = async ({ pathname, searchParams }: URL): Promise<boolean> => {
  const [{ isPrintAddress }, { preparePrint }] = await loadChunk(() =>
    Promise.all([import('#web/print/print-address.ts'), import('#app/prepare-print.web.ts')]),
  )
  preparePrint()
  return isPrintAddress(pathname, searchParams.get('kind'))
}

const shell: RouteObject = {
  path: '*',
  loader: mustBeSignedIn(isScreen),
  // The shell's tabs follow the address themselves; the guard is only for the first load, and for leaving /error.
  shouldRevalidate: () => currentSession() === null,
  lazy: async () => {
    const [{ default: Shell }, { PublicNotFound, ERROR }, { registerModules }] = await loadChunk(() =>
      Promise.all([
        import('#web/shell/Shell.tsx'),
        import('#web/shell/NotFound.tsx'),
        import('#app/register-modules.web.ts'),
      ]),
    )
    registerModules()
    // The 404 page is public; for a user who is signed in it is shown inside the shell, with all his open tabs.
    const Component = () => {
      const isSignedOut = useSession() === null
      const { pathname } = useLocation()
      return isSignedOut && pathname === ERROR ? <PublicNotFound /> : <Shell />
    }
    return { Component }
  },
}

/** Printed pages open in a new window, without the shell. */
const print: RouteObject = {
  path: '/newprint/*',
  loader: mustBeSignedIn(isPrint),
  lazy: async () => {
    const [{ default: Component }, { preparePrint }] = await loadChunk(() =>
      Promise.all([import('#web/print/PrintPage.tsx'), import('#app/prepare-print.web.ts')]),
    )
    preparePrint()
    return { Component }
  },
}

const isWall = async ({ pathname }: URL): Promise<boolean> =>
  /^\/largeScreen\/?$/.test(pathname) || (await isScreen(new URL(pathname, location.origin)))

/** Walls of figures are shown in a window of their own, without the shell. */
const wall: RouteObject = {
  path: '/largeScreen/*',
  loader: mustBeSignedIn(isWall),
  lazy: async () => {
    const [{ default: Component }, { registerModules }] = await loadChunk(() =>
      Promise.all([import('#web/wall/WallPage.tsx'), import('#app/register-modules.web.ts')]),
    )
    registerModules()
    return { Component }
  },
}

/** Pictures print like sheets. */
const pictures: RouteObject = { ...print, path: '/pictureForprint' }

/** Target of the link on a label, public for anyone who scans it. */
const goods: RouteObject = {
  path: '/01/*',
  lazy: async () => ({ Component: (await loadChunk(() => import('#web/goods/GoodsPage.tsx'))).default }),
}

/** Target of the symbol on a patient's card, public as well. */
const implantCard: RouteObject = {
  path: '/i/:token',
  lazy: async () => ({ Component: (await loadChunk(() => import('#web/goods/ImplantCardPage.tsx'))).default }),
}

/**
 * The top-level routes: sign-in, goods of a label or of a patient's card, prints, and the shell with the 404 page,
 * whose pages are the screens of the registry (`shell/screen-index.ts`).
 */
export const router = createBrowserRouter([
  {
    hydrateFallbackElement: <div aria-busy="true" />,
    // Inside the router: what a dialog or a message holds can lead to a page.
    element: (
      <ThemeProvider>
        <Outlet />
      </ThemeProvider>
    ),
    errorElement: (
      <ThemeProvider>
        <StartFailed />
      </ThemeProvider>
    ),
    children: [
      {
        path: '/Login',
        lazy: async () => ({ Component: (await loadChunk(() => import('#web/sign-in/SignInPage.tsx'))).default }),
      },
      goods,
      implantCard,
      print,
      wall,
      pictures,
      shell,
    ],
  },
])
