import type { AnyDocument } from '#kernel/definition/document.ts'

/** The states of every document, in lifecycle order. A definition may rename one for its readers, never add one. */
export const states = {
  draft: '草稿',
  submitted: '待审核',
  rejected: '已驳回',
  reviewed: '已审核',
  partial: '部分执行',
  completed: '已完成',
  stopped: '已终止',
  cancelled: '已作废',
  reversed: '已红冲',
} as const
export type State = keyof typeof states

/** States in which the document has no ledger entries. */
export const unposted: readonly State[] = ['draft', 'submitted', 'rejected', 'cancelled']
/** States from which follow-up documents may be made. */
export const open: readonly State[] = ['reviewed', 'partial']
/** States in which a document is live: it prevents its source from being taken back. */
export const alive: readonly State[] = ['draft', 'submitted', 'rejected', 'reviewed', 'partial', 'completed']

/**
 * The field that shows the state of every document of a kind in its own words, where it has one: lists count and filter
 * by it, as their rows show it. A field without a default does not count, since some documents would have no value.
 */
export const standingField = ({ header, lifecycle }: AnyDocument): string | undefined =>
  header[lifecycle.stateField ?? '']?.default === undefined ? undefined : lifecycle.stateField
/**
 * The effect of an action in the engine, by the name that the action then has: history, approvals and permissions know
 * the step by that name. Only `post`, `unpost` and `reverse` change a ledger; `review` brings a document into force
 * that posts nothing, `unreview` undoes that.
 */
export type EffectsByAction = {
  readonly submit: 'submit'
  readonly unsubmit: 'unsubmit'
  readonly reject: 'reject'
  readonly cancel: 'cancel'
  readonly review: 'review' | 'post'
  readonly unreview: 'unreview' | 'unpost'
  readonly redReverse: 'reverse'
  readonly unrefuse: 'unrefuse'
  readonly stop: 'stop'
  readonly stopLine: 'stopLines'
}
export type Effect = EffectsByAction[keyof EffectsByAction]
