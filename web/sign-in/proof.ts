import { CallFailure } from '#web/engine/http/request-error.ts'

/** What a solved picture gives: its id and the answer. One use consumes it. */
export type Proof = { readonly id: string; readonly result: string }
/** Spends a proof on the call that it was solved for. */
export type Spend = (proof: Proof) => Promise<void>
export type ProofDialogProps = {
  readonly onSpend: Spend
  readonly onClose: () => void
  /** Another kind of picture, for whom this one is hard. */
  readonly onOther?: () => void
}

/** Replies that mean "solve another picture", not "this cannot be done". */
const CAPTCHA_CODES = [1100, 1109] as const
export const isWrongAnswer = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && thrown.code >= CAPTCHA_CODES[0] && thrown.code <= CAPTCHA_CODES[1]
