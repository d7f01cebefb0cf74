import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { currentSession, type Session } from '#web/engine/session/session.ts'
import { noteDropped } from '#web/engine/http/connection.ts'
import { follow } from '#web/engine/http/download.ts'
import { type LiveMessage, NO_WEBSOCKET, openChannel } from '#web/realtime/channel.ts'
import { announce } from '#web/realtime/arrivals.ts'
import { isFile, messageAddress } from '#web/realtime/message-address.ts'
import { readAgain } from '#web/realtime/messages.ts'
import { addressOf } from '#web/shell/menu/screen-index.ts'

const SOUND = '/media/notice.wav'
const SHOWN_SECONDS = 5

/** Tabs that receive the same message within this time ring once. */
const RING_MS = 1500

/** A browser plays no sound before the first click of the day; the notification is still shown. */
const play = () => void new Audio(SOUND).play().catch(() => undefined)

/** One tab of the browser rings for all; plain http has no locks, so there each one rings. */
function ring(): void {
  if (navigator.locks === undefined) return play()
  void navigator.locks.request('notice-sound', { ifAvailable: true }, async lock => {
    if (lock === null) return
    play()
    await new Promise(resolve => setTimeout(resolve, RING_MS))
  })
}

/** Keeps the realtime channel open while signed in, and shows its messages. */
export function LiveMessages({ session }: { session: Session }) {
  const { notification, message: toast } = App.useApp()
  const navigate = useNavigate()
  const { rId, userId, orgType } = session
  useEffect(() => {
    if (typeof WebSocket === 'undefined') {
      void toast.warning(NO_WEBSOCKET)
      return
    }
    const show = (live: LiveMessage) => {
      if (location.pathname === '/Login') return
      const key = `live-${Date.now()}-${Math.random()}`
      const to = messageAddress(live, (kind, sn) => addressOf(kind, sn, orgType))
      notification.open({
        key,
        title: live.title ?? '消息',
        description: live.body,
        duration: SHOWN_SECONDS,
        // At the top are the buttons of the document being worked on.
        placement: 'bottomRight',
        style: to === null ? {} : { cursor: 'pointer' },
        onClick: () => {
          notification.destroy(key)
          if (to !== null && isFile(to)) follow(to)
          else if (to !== null) void navigate(to)
        },
      })
      announce(live)
      ring()
      void readAgain()
    }
    return openChannel({
      token: () => (currentSession()?.userId === userId ? rId : ''),
      onMessage: show,
      onClose: () => void noteDropped(),
    })
  }, [rId, userId, orgType, notification, toast, navigate])
  return null
}
