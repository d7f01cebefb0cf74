/** The result of a transfer at the bank. */
export const transferResults = {
  waiting: '待回盘',
  accepted: '银行已受理',
  asked: '待确认',
  paid: '成功',
  failed: '失败',
  returned: '退汇或冲正',
  part: '金额不符',
} as const
