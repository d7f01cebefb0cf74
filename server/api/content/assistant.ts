import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { orgTypeName } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { hooks } from '#server/registry/hooks.ts'
import type { Config } from '#server/config.ts'
import { builtIn } from '#server/assistant/built-in.ts'
import { helpChapters, searchHelp } from '#server/assistant/help.ts'
import type { Toolbox, AnswerModel, Piece } from '#server/assistant/answer-model.ts'
import { ModelFailed, serviceModel } from '#server/assistant/model.ts'
import type { Finding } from '#server/assistant/tool.ts'
import type { SignedIn } from '#server/identity/sessions.ts'
import { configValue } from '#server/settings/platform-config.ts'
import { RateLimited } from '#server/access/overload.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

const LONGEST_QUESTION = 500
/** Questions per user per minute, in this process. */
const MOST_IN_A_MINUTE = 20

/** The help pages, and the assistant that reads them and the user's own figures. */
export function addAssistant(app: FastifyInstance, sql: Sql, llm: Config['llm']): void {
  const model: AnswerModel = llm ? serviceModel(llm) : builtIn
  const asked = new Map<string, number[]>()

  app.get('/v1/help/list', async () => {
    const list = helpChapters()
    return done({ list, total: list.length })
  })

  app.get<{ Querystring: { content?: unknown } }>(
    '/v1/llm/streamChatWithWeb',
    asks('content'),
    async (request, reply) => {
      const session = sessionOf(request)
      if (
        (await inOrganisation(sql, session.org.id, session.userId, tx =>
          configValue(tx, session.org.id, 'assistant'),
        )) !== true
      )
        throw new BusinessError('rule', '本机构未开通AI助手，请联系平台')
      const question = readQuestion(request.query.content)
      restrain(asked, session.userId)
      await stream(request, reply, model, toolbox => ({
        question,
        asker: `${orgTypeName[session.org.type]}“${session.org.name}”`,
        today: today(),
        tools: hooks().assistantTools,
        use: (tool, args) => asPerson(sql, session, tx => tool.run(tx, session, args)),
        help: searchHelp,
        signal: toolbox,
      }))
      return reply
    },
  )
}

function readQuestion(raw: unknown): string {
  const question = typeof raw === 'string' ? raw.trim() : ''
  if (question === '') throw new BusinessError('invalid', undefined, [{ field: 'content', msg: '请输入问题' }])
  if (question.length > LONGEST_QUESTION)
    throw new BusinessError('invalid', undefined, [{ field: 'content', msg: `问题不能超过${LONGEST_QUESTION}字` }])
  return question
}

function restrain(asked: Map<string, number[]>, userId: string): void {
  const now = Date.now()
  const recent = (asked.get(userId) ?? []).filter(at => now - at < 60_000)
  if (recent.length >= MOST_IN_A_MINUTE) throw new RateLimited(60)
  if (asked.size > 5_000) asked.clear()
  asked.set(userId, [...recent, now])
}

/** Runs a tool in its own transaction as the user; a refusal becomes part of the answer. */
async function asPerson(
  sql: Sql,
  session: SignedIn,
  work: (tx: Parameters<Parameters<typeof inOrganisation>[3]>[0]) => Promise<Finding>,
): Promise<Finding> {
  try {
    return (await inOrganisation(sql, session.org.id, session.userId, work)) as Finding
  } catch (thrown) {
    if (!(thrown instanceof BusinessError)) throw thrown
    const text = thrown.reason === 'forbidden' ? '您没有查看这项数据的权限，需要时请联系管理员。' : thrown.message
    return { text, rows: [], links: [] }
  }
}

/** A line of the stream: the client reads it under `result.data[0]`. */
const line = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`
const lineOf = ({ answer, reference = [], rich_text_ref = [] }: Piece): string =>
  line({ code: 0, result: { data: [{ answer, type: 'TEXT_MARKDOWN', reference, rich_text_ref }] } })

/** Streams an answer as `data:` lines that end with `[done]`; a failure on the way is a line with its message. */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  model: AnswerModel,
  toolboxFor: (signal: AbortSignal) => Toolbox,
): Promise<void> {
  const leaving = new AbortController()
  reply.hijack()
  const out = reply.raw
  out.on('close', () => leaving.abort())
  out.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const write = async (text: string) => {
    if (!leaving.signal.aborted && !out.write(text)) await once(out, 'drain', { signal: leaving.signal })
  }
  try {
    for await (const piece of model(toolboxFor(leaving.signal))) await write(lineOf(piece))
  } catch (thrown) {
    if (leaving.signal.aborted) return
    const known = thrown instanceof ModelFailed || thrown instanceof BusinessError
    const why = thrown instanceof ModelFailed ? thrown.cause : known ? undefined : thrown
    if (why !== undefined) request.log.error({ err: why }, 'assistant')
    await write(line({ code: 9999, msg: known ? thrown.message : '服务错误' }))
  }
  out.end('data: [done]\n\n')
}
