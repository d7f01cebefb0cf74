import { App, Input, Modal } from 'antd'
import { useState } from 'react'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { answerProblem } from '#web/sign-in/checks.ts'
import { CodePicture, useCodePicture } from '#web/sign-in/captcha/CodePicture.tsx'
import { isWrongAnswer, type ProofDialogProps } from '#web/sign-in/proof.ts'
import css from '#web/sign-in/captcha/Captcha.module.css'

/** 图形验证: the characters in the picture, typed beside it. */
export function ImageCaptchaDialog({ onSpend, onClose, onOther }: ProofDialogProps) {
  const { message } = App.useApp()
  const shown = useCodePicture()
  const [answer, setAnswer] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (shown.picture === null) return void message.warning('图形验证码还没有加载完成，请稍候')
    const wrong = answerProblem(answer)
    if (wrong !== null) return void message.warning(wrong)
    setBusy(true)
    try {
      await onSpend({ id: shown.picture.id, result: answer.trim() })
      onClose()
    } catch (thrown) {
      void message.error(sentenceOf(thrown))
      if (!isWrongAnswer(thrown)) return onClose()
      setAnswer('')
      shown.reload()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title="图形验证"
      width={400}
      okText="确定"
      cancelText="取消"
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      <div className={css.row}>
        <Input
          aria-label="图形验证码"
          placeholder="请输入图中内容"
          size="large"
          value={answer}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={event => setAnswer(event.target.value)}
          onPressEnter={event => !event.nativeEvent.isComposing && void submit()}
        />
        <CodePicture {...shown} />
      </div>
      {onOther && (
        <button type="button" className={`link ${css.other}`} onClick={onOther}>
          改用滑块拼图
        </button>
      )}
    </Modal>
  )
}
