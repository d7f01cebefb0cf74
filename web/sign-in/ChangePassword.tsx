import { App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import { signOut } from '#web/engine/session/session.ts'
import { CodeField } from '#web/sign-in/CodeField.tsx'
import { smsCodeProblem } from '#web/sign-in/checks.ts'
import { useResend } from '#web/sign-in/resend.ts'
import { hashPassword } from '#web/engine/password-hash.ts'

type Fields = { login: string; old: string; next: string; again: string; code?: string }
/** The server's rule for passwords, shown before it refuses. */
const RULE = '不能是常见密码、登录账号或手机号，也不能与最近5次使用过的密码相同'
const checkedCode = (typed: string | undefined) => {
  const wrong = smsCodeProblem(typed ?? '', 'page')
  return wrong === null ? Promise.resolve() : Promise.reject(new Error(wrong))
}
const missing = (what: string) => [{ required: true, whitespace: true, message: `【${what}】输入不能为空` }]

const FORCED = '密码是初始密码，或已超过有效期，修改后才能继续使用。不记得当前密码，请退出后点【重置密码】。'
const BY_PHONE =
  '初始密码是注册人手机号码，只能用来修改密码，审核通过后24小时内有效。请设置新密码，并填写发送到该手机的短信验证码。'
const COUNTDOWN = 'change-countdown'

/**
 * 登录密码-修改. Required at the first sign-in and when the password is too old: then it can only be left by signing out.
 * `verified`: a code sent to the phone is required as well.
 */
export function ChangePassword({
  open,
  login,
  forced = false,
  verified = false,
  onClose,
}: {
  open: boolean
  login: string
  forced?: boolean
  verified?: boolean
  onClose: () => void
}) {
  const [form] = Form.useForm<Fields>()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const resend = useResend(COUNTDOWN)
  const leave = async () => {
    if (forced) await signOut()
    onClose()
  }
  const submit = async ({ login: userName, old, next, code }: Fields) => {
    const proof = verified ? { VerifyCode: (code ?? '').trim() } : {}
    const passwords = { old: hashPassword(old), password: hashPassword(next), ...proof }
    setBusy(true)
    try {
      await (forced
        ? post('/v1/user/change_password', { userName: userName.trim(), ...passwords }, { bare: true })
        : post('/v1/user/change_my_password', passwords))
      void message.success('已成功修改登录密码，请重新登录')
      await signOut()
      onClose()
    } catch (thrown) {
      // Another code may be requested at once.
      resend.stop()
      void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open={open}
      title="登录密码-修改"
      width={420}
      okText="提交"
      confirmLoading={busy}
      destroyOnHidden
      closable={!forced}
      keyboard={!forced}
      mask={{ closable: false }}
      cancelText={forced ? '退出登录' : '取消'}
      onCancel={() => void leave()}
      onOk={() => form.submit()}
    >
      {forced && (
        <p className="faint" style={{ marginBottom: 12 }}>
          {verified ? BY_PHONE : FORCED}
        </p>
      )}
      <Form
        name="change"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ login }}
        onFinish={fields => void submit(fields)}
        validateTrigger="onSubmit"
      >
        <Form.Item name="login" label="用户名" rules={missing('用户名')}>
          <Input autoComplete="username" readOnly />
        </Form.Item>
        <Form.Item name="old" label="当前密码" rules={missing('当前密码')}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item name="next" label="登录密码" rules={missing('登录密码')} extra={RULE}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="again"
          label="再次输入登录密码"
          dependencies={['next']}
          rules={[
            ...missing('再次输入登录密码'),
            ({ getFieldValue }) => ({
              // An empty one is named already.
              validator: (_, again: string | undefined) =>
                !again?.trim() || again === getFieldValue('next')
                  ? Promise.resolve()
                  : Promise.reject(new Error('两次登录密码输入不一致')),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        {verified && (
          <CodeField
            id="change_code"
            label={`短信验证码（发送到 ${login}）`}
            resend={resend}
            onSend={async ({ id, result }) => {
              const asked = { phone: login, tempID: 'change_pwd', id, captchaResult: result }
              await post('/v1/sendMsg', asked, { bare: true })
            }}
            rules={[{ validator: (_, typed) => checkedCode(typed) }]}
          />
        )}
      </Form>
    </Modal>
  )
}
