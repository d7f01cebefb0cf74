import { ArrowLeftOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Input, type InputRef, Tooltip } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useShortcuts } from '#web/engine/shortcuts.ts'
import type { DetailProps } from '#web/workbench/approvals/ApprovalsPage.tsx'
import css from '#web/workbench/approvals/Approvals.module.css'

/** True if a dialog or a preview is in front. */
const isCovered = (): boolean =>
  document.querySelector('.ant-modal-wrap:not([style*="none"]), .ant-drawer-open') !== null

/** The place of an approval in the list, links to those beside it, and to its own page. */
export function DetailHead({
  approval,
  place,
  onBack,
  onPrevious,
  onNext,
  children,
}: DetailProps & { children?: ReactNode }) {
  return (
    <header className={css.detailHead}>
      <Button
        className={css.back ?? ''}
        type="text"
        icon={<ArrowLeftOutlined />}
        aria-label="返回待审批事项"
        onClick={onBack}
      />
      <h2 className={css.what}>
        {approval.title} <Link to={approval.address}>{approval.name}</Link>
      </h2>
      {children}
      <span className={css.steps}>
        <Tooltip title="上一项（Alt+PageUp）">
          <Button type="text" icon={<LeftOutlined />} aria-label="上一项" disabled={!onPrevious} onClick={onPrevious} />
        </Tooltip>
        {place}
        <Tooltip title="下一项（Alt+PageDown）">
          <Button type="text" icon={<RightOutlined />} aria-label="下一项" disabled={!onNext} onClick={onNext} />
        </Tooltip>
      </span>
    </header>
  )
}

type Props = Pick<DetailProps, 'onPrevious' | 'onNext'> & {
  /** The reason why it cannot be approved, or sent back: null where it can, undefined while that is not known. */
  readonly blocked: string | null | undefined
  readonly rejectBlocked: string | null | undefined
  readonly approveLabel: string
  /** Null: the user may not send it back. */
  readonly rejectLabel: string | null
  readonly busy: boolean
  /** Only the reason of a rejection is stored. */
  readonly reasonOnly?: boolean
  readonly onApprove: (opinion: string) => void
  readonly onReject: (reason: string) => void
}

/** Opinion, 驳回 and 同意, within reach of the thumb: they stay in place while the document scrolls. */
export function DecisionBar(props: Props) {
  const { blocked, rejectBlocked, approveLabel, rejectLabel, busy, reasonOnly = false } = props
  const [opinion, setOpinion] = useState('')
  const [lacks, setLacks] = useState(false)
  const field = useRef<InputRef & { readonly focus: () => void }>(null)
  const text = opinion.trim()
  const approve = () => {
    if (blocked === null && !busy) props.onApprove(text)
  }
  const reject = () => {
    if (rejectLabel === null || rejectBlocked !== null || busy) return
    if (text !== '') return props.onReject(text)
    setLacks(true)
    field.current?.focus()
  }
  useShortcuts('待我审批', [
    { keys: 'Ctrl Shift Enter', what: '同意', run: () => !isCovered() && approve() },
    ...(props.onPrevious ? [{ keys: 'Alt PageUp', what: '上一项', run: props.onPrevious }] : []),
    ...(props.onNext ? [{ keys: 'Alt PageDown', what: '下一项', run: props.onNext }] : []),
  ])
  return (
    <footer className={css.decide}>
      {blocked != null && (
        <p className={css.blocked} role="status">
          不能{approveLabel}：{blocked}
        </p>
      )}
      {lacks && text === '' && (
        <p className={css.lacks} role="alert">
          请填写驳回原因
        </p>
      )}
      <div className={css.buttons}>
        <Input.TextArea
          ref={field as never}
          className={css.opinion ?? ''}
          aria-label={reasonOnly ? '驳回原因' : '审批意见'}
          placeholder={reasonOnly ? '驳回时填写原因' : '审批意见，驳回时必填'}
          maxLength={200}
          autoSize={{ minRows: 1, maxRows: 4 }}
          status={lacks && text === '' ? 'error' : ''}
          value={opinion}
          onChange={event => setOpinion(event.target.value)}
        />
        {rejectLabel !== null && (
          <Tooltip title={rejectBlocked ?? ''}>
            <Button size="large" danger disabled={rejectBlocked !== null || busy} onClick={reject}>
              {rejectLabel}
            </Button>
          </Tooltip>
        )}
        <Tooltip title={blocked ?? 'Ctrl+Shift+Enter'}>
          <Button
            size="large"
            type="primary"
            aria-label="同意"
            loading={busy}
            disabled={blocked !== null}
            onClick={approve}
          >
            同意
          </Button>
        </Tooltip>
      </div>
    </footer>
  )
}
