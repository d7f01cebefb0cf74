import { useEffect, useEffectEvent, useState } from 'react'
import { createWedge } from '#web/scan/wedge.ts'

/** While the user types in a field or answers a dialog, the keys are not the scanner's. */
const isOwn = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable="true"], .ant-modal, .ant-select-dropdown') !== null

/**
 * All key presses of the page go to the scanner while the counter is open: no focus is needed, and input methods do
 * not interfere.
 */
export function useWedge(onCode: (code: string) => void, onUndo: () => void): string {
  const [wedge] = useState(createWedge)
  const [gathered, setGathered] = useState('')
  const received = useEffectEvent((event: KeyboardEvent) => {
    if (isOwn(event.target)) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
      event.preventDefault()
      event.stopPropagation()
      return onUndo()
    }
    const pressed = wedge.press(event)
    if (pressed.is === 'other') return
    // A scanner's keys trigger no page shortcuts, and its Enter presses no button.
    event.preventDefault()
    event.stopPropagation()
    setGathered(wedge.gathered())
    if (pressed.is === 'code') onCode(pressed.code)
  })
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    if (isOwn(event.target)) return
    const text = event.clipboardData?.getData('text/plain').trim() ?? ''
    if (text === '') return
    event.preventDefault()
    for (const code of text.split(/[\r\n]+/)) if (code.trim() !== '') onCode(code.trim())
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => received(event)
    const onPaste = (event: ClipboardEvent) => pasted(event)
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('paste', onPaste, true)
    return () => {
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('paste', onPaste, true)
    }
  }, [])
  return gathered
}
