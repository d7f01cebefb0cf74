import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel, type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { restoreSession } from '#web/engine/session/session.ts'
import { ConnectionBanner } from '#web/shell/ConnectionBanner.tsx'
import { contentFor } from '#web/shell/tabs/page-content.tsx'
import { PageFrame } from '#web/shell/tabs/PageFrame.tsx'
import { ThemeProvider } from '#web/theme/ThemeProvider.tsx'
import { type Answer, type FakeServer, fakeServer } from './server.ts'

export type OpenedPage = {
  readonly server: FakeServer
  readonly user: UserEvent
  /** Where the browser is now: path and query. */
  readonly address: () => string
  /** The query of the address. */
  readonly query: () => Readonly<Record<string, string>>
}

type Options = {
  /** The kind of organisation of the signed-in user; a dealer unless given. */
  readonly org?: OrgType
  /** Operations of the page the user may run. */
  readonly operations?: readonly string[]
  /** Rights beside them: seeing prices, unless given. */
  readonly rights?: readonly string[]
  readonly answers?: Readonly<Record<string, Answer>>
}

/** The tab in front, as the shell shows it: the content of the address, framed, below the state of the network. */
function FrontTab() {
  const { pathname, search } = useLocation()
  return (
    <>
      <ConnectionBanner />
      <PageFrame address={pathname + search} active>
        <Suspense fallback={null}>{contentFor(pathname + search)}</Suspense>
      </PageFrame>
    </>
  )
}

/** Providers of every page. */
export const Surroundings = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <ThemeProvider>{children}</ThemeProvider>
  </QueryClientProvider>
)

/** Opens a page at its address, for a user of a server that answers as the test says. */
export async function openPage(address: string, options: Options = {}): Promise<OpenedPage> {
  const { org = 'D', operations = [], rights = ['price', 'profit'], answers = {} } = options
  const [route = ''] = address.split('?')
  const server = fakeServer(route.split('/').slice(0, 3).join('/'), { org, operations, rights }, answers)
  await restoreSession()
  const page = (
    <Surroundings>
      <FrontTab />
    </Surroundings>
  )
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  const place = () => router.state.location
  return {
    server,
    user: userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never }),
    address: () => place().pathname + place().search,
    query: () => Object.fromEntries(new URLSearchParams(place().search)),
  }
}
