import { Button } from 'antd'
import { Fragment, useMemo } from 'react'
import { useMenu } from '#web/shell/menu/menu.ts'
import { entryAt } from '#web/shell/menu/screen-index.ts'

/** The routes of the user's pages by their titles: those of the program, which sentences say, and those of the menu. */
export function usePagesByTitle(): ReadonlyMap<string, string> {
  const { menu } = useMenu()
  return useMemo(() => {
    const pages = menu.groups.flatMap(group => group.pages)
    return new Map([
      ...pages.map(({ title, route }) => [title, route] as const),
      ...pages.map(({ title, route }) => [entryAt(route)?.screen.title ?? title, route] as const),
    ])
  }, [menu])
}

type Props = {
  readonly text: string
  readonly pages: ReadonlyMap<string, string>
  readonly open: (route: string) => void
}
/** A sentence of the program. Pages of the user that it names as 【…】 can be opened; other names are plain text. */
export function LinkedSentence({ text, pages, open }: Props) {
  return text.split(/(【[^【】]*】)/).map((part, at) => {
    const route = part.startsWith('【') ? pages.get(part.slice(1, -1)) : undefined
    return route === undefined ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text stay in their places
      <Fragment key={at}>{part}</Fragment>
    ) : (
      <Button key={route} type="link" size="small" style={{ padding: 0 }} onClick={() => open(route)}>
        {part}
      </Button>
    )
  })
}
