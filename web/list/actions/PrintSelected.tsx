import { PrinterOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { nothingTicked } from '#kernel/definition/entity.ts'
import { namesLots } from '#kernel/definition/line-content.ts'
import { labelSheets } from '#kernel/print/label-formats.ts'
import { documentOf, sheetOf, sheetsBesides } from '#kernel/registry.ts'

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

/** The sheets of labels that the lines of a kind of document print on; none where they name no lots. */
export const lineLabelSheets = (kind: string) => {
  const definition = documentOf(kind)
  return definition !== undefined && namesLots(definition) ? labelSheets : []
}

/**
 * The printed sheets of a kind of document: its own, its other print forms, and, once something is ticked, the labels
 * of its lines.
 */
export function PrintDocuments({ kind, chosen }: { readonly kind: string; readonly chosen: readonly string[] }) {
  const own = sheetOf(kind)
  const labels = (chosen.length === 0 ? [] : lineLabelSheets(kind)).map(({ route, name }) => (
    <PrintChosen
      key={route}
      label={`打印${name}`}
      chosen={chosen}
      nothing={nothingTicked('one')}
      onPrint={sns => openPrint(route, { of: kind, units: sns.join(',') })}
    />
  ))
  const sheets = [...(own === undefined ? [] : [own]), ...sheetsBesides(kind)].map(
    ({ route, besides = '打印', gathers }) => (
      <PrintChosen
        key={route}
        label={besides}
        chosen={chosen}
        nothing={nothingTicked(gathers === undefined ? 'one' : true)}
        onPrint={sns => openPrint(route, { kind, sn: sns.join(',') })}
      />
    ),
  )
  return [...sheets, ...labels]
}
