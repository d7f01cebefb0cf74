import type { Sql } from 'postgres'
import { SCAN_HOURS } from '#server/documents/lines/code-scans.ts'
import { keptDays } from '#server/realtime/inbox.ts'

/**
 * Deletes expired data: replies kept for repetition, ended sessions, captchas and codes, yesterday's wrong
 * passwords. Runs as the owner of the tables.
 */
export async function purgeExpired(owner: Sql): Promise<void> {
  await owner`delete from request where at < now() - interval '2 days'`
  await owner`
    delete from message_read r where at < now() - make_interval(days => ${keptDays})
       and not exists (select 1 from message m where m.org_id = r.org_id and m.id = r.message_id and m.needs_confirm)`
  // Messages that needed confirmation are kept for ever.
  await owner`delete from message where at < now() - make_interval(days => ${keptDays}) and not needs_confirm`
  await owner`
    delete from outbound_attempt a using outbound_call c where c.org_id = a.org_id and c.id = a.outbound_call_id
       and c.state in ('succeeded', 'done', 'ignored') and c.at < now() - make_interval(days => ${keptDays})`
  await owner`
    delete from outbound_call where state in ('succeeded', 'done', 'ignored')
      and at < now() - make_interval(days => ${keptDays})`
  await owner`delete from his_message where received_at < now() - make_interval(days => ${keptDays})`
  await owner`
    delete from code_scan where document_id is null and scanned_at < now() - make_interval(hours => ${SCAN_HOURS})`
  await owner`delete from session where expires_at < now()`
  await owner`delete from open_request where at < now() - interval '2 days'`
  await owner`delete from captcha where expires_at < now()`
  await owner`delete from sms_code where expires_at < now() - interval '5 minutes'`
  await owner`delete from allowance where ends_at < now()`
  await owner`delete from sign_in_failure where org_id = 0 and at < now() - interval '1 day'`
}
