import { Input } from 'antd'
import type { HookAPI } from 'antd/es/modal/useModal'

/** Asks why, with the commonest answers at hand. Resolves to the reason, or to null when the person would rather not. */
export function askReason(modal: HookAPI, title: string, danger: boolean): Promise<string | null> {
  let reason = ''
  return new Promise(resolve => {
    const dialog = modal.confirm({
      title, icon: null, okText: '确定', cancelText: '返回', width: 480, okButtonProps: { danger, disabled: true },
      content: (
        <Input.TextArea
          autoFocus aria-label={`${title}的原因`} placeholder="请填写原因，将记入单据历史" maxLength={200} showCount autoSize={{ minRows: 3, maxRows: 6 }}
          onChange={event => {
            reason = event.target.value.trim()
            dialog.update({ okButtonProps: { danger, disabled: reason === '' } })
          }}
        />
      ),
      onOk: () => resolve(reason), onCancel: () => resolve(null),
    })
  })
}
