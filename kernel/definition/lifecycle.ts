import type { ActionSpec, Guard, BusinessDocument } from '#kernel/definition/document.ts'

type Standard = 'submit' | 'unsubmit' | 'review' | 'reject' | 'unreview' | 'cancel'
type Options<D> = {
  /** Conditions for submitting; the same sentences grey the button. */
  readonly submit?: readonly Guard<D>[]
  readonly review?: readonly Guard<D>[]
  readonly labels?: Partial<Record<Standard, string>>
  readonly neverAuthor?: boolean
  /** What an author is told who tries to review his own paper. */
  readonly ownPaper?: string
  /** The sentence for sending it back without a reason. */
  readonly rejectReason?: string
  /** What is said when the review is taken back too late. */
  readonly taken?: string
}

/** The life of a paper that posts nothing: drafted, submitted, reviewed; cancelled while nothing came of it. */
export function lifecycle<D = BusinessDocument>(options: Options<D> = {}): { [N in Standard]: ActionSpec<D> } {
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
      ...(options.neverAuthor ? { neverAuthor: true } : {}),
      ...(options.ownPaper ? { ownPaper: options.ownPaper } : {}),
    },
    reject: {
      label: label('reject', '驳回'),
      from: ['submitted'],
      to: 'rejected',
      asksReason: options.rejectReason ?? true,
      tone: 'danger',
    },
    unreview: {
      label: label('unreview', '反审核'),
      from: ['reviewed'],
      to: 'submitted',
      ...(options.taken ? { taken: options.taken } : {}),
    },
    cancel: {
      label: label('cancel', '作废'),
      from: ['draft', 'rejected', 'submitted', 'reviewed'],
      to: 'cancelled',
      asksReason: true,
      tone: 'danger',
    },
  }
}

/** The life of a paper that writes ledgers at review: it can be taken back while nothing came of it, or mirrored in red. */
export function postingLifecycle<D = BusinessDocument>(
  options: Options<D> = {},
): { [N in Standard | 'redReverse']: ActionSpec<D> } {
  const plain = lifecycle<D>(options)
  return {
    ...plain,
    review: { ...plain.review, effect: 'post' },
    unreview: { ...plain.unreview, effect: 'unpost' },
    redReverse: {
      label: '红冲',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      effect: 'mirror',
      asksReason: true,
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
  asksReason: true,
  tone: 'danger',
} as const
