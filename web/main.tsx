import { QueryClientProvider } from '@tanstack/react-query'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { queryClient } from '#web/engine/http/query-client.ts'
import { watchHeight } from '#web/engine/small-screen.ts'
import { router } from '#web/routes.tsx'
import '#web/theme/base.css'
import { passContentPolicy } from '#web/theme/content-policy.ts'
import { paintTheme } from '#web/theme/theme-store.ts'

dayjs.locale('zh-cn')
passContentPolicy()
paintTheme()
watchHeight()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
