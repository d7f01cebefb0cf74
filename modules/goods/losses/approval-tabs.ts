/**
 * The columns that an approver needs: owner of the goods, who submitted the document and when, its current level, and
 * the earlier opinions.
 */
export const signingColumns = [
  'owner_names',
  'submitted_by_name',
  'submitted_at',
  'review_level',
  'current_approvers',
  'last_opinion',
] as const

const filterLabels = { taxed_amount: '金额区间' } as const

/** The approver's work list: waiting documents, and those that the approver approved or sent back. */
export const signingTabs = <const S extends { readonly route: `/${string}` }>(page: S, besides: string) =>
  [
    {
      ...page,
      filterLabels,
      tab: '待审核',
      leads: true,
      purpose: besides,
      where: { mine: 'waiting' },
      counted: {},
      states: ['submitted'],
      actions: ['review', 'reject'],
    },
    {
      ...page,
      filterLabels,
      tab: '已处理',
      purpose: '本人审核或驳回过的单据；没有后续业务的可以反审核',
      where: { mine: 'signed' },
      actions: ['unreview'],
    },
  ] as const

/** The filters of approval work lists. */
export const signingFilters = ['handler_inner_sn', 'taxed_amount', 'submitted_at', 'review_level'] as const
