import { WifiOutlined } from '@ant-design/icons'
import { useEffect } from 'react'
import { useOnline, watchConnection } from '#web/engine/http/connection.ts'
import css from '#web/shell/Shell.module.css'

/** A lost connection is a state of the whole page: what is shown and what was typed stays until it is back. */
export function ConnectionBanner() {
  const online = useOnline()
  useEffect(watchConnection, [])
  if (online) return null
  return (
    <p className={css.offline} role="alert">
      <WifiOutlined aria-hidden /> 断网，已保留，正在重连
    </p>
  )
}
