import { reportOf } from '#kernel/registry.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { systemSession, type Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { Sql } from '#server/plugins/database.ts'
import type { Compared, Difference } from '#server/figures/compare-figures.ts'
import { measuredBy, type MeasuredDays, measuredOrganisations, sumsOf } from '#server/reports/measures.ts'
import { measuresFor } from '#server/reports/measured-places.ts'

type Org = Session['org']
/** The amounts of an organisation's own page, by the id of the partner. */
type ByPartner = ReadonlyMap<string, Decimal>

/** Compares pages that set two sides beside each other, one organisation after another; what was read is kept. */
export async function counterpartComparison(owner: Sql) {
  const all = await measuredOrganisations(owner)
  const read = new Map<string, ByPartner>()

  /** A measure of one organisation by its partners. */
  async function ownBy(org: Org, name: string, days: MeasuredDays): Promise<ByPartner> {
    const key = `${org.id} ${name} ${days.begin_date} ${days.end_date}`
    const known = read.get(key)
    if (known !== undefined) return known
    const measure = measuresFor(org.type).find(candidate => candidate.name === name)
    const rows =
      measure === undefined
        ? []
        : await inOrganisation(owner, org.id, '0', tx =>
            measuredBy(tx, systemSession(org), measure, days, ['counterparty_sn']),
          )
    const by = new Map(rows.flatMap(({ counterparty_sn: id, amount }) => (id ? [[id, amount] as const] : [])))
    read.set(key, by)
    return by
  }

  /**
   * Compares a page's amount for each partner with that on the partner's own page, and checks that nothing of a
   * difference is unexplained.
   */
  return async function counterpartsOf(org: Org, days: MeasuredDays): Promise<Compared> {
    const differences: Difference[] = []
    let places = 0
    for (const { name, counterpart } of measuresFor(org.type)) {
      if (counterpart === undefined) continue
      const of = reportOf(counterpart.of)
      if (of === undefined) throw new Error(`the counterpart of ${name} is in ${counterpart.of}, which is no report`)
      const shown = await inOrganisation(owner, org.id, '0', tx =>
        sumsOf(
          tx,
          systemSession(org),
          { of, where: days },
          [counterpart.theirs, counterpart.unexplained],
          ['counterparty_sn'],
        ),
      )
      for (const partner of all) {
        if (partner.id === org.id) continue
        const row = shown.find(({ counterparty_sn }) => counterparty_sn === partner.id)
        const theirs = (await ownBy(partner, counterpart.measure, days)).get(org.id) ?? '0.00'
        const compared: readonly (readonly [string, Decimal, Decimal])[] = [
          [partner.name, theirs, (row?.[counterpart.theirs] ?? '0.00') as Decimal],
          [`${partner.name} 原因不明`, '0.00', (row?.[counterpart.unexplained] ?? '0.00') as Decimal],
        ]
        places += compared.length
        for (const [place, value, said] of compared)
          if (compare(value, said) !== 0)
            differences.push({ measure: name, report: counterpart.of, place, value, shown: said })
      }
    }
    return { places, differences }
  }
}
