import type { Settings } from '#kernel/definition/setting.ts'
import { asOrganisation } from '#modules/base/checks/as-organisation.server.ts'
import { policyForItems, settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * The setting of a rule for these goods in another organisation. The caller gets only the result of `say`, never the
 * settings.
 */
export async function policyOfOrganisation<Answer>(
  tx: Tx,
  session: Session,
  organisation: string,
  asked: { readonly rule: string; readonly goods: readonly string[]; readonly say: (settings: Settings) => Answer },
): Promise<(specification: string) => Answer> {
  const place = { org: organisation, warehouse: null, department: null }
  const [settings, own] = await asOrganisation(
    tx,
    session,
    organisation,
    async () =>
      [await settingsFor(tx, organisation), await policyForItems(tx, place, asked.rule, asked.goods)] as const,
  )
  return specification => asked.say({ ...settings, ...own(specification) })
}
