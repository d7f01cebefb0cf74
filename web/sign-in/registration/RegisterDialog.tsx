import { parseInteger } from '#kernel/values/integer.ts'
import { App, Button, Form, Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { CallFailure, isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import {
  accountTypes,
  type AccountType,
  type Registration,
  registrationProblem,
  registrationSmsProblem,
} from '#web/sign-in/checks.ts'
import { CodePicture, useCodePicture } from '#web/sign-in/captcha/CodePicture.tsx'
import type { Invited } from '#web/sign-in/registration/invitation.ts'
import { DivisionCascader } from '#web/sign-in/registration/DivisionCascader.tsx'
import { type Scans, ScansField } from '#web/sign-in/registration/ScansField.tsx'
import { useResend } from '#web/sign-in/resend.ts'
import { CODE_SENT } from '#web/sign-in/SmsForm.tsx'
import css from '#web/sign-in/registration/Register.module.css'

const COUNTDOWN = 'register-countdown'
const empty: Registration = {
  system_type: 1,
  name: '',
  alias: '',
  social_credit_code: '',
  address: '',
  registrant: '',
  registrant_phone: '',
  answer: '',
  verifyCode: '',
  registrant_email: '',
}
const typeChoices = Object.entries(accountTypes).map(([value, label]) => ({ value: parseInteger(value), label }))

const scansOf = (scans: Scans | undefined) =>
  scans && scans.files.length > 0 ? { draft: scans.draft, scans: scans.files.map(({ name }) => name).join(',') } : {}

/** The form in wire format: trimmed, the division as its last level, without the picture. */
function payloadOf(form: Registration, invited: Invited | null): Record<string, unknown> {
  const text = (name: keyof Registration) => String(form[name] ?? '').trim()
  return {
    administrative_division_sn: form.division?.at(-1) ?? '',
    system_type: form.system_type,
    name: text('name'),
    alias: form.system_type === 1 ? text('alias') : '',
    address: text('address'),
    registrant: text('registrant'),
    registrant_phone: text('registrant_phone'),
    registrant_email: text('registrant_email'),
    description: '',
    social_credit_code: text('social_credit_code'),
    verifyCode: text('verifyCode'),
    ...scansOf(form.scans),
    ...(invited === null ? {} : { invitation: invited.token }),
  }
}

function useRegistration(invited: Invited | null, onRegistered: (phone: string) => void) {
  const [form] = Form.useForm<Registration>()
  const { message, modal } = App.useApp()
  const [busy, setBusy] = useState<'sms' | 'form' | null>(null)
  const shown = useCodePicture()
  const { left, start } = useResend(COUNTDOWN)
  const values = (): Registration => ({ ...empty, ...form.getFieldsValue(true) })
  const mark = (field: keyof Registration, sentence: string) => {
    form.setFields([
      ...(Object.keys(empty) as (keyof Registration)[]).map(name => ({ name, errors: [] })),
      { name: field, errors: [sentence] },
    ])
    form.getFieldInstance(field)?.focus?.()
  }
  const during = async (what: 'sms' | 'form', work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (thrown) {
      const fault =
        thrown instanceof CallFailure ? thrown.problems.find(each => each.field && each.field in empty) : null
      if (fault) mark(fault.field as keyof Registration, fault.msg)
      else if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(null)
    }
  }
  const sendCode = () => {
    const wrong = registrationSmsProblem(values())
    if (wrong !== null) return mark(wrong.field, wrong.sentence)
    if (shown.picture === null) return void message.warning('图形验证码还没有加载完成，请稍候')
    const { id } = shown.picture
    void during('sms', async () => {
      try {
        const { answer, registrant_phone } = values()
        await post(
          '/v1/register/sendMsg',
          { phone: registrant_phone.trim(), id, answer: answer.trim() },
          { bare: true },
        )
      } finally {
        // Right or wrong, the picture is used up.
        shown.reload()
      }
      start()
      void message.success(CODE_SENT)
      form.getFieldInstance('verifyCode')?.focus?.()
    })
  }
  const submit = () => {
    const wrong = registrationProblem(values())
    if (wrong !== null) return mark(wrong.field, wrong.sentence)
    void during('form', async () => {
      const payload = payloadOf(values(), invited)
      const { msg } = await post('/v1/register/org', payload, { bare: true })
      const phone = String(payload.registrant_phone)
      onRegistered(phone)
      void modal.success({
        title: '注册成功',
        content:
          msg ||
          `注册成功，请等待平台审核。登录账号和初始密码均为注册人手机号码（${phone}），审核通过后24小时内有效，首次登录须凭短信验证码修改密码。`,
        okText: '知道了',
      })
    })
  }
  return { form, busy, shown, left, sendCode, submit }
}

type Props = {
  /** Values pre-filled by an invitation link. */
  readonly invited?: Invited | null
  readonly onClose: () => void
}

/** 机构注册: an organisation applies to join. The first error is marked in place. */
export function RegisterDialog({ invited = null, onClose }: Props) {
  const { form, busy, shown, left, sendCode, submit } = useRegistration(invited, onClose)
  const type = (Form.useWatch('system_type', form) ?? 1) as AccountType
  const kind = accountTypes[type]
  return (
    <Modal
      open
      title="机构注册"
      width={720}
      okText="提交"
      cancelText="取消"
      confirmLoading={busy === 'form'}
      mask={{ closable: false }}
      onOk={submit}
      onCancel={onClose}
      style={{ top: 56 }}
    >
      {invited !== null && (
        <p role="note">【{invited.inviter}】邀请您成为其经销商。注册通过平台审核后，合作关系随即生效。</p>
      )}
      <Form<Registration>
        name="register"
        form={form}
        layout="vertical"
        initialValues={invited === null ? empty : { ...empty, ...invited.filled }}
        className={css.form ?? ''}
        requiredMark={label => label}
        onValuesChange={changed => {
          if ('system_type' in changed) form.setFieldValue('alias', '')
          form.setFields(Object.keys(changed).map(name => ({ name: name as keyof Registration, errors: [] })))
        }}
      >
        <Form.Item name="system_type" label="账号类型" className={css.wide ?? ''}>
          <Radio.Group options={typeChoices} optionType="button" buttonStyle="solid" disabled={invited !== null} />
        </Form.Item>
        <Form.Item name="division" label="行政区划">
          <DivisionCascader />
        </Form.Item>
        <Form.Item name="name" label={<Needed>{`${kind}名称`}</Needed>}>
          <Input placeholder="与营业执照或执业许可证一致" maxLength={100} />
        </Form.Item>
        {type === 1 && (
          <Form.Item name="alias" label="别名">
            <Input placeholder="院内常用的简称" maxLength={50} />
          </Form.Item>
        )}
        <Form.Item name="social_credit_code" label={<Needed>统一社会信用代码</Needed>}>
          <Input placeholder="18位字母或数字" className="mono" spellCheck={false} />
        </Form.Item>
        <Form.Item name="address" label={<Needed>地址</Needed>} className={type === 1 ? '' : (css.wide ?? '')}>
          <Input maxLength={200} />
        </Form.Item>
        <Form.Item name="registrant" label={<Needed>联系人</Needed>}>
          <Input maxLength={50} autoComplete="name" />
        </Form.Item>
        <Form.Item name="registrant_phone" label={<Needed>手机号</Needed>}>
          <Input inputMode="numeric" autoComplete="tel-national" placeholder="将作为登录账号" />
        </Form.Item>
        <Form.Item label={<Needed>图形验证码</Needed>} htmlFor="register_answer">
          <div className={css.pair}>
            <Form.Item name="answer" noStyle>
              <Input id="register_answer" autoComplete="off" spellCheck={false} />
            </Form.Item>
            <CodePicture {...shown} />
          </div>
        </Form.Item>
        <Form.Item label={<Needed>短信验证码</Needed>} htmlFor="register_verifyCode">
          <div className={css.pair}>
            <Form.Item name="verifyCode" noStyle>
              <Input id="register_verifyCode" inputMode="numeric" autoComplete="one-time-code" />
            </Form.Item>
            <Button disabled={left > 0} loading={busy === 'sms'} onClick={sendCode}>
              {left > 0 ? `${left}秒后重新发送` : '发送验证码'}
            </Button>
          </div>
        </Form.Item>
        <Form.Item name="registrant_email" label="邮箱（选填）">
          <Input autoComplete="email" spellCheck={false} />
        </Form.Item>
        <Form.Item
          name="scans"
          label={`${type === 1 ? '执业许可证' : '营业执照'}扫描件（选填）`}
          className={css.wide ?? ''}
        >
          <ScansField />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** This form's checks have their own order; the star only marks the required fields. */
const Needed = ({ children }: { children: string }) => <span className={css.needed}>{children}</span>
