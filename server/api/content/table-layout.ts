import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { screenKey } from '#kernel/definition/screen.ts'
import { boards } from '#kernel/registry.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { hasBoard } from '#server/walls/board.ts'
import { type LayoutColumn, saveTableLayout, sharedLayouts, tableLayout } from '#server/preferences/table-layout.ts'
import { parseList } from '#server/access/untrusted-input.ts'
import { bodyOf, changing, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

const MOST_COLUMNS = 200
const asked = ['userId', 'projectName', 'systemType', 'tableId'] as const

/** Each user's own layout of each table. It is always the caller's, whatever user the call names. */
export function addTables(app: FastifyInstance, sql: Sql): void {
  app.get<{ Querystring: Record<string, unknown> }>('/v1/business/userTableSort/info', asks(...asked), request =>
    reading(sql, request, async (tx, session) => {
      const { projectName, tableId } = readNames(request.query)
      return done({ info: { columns: await tableLayout(tx, session, projectName, tableId) } })
    }),
  )

  // The filters of saved schemes of lists stay with their author: they may name a patient.
  app.get<{ Querystring: Record<string, unknown> }>('/v1/business/userTableSort/shared', asks(...asked), request =>
    reading(sql, request, async (tx, session) => {
      const { projectName, tableId } = readNames(request.query)
      const board = boards().find(({ screen }) => tableId === `${screenKey(screen)}:schemes`)
      if (board === undefined || !hasBoard(session, board)) throw new BusinessError('forbidden')
      return done({ list: (await sharedLayouts(tx, session, projectName, tableId)).map(({ scheme }) => scheme) })
    }),
  )

  app.post('/v1/business/userTableSort/save', request =>
    changing(sql, request, async (tx, session) => {
      const body = bodyOf(request, [...asked, 'columns'])
      const { projectName, tableId } = readNames(body)
      const columns = readColumns(body.columns)
      await saveTableLayout(tx, session, projectName, tableId, columns)
      return done()
    }),
  )
}

function readNames(given: Readonly<Record<string, unknown>>): { projectName: string; tableId: string } {
  const problems: Problem[] = []
  const text = (name: 'projectName' | 'tableId') => {
    const value = given[name]
    if (typeof value === 'string' && value !== '' && value.length <= 100) return value
    problems.push({ field: name, msg: `请填写${name}` })
    return ''
  }
  const names = { projectName: text('projectName'), tableId: text('tableId') }
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  return names
}

/** The columns as a list, or as its JSON text in a form. */
function readColumns(given: unknown): readonly LayoutColumn[] {
  const refuse = () => new BusinessError('invalid', '列设置格式有误', [{ field: 'columns', msg: '列设置格式有误' }])
  const list = parseList(given)
  if (list === null || list.length > MOST_COLUMNS || JSON.stringify(list).length > 100_000) throw refuse()
  if (
    list.some(
      column => typeof column !== 'object' || column === null || typeof (column as LayoutColumn).field !== 'string',
    )
  )
    throw refuse()
  return list as LayoutColumn[]
}
