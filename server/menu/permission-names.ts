import { derived } from '#kernel/registry.ts'
import type { Question } from '#kernel/rules/errors.ts'
import { permissionNodes } from '#server/menu/permission-tree.ts'
import { extraFlags } from '#server/menu/menu.ts'

const names = derived(
  (): ReadonlyMap<string, string> =>
    new Map(
      permissionNodes().flatMap((node, _at, all) => {
        const page = all.find(one => one.key === node.parent)
        return node.flag === null
          ? []
          : [[node.flag, node.type === 2 && page ? `${page.content}·${node.content}` : node.content]]
      }),
    ),
)

/** The readable name of a right: 采购订单·审核; one that no page has keeps its flag. */
export function flagName(flag: string): string {
  return names().get(flag) ?? (extraFlags as Readonly<Record<string, string>>)[flag] ?? flag
}

const MOST = 12

/** Some rights in one sentence; for a long list, their number. */
export function flagNames(flags: readonly string[]): string {
  const shown = flags.slice(0, MOST).map(flagName).join('、')
  return flags.length > MOST ? `${shown}等${flags.length}项` : shown
}

/** The permissions that saving a role adds and removes, as a question for the user. */
export function rolePermissionDiff(name: string, before: readonly string[], after: readonly string[]): Question[] {
  const [had, has] = [new Set(before), new Set(after)]
  const [added, gone] = [after.filter(flag => !had.has(flag)), before.filter(flag => !has.has(flag))]
  return [
    ...(added.length > 0 ? [{ rule: 'added', msg: `角色【${name}】增加权限：${flagNames(added)}` }] : []),
    ...(gone.length > 0 ? [{ rule: 'withdrawn', msg: `角色【${name}】收回权限：${flagNames(gone)}` }] : []),
  ]
}
