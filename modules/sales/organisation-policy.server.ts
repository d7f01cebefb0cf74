import type { Settings } from '#kernel/definition/setting.ts'
import { policyForItems, settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * How another house has a rule for these goods. The transaction stands in that house while its settings are read, so that the row policies
 * hold; nothing is written there, and whoever asks gets the answer that `say` makes of them and never the settings.
 */
export async function policyOfOrganisation<Answer>(
  tx: Tx,
  session: Session,
  organisation: string,
  asked: { readonly rule: string; readonly goods: readonly string[]; readonly say: (settings: Settings) => Answer },
): Promise<(specification: string) => Answer> {
  await tx`select act_as(${organisation}, 0)`
  const settings = await settingsFor(tx, organisation)
  const own = await policyForItems(
    tx,
    { org: organisation, warehouse: null, department: null },
    asked.rule,
    asked.goods,
  )
  await tx`select act_as(${session.org.id}, ${session.userId})`
  return specification => asked.say({ ...settings, ...own(specification) })
}
