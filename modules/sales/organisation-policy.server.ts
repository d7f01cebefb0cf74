import type { Settings } from '#kernel/setting.ts'
import { rulesOfGoods, settingsOf } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * How another house has a rule for these goods. The transaction stands in that house while its settings are read, so that the row policies
 * hold; nothing is written there, and whoever asks gets the answer that `say` makes of them and never the settings.
 */
export async function askedOfHouse<Answer>(
  tx: Tx,
  session: Session,
  house: string,
  asked: { readonly rule: string; readonly goods: readonly string[]; readonly say: (settings: Settings) => Answer },
): Promise<(specification: string) => Answer> {
  await tx`select act_as(${house}, 0)`
  const settings = await settingsOf(tx, house)
  const own = await rulesOfGoods(tx, { org: house, warehouse: null, department: null }, asked.rule, asked.goods)
  await tx`select act_as(${session.org.id}, ${session.userId})`
  return specification => asked.say({ ...settings, ...own(specification) })
}
