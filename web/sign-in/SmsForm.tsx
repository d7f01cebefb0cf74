import { MobileOutlined, SafetyOutlined } from '@ant-design/icons'
import { Alert, App, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { get, post } from '#web/engine/http/request.ts'
import { signInByCode } from '#web/engine/session/session.ts'
import { phoneProblem, smsCodeProblem } from '#web/sign-in/checks.ts'
import { ImageCaptchaDialog } from '#web/sign-in/captcha/ImageCaptchaDialog.tsx'
import type { Proof } from '#web/sign-in/proof.ts'
import { PuzzleDialog } from '#web/sign-in/captcha/PuzzleDialog.tsx'
import { useResend } from '#web/sign-in/resend.ts'
import type { SignInFormProps } from '#web/sign-in/SignInForm.tsx'
import { useSigning } from '#web/sign-in/use-signing.ts'
import css from '#web/sign-in/SignInPage.module.css'

type Fields = { phone: string; code: string }
const PHONE = 'sms-phone'
const COUNTDOWN = 'sms-countdown'
export const CODE_SENT = '验证码发送成功，请在5分钟内尽快输入。'

/** SMS template of a sign-in code. */
const TEMPLATE = 'login'

/** The page uses the puzzle and the shell's dialog the image, each with the call specified for it. */
const send = {
  page: (phone: string, { id, result }: Proof) =>
    get(`/v1/user/get_login_code/${encodeURIComponent(phone)}`, { id, captchaResult: result }, { bare: true }),
  shell: (phone: string, { id, result }: Proof) =>
    post('/v1/sendMsg', { phone, tempID: TEMPLATE, id, captchaResult: result }, { bare: true }),
} as const

const problem = (check: (typed: string) => string | null) => (_: unknown, typed: string | undefined) => {
  const wrong = check(typed ?? '')
  return wrong === null ? Promise.resolve() : Promise.reject(new Error(wrong))
}

/** Phone and an SMS code, after a solved captcha. */
export function SmsForm({ onSignedIn, wording, size = 'large' }: SignInFormProps) {
  const [form] = Form.useForm<Fields>()
  const { message } = App.useApp()
  const { busy, failure, sign } = useSigning(onSignedIn)
  const { left, start } = useResend(COUNTDOWN)
  const [proving, setProving] = useState<'puzzle' | 'image' | null>(null)
  const prove = () =>
    form.validateFields(['phone']).then(
      () => setProving(wording === 'page' ? 'puzzle' : 'image'),
      () => undefined,
    )
  const spend = async (proof: Proof) => {
    const phone = String(form.getFieldValue('phone')).trim()
    await send[wording](phone, proof)
    localStorage.setItem(PHONE, phone)
    start()
    void message.success(CODE_SENT)
    form.getFieldInstance('code')?.focus()
  }
  const dialog = { onSpend: spend, onClose: () => setProving(null) }
  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      size={size}
      requiredMark={false}
      initialValues={{ phone: localStorage.getItem(PHONE) ?? '', code: '' }}
      onFinish={({ phone, code }) => void sign(() => signInByCode(phone.trim(), code.trim()))}
      validateTrigger="onSubmit"
    >
      <Form.Item name="phone" label="手机号" rules={[{ validator: problem(typed => phoneProblem(typed, wording)) }]}>
        <Input
          prefix={<MobileOutlined className="faint" />}
          placeholder="手机号"
          inputMode="numeric"
          autoComplete="tel-national"
          autoFocus
        />
      </Form.Item>
      <Form.Item label="短信验证码" htmlFor="code">
        <div className={css.codeRow}>
          <Form.Item name="code" noStyle rules={[{ validator: problem(typed => smsCodeProblem(typed, wording)) }]}>
            <Input
              id="code"
              prefix={<SafetyOutlined className="faint" />}
              placeholder="验证码"
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          </Form.Item>
          <Button className={css.sendCode ?? ''} disabled={left > 0} onClick={() => void prove()}>
            {left > 0 ? `${left}秒后重新发送` : '发送验证码'}
          </Button>
        </div>
      </Form.Item>
      {failure !== null && <Alert type="error" showIcon title={failure} style={{ marginBottom: 16 }} role="alert" />}
      <Button type="primary" htmlType="submit" block loading={busy}>
        登录
      </Button>
      {proving === 'puzzle' && <PuzzleDialog {...dialog} onOther={() => setProving('image')} />}
      {proving === 'image' && (
        <ImageCaptchaDialog {...dialog} {...(wording === 'page' ? { onOther: () => setProving('puzzle') } : {})} />
      )}
    </Form>
  )
}
