import { PrinterOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { sheetOf, sheetsBesides } from '#kernel/registry.ts'

/** Opens a printed sheet in a window of its own. */
export const openPrint = (route: string, query: Readonly<Record<string, string>>): void =>
  void window.open(`${route}?${new URLSearchParams(query)}`, '_blank')

type Props = {
  readonly label: string
  /** Keys of what is ticked. */
  readonly chosen: readonly string[]
  readonly nothing: string
  readonly onPrint: (chosen: readonly string[]) => void
}

/** Prints what is ticked; with nothing ticked it says how to come by it. */
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

/** The sheets of a kind of papers: their own, and what else they are printed as. */
export function PrintDocuments({ kind, chosen }: { readonly kind: string; readonly chosen: readonly string[] }) {
  const own = sheetOf(kind)
  return [...(own === undefined ? [] : [own]), ...sheetsBesides(kind)].map(({ route, besides = '打印' }) => (
    <PrintChosen
      key={route}
      label={besides}
      chosen={chosen}
      nothing="请先选中表格中一行数据，再进行相关操作。"
      onPrint={sns => openPrint(route, { kind, sn: sns.join(',') })}
    />
  ))
}
