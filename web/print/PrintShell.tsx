import { Alert, App, Button, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { type PageFormat, formats as allDocuments } from '#kernel/print/print-definition.ts'
import css from '#web/print/Print.module.css'

const zooms = [0.5, 0.75, 1, 1.25, 1.5] as const

type Props = {
  readonly title: string
  /** The page formats used, for the printer: each page names its own. */
  readonly papers?: readonly PageFormat[]
  /** Labels: the size of one in millimetres, if they vary. */
  readonly size?: { readonly width: number; readonly height: number }
  /** The things that are not printed, and the reasons. */
  readonly refused?: readonly string[]
  readonly tools?: ReactNode
  /** Called before printing: counts the prints. False: do not print. Null: trial only. */
  readonly onPrint: (() => Promise<boolean>) | null
  /** Marks the print as a trial, which is not counted, or removes the mark. */
  readonly onTrial?: (isTrial: boolean) => void
  readonly children: ReactNode
}

/** The frame around everything printed: pages at true size, and a toolbar that is not printed. */
export function PrintShell({ title, papers = [], size, refused = [], tools, onPrint, onTrial, children }: Props) {
  const { message } = App.useApp()
  const [zoom, setZoom] = useState(1)
  const [busy, setBusy] = useState(false)
  const print = async (asFile: boolean) => {
    setBusy(true)
    const goes = await onPrint!()
    setBusy(false)
    if (!goes) return
    if (asFile) await message.info('请在打印窗口的目标打印机里选择“另存为 PDF”', 2)
    // Render what the count changed on the document first.
    requestAnimationFrame(() => window.print())
  }
  const tryOut = () => {
    onTrial?.(true)
    if (onPrint !== null) window.addEventListener('afterprint', () => onTrial?.(false), { once: true })
    requestAnimationFrame(() => window.print())
  }
  return (
    <div className={css.shell}>
      <style>{size === undefined ? pageRules(papers) : pageRule('', size)}</style>
      <div className={css.bar} role="toolbar" aria-label="打印">
        <strong>{title}</strong>
        {tools}
        <Select
          aria-label="缩放"
          value={zoom}
          onChange={setZoom}
          options={zooms.map(value => ({ value, label: `${value * 100}%` }))}
          style={{ width: 92 }}
        />
        {onPrint !== null && (
          <Button type="primary" loading={busy} onClick={() => void print(false)}>
            打印
          </Button>
        )}
        {onTrial !== undefined && (
          <Button
            {...(onPrint === null ? { type: 'primary' } : {})}
            disabled={busy}
            title="印上“试打印”，不计打印次数"
            onClick={tryOut}
          >
            试打印
          </Button>
        )}
        {onPrint !== null && (
          <Button disabled={busy} onClick={() => void print(true)}>
            导出PDF
          </Button>
        )}
        <Button onClick={() => window.close()}>关闭</Button>
      </div>
      {refused.length > 0 && <Alert className={css.refused ?? ''} type="warning" showIcon title={refused.join('；')} />}
      <div className={css.zoomed} style={{ transform: `scale(${zoom})` }}>
        {children}
      </div>
    </div>
  )
}

/** Pages of several sizes in one print job: each format by its name, the first one as default. */
const pageRules = (papers: readonly PageFormat[]): string =>
  [...new Set(papers)]
    .map((name, at) => `${at === 0 ? pageRule('', allDocuments[name]) : ''} ${pageRule(name, allDocuments[name])}`)
    .join(' ')
const pageRule = (name: string, { width, height }: { readonly width: number; readonly height: number }): string =>
  `@page ${name} { size: ${width}mm ${height}mm; margin: 0 }`
