import { App } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import reader from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { readerAt, readPicture } from '#web/scan/read-picture.ts'
import css from '#web/scan/ScanCounter.module.css'

readerAt(reader)

const LOOK_MS = 200
/** The same label in front of the camera is one scan until it was gone for this long. */
const SAME_MS = 2_500

type Props = { readonly onCode: (code: string) => void; readonly onClose: () => void }

const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: '没有使用摄像头的许可，请在浏览器地址栏左侧允许后重试',
  NotFoundError: '没有找到摄像头，请使用扫码枪或手工输入',
  NotReadableError: '摄像头正被其他程序使用，请关闭后重试',
}

/** A tablet's camera as a scanner: every label shown to it is one scan. */
export default function Camera({ onCode, onClose }: Props) {
  const { message } = App.useApp()
  const video = useRef<HTMLVideoElement>(null)
  const saw = useEffectEvent((code: string) => onCode(code))
  const failed = useEffectEvent((thrown: unknown) => {
    const name = thrown instanceof Error ? thrown.name : ''
    void message.error(refusals[name] ?? '摄像头打不开，请使用扫码枪或手工输入')
    onClose()
  })
  useEffect(() => {
    const ended = new AbortController()
    watch(video.current, ended.signal, code => saw(code)).catch(thrown => ended.signal.aborted || failed(thrown))
    return () => ended.abort()
  }, [])
  return (
    <div className={css.camera}>
      <video ref={video} muted playsInline aria-label="摄像头画面" />
    </div>
  )
}

/** Reads the camera picture repeatedly until stopped. */
async function watch(video: HTMLVideoElement | null, ended: AbortSignal, saw: (code: string) => void): Promise<void> {
  if (video === null) return
  if (!navigator.mediaDevices) throw new DOMException('', 'NotFoundError')
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  })
  const stop = () => stream.getTracks().forEach(track => track.stop())
  if (ended.aborted) return stop()
  ended.addEventListener('abort', stop)
  video.srcObject = stream
  await video.play()
  const canvas = new OffscreenCanvas(1, 1)
  const seen = new Map<string, number>()
  while (!ended.aborted) {
    for (const code of await codesOn(video, canvas)) {
      const before = seen.get(code) ?? 0
      seen.set(code, Date.now())
      if (Date.now() - before > SAME_MS) saw(code)
    }
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}

async function codesOn(video: HTMLVideoElement, canvas: OffscreenCanvas): Promise<readonly string[]> {
  const [width, height] = [video.videoWidth, video.videoHeight]
  if (width === 0) return []
  Object.assign(canvas, { width, height })
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (pen === null) return []
  pen.drawImage(video, 0, 0)
  return readPicture(pen.getImageData(0, 0, width, height))
}
