/** The life cycle state of a piece. */
export const unitStates = {
  in_stock: '在库',
  in_transit: '在途',
  used: '已使用',
  opened: '已拆包',
  returned: '已退回',
  issued: '已领出',
  scrapped: '已报废',
  lost: '已损失',
  gone: '已出链',
  void: '已作废',
} as const
