import type { ActionSpec, BusinessDocument, Guard } from '#kernel/definition/document.ts'
import type { Effect } from '#kernel/definition/document-state.ts'
import { f } from '#kernel/definition/field.ts'

type Standard = 'submit' | 'unsubmit' | 'review' | 'reject' | 'unreview' | 'cancel'
type With<D, E extends Effect> = ActionSpec<D> & { readonly effect: E }

type Options<D> = {
  /** Conditions for submitting; the same messages disable the button. */
  readonly submit?: readonly Guard<D>[]
  readonly review?: readonly Guard<D>[]
  readonly labels?: Partial<Record<Standard, string>>
  readonly notByAuthor?: boolean
  /** The message for authors who try to review their own document. */
  readonly selfReviewMessage?: string
  /** The message for sending it back without a reason. */
  readonly rejectReason?: string
  /** The message when the review is taken back too late. */
  readonly blockedMessage?: string
}

/**
 * The lifecycle of a document that posts nothing: draft, submitted, reviewed; can be cancelled while nothing was
 * made from it.
 */
export function lifecycle<D = BusinessDocument>(options: Options<NoInfer<D>> = {}): { [N in Standard]: With<D, N> } {
  const label = (name: Standard, standard: string) => options.labels?.[name] ?? standard
  return {
    submit: {
      label: label('submit', '提交'),
      effect: 'submit',
      from: ['draft', 'rejected'],
      to: 'submitted',
      tone: 'primary',
      guards: options.submit ?? [],
    },
    unsubmit: { label: label('unsubmit', '撤回提交'), effect: 'unsubmit', from: ['submitted'], to: 'draft' },
    review: {
      label: label('review', '审核'),
      effect: 'review',
      from: ['submitted'],
      to: 'reviewed',
      tone: 'primary',
      guards: options.review ?? [],
      ...(options.notByAuthor ? { notByAuthor: true } : {}),
      ...(options.selfReviewMessage ? { selfReviewMessage: options.selfReviewMessage } : {}),
    },
    reject: {
      label: label('reject', '驳回'),
      effect: 'reject',
      from: ['submitted'],
      to: 'rejected',
      requiresReason: options.rejectReason ?? true,
      tone: 'danger',
    },
    unreview: {
      label: label('unreview', '反审核'),
      effect: 'unreview',
      from: ['reviewed'],
      to: 'submitted',
      ...(options.blockedMessage ? { blockedMessage: options.blockedMessage } : {}),
    },
    cancel: {
      label: label('cancel', '作废'),
      effect: 'cancel',
      from: ['draft', 'rejected', 'submitted', 'reviewed'],
      to: 'cancelled',
      requiresReason: true,
      tone: 'danger',
    },
  }
}

/**
 * The lifecycle of a document that posts to ledgers at review: it can be taken back while nothing was made from it,
 * or reversed.
 */
export function postingLifecycle<D = BusinessDocument>(
  options: Options<NoInfer<D>> = {},
): { [N in Exclude<Standard, 'review' | 'unreview'>]: With<D, N> } & {
  review: With<D, 'post'>
  unreview: With<D, 'unpost'>
  redReverse: With<D, 'reverse'>
} {
  const plain = lifecycle<D>(options)
  return {
    ...plain,
    review: { ...plain.review, effect: 'post' },
    unreview: { ...plain.unreview, effect: 'unpost' },
    redReverse: {
      label: '红冲',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      effect: 'reverse',
      requiresReason: true,
      tone: 'danger',
    },
    cancel: { ...plain.cancel, from: ['draft', 'rejected', 'submitted'] },
  }
}

/** 终止: the rest of an order will not be executed. */
export const stop = {
  label: '终止',
  effect: 'stop',
  from: ['reviewed', 'partial'],
  to: 'stopped',
  requiresReason: true,
  tone: 'danger',
} as const

/** The lines that 终止行 stops, asked by its dialog: a field of the header. */
export const linesToStop = {
  stop_lines: f.codes('终止的行', {
    unanswered: '请选择要终止的行',
    dialogOnly: true,
    transient: true,
    ofLines: true,
  }),
}
/** Why a line was stopped: a line that has a reason is stopped. */
export const stoppableLine = { stop_reason: f.text('终止原因', { readOnly: true }) }

/**
 * 终止行: of some lines, what is not under way (`progress.underWay`) will not be executed. The order goes on with the
 * others, and ends where nothing is left of them.
 */
export const stopLine = {
  label: '终止行',
  effect: 'stopLines',
  from: ['reviewed', 'partial'],
  to: null,
  reaches: ['completed', 'stopped'],
  requiresReason: true,
  tone: 'danger',
  inputs: ['stop_lines'],
} as const
