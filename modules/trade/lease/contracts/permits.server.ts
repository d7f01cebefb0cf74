import { type Day, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The licences under which a tenant trades or makes goods. */
const TRADES = ['医疗器械经营许可证', '第二类医疗器械经营备案凭证', '医疗器械生产许可证']
/** The scope of a permit that allows its holder to store and deliver for others (医疗器械经营监督管理办法 §38). */
const STORES_FOR_OTHERS = '贮存|第三方物流'

/** The owner of a leased warehouse needs the permit to store for others. */
export async function needsStoragePermit(tx: Tx, session: Session, day: Day = today()): Promise<void> {
  const [held] = await tx`
    select 1 from licence l
     where l.org_id = ${session.org.id} and l.holder_id = ${session.org.id} and l.licence_type = '医疗器械经营许可证'
       and l.status = 'enabled' and l.audit_state = 'passed' and l.scope ~ ${STORES_FOR_OTHERS}
       and l.valid_from <= ${day}::date and (l.long_term or l.valid_to is null or l.valid_to >= ${day}::date) limit 1`
  if (!held) throw new BusinessError('rule', '本机构不具备提供贮存服务的资质')
}

/** The name of a tenant without a valid permit to trade or make on the day; null if there is one. */
export async function withoutPermit(tx: Tx, org: string, lessee: string, day: Day = today()): Promise<string | null> {
  const [row] = await tx<{ name: string; holds: boolean }[]>`
    select o.name, exists (
        select 1 from licence l
         where l.org_id = ${org} and l.holder_id = o.id and l.licence_type = any(${TRADES}) and l.status = 'enabled'
           and l.audit_state = 'passed' and l.valid_from <= ${day}::date
           and (l.long_term or l.valid_to is null or l.valid_to >= ${day}::date)) as holds
      from organisation o where o.id = ${lessee}`
  return row?.holds === true ? null : (row?.name ?? '')
}
