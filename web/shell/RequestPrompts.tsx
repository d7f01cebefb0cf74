import type { ReadPreview } from '#kernel/tables/foreign-table.ts'
import { App, Input, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { asks, type Answer, type ColumnChoice, lendAsks } from '#web/engine/actions/prompts.ts'
import type { CallFailure } from '#web/engine/http/request-error.ts'
import { forgetSession } from '#web/engine/session/session.ts'
import { ColumnsDialog } from '#web/sheets/ColumnsDialog.tsx'
import { LinkedSentence, usePagesByTitle } from '#web/shell/menu/LinkedSentence.tsx'
import { SignInAgain } from '#web/sign-in/SignInAgain.tsx'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

type Pending<T> = { readonly asked: CallFailure; readonly settle: (answer: T) => void }
type PendingColumns = Pending<ColumnChoice | null> & {
  readonly tryOut: (choice: ColumnChoice) => Promise<ReadPreview>
}

/** The dialogs a call may need from the user; mounted once above all pages. */
export function CallAsks() {
  const { message } = App.useApp()
  const [signingIn, setSigningIn] = useState<CallFailure | null>(null)
  const [question, setQuestion] = useState<Pending<Answer | null> | null>(null)
  const [columns, setColumns] = useState<PendingColumns | null>(null)
  const waiting = useRef<{ go: () => void; give: (rejection: CallFailure) => void }[]>([])
  useEffect(() => {
    const before = { ...asks }
    lendAsks({
      // Several calls may be rejected at once: they share one dialog and continue together.
      signInAgain: rejection =>
        new Promise((resolve, reject) => {
          waiting.current.push({ go: resolve, give: reject })
          setSigningIn(rejection)
        }),
      confirmQuestions: asked => new Promise(settle => setQuestion({ asked, settle })),
      chooseColumns: (asked, tryOut) => new Promise(settle => setColumns({ asked, tryOut, settle })),
      goToSignIn: () => {
        const here = location.pathname + location.search
        forgetSession(here === '/' ? '' : here)
      },
      notify: sentence => void message.error(sentence),
    })
    return () => lendAsks(before)
  }, [message])
  const settleSignIn = (done: boolean) => {
    for (const call of waiting.current.splice(0)) {
      if (done) call.go()
      else if (signingIn !== null) call.give(signingIn)
    }
    setSigningIn(null)
  }
  return (
    <>
      {signingIn !== null && (
        <SignInAgain
          message={signingIn.message}
          onDone={() => settleSignIn(true)}
          onGiveUp={() => settleSignIn(false)}
        />
      )}
      {question !== null && (
        <QuestionDialog
          asked={question.asked}
          onAnswer={answer => {
            question.settle(answer)
            setQuestion(null)
          }}
        />
      )}
      {columns?.asked.columns && (
        <ColumnsDialog
          key={columns.asked.columns.file}
          message={columns.asked.message}
          asked={columns.asked.columns}
          tryOut={columns.tryOut}
          onAnswer={choice => {
            columns.settle(choice)
            setColumns(null)
          }}
        />
      )}
    </>
  )
}

/** Opens a page in a tab of its own: what waits for the answer stays as it is. */
const openBeside = (route: string): void => void window.open(route, '_blank', 'noopener')

/** Warnings that can be confirmed: the messages, a field for a reason, and cancel. */
function QuestionDialog({ asked, onAnswer }: { asked: CallFailure; onAnswer: (answer: Answer | null) => void }) {
  const [reason, setReason] = useState('')
  const pages = usePagesByTitle()
  const questions = asked.questions.length > 0 ? asked.questions : [{ rule: '', msg: asked.message }]
  return (
    <Modal
      open
      title="请确认后继续"
      okText="确认并继续"
      cancelText="返回修改"
      width={MODAL_WIDTH}
      onOk={() => onAnswer({ reason: reason.trim() })}
      onCancel={() => onAnswer(null)}
    >
      <ul style={{ margin: '4px 0 16px', paddingLeft: 20 }}>
        {questions.map(question => (
          <li key={`${question.rule}${question.line ?? ''}${question.msg}`}>
            {question.line ? `第${question.line}行：` : ''}
            <LinkedSentence text={question.msg} pages={pages} open={openBeside} />
          </li>
        ))}
      </ul>
      <label htmlFor="question-reason" className="faint" style={{ display: 'block', marginBottom: 6 }}>
        继续的原因（选填，记入单据历史）
      </label>
      <Input.TextArea
        id="question-reason"
        autoFocus
        autoSize={{ minRows: 2, maxRows: 4 }}
        maxLength={200}
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
    </Modal>
  )
}
