import { App, Button, Space } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { documentOf } from '#kernel/registry.ts'
import { isOnline, useOnline } from '#web/engine/http/connection.ts'
import { isSilent, isUnsure, sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { useSession } from '#web/engine/session/session.ts'
import { dropSave, type KeptSave, liveSaves, orphanedSaves } from '#web/editor/document/kept-saves.ts'
import { saveCall, sendSave } from '#web/editor/document/sure-save.ts'
import { useDeck } from '#web/shell/tabs/tabs.ts'

const pathOf = (kind: string): string => `/v1/business/${kind}`

/** Makes a kept call under its own id, and what was typed after it. Resolves to the document's number. */
async function sendKept({ kind, call, next }: KeptSave): Promise<string> {
  const saved = await sendSave(call)
  if (next !== null) await sendSave(saveCall(pathOf(kind), saved, next))
  return saved.sn
}

/** Sends what was saved without a connection and whose page was closed before it was back. Draws nothing itself. */
export function KeptSaves() {
  const { notification } = App.useApp()
  const user = useSession()?.userId ?? ''
  const online = useOnline()
  const { tabs } = useDeck()

  const send = async (save: KeptSave): Promise<void> => {
    const title = documentOf(save.kind)?.title ?? '单据'
    try {
      const sn = await sendKept(save)
      dropSave(save.key)
      forget(save.kind)
      notification.success({ key: save.key, title: `${title}${sn}：断网时填写的内容已保存` })
    } catch (thrown) {
      if (isSilent(thrown) || (isUnsure(thrown) && !isOnline())) return
      notification.error({
        key: save.key,
        title: `断网时填写的${title}未能保存`,
        description: sentenceOf(thrown),
        duration: 0,
        actions: (
          <Space>
            <Button size="small" danger onClick={() => (dropSave(save.key), notification.destroy(save.key))}>
              放弃内容
            </Button>
            <Button size="small" type="primary" onClick={() => void send(save)}>
              重试
            </Button>
          </Space>
        ),
      })
    }
  }
  const sendAll = useEffectEvent(() => {
    for (const save of orphanedSaves(user)) void send(save)
  })
  useEffect(() => {
    if (online && user !== '') sendAll()
  }, [online, user])
  useEffect(() => {
    // Closing a page without saving drops the save that it kept.
    for (const { key, address } of liveSaves())
      if (!tabs.some(tab => tab.detail?.split('?')[0] === address)) dropSave(key)
  }, [tabs])
  return null
}
