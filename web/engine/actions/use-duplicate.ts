import { App } from 'antd'
import { useCallback } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { usePage } from '#web/engine/page-context.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'

/** Copies an earlier document into a new draft and opens it. */
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
