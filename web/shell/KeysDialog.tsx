import { Modal } from 'antd'
import { useEffect, useState } from 'react'
import { isPressed, type ShortcutGroup, useShortcutsInView } from '#web/engine/shortcuts.ts'
import css from '#web/shell/KeysDialog.module.css'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

const everywhere: ShortcutGroup = {
  group: '全局',
  shortcuts: [
    { keys: '/', what: '搜索页面、单号、批号、产品，或扫码追溯' },
    { keys: '?', what: '显示本页快捷键（输入时按 Alt /）' },
    { keys: 'Esc', what: '关闭弹窗' },
  ],
}
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** `?` shows the keys of the page in view; Alt and / also while something is typed. */
export function KeysDialog() {
  const [open, setOpen] = useState(false)
  const inView = useShortcutsInView()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return
      if (!isPressed('Alt /', event) && (event.key !== '?' || isTyping(event.target))) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <Modal open={open} title="快捷键" width={MODAL_WIDTH} footer={null} onCancel={() => setOpen(false)}>
      {[everywhere, ...inView].map(({ group, shortcuts }) => (
        <section key={group} className={css.group}>
          <h3>{group}</h3>
          <dl>
            {shortcuts.map(({ keys, what }) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map(part => (
                    <kbd key={part}>{part}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  )
}
