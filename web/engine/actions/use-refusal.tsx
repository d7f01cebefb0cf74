import { App, Button } from 'antd'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { CallFailure, isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { openHelp } from '#web/help/help-store.ts'
import { LinkedSentence, usePagesByTitle } from '#web/shell/menu/LinkedSentence.tsx'

/** How a page shows why a call was refused. `sentence` is the words for it if they are not the reply's own. */
export type Refuse = (thrown: unknown, given?: { readonly sentence?: string; readonly seconds?: number }) => void

/** Shows why a call was refused; a page that the sentence names as 【…】 is opened by a click. */
export function useRefusal(): Refuse {
  const { message } = App.useApp()
  const pages = usePagesByTitle()
  const navigate = useNavigate()
  return useCallback(
    (thrown, { sentence = sentenceOf(thrown), seconds } = {}) => {
      if (isSilent(thrown)) return
      const open = (route: string) => {
        message.destroy(sentence)
        void navigate(route)
      }
      const rule = thrown instanceof CallFailure ? thrown.rule : null
      const content = (
        <>
          <LinkedSentence text={sentence} pages={pages} open={open} />
          {rule !== null && (
            <Button type="link" size="small" onClick={() => openHelp(rule)}>
              查看规则
            </Button>
          )}
        </>
      )
      void message.error({ key: sentence, content, ...(seconds === undefined ? {} : { duration: seconds }) })
    },
    [message, pages, navigate],
  )
}
