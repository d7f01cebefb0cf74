import type { ActionSpec, Guard, BusinessDocument } from '#kernel/definition/document.ts'

type Standard = 'submit' | 'unsubmit' | 'review' | 'reject' | 'unreview' | 'cancel'
/** An action that leaves the ledgers alone, and one with exactly this effect on them. */
type Plain<D> = ActionSpec<D> & { readonly effect?: undefined }
type With<D, E extends ActionSpec<D>['effect']> = ActionSpec<D> & { readonly effect: E }

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
export function lifecycle<D = BusinessDocument>(options: Options<D> = {}): { [N in Standard]: Plain<D> } {
  const label = (name: Standard, standard: string) => options.labels?.[name] ?? standard
  return {
    submit: {
      label: label('submit', '提交'),
      from: ['draft', 'rejected'],
      to: 'submitted',
      tone: 'primary',
      guards: options.submit ?? [],
    },
    unsubmit: { label: label('unsubmit', '撤回提交'), from: ['submitted'], to: 'draft' },
    review: {
      label: label('review', '审核'),
      from: ['submitted'],
      to: 'reviewed',
      tone: 'primary',
      guards: options.review ?? [],
      ...(options.notByAuthor ? { notByAuthor: true } : {}),
      ...(options.selfReviewMessage ? { selfReviewMessage: options.selfReviewMessage } : {}),
    },
    reject: {
      label: label('reject', '驳回'),
      from: ['submitted'],
      to: 'rejected',
      requiresReason: options.rejectReason ?? true,
      tone: 'danger',
    },
    unreview: {
      label: label('unreview', '反审核'),
      from: ['reviewed'],
      to: 'submitted',
      ...(options.blockedMessage ? { blockedMessage: options.blockedMessage } : {}),
    },
    cancel: {
      label: label('cancel', '作废'),
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
  options: Options<D> = {},
): { [N in Exclude<Standard, 'review' | 'unreview'>]: Plain<D> } & {
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
  from: ['reviewed', 'partial'],
  to: 'stopped',
  requiresReason: true,
  tone: 'danger',
} as const
