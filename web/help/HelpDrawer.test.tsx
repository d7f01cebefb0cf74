import { fireEvent, render, screen, within } from '@testing-library/react'
import { act } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { registerModules } from '#app/register-modules.web.ts'
import { openHelp } from '#web/help/help-store.ts'
import { HelpDrawer } from '#web/help/HelpDrawer.tsx'
import { restoreSession } from '#web/engine/session/session.ts'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { fakeServer } from '#tests/support/page/server.ts'

registerModules()
const ROUTE = '/commonView/buyGrn'
const RULES = [
  {
    id: 'document.otherPerson',
    chapter: '单据',
    text: '制单人不能审核自己的单据。',
    state: '禁止',
    changed_by: '李主任',
  },
  { id: 'stock.unfitStays', chapter: '库存', text: '已召回的货物不能出库。' },
]

it('opens at the rules of the page, and finds a rule by its words or its id', async () => {
  fakeServer(
    ROUTE,
    { org: 'D', operations: [], rights: [] },
    {
      '/v1/help/list': { list: [{ name: 'start', title: '入门', text: '# 入门\n## 登录\n用账号登录。' }] },
      '/v1/rulebook/list': values => ({ list: values.route === ROUTE ? RULES.slice(0, 1) : RULES }),
    },
  )
  await restoreSession()
  const page = (
    <Surroundings>
      <HelpDrawer />
    </Surroundings>
  )
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: [ROUTE] })
  render(<RouterProvider router={router} />)
  act(() => openHelp())
  const help = await screen.findByRole('dialog', { name: '帮助中心' })
  const shown = await within(help).findByRole('article', { name: '本页规则' })
  expect(shown.textContent).toContain('制单人不能审核自己的单据。')
  expect(shown.textContent).toContain('本机构：禁止')
  fireEvent.change(within(help).getByRole('searchbox', { name: '在帮助中查找' }), { target: { value: 'unfit' } })
  expect((await within(help).findByRole('article', { name: '规则手册' })).textContent).toContain(
    '已召回的货物不能出库。',
  )
})
