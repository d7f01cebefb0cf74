import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Runs a read as another organisation, so that its row policies apply, and then continues as ours. Nothing may be
 * written there, and the caller shows its users no more than the answer.
 */
export async function asOrganisation<Answer>(
  tx: Tx,
  session: Session,
  organisation: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  await tx`select act_as(${organisation}, 0)`
  try {
    return await read()
  } finally {
    await tx`select act_as(${session.org.id}, ${session.userId})`
  }
}
