import { f } from '#kernel/definition/field.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { type Has } from '#modules/base/vocabulary/validators.ts'

/** The charge state of a use in the HIS; the program sets it, and nobody enters it. */
export const chargeFields = {
  charge_state: f.pick(
    '计费状态',
    {
      '1': '未计费',
      '2': '已推送计费',
      '4': '已计费',
      '5': '计费失败',
      '6': '退费中',
      '7': '退费失败',
      '3': '已退费',
    },
    {
      readOnly: true,
      default: '1',
      orgs: 'H',
      tones: { '4': 'success', '5': 'danger', '2': 'info', '6': 'info', '7': 'danger' },
    },
  ),
} as const

type Charged = Has<'state' | 'charge_state'>
const stateOf = (doc: Charged) => String(doc.charge_state ?? '1')
const live: readonly State[] = ['reviewed', 'partial', 'completed']

/** 推送计费 and 退费 by hand, where they do not follow from the review and the take-back. */
export const charging = {
  charge: {
    label: '推送计费',
    from: ['submitted', ...live] as readonly State[],
    to: null,
    guards: [
      (doc: Charged) => !['2', '4', '6', '7'].includes(stateOf(doc)) || '已推送计费，请勿重复推送',
      // Only charges that the HIS refused are sent again before the review.
      (doc: Charged) => doc.state !== 'submitted' || stateOf(doc) === '5' || '审核后才能推送计费',
    ],
  },
  refund: {
    label: '退费',
    from: live,
    to: null,
    requiresReason: true,
    guards: [(doc: Charged) => ['2', '4', '5', '7'].includes(stateOf(doc)) || '尚未计费，不需要退费'],
  },
} as const
