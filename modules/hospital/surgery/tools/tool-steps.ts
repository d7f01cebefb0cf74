/** The events in the history of instruments. */
export const toolSteps = {
  register: '入库',
  pack: '组包',
  unpack: '拆出',
  lend: '借出',
  give_back: '归还',
  recall: '撤回送出',
  sterilise: '清洗灭菌',
  service: '检修',
  repair: '报修',
  repaired: '修复',
  lost: '丢失',
  damaged: '损坏',
  found: '找回',
  scrap: '报废',
} as const
export type ToolStep = keyof typeof toolSteps

/** The states of an instrument. */
export const toolStates = {
  in_stock: '在库',
  packed: '已组包',
  out: '送出',
  dirty: '待清洗消毒',
  repair: '维修',
  lost: '丢失',
  scrapped: '报废',
} as const

/** The states of a set of instruments, derived from its place, whether it is clean and which operation has it. */
export const toolsKitStates = {
  ready: '在库可用',
  booked: '已占用',
  out: '送出',
  dirty: '待清洗消毒',
  repair: '维修',
  stopped: '停用',
} as const

/** A tray heavier than this, in kilograms, should be split: WS 310.1 for packs of instruments. */
export const HEAVIEST_TRAY = '7'
