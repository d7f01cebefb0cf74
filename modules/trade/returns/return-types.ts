/** Return reasons common to both sides; each side adds its own. */
export const returnTypes = {
  quality: '质量退货',
  near_expiry: '近效期退货',
  wrong: '错发退货',
  recall: '召回退货',
  unused: '未用退回',
} as const
