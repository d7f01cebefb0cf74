import type { ReactNode } from 'react'
import { Button, Result } from 'antd'
import { Link, useNavigate } from 'react-router'
import { documentOf } from '#kernel/registry.ts'
import { CallFailure, sentenceOf } from '#web/engine/http/request-error.ts'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import css from '#web/list/page/ListFrame.module.css'

const sheet = (
  <svg width="72" height="60" viewBox="0 0 72 60" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
    <path d="M16 8h30l10 10v34H16z" />
    <path d="M46 8v10h10M24 26h24M24 34h24M24 42h14" strokeLinecap="round" />
  </svg>
)
const broken = (
  <svg width="72" height="60" viewBox="0 0 72 60" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
    <path d="M10 40c0-6 4-10 10-10 1-9 8-15 17-15s15 5 17 12c5 1 8 5 8 10" strokeLinecap="round" />
    <path d="m28 38 16 14m0-14L28 52" strokeLinecap="round" />
  </svg>
)

/** Empty state: why, and what next. */
export function Blank({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.blank}>
      {sheet}
      <strong>{title}</strong>
      {children}
    </div>
  )
}

type Asked = {
  readonly data: unknown
  readonly error: unknown
  readonly isError: boolean
  readonly isPaused: boolean
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

/** A table without rows: it could not be read, it waits for the connection, or there is nothing (`children`). */
export function WithoutRows({ asked, children }: { asked: Asked; children: ReactNode }) {
  if (asked.isError) return <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />
  if (asked.isPaused && (asked.data === undefined || asked.isPlaceholderData))
    return (
      <div className={css.blank}>
        {broken}
        <strong>断网，重连后自动加载</strong>
      </div>
    )
  return children
}

/** The code of a reply that refuses for want of a right. */
const FORBIDDEN = 403

export const isForbidden = (thrown: unknown): boolean => thrown instanceof CallFailure && thrown.code === FORBIDDEN

/** 403: a page that this account may not open, inside the shell; says who can change that. */
export function Forbidden() {
  const go = useNavigate()
  return (
    <Result
      status="403"
      title="没有权限访问此页面"
      subTitle="如工作需要，请联系本机构管理员在角色管理中授权。"
      extra={[
        <Button key="home" type="primary" onClick={() => void go('/')}>
          返回工作台
        </Button>,
        <Button key="back" onClick={() => void go(-1)}>
          返回上一页
        </Button>,
      ]}
    />
  )
}

/** Failed read: the message, the document it names, and a retry button. */
export function Failed({ thrown, onRetry }: { thrown: unknown; onRetry: () => void }) {
  const addressOf = useDocumentAddress()
  const doc = thrown instanceof CallFailure ? thrown.document : null
  const to = doc === null ? null : addressOf(doc.kind, doc.sn)
  if (isForbidden(thrown)) return <Forbidden />
  return (
    <div className={css.blank} role="alert">
      {broken}
      <strong>数据加载失败</strong>
      <span>{sentenceOf(thrown)}</span>
      {doc !== null && to !== null && (
        <Link to={to}>
          查看{documentOf(doc.kind)?.title} {doc.sn}
        </Link>
      )}
      <Button onClick={onRetry}>重试</Button>
    </div>
  )
}
