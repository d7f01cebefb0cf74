import { CameraOutlined, ScanOutlined, UndoOutlined, WifiOutlined } from '@ant-design/icons'
import { App, Button, Input } from 'antd'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { play } from '#web/engine/sound.ts'
import type { OpenDocument } from '#web/editor/document/use-document.ts'
import { ScanRows } from '#web/scan/ScanRows.tsx'
import type { ScanStore } from '#web/scan/scan-store.ts'
import { type Mark, tallied } from '#web/scan/tally.ts'
import type { Sitting } from '#web/scan/use-counter.ts'
import { useFinish } from '#web/scan/use-finish.ts'
import { useWedge } from '#web/scan/use-wedge.ts'
import css from '#web/scan/ScanCounter.module.css'

const Camera = lazy(() => import('#web/scan/Camera.tsx'))
const RETRY_MS = 3_000

type Props = {
  readonly definition: AnyDocument
  readonly document: OpenDocument
  readonly store: ScanStore
  readonly sitting: Sitting
  readonly onClose: () => void
}

/** The scan counter: expected against scanned, instead of the lines until it is done. */
export default function ScanCounter({ definition, document: doc, store, sitting, onClose }: Props) {
  const { modal } = App.useApp()
  const state = useSyncExternalStore(store.subscribe, store.state)
  const { rules, expected } = sitting
  const tally = useMemo(() => tallied(expected, state.entries, rules), [expected, state.entries, rules])
  const [camera, setCamera] = useState(false)
  const { finish, busy } = useFinish(definition, doc, store, onClose)
  const waiting = tally.marks.filter(mark => mark.tone === 'waiting').length
  const scan = useCallback((code: string) => void store.scan(code), [store])
  const undo = () => state.sending === null && store.undo()
  const typed = useWedge(scan, undo)
  useRetry(store, state.offline || waiting > 0)
  useSounds(tally.marks)
  const missing =
    rules.isList && !rules.beyond ? expected.filter(line => !tally.rows.some(row => row.at === line.at)).length : 0
  const done = () => {
    const go = () => finish(tally.rows, rules)
    if (missing === 0) return go()
    modal.confirm({
      title: `还有${missing}行没有扫到`,
      content:
        definition.lineRules.scanning?.quantityField === undefined
          ? '没有扫到的行将从本单去掉。'
          : '没有扫到的行数量记为0。',
      okText: '按扫码结果保存',
      cancelText: '继续扫码',
      onOk: go,
    })
  }
  return (
    <section className={css.counter} aria-label="扫码台">
      <ScanHead
        last={tally.marks.at(-1) ?? null}
        typed={typed}
        offline={state.offline}
        waiting={waiting}
        sending={state.sending !== null}
      />
      <div className={css.bar}>
        <Button icon={<UndoOutlined />} disabled={state.entries.length === 0 || state.sending !== null} onClick={undo}>
          撤销上一次
        </Button>
        <Button icon={<CameraOutlined />} aria-pressed={camera} onClick={() => setCamera(!camera)}>
          摄像头
        </Button>
        <ByHand onCode={scan} />
        <span className={css.gap} />
        <Button
          onClick={() => {
            if (state.entries.length === 0) return onClose()
            modal.confirm({
              title: `放弃${state.entries.length}次扫码？`,
              okText: '放弃',
              okButtonProps: { danger: true },
              cancelText: '继续扫码',
              onOk: () => {
                store.clear()
                onClose()
              },
            })
          }}
          disabled={state.sending !== null}
        >
          {state.entries.length === 0 ? '返回明细' : '放弃'}
        </Button>
        <Button
          type="primary"
          loading={busy}
          disabled={tally.rows.length === 0 || waiting > 0 || state.sending !== null}
          onClick={done}
        >
          完成并保存
        </Button>
      </div>
      {camera && (
        <Suspense fallback={<p className="faint">正在打开摄像头…</p>}>
          <Camera onCode={scan} onClose={() => setCamera(false)} />
        </Suspense>
      )}
      <ScanRows
        expected={rules.isList ? expected : []}
        rows={tally.rows}
        marks={tally.marks}
        isList={rules.isList}
        isCount={rules.beyond}
        onChoose={(code, meant) => void store.choose(code, meant)}
      />
    </section>
  )
}

type HeadProps = {
  readonly last: Mark | null
  readonly typed: string
  readonly offline: boolean
  readonly waiting: number
  readonly sending: boolean
}

/** The large scan box: what is being scanned, the result of the last scan, and the network state. */
function ScanHead({ last, typed, offline, waiting, sending }: HeadProps) {
  const sentence = last?.sentence ?? '扫描产品条码、UDI 或院内码；输入法状态不影响扫码'
  return (
    <div className={css.head} data-tone={last?.tone}>
      <ScanOutlined className={css.icon} aria-hidden />
      <output className={css.last} aria-live="assertive" aria-label="扫码结果">
        {typed === '' ? sentence : typed.replaceAll('\u001d', '␝')}
      </output>
      {(offline || waiting > 0 || sending) && (
        <span className={css.network} role="status">
          <WifiOutlined aria-hidden />
          {sending
            ? '网络不可用，结果已存在本机，恢复后自动提交'
            : offline
              ? `网络不可用，${waiting}条待识别`
              : `${waiting}条识别中`}
        </span>
      )}
    </div>
  )
}

/** Manual input, for a tablet without a scanner or an unreadable label. */
function ByHand({ onCode }: { onCode: (code: string) => void }) {
  const [text, setText] = useState('')
  return (
    <Input
      className={css.byHand ?? ''}
      placeholder="手工输入条码"
      aria-label="手工输入条码"
      value={text}
      onChange={event => setText(event.target.value)}
      onPressEnter={event => {
        if (event.nativeEvent.isComposing || text.trim() === '') return
        onCode(text.trim())
        setText('')
        event.currentTarget.blur()
      }}
    />
  )
}

/** Waiting scans are read as soon as the network is back. */
function useRetry(store: ScanStore, isWaiting: boolean): void {
  // When the page is in front again, an unknown code may have been registered meanwhile.
  useEffect(() => store.readAgain(), [store])
  useEffect(() => {
    void store.work()
    if (!isWaiting) return
    const again = () => void store.work()
    const timer = setInterval(again, RETRY_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [store, isWaiting])
}

/** Each scan plays one sound, once its result is known. */
function useSounds(marks: readonly Mark[]): void {
  const received = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    const known = marks.filter(mark => mark.tone !== 'waiting')
    // Restored scans have already played their sound.
    if (received.current !== null)
      for (const mark of known) if (!received.current.has(mark.id)) play(mark.tone === 'right' ? 'right' : 'wrong')
    received.current = new Set(known.map(mark => mark.id))
  }, [marks])
}
