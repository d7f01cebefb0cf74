import { CallFailure } from '#web/engine/http/request-error.ts'

/** A solved captcha: its id and the answer. Valid for one use. */
export type Proof = { readonly id: string; readonly result: string }
/** Uses a proof for the call it was solved for. */
export type Spend = (proof: Proof) => Promise<void>
export type ProofDialogProps = {
  readonly onSpend: Spend
  readonly onClose: () => void
  /** Switches to another kind of captcha, for users who find this one hard. */
  readonly onOther?: () => void
}

/** Replies that mean "solve another captcha", not "this cannot be done". */
const CAPTCHA_CODES = [1100, 1109] as const
export const isWrongAnswer = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && thrown.code >= CAPTCHA_CODES[0] && thrown.code <= CAPTCHA_CODES[1]
