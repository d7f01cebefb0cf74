import { LockOutlined, UserOutlined } from '@ant-design/icons'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { type Session, signIn } from '#web/engine/session.ts'
import { hashPassword } from '#web/sign-in/password-hash.ts'

type Fields = { login: string; password: string }
type Props = {
  readonly onSignedIn: (session: Session) => void
  readonly login?: string
  readonly size?: 'large' | 'middle'
  /** The sentence for a missing account: the shell's dialog words it differently. */
  readonly loginMissing?: string
}

/** Account and password; Enter signs in. */
export function SignInForm({ onSignedIn, login = '', size = 'large', loginMissing = '请填写登录账号' }: Props) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const submit = async (fields: Fields) => {
    setBusy(true)
    setFailure(null)
    try {
      onSignedIn(await signIn(fields.login.trim(), hashPassword(fields.password)))
    } catch (thrown) {
      if (!isSilent(thrown)) setFailure(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form<Fields>
      layout="vertical"
      size={size}
      requiredMark={false}
      initialValues={{ login, password: '' }}
      onFinish={fields => void submit(fields)}
      validateTrigger="onSubmit"
    >
      <Form.Item name="login" label="登录账号" rules={[{ required: true, whitespace: true, message: loginMissing }]}>
        <Input
          prefix={<UserOutlined className="faint" />}
          placeholder="账号"
          autoComplete="username"
          autoFocus={login === ''}
          spellCheck={false}
        />
      </Form.Item>
      <Form.Item
        name="password"
        label="登录密码"
        rules={[{ required: true, whitespace: true, message: '请填写登录密码' }]}
      >
        <Input.Password
          prefix={<LockOutlined className="faint" />}
          placeholder="密码"
          autoComplete="current-password"
          autoFocus={login !== ''}
        />
      </Form.Item>
      {failure !== null && <Alert type="error" showIcon title={failure} style={{ marginBottom: 16 }} role="alert" />}
      <Button type="primary" htmlType="submit" block loading={busy}>
        登录
      </Button>
    </Form>
  )
}
