import type { FastifyInstance } from 'fastify'
import type { JSONValue, Sql } from 'postgres'
import { type Problem, Refusal } from '#kernel/refusal.ts'
import { listOf } from '#server/engine/sent.ts'
import { bodyOf, changing, reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

const MOST_COLUMNS = 200
const asked = ['userId', 'projectName', 'systemType', 'tableId'] as const
type Column = {
  readonly field: string
  readonly title: string
  readonly fixed?: unknown
  readonly fixedLeft?: unknown
  readonly width?: unknown
  readonly hidden?: unknown
}

/** Each user's own layout of each table. It is the caller's whatever user the call names. */
export function addTables(app: FastifyInstance, sql: Sql): void {
  app.get<{ Querystring: Record<string, unknown> }>('/v1/business/userTableSort/info', request =>
    reading(sql, request, async (tx, session) => {
      const { projectName, tableId } = readNames(request.query, [])
      const [row] = await tx<{ columns: unknown }[]>`
        select columns from table_layout
         where org_id = ${session.org.id} and user_id = ${session.userId} and project_name = ${projectName} and table_id = ${tableId}`
      return done({ info: { columns: row?.columns ?? [] } })
    }),
  )

  app.post('/v1/business/userTableSort/save', request =>
    changing(sql, request, async (tx, session) => {
      const body = bodyOf(request)
      const { projectName, tableId } = readNames(body, ['columns'])
      const columns = readColumns(body.columns)
      await tx`
        insert into table_layout (org_id, user_id, project_name, table_id, columns)
        values (${session.org.id}, ${session.userId}, ${projectName}, ${tableId}, ${tx.json(columns as unknown as JSONValue)})
        on conflict (org_id, user_id, project_name, table_id) do update set columns = excluded.columns`
      return done()
    }),
  )
}

function readNames(
  given: Readonly<Record<string, unknown>>,
  also: readonly string[],
): { projectName: string; tableId: string } {
  const problems: Problem[] = Object.keys(given)
    .filter(name => !(asked as readonly string[]).includes(name) && !also.includes(name))
    .map(name => ({ field: name, msg: `没有“${name.slice(0, 64)}”这个字段` }))
  const text = (name: 'projectName' | 'tableId') => {
    const value = given[name]
    if (typeof value === 'string' && value !== '' && value.length <= 100) return value
    problems.push({ field: name, msg: `请填写${name}` })
    return ''
  }
  const names = { projectName: text('projectName'), tableId: text('tableId') }
  if (problems.length > 0) throw new Refusal('invalid', undefined, problems)
  return names
}

/** The columns as a list, or as its JSON text in a form. */
function readColumns(given: unknown): readonly Column[] {
  const refuse = () => new Refusal('invalid', '列设置格式有误', [{ field: 'columns', msg: '列设置格式有误' }])
  const list = listOf(given)
  if (list === null || list.length > MOST_COLUMNS || JSON.stringify(list).length > 100_000) throw refuse()
  if (
    list.some(column => typeof column !== 'object' || column === null || typeof (column as Column).field !== 'string')
  )
    throw refuse()
  return list as Column[]
}
