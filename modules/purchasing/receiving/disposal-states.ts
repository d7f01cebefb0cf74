/** How far what did not pass inspection is from being gone. */
export const disposalStates = { '1': '待处置', '2': '处置中', '3': '已处置' } as const
/** By which papers unqualified goods that lie in stock go: back to their supplier, into the fire, or back against others of the kind. */
export const disposalMethods = { return: '退货', destroy: '销毁', exchange: '换货' } as const
