import type { Sql } from 'postgres'
import { columnOf } from '#kernel/definition/field.ts'
import { derived, entities } from '#kernel/registry.ts'
import { asOrganisation } from '#modules/base/checks/as-organisation.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Every field that offers values of a dictionary, with where the chosen value is stored. */
const holders = derived(() =>
  entities().flatMap(({ table, scope, fields }) =>
    Object.entries(fields).flatMap(([name, field]) =>
      field.dictionary === undefined
        ? []
        : [
            {
              table,
              column: columnOf(name, field),
              several: field.as === 'codes',
              list: field.dictionary,
              isOwn: scope === 'organisation',
            },
          ],
    ),
  ),
)

export type Use = { readonly list: string; readonly word: string; readonly uses: number }

/** How often each value occurs in rows visible to the transaction: of one organisation, or shared by all. */
async function usesSeen(tx: Tx, ofOrganisations: boolean): Promise<readonly Use[]> {
  const asked = holders().filter(({ isOwn }) => isOwn === ofOrganisations)
  const counts = asked.map(
    ({ table, column, several, list }) =>
      tx`select ${list}::text as list, w.word, count(*)::int as uses from ${tx(table)} cross
        join lateral (select ${several ? tx`unnest(${tx(column)})` : tx(column)} as word) w where w.word is not null
        group by w.word`,
  )
  if (counts.length === 0) return []
  return tx<Use[]>`${counts.reduce((before, one) => tx`${before} union all ${one}`)}`
}

/** The values of every organisation: each is queried as that organisation, as none can read another's rows. */
export async function wordsInUse(tx: Tx, session: Session): Promise<readonly Use[]> {
  const found = [...(await usesSeen(tx, false))]
  const organisations = await tx<{ id: string }[]>`select id from organisation where kept_by_id is null order by id`
  for (const { id } of organisations) found.push(...(await asOrganisation(tx, session, id, () => usesSeen(tx, true))))
  return summed(found)
}

const summed = (found: readonly Use[]): readonly Use[] =>
  [...Map.groupBy(found, ({ list, word }) => `${list} ${word}`).values()].map(some => ({
    ...some[0]!,
    uses: some.reduce((sum, one) => sum + one.uses, 0),
  }))

/** Writes to every item how often it is used. */
export const writeUses = (tx: Tx, found: readonly Use[]) => tx`
  update dictionary_item i set uses = coalesce(n.uses, 0)
    from dictionary_item o join dictionary d on d.id = o.dictionary_id
    left join jsonb_to_recordset(${tx.json(found)}) n(list text, word text, uses int)
      on n.list = d.code and n.word = o.name
   where i.id = o.id and i.uses <> coalesce(n.uses, 0) returning i.id`

/** Every hour, for all. The owner of the tables sees every row. */
export const recountWords = (owner: Sql) =>
  owner.begin(async tx => writeUses(tx, summed([...(await usesSeen(tx, true)), ...(await usesSeen(tx, false))])))
