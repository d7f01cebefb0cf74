import { App } from 'antd'
import { useCallback } from 'react'
import type { AnyDocument } from '#kernel/document.ts'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { usePage } from '#web/engine/page.ts'
import { forget } from '#web/engine/query-client.ts'
import { post } from '#web/engine/request.ts'

/** Makes a new draft like an earlier paper and goes to it. */
export function useCopy(definition: AnyDocument): (sn: string) => void {
  const { open } = usePage()
  const { message } = App.useApp()
  return useCallback(
    (sn: string) => {
      post<{ sn: string }>(`/v1/business/${definition.kind}/copy`, { sn })
        .then(({ info }) => {
          void message.success(`已复制${sn}，请核对后保存`)
          forget(definition.kind)
          open(info.sn)
        })
        .catch(thrown => !isSilent(thrown) && void message.error(sentenceOf(thrown)))
    },
    [definition, open, message],
  )
}
