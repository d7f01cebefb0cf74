import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Incident = {
  readonly kind: string
  readonly source: string
  readonly description: string
  readonly object: string
  readonly objectNo?: string
  readonly level?: 'info' | 'warning' | 'serious'
  /** The store or cabinet where it is. */
  readonly warehouse?: string
  /** The intercompany message that can be sent again. */
  readonly handOver?: string
  /** The device event that can be processed again. */
  readonly deviceEvent?: string
}

/**
 * Records an incident of daily work: the same cause and object within a day is one row with a counter, a closed one
 * starts again.
 */
export async function recordIncident(
  tx: Tx,
  session: Pick<Session, 'org' | 'userName'>,
  incident: Incident,
): Promise<void> {
  const object = incident.object.slice(0, 200)
  const again = await tx`
    update error_record set times = times + 1, last_at = now(), version = version + 1
     where org_id = ${session.org.id} and object = ${object} and error_kind = ${incident.kind}
       and state in ('waiting', 'working') and last_at > now() - interval '24 hours' returning id`
  if (again.length > 0) return
  await tx`
    insert into error_record (org_id, error_kind, level, source, description, object, operator, object_no,
      warehouse_id, intercompany_message_id, cabinet_event_id)
    values (${session.org.id}, ${incident.kind}, ${incident.level ?? 'warning'}, ${incident.source},
      ${incident.description}, ${object}, ${session.userName}, ${incident.objectNo ?? null},
            ${incident.warehouse ?? null}, ${incident.handOver ?? null}, ${incident.deviceEvent ?? null})`
}

/** An incident that resolved itself needs no one's attention. */
export const resolveIncident = (tx: Tx, org: string, kind: string, object: string, note: string) => tx`
  update error_record set state = 'done', note = ${note}, handled_by = coalesce(handled_by, '系统'), handled_at = now(),
    version = version + 1
   where org_id = ${org} and error_kind = ${kind} and object = ${object} and state in ('waiting', 'working')`
