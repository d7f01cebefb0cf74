import { ScanOutlined } from '@ant-design/icons'
import { type KeyboardEvent, useRef, useState } from 'react'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { parseScan, type Scanned } from '#web/engine/parse-scan.ts'
import { play } from '#web/engine/sound.ts'
import { CorrectCode } from '#web/scan/CorrectCode.tsx'
import css from '#web/editor/Editor.module.css'

type Last = { readonly tone: 'right' | 'wrong'; readonly sentence: string; readonly unknown?: string } | null
/** Adds a scan to the lines and returns the result text; throws a message if it cannot. */
type Props = { readonly onScan: (scanned: Scanned) => string }

/** Scans one after another without a click: each is processed in turn, the last one stays visible. */
export function ScanBox({ onScan }: Props) {
  const [last, setLast] = useState<Last>(null)
  const queue = useRef(Promise.resolve())
  const read = async (code: string) => {
    let unknown = {}
    try {
      const scanned = await parseScan(code)
      if (scanned.specification === null) unknown = { unknown: code }
      // A combined pack is scanned as all its parts.
      const all = scanned.pack ? await Promise.all(scanned.pack.parts.map(parseScan)) : [scanned]
      const [sentence = ''] = all.map(onScan)
      play('right')
      setLast({ tone: 'right', sentence })
    } catch (thrown) {
      play('wrong')
      setLast({ tone: 'wrong', sentence: sentenceOf(thrown), ...unknown })
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey) return
    event.preventDefault()
    const code = event.currentTarget.value
    event.currentTarget.value = ''
    // A scanner is faster than a call: scans are queued, none is lost.
    if (code.trim() !== '') queue.current = queue.current.then(() => read(code))
  }
  return (
    <div className={css.scan} data-tone={last?.tone}>
      <ScanOutlined className={css.scanIcon} aria-hidden />
      <input
        className={css.scanInput}
        placeholder={last === null ? '扫码添加：UDI、院内码，回车确认' : '继续扫码'}
        aria-label="扫码添加"
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
      />
      <output className={css.scanLast} aria-live="polite">
        {last?.sentence} {last?.unknown !== undefined && <CorrectCode code={last.unknown} />}
      </output>
    </div>
  )
}
