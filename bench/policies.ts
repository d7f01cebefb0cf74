import { documents, entities } from '#app/modules.ts'
import { listDocuments } from '#server/documents/list/list.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { listRecords } from '#server/records/read.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import type { Bench } from './bench.ts'
import { WARM } from './posting.ts'
import { hold, p25, p50, sideBySide } from './stopwatch.ts'

const GOAL = 1.25

/**
 * Every list under the row policies of the application role, compared with the same statements as the owner, who
 * bypasses them.
 */
export async function benchPolicies(bench: Bench): Promise<() => Promise<void>> {
  return () => comparePolicies(bench)
}

async function comparePolicies(bench: Bench): Promise<void> {
  const { app, owner } = bench.database
  const { id: org } = await bench.one<{ id: string }>("select id from organisation where code = 'H01'")
  const session = await systemSessionOf(app, org)
  const lists = [
    ...documents.map(definition => ({
      kind: definition.kind,
      read: (tx: Tx) => listDocuments(tx, session, definition, {}) as Promise<unknown>,
    })),
    ...entities.map(definition => ({
      kind: definition.kind,
      read: (tx: Tx) => listRecords(tx, session, definition, {}) as Promise<unknown>,
    })),
  ]
  const ratios: { kind: string; ratio: number }[] = []
  for (const { kind, read } of lists) {
    const under = () => inOrganisation(app, org, '0', read)
    const without = () => inOrganisation(owner, org, '0', read)
    for (let run = 0; run < WARM; run++) await under()
    for (let run = 0; run < WARM / 5; run++) await without()
    const [ours, bare] = await sideBySide(10, under, without, 6)
    ratios.push({ kind, ratio: p25(ours) / p25(bare) })
  }
  ratios.sort((a, b) => b.ratio - a.ratio)
  const worst = ratios.slice(0, 3).map(({ kind, ratio }) => `${kind} ${ratio.toFixed(2)}x`)
  const over = ratios.filter(({ ratio }) => ratio > GOAL).length
  for (const { kind, ratio } of ratios) hold(`row policies on ${kind}`, ratio, { most: GOAL })
  console.log(
    `${`row policies on ${ratios.length} lists, against the owner`.padEnd(52)} median ` +
      `${p50(ratios.map(({ ratio }) => ratio)).toFixed(2)}x, worst ${worst.join(', ')}; ${over} above ${GOAL}x ` +
      `(goal ≤ ${GOAL}x each)`,
  )
}
