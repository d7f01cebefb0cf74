import { type Choice, chosenEdit, lookUp, narrowedBy } from '#web/grid/choices.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { type Converted, inUnit } from '#web/grid/units.ts'
import type { Lines } from '#web/grid/lines.ts'
import type { Pasted } from '#web/grid/write-cells.ts'

/** A looked-up text as an edit: the match, or the text with an error mark. */
const resolvedCell = (line: Row, column: GridColumn, text: string, choice: Choice | undefined) =>
  choice === undefined
    ? {
        values: { [column.name]: null, ...(column.textFrom ? { [column.textFrom]: text } : {}) },
        problems: { [column.name]: `没有找到“${text}”` },
      }
    : withoutMark(column.name, inUnit(line, chosenEdit(column, choice)))

const withoutMark = (name: string, { values, problems = {} }: Converted) => ({
  values,
  problems: { ...problems, [name]: null },
})

/**
 * Products and other references are pasted as text: each distinct one is looked up once. Returns how many were not
 * found.
 */
export async function resolveLookups(lines: Lines, lookups: Pasted['lookups']): Promise<number> {
  const named = lookups.map(each => {
    const line = lines.all()[each.at]?.values ?? {}
    return {
      ...each,
      line,
      key: `${each.column.name} ${each.text} ${JSON.stringify(narrowedBy(each.column.field, line))}`,
    }
  })
  const found = new Map<string, Choice | undefined>()
  await Promise.all(
    [...new Map(named.map(each => [each.key, each])).values()].map(async ({ key, column, text, line }) => {
      const choices = await lookUp(column.field, line, text, 5).catch(() => [])
      const exact = choices.find(choice => Object.values(choice.row ?? {}).includes(text))
      found.set(key, exact ?? (choices.length === 1 ? choices[0] : undefined))
    }),
  )
  lines.edit(
    named.map(({ at, column, text, key }) => ({
      at,
      ...resolvedCell(lines.all()[at]?.values ?? {}, column, text, found.get(key)),
    })),
  )
  return [...found.values()].filter(choice => choice === undefined).length
}
