import { noteDropped } from '#web/engine/http/connection.ts'
import type { AskedColumns } from '#kernel/tables/foreign-table.ts'
import type { DocumentNamed, Problem, Question } from '#kernel/rules/errors.ts'

/** The specified messages for calls that failed before the server could give a reason. */
export const failureTexts = {
  timeout: '网络超时，请检查网络后重新刷新页面再试。',
  unreachable: '客户端异常情况，请稍后刷新页面再试。',
  /** The shell knows that the connection is lost, and keeps what was typed: nobody need load the page again. */
  offline: '断网，操作未完成，填写的内容已保留，重连后请再试',
  repeated: '频繁操作请求！',
  service: '服务错误',
  user: '用户信息错误',
  gone: (status: number) => `【${status}】 - 服务器异常情况，请稍后刷新页面再试。`,
  other: (status: number, message: string) => `【${status}】 - ${message}`,
} as const

/** An error and its place: a field, a document line, or a cell of an imported sheet. */
export type Fault = Problem & { readonly row?: number; readonly column?: string }

export type FailureKind =
  | 'refused'
  | 'question'
  /** The columns of a file are to be named. */
  | 'columns'
  | 'timeout'
  | 'unreachable'
  | 'repeated'
  | 'session'
  /** The body contained '401': straight to /Login, no dialog. */
  | 'signedOut'
  | 'http'
  | 'cancelled'

/** A failed call: the message for the user, and what the page needs to mark or fix it. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly kind: FailureKind
  /** The response code; 0 if no response was read. */
  readonly code: number
  /** Fields, lines and cells to mark. */
  readonly problems: readonly Fault[]
  readonly questions: readonly Question[]
  /** Sent back as `confirm` to continue after the questions. */
  readonly token: string
  /** The document named in the message. */
  readonly document: DocumentNamed | null
  /** The id of the rule that refused it. */
  readonly rule: string | null
  /** The file whose columns are not known. */
  readonly columns: AskedColumns | null
  constructor(
    kind: FailureKind,
    message: string,
    rest: Partial<
      Pick<CallFailure, 'code' | 'problems' | 'questions' | 'token' | 'document' | 'rule' | 'columns'>
    > = {},
  ) {
    super(message)
    this.kind = kind
    this.code = rest.code ?? 0
    this.problems = rest.problems ?? []
    this.questions = rest.questions ?? []
    this.token = rest.token ?? ''
    this.document = rest.document ?? null
    this.rule = rest.rule ?? null
    this.columns = rest.columns ?? null
  }
}

/** The words with which browsers report that a connection was ended on the way, or never reached. */
const ABORTED = new Set(['AbortError', 'TimeoutError', 'NetworkError'])
const isDropped = (thrown: unknown): boolean =>
  thrown instanceof TypeError || (thrown instanceof Error && ABORTED.has(thrown.name))

/** A call that got no whole reply: it alone was dropped, or the connection is lost. */
export async function failureWithoutReply(thrown: unknown): Promise<CallFailure> {
  if (!isDropped(thrown)) return new CallFailure('unreachable', failureTexts.unreachable)
  return new CallFailure('unreachable', (await noteDropped()) ? failureTexts.timeout : failureTexts.offline)
}

/** The message for people of any thrown error. Messages of a browser or a library are replaced. */
export const sentenceOf = (thrown: unknown): string =>
  thrown instanceof Error && /\p{Script=Han}/u.test(thrown.message) ? thrown.message : failureTexts.service

/** True if the server may have executed the call, because its reply is not known. */
export const isUnsure = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && (thrown.kind === 'unreachable' || thrown.kind === 'timeout')

const MOST_SENTENCES = 8

/** All problems that block an action, each once; if there are many, the first ones. */
export function sentencesOf(thrown: unknown): string {
  const first = sentenceOf(thrown)
  if (!(thrown instanceof CallFailure)) return first
  const all = [...new Set([first, ...thrown.problems.map(({ msg }) => msg)])]
  const text = all.slice(0, MOST_SENTENCES).join('；')
  return all.length > MOST_SENTENCES ? `${text}……共${all.length}处` : text
}

/** Cancelled and repeated calls were caused by the user or already reported. */
export const isSilent = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && (thrown.kind === 'cancelled' || thrown.kind === 'signedOut')
