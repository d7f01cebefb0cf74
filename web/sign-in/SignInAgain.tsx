import { App, Modal } from 'antd'
import { useNavigate } from 'react-router'
import { letAskToSignIn } from '#web/engine/actions/prompts.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { currentSession, forgetSession, type Session } from '#web/engine/session/session.ts'
import { resetTabs } from '#web/shell/tabs/tabs.ts'
import { SignInTabs } from '#web/sign-in/SignInTabs.tsx'

/** Shown over the open page: the session ended, but the work on the page is kept. */
export function SignInAgain({
  message: why,
  onDone,
  onGiveUp,
}: {
  message: string
  onDone: () => void
  onGiveUp: () => void
}) {
  const navigate = useNavigate()
  const { message, notification } = App.useApp()
  const before = currentSession()
  const goOn = (session: Session) => {
    if (before !== null && before.userId !== session.userId) {
      // Another user's pages and messages must not be shown.
      notification.destroy()
      queryClient.clear()
      resetTabs()
      void navigate('/')
    } else void queryClient.invalidateQueries()
    void message.success('登录成功')
    onDone()
  }
  return (
    <Modal
      open
      title="重新登录"
      width={360}
      footer={null}
      mask={{ closable: false }}
      onCancel={() => {
        letAskToSignIn(false)
        onGiveUp()
        forgetSession()
      }}
    >
      <p style={{ margin: '4px 0 8px', fontSize: 13 }} className="faint">
        {why.replace(/。?$/, '。')}登录后继续刚才的操作。
      </p>
      <SignInTabs size="middle" login={before?.login ?? ''} wording="shell" onSignedIn={goOn} />
    </Modal>
  )
}
