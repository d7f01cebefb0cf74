import { cleanup, configure } from '@testing-library/react'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { afterEach, beforeEach } from 'vitest'
import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#app/modules.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { forgetSession } from '#web/engine/session/session.ts'
import { resetTabs } from '#web/shell/tabs/tabs.ts'

// What the browser's entry does before the first page, without what modules draw themselves.
registerDefinitions(definitions)
dayjs.locale('zh-cn')

// This DOM has no layout: every element is as large as a desktop window, so that virtual rows are drawn.
const WINDOW = { offsetWidth: 1600, offsetHeight: 900, clientWidth: 1600, clientHeight: 900 }
for (const [name, size] of Object.entries(WINDOW))
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size })
// Nor style sheets: what an element says of itself is all there is, and reading it costs nothing. Without this, each
// question for a role computes the styles of the whole page.
window.getComputedStyle = element => (element as HTMLElement).style
configure({ defaultHidden: true, asyncUtilTimeout: 15_000 })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

afterEach(() => {
  cleanup()
  forgetSession()
  queryClient.clear()
  resetTabs()
})
