import { PrinterOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { nothingTicked } from '#kernel/definition/entity.ts'
import { sheetOf, sheetsBesides } from '#kernel/registry.ts'

/** Opens a printed sheet in a new window. */
export const openPrint = (route: string, query: Readonly<Record<string, string>>): void =>
  void window.open(`${route}?${new URLSearchParams(query)}`, '_blank')

type Props = {
  readonly label: string
  /** Keys of the ticked rows. */
  readonly chosen: readonly string[]
  readonly nothing: string
  readonly onPrint: (chosen: readonly string[]) => void
}

/** Prints the ticked rows; with none ticked it says how to tick some. */
export function PrintChosen({ label, chosen, nothing, onPrint }: Props) {
  const { message } = App.useApp()
  return (
    <Button
      icon={<PrinterOutlined />}
      onClick={() => (chosen.length === 0 ? void message.warning(nothing) : onPrint(chosen))}
    >
      {label}
    </Button>
  )
}

/** The printed sheets of a kind of document: its own, and its other print forms. */
export function PrintDocuments({ kind, chosen }: { readonly kind: string; readonly chosen: readonly string[] }) {
  const own = sheetOf(kind)
  return [...(own === undefined ? [] : [own]), ...sheetsBesides(kind)].map(({ route, besides = '打印', gathers }) => (
    <PrintChosen
      key={route}
      label={besides}
      chosen={chosen}
      nothing={nothingTicked(gathers === undefined ? 'one' : true)}
      onPrint={sns => openPrint(route, { kind, sn: sns.join(',') })}
    />
  ))
}
