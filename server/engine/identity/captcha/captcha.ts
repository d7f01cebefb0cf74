import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { Refusal } from '#kernel/refusal.ts'
import { parseInteger } from '#kernel/integer.ts'
import type { Config } from '#server/config.ts'
import { useAllowance } from '#server/engine/identity/allowance.ts'
import { drawCode } from '#server/engine/identity/captcha/code-picture.ts'
import { drawPuzzle, puzzleSize } from '#server/engine/identity/captcha/puzzle-picture.ts'
import { isDragged, readDrag } from '#server/engine/identity/captcha/drag.ts'
import { leaveInOutbox } from '#server/engine/identity/outbox.ts'
import { hashOf } from '#server/engine/identity/sessions.ts'
import { TooMany } from '#server/engine/too-many.ts'

/** What the captchas need of the house. */
export type CaptchaDesk = { readonly sql: Sql; readonly config: Pick<Config, 'captchaOutbox' | 'dataDir'> }

const MINUTES = 5
/** Pictures for one address: a hospital sits behind one, and drawing costs something. */
const pictures = { most: 1200, seconds: 600 } as const

async function keep(desk: CaptchaDesk, kind: 'code' | 'puzzle', answer: string, address: string): Promise<string> {
  const { isAllowed, wait } = await useAllowance(desk.sql, { name: `captcha ${address}`, ...pictures })
  if (!isAllowed) throw new TooMany(wait)
  const id = randomBytes(18).toString('base64url')
  await desk.sql`
    insert into captcha (token_hash, kind, answer, expires_at)
    values (${hashOf(id)}, ${kind}, ${answer}, now() + make_interval(mins => ${MINUTES}))`
  if (desk.config.captchaOutbox)
    await leaveInOutbox(desk.config.dataDir, 'captcha', {
      id,
      answer: kind === 'puzzle' ? parseInteger(answer) : answer,
    })
  return id
}

/** A picture of characters to be typed. */
export async function newCode(desk: CaptchaDesk, address: string): Promise<{ id: string; img: string }> {
  const { answer, picture } = drawCode()
  return { id: await keep(desk, 'code', answer, address), img: picture.toDataUrl() }
}

export type NewPuzzle = {
  readonly id: string
  readonly background: string
  readonly piece: string
  readonly y: number
  readonly width: number
  readonly height: number
  readonly piece_size: number
}

/** A picture with a hole, and the piece to be dragged into it. */
export async function newPuzzle(desk: CaptchaDesk, address: string): Promise<NewPuzzle> {
  const { x, y, background, piece } = drawPuzzle()
  return {
    id: await keep(desk, 'puzzle', String(x), address),
    background: background.toDataUrl(),
    piece: piece.toDataUrl(),
    y,
    width: puzzleSize.width,
    height: puzzleSize.height,
    piece_size: puzzleSize.piece,
  }
}

/** Takes the captcha away and says whether it was solved: right or wrong, one try consumes it, and after five minutes it is gone. */
export async function mustBeSolved(desk: CaptchaDesk, id: string, answer: string): Promise<void> {
  const [row] = await desk.sql<{ kind: string; answer: string; is_live: boolean }[]>`
    delete from captcha where token_hash = ${hashOf(id)} returning kind, answer, expires_at > now() as is_live`
  if (!row?.is_live) throw new Refusal('captchaGone')
  if (row.kind === 'puzzle') {
    if (!isDragged(readDrag(answer), parseInteger(row.answer), desk.config.captchaOutbox))
      throw new Refusal('puzzleWrong')
  } else if (answer.trim().toUpperCase() !== row.answer) throw new Refusal('captchaWrong')
}
