/** What somebody who signs wants to see of a paper: whose goods, who asks since when, at which level it stands and what was said before. */
export const signingColumns = [
  'owner_names',
  'submitted_by_name',
  'submitted_at',
  'review_level',
  'current_approvers',
  'last_opinion',
] as const

/** By what work lists of approval are narrowed. */
export const signingFilters = ['handler_inner_sn', 'taxed_amount', 'submitted_at', 'review_level'] as const
