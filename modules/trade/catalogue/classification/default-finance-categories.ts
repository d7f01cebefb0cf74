/** 财务分类: the usual sub-accounts of a hospital's stock; the first five are 卫生材料 and may be charged. */
export const usualAccounts = [
  '血库材料',
  '医用气体',
  '影像材料',
  '化验材料',
  '其他卫生材料',
  '低值易耗品',
  '其他材料',
] as const
