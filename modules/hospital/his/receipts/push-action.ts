/** 推送HIS: of a document in force that the HIS books as well, and that was not sent, or failed. */
export const pushHis = {
  label: '推送HIS',
  from: ['reviewed', 'partial', 'completed', 'stopped'],
  to: null,
} as const
