import { Alert, Typography } from 'antd'
import type { HookAPI } from 'antd/es/modal/useModal'

/** Shows what the server returns only once, ready to copy: a new secret. Closed only by its button. */
export function notifyOnce(modal: HookAPI, title: string, notified: Readonly<Record<string, string>>): void {
  void modal.info({
    title,
    icon: null,
    width: 560,
    okText: '已保存，关闭',
    keyboard: false,
    mask: { closable: false },
    content: (
      <>
        <Alert type="warning" showIcon title="只显示这一次，关闭后不能再次查看。" style={{ marginBottom: 12 }} />
        {Object.entries(notified).map(([label, text]) => (
          <p key={label} style={{ margin: '6px 0' }}>
            <span className="faint">{label}</span>
            <br />
            <Typography.Text copyable className="mono" style={{ wordBreak: 'break-all' }}>
              {text}
            </Typography.Text>
          </p>
        ))}
      </>
    ),
  })
}
