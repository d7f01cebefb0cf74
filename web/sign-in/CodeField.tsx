import { App, Button, Form, Input } from 'antd'
import type { FormItemProps } from 'antd'
import { useState } from 'react'
import { ImageCaptchaDialog } from '#web/sign-in/captcha/ImageCaptchaDialog.tsx'
import { PuzzleDialog } from '#web/sign-in/captcha/PuzzleDialog.tsx'
import type { Spend } from '#web/sign-in/proof.ts'
import type { useResend } from '#web/sign-in/resend.ts'
import { CODE_SENT } from '#web/sign-in/SmsForm.tsx'
import css from '#web/sign-in/registration/Register.module.css'

type Props = {
  /** The id of the input, so that the label names it. */
  readonly id: string
  readonly label: string
  readonly resend: ReturnType<typeof useResend>
  /** Checks if a code may be requested now; marks the missing fields if not. */
  readonly mayAsk?: () => boolean
  /** Asks the server for the code, with a solved captcha. */
  readonly onSend: Spend
  readonly rules?: NonNullable<FormItemProps['rules']>
}

/** The field `code` of a form: a code by SMS, its button with the countdown, and the captcha in between. */
export function CodeField({ id, label, resend: { left, start }, mayAsk = () => true, onSend, rules }: Props) {
  const { message } = App.useApp()
  const [proving, setProving] = useState<'image' | 'puzzle' | null>(null)
  const spend: Spend = async proof => {
    await onSend(proof)
    start()
    void message.success(CODE_SENT)
  }
  const dialog = { onSpend: spend, onClose: () => setProving(null) }
  return (
    <>
      <Form.Item label={label} htmlFor={id}>
        <div className={css.pair}>
          <Form.Item name="code" noStyle {...(rules ? { rules } : {})}>
            <Input id={id} inputMode="numeric" autoComplete="one-time-code" />
          </Form.Item>
          <Button disabled={left > 0} onClick={() => mayAsk() && setProving('image')}>
            {left > 0 ? `${left}秒后重新获取` : '获取验证码'}
          </Button>
        </div>
      </Form.Item>
      {proving === 'image' && <ImageCaptchaDialog {...dialog} onOther={() => setProving('puzzle')} />}
      {proving === 'puzzle' && <PuzzleDialog {...dialog} onOther={() => setProving('image')} />}
    </>
  )
}
