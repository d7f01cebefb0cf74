import { UserSwitchOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { actFor, onBehalfOf } from '#web/engine/session/on-behalf.ts'
import css from '#web/shell/Shell.module.css'

/** Says on every page in whose name the platform's user works, and leads back. */
export function OnBehalfBanner() {
  const onBehalf = onBehalfOf()
  if (onBehalf === null) return null
  return (
    <p className={css.onBehalf} role="status">
      <UserSwitchOutlined aria-hidden />
      <span>
        平台代办：正在以 <strong>{onBehalf.name}</strong> 的身份办理
        {onBehalf.may_review ? '' : '，所办单据须由机构自行审核'}
      </span>
      <Button size="small" onClick={() => actFor(null)}>
        退出代办
      </Button>
    </p>
  )
}
