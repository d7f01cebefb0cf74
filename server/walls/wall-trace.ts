import { BusinessError } from '#kernel/rules/errors.ts'
import { may, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { readCode, trace } from '#server/traceability/trace.ts'
import { lookers } from '#server/walls/who-looks.ts'

/** Columns of an event that a wall may show: neither who did it nor on whom it was used. */
const SHOWN = [
  'seq',
  'at',
  'happened_at',
  'step',
  'step_name',
  'from_org_name',
  'from_place',
  'to_org_name',
  'to_place',
  'quantity',
  'document_kind',
  'document_sn',
  'org_name',
  'undo_of',
  'is_lot',
] as const

const NO_PATIENTS = new Set(['patient', 'figures'])

/** As whom a box is followed: the reader or the hospital that the platform asks for, and never with its patients. */
export async function follower(tx: Tx, session: Session, asked: string | null): Promise<Session> {
  const [looking] = asked === null && session.org.type === 'P' ? [] : await lookers(tx, session, asked)
  const who = looking?.as ?? session
  const flags = who.flags === 'all' ? ['price'] : [...who.flags].filter(flag => !NO_PATIENTS.has(flag))
  return { ...who, flags: new Set(flags.filter(flag => may(who, flag))) }
}

type Found = Awaited<ReturnType<typeof trace>>

/** The chain of a scanned piece or lot as a wall shows it. Codes of every standard are read. */
export async function traceOnWall(tx: Tx, who: Session, code: string): Promise<Found> {
  const { info, list, total } = await traced(tx, who, code)
  const { specification, lot, unit, now, candidates, direction } = info
  const events = list.map(event =>
    Object.fromEntries(SHOWN.map(name => [name, (event as Readonly<Record<string, unknown>>)[name] ?? null])),
  )
  return { info: { specification, lot, unit, now, candidates, direction }, list: events, total }
}

async function traced(tx: Tx, who: Session, code: string): Promise<Found> {
  try {
    return await trace(tx, who, code, '')
  } catch (thrown) {
    if (!(thrown instanceof BusinessError) || thrown.reason !== 'notFound') throw thrown
    const { parsed } = (await readCode(tx, who, code, true)) as { parsed: { ok: boolean; message?: string } }
    throw new BusinessError('notFound', parsed.ok ? '未查询到追溯信息' : `未识别的条码：${parsed.message}`)
  }
}
