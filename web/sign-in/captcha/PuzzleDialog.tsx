import { ArrowRightOutlined, LoadingOutlined, ReloadOutlined } from '@ant-design/icons'
import { App, Button, Modal } from 'antd'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { useFreshPicture } from '#web/sign-in/captcha/fresh-picture.ts'
import { isWrongAnswer, type ProofDialogProps } from '#web/sign-in/proof.ts'
import { puzzleAnswer, type TrackPoint } from '#web/sign-in/captcha/puzzle-track.ts'
import css from '#web/sign-in/captcha/Captcha.module.css'

type Puzzle = { readonly id: string; readonly background: string; readonly piece: string; readonly y: number }
/** Width of the picture on screen; server pixels are scaled to it. */
const SHOWN_WIDTH = 344
const HANDLE = 44
const KEY_STEP = 4

/** 图片拼图验证: the piece is dragged (or moved by arrow keys) into its gap; the server checks position and movement. */
export function PuzzleDialog({ onSpend, onClose, onOther }: ProofDialogProps) {
  const { message } = App.useApp()
  const { picture: puzzle, failure, reload } = useFreshPicture<Puzzle>('/v1/captcha/puzzle')
  const [busy, setBusy] = useState(false)
  const spend = async (x: number, track: readonly TrackPoint[]) => {
    if (puzzle === null || busy) return
    setBusy(true)
    try {
      await onSpend({ id: puzzle.id, result: puzzleAnswer(x, track) })
      onClose()
    } catch (thrown) {
      void message.error(sentenceOf(thrown))
      if (!isWrongAnswer(thrown)) return onClose()
      reload()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title="图片拼图验证" width={392} footer={null} mask={{ closable: false }} onCancel={onClose}>
      {puzzle === null ? (
        <div className={css.waiting} role="status">
          {failure ?? '加载中…'}
        </div>
      ) : (
        <PuzzleBoard key={puzzle.id} puzzle={puzzle} busy={busy} onDone={(x, track) => void spend(x, track)} />
      )}
      <div className={css.foot}>
        <Button type="text" size="small" icon={<ReloadOutlined />} onClick={reload}>
          换一张
        </Button>
        {onOther && (
          <Button type="link" size="small" onClick={onOther}>
            改用图形验证码
          </Button>
        )}
      </div>
    </Modal>
  )
}

type BoardProps = {
  readonly puzzle: Puzzle
  readonly busy: boolean
  readonly onDone: (x: number, track: readonly TrackPoint[]) => void
}

/** The drag state: how far the handle was moved, and the track. */
function useHand(furthest: number, scale: number) {
  const [at, setAt] = useState(0)
  const track = useRef<TrackPoint[]>([])
  const began = useRef(0)
  const from = useRef<{ x: number; y: number } | null>(null)
  const note = (shown: number, y: number) => {
    if (track.current.length === 0) began.current = performance.now()
    track.current.push([Math.round(performance.now() - began.current), Math.round(shown / scale), Math.round(y)])
    setAt(shown)
  }
  const within = (shown: number) => Math.min(Math.max(shown, 0), furthest)
  return {
    at,
    track,
    take: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX - at, y: event.clientY }
      note(at, 0)
    },
    drag: (event: PointerEvent) =>
      from.current !== null && note(within(event.clientX - from.current.x), event.clientY - from.current.y),
    drop: (): boolean => {
      const wasHeld = from.current !== null
      from.current = null
      return wasHeld
    },
    step: (by: number) => note(within(at + by), 0),
  }
}

function PuzzleBoard({ puzzle, busy, onDone }: BoardProps) {
  const [natural, setNatural] = useState({ picture: 0, piece: 0 })
  const scale = natural.picture === 0 ? 1 : SHOWN_WIDTH / natural.picture
  const furthest = SHOWN_WIDTH - natural.piece * scale
  const hand = useHand(furthest, scale)
  const ready = natural.picture > 0 && natural.piece > 0 && !busy
  const done = () => onDone(hand.at / scale, hand.track.current)
  const onKeyDown = (event: KeyboardEvent) => {
    const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (way !== 0) hand.step(way * (event.shiftKey ? 1 : KEY_STEP))
    else if (event.key === 'Enter') done()
    else return
    event.preventDefault()
  }
  const handleAt = furthest > 0 ? (hand.at / furthest) * (SHOWN_WIDTH - HANDLE) : 0
  return (
    <>
      <div className={css.board} data-busy={busy}>
        <img
          src={puzzle.background}
          alt="缺了一块的图片"
          width={SHOWN_WIDTH}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth } }) => setNatural(was => ({ ...was, picture: naturalWidth }))}
        />
        <img
          src={puzzle.piece}
          alt=""
          className={css.piece}
          style={{ top: puzzle.y * scale, left: hand.at, width: natural.piece * scale || undefined }}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth } }) => setNatural(was => ({ ...was, piece: naturalWidth }))}
        />
      </div>
      <div className={css.slide}>
        <div className={css.passed} style={{ width: handleAt + HANDLE / 2 }} />
        <span className={css.hint} data-moved={hand.at > 0}>
          拖动滑块完成拼图
        </span>
        <div
          className={css.handle}
          style={{ left: handleAt }}
          role="slider"
          tabIndex={0}
          aria-label="拖动滑块完成拼图，或按左右方向键移动、回车确认"
          aria-valuemin={0}
          aria-valuemax={Math.round(furthest / scale)}
          aria-valuenow={Math.round(hand.at / scale)}
          aria-disabled={!ready}
          onPointerDown={event => ready && hand.take(event)}
          onPointerMove={hand.drag}
          onPointerUp={() => hand.drop() && hand.at > 0 && done()}
          onPointerCancel={hand.drop}
          onKeyDown={event => ready && onKeyDown(event)}
        >
          {busy ? <LoadingOutlined /> : <ArrowRightOutlined />}
        </div>
      </div>
    </>
  )
}
