import { LockOutlined, UserOutlined } from '@ant-design/icons'
import { Alert, Button, Form, Input } from 'antd'
import { type Session, signIn } from '#web/engine/session/session.ts'
import { type Wording, wordings } from '#web/sign-in/checks.ts'
import { hashPassword } from '#web/engine/password-hash.ts'
import { useSigning } from '#web/sign-in/use-signing.ts'

type Fields = { login: string; password: string }
export type SignInFormProps = {
  readonly onSignedIn: (session: Session) => void
  readonly wording: Wording
  readonly login?: string
  readonly size?: 'large' | 'middle'
}

/** Account and password; Enter signs in. */
export function SignInForm({ onSignedIn, wording, login = '', size = 'large' }: SignInFormProps) {
  const { busy, failure, sign } = useSigning(onSignedIn)
  return (
    <Form<Fields>
      layout="vertical"
      size={size}
      requiredMark={false}
      initialValues={{ login, password: '' }}
      onFinish={fields => void sign(() => signIn(fields.login.trim(), hashPassword(fields.password)))}
      validateTrigger="onSubmit"
    >
      <Form.Item
        name="login"
        label="登录账号"
        rules={[{ required: true, whitespace: true, message: wordings[wording].account }]}
      >
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
