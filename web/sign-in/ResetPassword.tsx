import { App, Form, Input, Modal, Steps } from 'antd'
import { useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { get, post } from '#web/engine/http/request.ts'
import { CodeField } from '#web/sign-in/CodeField.tsx'
import { resetCodeProblem, resetPasswordProblem, resetPhoneProblem } from '#web/sign-in/checks.ts'
import { hashPassword } from '#web/engine/password-hash.ts'
import type { Proof } from '#web/sign-in/proof.ts'
import { useResend } from '#web/sign-in/resend.ts'

type Fields = { phone: string; code: string; password: string; again: string }
const COUNTDOWN = 'reset-countdown'
const path = (step: string) => `/v1/user/retrieve_pwd/${step}`

/** 重置密码 in two steps: identification (phone and its code), then the new password. */
export function ResetPassword({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm<Fields>()
  const { message } = App.useApp()
  const [step, setStep] = useState(0)
  const [busy, setBusy] = useState(false)
  const resend = useResend(COUNTDOWN)
  const mark = (field: keyof Fields, sentence: string) => {
    form.setFields([{ name: field, errors: [sentence] }])
    form.getFieldInstance(field)?.focus?.()
  }
  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (thrown) {
      // After any failure, another code may be requested.
      resend.stop()
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  const values = (): Fields => ({ phone: '', code: '', password: '', again: '', ...form.getFieldsValue(true) })
  const next = () => {
    const { phone, code } = values()
    const wrong = resetCodeProblem(phone, code)
    if (wrong !== null) return mark(wrong.field, wrong.sentence)
    void during(async () => {
      await post(path('verify_code'), { Name: phone.trim(), VerifyCode: code.trim() }, { bare: true })
      setStep(1)
    })
  }
  const submit = () => {
    const { phone, code, password, again } = values()
    const wrong = resetPasswordProblem(password, again)
    if (wrong !== null) return mark(wrong.field, wrong.sentence)
    void during(async () => {
      const change = { Name: phone.trim(), Password: hashPassword(password), VerifyCode: code.trim() }
      await post(path('change_password'), change, { bare: true })
      void message.success('修改成功，请重新登陆。')
      onClose()
    })
  }
  return (
    <Modal
      open
      title="重置密码"
      width={440}
      okText={step === 0 ? '下一步' : '提交'}
      cancelText="取消"
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={step === 0 ? next : submit}
      onCancel={onClose}
    >
      <Steps
        size="small"
        current={step}
        items={[{ title: '验证手机' }, { title: '设置新密码' }]}
        style={{ margin: '16px 0 20px' }}
      />
      <Form<Fields>
        name="reset"
        form={form}
        layout="vertical"
        requiredMark={false}
        onValuesChange={changed =>
          form.setFields(Object.keys(changed).map(name => ({ name: name as keyof Fields, errors: [] })))
        }
        onFinish={step === 0 ? next : submit}
      >
        {step === 0 ? <PhoneStep mark={mark} phoneOf={() => values().phone} resend={resend} /> : <PasswordStep />}
        {/* Enter in a field takes the step. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </Modal>
  )
}

type PhoneStepProps = {
  readonly mark: (field: 'phone', sentence: string) => void
  readonly phoneOf: () => string
  readonly resend: ReturnType<typeof useResend>
}

function PhoneStep({ mark, phoneOf, resend }: PhoneStepProps) {
  const mayAsk = () => {
    const wrong = resetPhoneProblem(phoneOf())
    if (wrong !== null) mark('phone', wrong)
    return wrong === null
  }
  const send = async ({ id, result }: Proof) => {
    const phone = encodeURIComponent(phoneOf().trim())
    await get(path(`code/${phone}`), { imageId: id, imageAnswer: result }, { bare: true })
  }
  return (
    <>
      <Form.Item name="phone" label="手机号">
        <Input inputMode="numeric" autoComplete="tel-national" autoFocus />
      </Form.Item>
      <CodeField id="reset_code" label="验证码" resend={resend} mayAsk={mayAsk} onSend={send} />
    </>
  )
}

const PasswordStep = () => (
  <>
    <Form.Item name="password" label="新密码">
      <Input.Password autoComplete="new-password" autoFocus />
    </Form.Item>
    <Form.Item name="again" label="确认密码">
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  </>
)
