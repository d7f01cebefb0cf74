import { Modal } from 'antd'
import { useEffect, useState } from 'react'
import css from '#web/shell/KeysDialog.module.css'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

const keys: readonly (readonly [group: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    '全局',
    [
      ['/', '搜索页面、单号、批号、产品，或扫码追溯'],
      ['?', '显示本页快捷键'],
      ['Esc', '关闭弹窗'],
    ],
  ],
  [
    '列表',
    [
      ['↑ ↓', '上一行、下一行'],
      ['Enter', '打开这一行'],
      ['空格', '勾选这一行'],
    ],
  ],
  [
    '单据',
    [
      ['Ctrl S', '保存'],
      ['Ctrl Enter', '提交'],
    ],
  ],
  [
    '明细',
    [
      ['Enter Tab', '下一格，末格新增一行'],
      ['Shift Enter', '上一格'],
      ['F2', '修改格内内容（或双击）'],
      ['Alt ↓', '打开选择列表'],
      ['Ctrl D', '向下填充'],
      ['Ctrl C V', '复制、粘贴，可与 Excel 互通'],
      ['Ctrl Z Y', '撤销、重做'],
      ['Ctrl I -', '插入行、删除行'],
      ['Delete', '清空'],
    ],
  ],
]
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** `?` shows the keyboard shortcuts. */
export function KeysDialog() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.isComposing || isTyping(event.target)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <Modal open={open} title="快捷键" width={MODAL_WIDTH} footer={null} onCancel={() => setOpen(false)}>
      {keys.map(([group, rows]) => (
        <section key={group} className={css.group}>
          <h3>{group}</h3>
          <dl>
            {rows.map(([key, what]) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map(part => (
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
