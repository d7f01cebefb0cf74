import type { FastifyInstance } from 'fastify'
import { type BoardCard, type BoardDefinition, type BoardRun, cardsFor } from '#kernel/wall/board-definition.ts'
import type { Answer } from '#kernel/wall/wall-definition.ts'
import { boards } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { instant } from '#kernel/values/date.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { sendExport } from '#server/exports/export-stream.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { done } from '#server/http/envelope.ts'
import {
  type BoardAsked,
  comparedDays,
  ignoredBy,
  placeOf,
  readBoardCall,
  readRun,
  requireBoard,
  requireOwnFilters,
  runsOf,
  wholeOf,
} from '#server/walls/board.ts'
import { boardExport } from '#server/walls/board-export.ts'
import { keptAnswer } from '#server/walls/kept-walls.ts'
import { eachOf, reader } from '#server/walls/who-looks.ts'
import { asksAsDeclared } from '#server/api/request/query-names.ts'

type Asked = { Querystring: Readonly<Record<string, unknown>> }
type Databases = Pick<Database, 'app' | 'slow' | 'exports'>

/** Boards: the content of a card, and all figures of a board as a workbook. */
export function addBoards(app: FastifyInstance, { slow, exports }: Databases): void {
  for (const board of boards()) {
    app.get<Asked>(`/v1/business/board/${board.kind}`, asksAsDeclared, async request => {
      const session = sessionOf(request)
      requireBoard(session, board)
      const { card: name, ...query } = request.query
      const asked = readBoardCall(board, session, query)
      const card = cardsFor(board, session.org.type).find(each => each.name === name)
      if (card === undefined) throw new BusinessError('invalid', '没有这张卡片')
      return done({ info: await answerCard(slow, board, card, session, asked) })
    })
    app.get<Asked>(`/v1/business/board/${board.kind}/export`, asksAsDeclared, async (request, reply) => {
      const session = sessionOf(request)
      requireBoard(session, board)
      requirePermission(session, `${board.kind}.exportData`)
      const asked = readBoardCall(board, session, request.query)
      const answered = []
      for (const card of cardsFor(board, session.org.type))
        answered.push({ ...(await answerCard(slow, board, card, session, asked)), card })
      return sendExport(exports, session, boardExport(board, session, asked, answered, request.query), reply)
    })
  }
}

/**
 * Seconds for which a sum over all organisations is kept for every reader: the organisations are read one after the
 * other.
 */
const SUM_SECONDS = 60

/** The content of a card for its reader. Sums over all organisations are the same for every user of the platform. */
async function answerCard(
  sql: Database['slow'],
  board: BoardDefinition,
  card: BoardCard,
  session: Session,
  asked: BoardAsked,
) {
  const { own, each } = runsOf(board, card, asked)
  const { org, userId } = session
  const whose = asked.filters[board.whose] ?? null
  const { answers, place } = await inOrganisation(sql, org.id, userId, async tx => {
    await requireOwnFilters(tx, board, asked, org.id)
    const read: [string, Answer][] = []
    for (const [name, run] of own)
      read.push([name, wholeOf(run, [await readRun(tx, run, asked, reader(session), true)])])
    return { answers: new Map(read), place: await placeOf(tx, org.id) }
  })
  for (const [name, run] of each) {
    const choice = { ...asked.choice, measure: asked.choice.measure.name }
    const key = JSON.stringify([board.kind, card.name, name, org.id, whose, asked.days, asked.filters, choice])
    answers.set(name, await keptAnswer(key, SUM_SECONDS, () => sumOf(sql, run, asked, session, whose)))
  }
  return {
    card: card.name,
    at: instant(),
    begin_date: asked.days.begin,
    end_date: asked.days.end,
    compared: comparedDays(asked),
    measure: asked.choice.measure.name,
    place,
    answers: Object.fromEntries(answers),
    ignored: Object.fromEntries([...own, ...each].map(([name, run]) => [name, ignoredBy(board, run, asked)])),
  }
}

async function sumOf(
  sql: Database['slow'],
  run: BoardRun,
  asked: BoardAsked,
  session: Session,
  whose: string | null,
): Promise<Answer> {
  const { org, userId } = session
  const all = await inOrganisation(sql, org.id, userId, tx => eachOf(tx, session, run.each!, whose))
  const read: Answer[] = []
  for (const looking of all)
    read.push(
      await inOrganisation(sql, looking.as.org.id, userId, tx => readRun(tx, run, asked, looking, all.length === 1)),
    )
  return wholeOf(run, read)
}
