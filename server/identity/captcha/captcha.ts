import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Config } from '#server/config.ts'
import { useAllowance } from '#server/identity/allowance.ts'
import { drawCode } from '#server/identity/captcha/code-picture.ts'
import { dataUrl } from '#server/identity/captcha/picture.ts'
import { drawPuzzle, puzzleSize } from '#server/identity/captcha/puzzle-picture.ts'
import { isDragged, readDrag } from '#server/identity/captcha/drag.ts'
import { leaveInOutbox } from '#server/identity/outbox.ts'
import { hashOf } from '#server/identity/sessions.ts'
import { RateLimited } from '#server/access/overload.ts'

/** The parts of the system that the captchas need. */
export type CaptchaService = { readonly sql: Sql; readonly config: Pick<Config, 'captchaOutbox' | 'dataDir'> }

const MINUTES = 5
/** Pictures per address: a whole hospital may share one address, and drawing is costly. */
const pictures = { most: 1200, seconds: 600 } as const

async function keep(
  service: CaptchaService,
  kind: 'code' | 'puzzle',
  answer: string,
  address: string,
): Promise<string> {
  const { isAllowed, wait } = await useAllowance(service.sql, { name: `captcha ${address}`, ...pictures })
  if (!isAllowed) throw new RateLimited(wait)
  const id = randomBytes(18).toString('base64url')
  await service.sql`
    insert into captcha (token_hash, kind, answer, expires_at)
    values (${hashOf(id)}, ${kind}, ${answer}, now() + make_interval(mins => ${MINUTES}))`
  if (service.config.captchaOutbox)
    await leaveInOutbox(service.config.dataDir, 'captcha', {
      id,
      answer: kind === 'puzzle' ? parseInteger(answer) : answer,
    })
  return id
}

/** A picture of characters to be typed. */
export async function newCode(service: CaptchaService, address: string): Promise<{ id: string; img: string }> {
  const { answer, png } = await drawCode()
  return { id: await keep(service, 'code', answer, address), img: dataUrl(png) }
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
export async function newPuzzle(service: CaptchaService, address: string): Promise<NewPuzzle> {
  const { x, y, background, piece } = await drawPuzzle()
  return {
    id: await keep(service, 'puzzle', String(x), address),
    background: dataUrl(background),
    piece: dataUrl(piece),
    y,
    width: puzzleSize.width,
    height: puzzleSize.height,
    piece_size: puzzleSize.piece,
  }
}

/** Checks and consumes the captcha: right or wrong, one try uses it up, and it expires after five minutes. */
export async function mustBeSolved(service: CaptchaService, id: string, answer: string): Promise<void> {
  const [row] = await service.sql<{ kind: string; answer: string; is_live: boolean }[]>`
    delete from captcha where token_hash = ${hashOf(id)} returning kind, answer, expires_at > now() as is_live`
  if (!row?.is_live) throw new BusinessError('captchaGone')
  if (row.kind === 'puzzle') {
    if (!isDragged(readDrag(answer), parseInteger(row.answer), service.config.captchaOutbox))
      throw new BusinessError('puzzleWrong')
  } else if (answer.trim().toUpperCase() !== row.answer) throw new BusinessError('captchaWrong')
}
