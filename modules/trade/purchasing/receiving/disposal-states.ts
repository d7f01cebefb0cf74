/** Disposal progress of goods that did not pass inspection. */
export const disposalStates = { '1': '待处置', '2': '处置中', '3': '已处置' } as const
/** How unqualified goods in stock leave: returned to their supplier, destroyed, or exchanged for others of the kind. */
export const disposalMethods = { return: '退货', destroy: '销毁', exchange: '换货' } as const
