import type { Settings } from '#kernel/definition/setting.ts'
import { policyForItems, settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * The setting of a rule for these goods in another organisation. The transaction switches to that organisation while
 * its settings are read, so that the row policies apply; nothing is written there, and the caller gets only the
 * answer that `say` makes of them, never the settings.
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
