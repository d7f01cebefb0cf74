import { today } from '#kernel/values/date.ts'
import type { LicenceType } from '#modules/trade/licensing/licence-types.ts'
import { patchDocuments } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const LETTER: LicenceType = '采购人员委托书'

/**
 * The note about a person who signs for a customer's goods: null if our archive has no letter of the customer at all,
 * or has one that names the person and is valid today; otherwise it says that the person is not named.
 */
export async function signerNote(
  tx: Tx,
  session: Session,
  customer: string | null,
  signer: unknown,
): Promise<string | null> {
  const name = typeof signer === 'string' ? signer.trim() : ''
  if (customer === null || name === '') return null
  const letters = await tx<{ holder: string; person: string | null; holds: boolean }[]>`
    select o.name as holder, l.person_name as person,
           l.valid_from <= ${today()} and (l.long_term or l.valid_to >= ${today()}) as holds
      from licence l join organisation o on o.id = l.holder_id
     where l.org_id = ${session.org.id} and l.holder_id = ${customer} and l.licence_type = ${LETTER}
       and l.status = 'enabled' and l.audit_state = 'passed'
     order by l.id`
  if (letters.length === 0 || letters.some(({ person, holds }) => holds && person?.trim() === name)) return null
  const named = [...new Set(letters.flatMap(({ person, holds }) => (holds && person ? [person.trim()] : [])))]
  const who = named.length === 0 ? '没有有效的' : `现有：${named.slice(0, 5).join('、')}`
  return `签收人${name}不在${letters[0]!.holder}的${LETTER}中（${who}）`
}

/** Marks deliveries that somebody other than the customer's named person signed for. */
export async function markDeliveries(tx: Tx, session: Session, ids: readonly string[], note: string): Promise<void> {
  await patchDocuments(
    tx,
    session,
    'saleOdo',
    ids.map(id => ({ id, values: { signer_note: note } })),
    'derived',
  )
}
