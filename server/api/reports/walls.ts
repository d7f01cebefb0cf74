import type { FastifyInstance } from 'fastify'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { walls } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { instant } from '#kernel/values/date.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { done } from '#server/http/envelope.ts'
import { reading } from '#server/api/request/transaction.ts'
import { follower, traceOnWall } from '#server/walls/wall-trace.ts'
import { keptAnswer } from '#server/walls/kept-walls.ts'
import {
  grantingOrganisations,
  hasWall,
  hospitalsOf,
  type Looking,
  lookers,
  reader,
  requireWall,
} from '#server/walls/who-looks.ts'
import {
  maskOthers,
  mergeWalls,
  type Part,
  readWall,
  readWallCall,
  saysOfNetwork,
  type WallAnswer,
  type WallAsked,
} from '#server/walls/wall.ts'
import { asks, asksAsDeclared } from '#server/api/request/query-names.ts'

type Asked = { Querystring: Readonly<Record<string, unknown>> }
type Slow = Database['slow']

const organisationAsked = (asked: unknown): string | null => {
  if (asked === undefined || asked === '') return null
  if (typeof asked === 'string' && /^\d{1,18}$/.test(asked)) return asked
  throw new BusinessError('forbidden')
}

/** The longest code of any standard is far shorter. */
const LONGEST = 400
function codeAsked(asked: unknown): string {
  const text = typeof asked === 'string' ? asked.trim() : ''
  const msg = text === '' ? '请扫描或输入条码、批号、单号' : text.length > LONGEST ? '条码过长，请核对后重新扫描' : null
  if (msg !== null) throw new BusinessError('invalid', msg, [{ field: 'code', msg }])
  return text
}

const scopeOf = ({ warehouses, departments, ownOnly, userId }: Session) =>
  JSON.stringify([
    warehouses === 'all' ? null : [...warehouses],
    departments === 'all' ? null : [...departments],
    ownOnly ? userId : null,
  ])

/** The wall of one organisation, computed once per refresh for all who see the same of it. */
function wallOf(
  sql: Slow,
  wall: WallDefinition,
  asked: WallAsked,
  looking: Looking,
  { alone, part }: { readonly alone: boolean; readonly part: Part },
) {
  const { as, seesMoney, seesProfit } = looking
  const key = JSON.stringify([wall.kind, as.org.id, seesMoney, seesProfit, alone, part, scopeOf(as), asked])
  return keptAnswer(key, wall.refresh, () =>
    inOrganisation(sql, as.org.id, as.userId, tx => readWall(tx, wall, asked, looking, alone, part)),
  )
}

/** Walls: the walls that a user may open, and the content of one. */
export function addWalls(app: FastifyInstance, { app: sql, slow }: Pick<Database, 'app' | 'slow'>): void {
  app.get('/v1/business/walls', request =>
    reading(sql, request, async (tx, session) => {
      const list = walls()
        .filter(wall => hasWall(session, wall))
        .map(({ kind }) => ({ kind }))
      const hospitals = session.org.type === 'P' && list.length > 0 ? await hospitalsOf(tx, null) : []
      return done({
        list,
        info: { organisations: hospitals.map(({ id, code, name }) => ({ org_sn: id, code, name })) },
      })
    }),
  )
  for (const wall of walls().filter(({ follows }) => follows))
    app.get<Asked>(`/v1/business/wall/${wall.kind}/trace`, asks('code', 'org'), async request => {
      const session = sessionOf(request)
      requireWall(session, wall)
      const { code, org } = request.query
      const [organisation, text] = [organisationAsked(org), codeAsked(code)]
      const who = await inOrganisation(sql, session.org.id, session.userId, tx => follower(tx, session, organisation))
      return done(await inOrganisation(slow, who.org.id, session.userId, tx => traceOnWall(tx, who, text)))
    })
  for (const wall of walls())
    app.get<Asked>(`/v1/business/wall/${wall.kind}`, asksAsDeclared, async request =>
      done({ info: await answerWall(sql, slow, wall, sessionOf(request), request.query) }),
    )
}

/** The content of a wall now, for one organisation; where the platform names none, for all hospitals. */
async function answerWall(sql: Slow, slow: Slow, wall: WallDefinition, session: Session, query: Asked['Querystring']) {
  requireWall(session, wall)
  const asked = readWallCall(wall, query)
  const organisation = organisationAsked(query.org)
  const isPlatform = session.org.type === 'P'
  const { all, granting } = await inOrganisation(sql, session.org.id, session.userId, async tx => ({
    all: await lookers(tx, session, organisation),
    granting: isPlatform ? await grantingOrganisations(tx) : null,
  }))
  const read: WallAnswer[] = []
  const of = { alone: all.length === 1, part: isPlatform ? 'organisations' : 'all' } as const
  for (const looking of all) read.push(await wallOf(slow, wall, asked, looking, of))
  // A store or a class is a hospital's, and narrows nothing of the network.
  const network = { alone: true, part: 'network' } as const
  if (isPlatform && saysOfNetwork(wall)) {
    const narrowed = Object.entries(asked.filters).filter(([name]) => wall.filters[name]?.as !== 'ref')
    read.push(await wallOf(slow, wall, { ...asked, filters: Object.fromEntries(narrowed) }, reader(session), network))
  }
  const merged = mergeWalls(wall, read)
  const [only] = all
  return {
    kind: wall.kind,
    at: instant(),
    organisation: all.length === 1 && only ? { org_sn: only.as.org.id, name: only.as.org.name } : null,
    begin_date: asked.days.begin,
    end_date: asked.days.end,
    cards: granting === null ? merged : maskOthers(wall, merged, granting),
  }
}
