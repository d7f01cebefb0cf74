import { clock } from '#kernel/values/date.ts'
import type { Sql } from 'postgres'
import { loadDocuments, patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Session } from '#server/public/session.ts'

type Waiting = { org_id: string; supplier: string; sn: string }

/** Documents that the other side answers within some days, or has agreed to. */
export type Silence = {
  readonly kind: string
  /** The state in which they wait, and the moment from which the days count. */
  readonly state: 'submitted' | 'reviewed'
  readonly since: 'submitted_at' | 'reviewed_at'
  /** The hospital's rule that says after how many days, and the days where none is set. */
  readonly rule: string
  readonly days: number
  /** Posts the agreement in the organisation that was asked for it. */
  readonly books?: (tx: Tx, session: Session, id: string) => Promise<void>
  /** Documents whose own header field has this value are left out: another document is answered instead. */
  readonly but?: { readonly field: string; readonly value: string }
  /** Runs in the organisation that requested the agreement. */
  readonly agreed?: (tx: Tx, session: Session, doc: StoredDocument) => Promise<void>
}

/** Confirms one side's row of the document by silence; does nothing if it was answered meanwhile. */
async function agree(
  sql: Sql,
  side: string,
  { org_id, sn }: Waiting,
  { kind, state, books, agreed }: Silence,
): Promise<void> {
  const session = { ...(await systemSessionOf(sql, side)), userName: '系统' }
  await inOrganisation(sql, side, '0', async tx => {
    const [row] = await tx<{ id: string }[]>`
      select id from document
       where org_id = ${side} and from_org_id = ${org_id} and kind = ${kind} and sn = ${sn}
         and state = ${state} and fields->>'confirm_state' = '1' for update`
    if (!row) return
    const entry = { action: 'confirm', label: '自动确认', state }
    await patchDocument(tx, session, { id: row.id, kind }, { confirm_state: '4' }, entry)
    if (side !== org_id) return books?.(tx, session, row.id)
    const [doc] = await loadDocuments(tx, side, [row.id])
    await agreed?.(tx, session, doc!)
  })
}

/**
 * 自动确认: a supplier that does not answer within the days of the hospital's rule has agreed. Its copy first, then the
 * document itself, each in its own organisation's transaction; if interrupted in between, the next hourly run
 * completes it.
 */
export async function confirmSilent(owner: Sql, silence: Silence): Promise<number> {
  const waiting = await owner<Waiting[]>`
    select d.org_id, d.counterparty_id as supplier, d.sn from document d
      left join hospital_rule r on r.org_id = d.org_id and r.name = ${silence.rule} and r.warehouse_id is null
        and r.department_id is null and r.custom_type_id is null
     where d.kind = ${silence.kind} and d.role = 'own' and d.state = ${silence.state} and d.red_of_id is null
       and d.fields->>'confirm_state' = '1'
       and coalesce(d.fields->>${silence.but?.field ?? ''}, '') is distinct from ${silence.but?.value ?? null}
       and d.${owner(silence.since)} + make_interval(days => coalesce(r.figure::int,
         ${silence.days}::int)) <= ${(clock.at ?? new Date()).toISOString()}`
  for (const doc of waiting) {
    await agree(owner, doc.supplier, doc, silence)
    await agree(owner, doc.org_id, doc, silence)
  }
  return waiting.length
}
