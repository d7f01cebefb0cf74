/** The states of a bottle. */
export const bottleStates = {
  in_stock: '在库',
  opened: '已开瓶',
  loaded: '在机',
  unloaded: '已下机',
  finished: '已用完',
  scrapped: '已报废',
} as const
export type BottleState = keyof typeof bottleStates

/** The operations on a bottle after it was taken in. */
export const operations = {
  open: '开瓶',
  load: '上机',
  unload: '下机',
  reconstitute: '复溶',
  finish: '用完',
  scrap: '报废',
} as const
export type Operation = keyof typeof operations
export const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name)

/** An operation in the words of the trace. */
export const tracedAs = (operation: Operation) => (operation === 'scrap' ? 'discard' : operation)

/** The steps in the record of a bottle: the operations, and that it was taken in, taken back or left by a document. */
export const stepNames = { receive: '领入', ...operations, tests: '登记测试数', undo: '撤销', leave: '离开' } as const

/** The step at which a bottle counts as used. */
export type ConsumedOn = 'open' | 'load'

const ways: Readonly<Record<Operation, readonly BottleState[]>> = {
  open: ['in_stock'],
  load: ['opened', 'unloaded'],
  unload: ['loaded'],
  reconstitute: ['opened'],
  finish: ['opened', 'loaded', 'unloaded'],
  scrap: ['opened', 'loaded', 'unloaded'],
}
const results: Readonly<Record<Operation, BottleState | null>> = {
  open: 'opened',
  load: 'loaded',
  unload: 'unloaded',
  reconstitute: null,
  finish: 'finished',
  scrap: 'scrapped',
}

/** The state after an operation. */
export const stateAfter = (operation: Operation, state: BottleState): BottleState => results[operation] ?? state

/**
 * The reason why an operation is not possible in this state; a bottle that analysers open themselves is loaded
 * unopened.
 */
export function whyNot(
  operation: Operation,
  bottle: { readonly code: string; readonly state: BottleState; readonly consumed_on: ConsumedOn },
): string | null {
  const opensItself = operation === 'load' && bottle.state === 'in_stock' && bottle.consumed_on === 'load'
  if (opensItself || ways[operation].includes(bottle.state)) return null
  const refusal = `试剂${bottle.code}当前状态为${bottleStates[bottle.state]}，不能${operations[operation]}`
  return operation === 'scrap' && bottle.state === 'in_stock' ? `${refusal}，未开瓶的请办理报废单` : refusal
}
