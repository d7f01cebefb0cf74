import { replyCodes } from '#kernel/rules/errors.ts'

/** The process is overloaded: HTTP 503 with `Retry-After`, in seconds. */
export class Overloaded extends Error {
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super('系统繁忙，请稍后重试')
    this.retryAfter = retryAfter
  }
}

/** Too many calls of one caller: HTTP 429 with `Retry-After`, in seconds. */
export class RateLimited extends Error {
  readonly retryAfter: number
  constructor(retryAfter: number, sentence: string = replyCodes.tooMany[1]) {
    super(sentence)
    this.retryAfter = retryAfter
  }
}
