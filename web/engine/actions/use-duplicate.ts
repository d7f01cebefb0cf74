import { App } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useCallback } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { usePage } from '#web/engine/page-context.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'

/** Copies an earlier document into a new draft and opens it. */
export function useCopy(definition: AnyDocument): (sn: string) => void {
  const { open } = usePage()
  const { message } = App.useApp()
  const refuse = useRefusal()
  return useCallback(
    (sn: string) => {
      post<{ sn: string }>(`/v1/business/${definition.kind}/copy`, { sn })
        .then(({ info }) => {
          void message.success(`已复制${sn}，请核对后保存`)
          forget(definition.kind)
          open(info.sn)
        })
        .catch(refuse)
    },
    [definition, open, message, refuse],
  )
}
