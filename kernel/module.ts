import type { Definitions } from '#kernel/registry.ts'

/** The definitions that a room of the business adds to the program. */
export type Module = Partial<Omit<Definitions, 'logKind'>>

/** The parts of rooms become one: lists follow each other, names are put together, one room alone says the rest. */
type Joining = 'list' | 'names' | 'one'

/**
 * The parts of all rooms as one object. Refuses what two rooms say although one may, and what no room says although
 * one must.
 */
export function joined<Whole extends object>(
  parts: readonly Partial<Whole>[],
  joining: { readonly [Key in keyof Whole]: Joining },
): Whole {
  const keys = Object.keys(joining) as (keyof Whole & string)[]
  return Object.fromEntries(
    keys.map(key => {
      const said = parts.flatMap(part => (part[key] === undefined ? [] : [part[key]]))
      if (joining[key] === 'list') return [key, said.flat()]
      if (joining[key] === 'names') return [key, named(key, said as object[])]
      if (said.length !== 1) throw new Error(`${said.length} rooms say ${key}; exactly one must`)
      return [key, said[0]]
    }),
  ) as Whole
}

function named(key: string, said: readonly object[]): object {
  const names = said.flatMap(each => Object.keys(each))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two rooms say ${key}.${twice}`)
  return Object.assign({}, ...said)
}

/** Every definition of the program, in the order of its rooms. */
export const definitionsOf = (modules: readonly Module[], logKind: string): Definitions => {
  const said = joined<Required<Module>>(modules, {
    documents: 'list',
    entities: 'list',
    reports: 'list',
    sheets: 'list',
    foreignTables: 'list',
    tools: 'list',
    walls: 'list',
    boards: 'list',
  })
  const screens = [...said.walls, ...said.boards].map(({ screen }) => screen)
  return { ...said, tools: [...said.tools, ...screens], logKind }
}
