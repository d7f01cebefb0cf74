import { replyCodes } from '#kernel/refusal.ts'

/** Too many calls from one place: HTTP 429 with `Retry-After`, in seconds. */
export class TooMany extends Error {
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super(replyCodes.tooMany[1])
    this.retryAfter = retryAfter
  }
}
