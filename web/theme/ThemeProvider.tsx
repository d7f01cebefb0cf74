import { App, ConfigProvider } from 'antd'
import locale from 'antd/locale/zh_CN'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { antdTheme } from '#web/theme/antd-theme.ts'
import { useThemeName } from '#web/theme/theme-store.ts'

export function ThemeProvider({ children }: { children: ReactNode }) {
  const name = useThemeName()
  const theme = useMemo(() => antdTheme(name), [name])
  return (
    <ConfigProvider locale={locale} theme={theme} button={{ autoInsertSpace: false }} virtual>
      <App message={{ maxCount: 3, top: 64 }}>{children}</App>
    </ConfigProvider>
  )
}
