import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Runs a read as another organisation, so that its row policies apply, and then continues as ours, also after an
 * error, which is thrown on unchanged. Nothing may be written there, and the caller shows its users no more than the
 * answer.
 */
export async function asOrganisation<Answer>(
  tx: Tx,
  session: Session,
  organisation: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  const actAgain = () => tx`select act_as(${session.org.id}, ${session.userId})`
  await tx`select act_as(${organisation}, 0)`
  let answer: Answer
  try {
    answer = await read()
  } catch (error) {
    // After an error of the database its transaction takes no more statements: the first error counts.
    await actAgain().catch(() => undefined)
    throw error
  }
  await actAgain()
  return answer
}
