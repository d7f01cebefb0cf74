import type { DocumentNamed, Problem, Question } from '#kernel/rules/errors.ts'

/** The specification's sentences for calls that went wrong before the server could say why. */
export const failureTexts = {
  timeout: '网络超时，请检查网络后重新刷新页面再试。',
  unreachable: '客户端异常情况，请稍后刷新页面再试。',
  repeated: '频繁操作请求！',
  service: '服务错误',
  user: '用户信息错误',
  gone: (status: number) => `【${status}】 - 服务器异常情况，请稍后刷新页面再试。`,
  other: (status: number, message: string) => `【${status}】 - ${message}`,
} as const

/** What is wrong, and where: a field, a line of a paper, or a cell of an imported sheet. */
export type Fault = Problem & { readonly row?: number; readonly column?: string }

export type FailureKind =
  | 'refused'
  | 'question'
  | 'timeout'
  | 'unreachable'
  | 'repeated'
  | 'session'
  /** The body said '401': straight to /Login, no dialog. */
  | 'signedOut'
  | 'http'
  | 'cancelled'

/** A call that did not succeed: the sentence for the user, and what the page needs to mark or mend it. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly kind: FailureKind
  /** The reply's code; 0 where no reply was read. */
  readonly code: number
  /** Fields, lines and cells to mark. */
  readonly problems: readonly Fault[]
  readonly questions: readonly Question[]
  /** Sent back as `confirm` to go on after the questions. */
  readonly token: string
  /** The paper that the sentence speaks of. */
  readonly paper: DocumentNamed | null
  constructor(
    kind: FailureKind,
    message: string,
    rest: Partial<Pick<CallFailure, 'code' | 'problems' | 'questions' | 'token' | 'paper'>> = {},
  ) {
    super(message)
    this.kind = kind
    this.code = rest.code ?? 0
    this.problems = rest.problems ?? []
    this.questions = rest.questions ?? []
    this.token = rest.token ?? ''
    this.paper = rest.paper ?? null
  }
}

/** The sentence of anything that was thrown. */
export const sentenceOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message !== '' ? thrown.message : failureTexts.service

/** Cancelled and repeated calls were the user's own doing or already said so. */
export const isSilent = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && (thrown.kind === 'cancelled' || thrown.kind === 'signedOut')
