import { App, Button } from 'antd'
import { useNavigate } from 'react-router'
import { useMenu } from '#web/shell/menu/menu.ts'

/** A note of a reply, with the pages on which its subject may be changed. */
export type Note = { readonly msg: string; readonly pages: readonly string[] }

/** Shows the notes of a reply, each with a way to the first of its pages that the user has. */
export function useNotes(): (notes: readonly Note[]) => void {
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const { menu } = useMenu()
  return notes => {
    for (const { msg, pages } of notes) {
      const page = pages.find(each => menu.operations.has(each.split('?')[0]!))
      notification.info({
        key: msg,
        title: msg,
        duration: 10,
        ...(page === undefined
          ? {}
          : {
              actions: (
                <Button
                  size="small"
                  onClick={() => {
                    notification.destroy(msg)
                    void navigate(page)
                  }}
                >
                  更改或忘记
                </Button>
              ),
            }),
      })
    }
  }
}
