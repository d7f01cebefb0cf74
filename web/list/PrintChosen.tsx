import { PrinterOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'

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
