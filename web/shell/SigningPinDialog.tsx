import { App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import { hashPassword } from '#web/engine/password-hash.ts'

type Fields = { readonly password: string; readonly pin: string; readonly again: string }
const missing = (what: string) => [{ required: true, whitespace: true, message: `【${what}】输入不能为空` }]

/** 签名PIN: with it a person signs at a device where another is signed in. It is set with one's own password. */
export function SigningPinDialog({ onClose }: { readonly onClose: () => void }) {
  const [form] = Form.useForm<Fields>()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const submit = async ({ password, pin }: Fields) => {
    setBusy(true)
    try {
      await post('/v1/business/signature/pin', { password: hashPassword(password), pin })
      void message.success('签名PIN已设置')
      onClose()
    } catch (thrown) {
      void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title="签名PIN"
      width={420}
      okText="提交"
      cancelText="返回"
      confirmLoading={busy}
      onCancel={onClose}
      onOk={() => form.submit()}
    >
      <p className="faint" style={{ marginBottom: 12 }}>
        在他人登录的设备上签字时，扫描本人工牌后输入签名PIN。不要告诉他人。
      </p>
      <Form
        name="signing-pin"
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={fields => void submit(fields)}
        validateTrigger="onSubmit"
      >
        <Form.Item name="password" label="登录密码" rules={missing('登录密码')}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item name="pin" label="签名PIN" rules={missing('签名PIN')} extra="6-12位数字，不能是相同或连续的数字">
          <Input.Password autoComplete="off" inputMode="numeric" maxLength={12} />
        </Form.Item>
        <Form.Item
          name="again"
          label="再次输入签名PIN"
          dependencies={['pin']}
          rules={[
            ...missing('再次输入签名PIN'),
            ({ getFieldValue }) => ({
              // An empty one is named already.
              validator: (_, again: string | undefined) =>
                !again?.trim() || again === getFieldValue('pin')
                  ? Promise.resolve()
                  : Promise.reject(new Error('两次签名PIN输入不一致')),
            }),
          ]}
        >
          <Input.Password autoComplete="off" inputMode="numeric" maxLength={12} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
