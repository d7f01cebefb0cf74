import { Tabs } from 'antd'
import { useState } from 'react'
import { SignInForm, type SignInFormProps } from '#web/sign-in/SignInForm.tsx'
import { SmsForm } from '#web/sign-in/SmsForm.tsx'

const MODE = 'sign-in-mode'
type Mode = 'password' | 'sms'
const remembered = (): Mode => (localStorage.getItem(MODE) === 'sms' ? 'sms' : 'password')

/** The two ways to sign in, the last used one in front. */
export function SignInTabs(props: SignInFormProps) {
  const [mode, setMode] = useState<Mode>(remembered)
  return (
    <Tabs
      activeKey={mode}
      size={props.size ?? 'large'}
      destroyOnHidden
      onChange={key => {
        localStorage.setItem(MODE, key)
        setMode(key as Mode)
      }}
      items={[
        { key: 'password', label: '账号密码登录', children: <SignInForm {...props} /> },
        { key: 'sms', label: '短信验证码登录', children: <SmsForm {...props} /> },
      ]}
    />
  )
}
