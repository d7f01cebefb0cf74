import type { AnyDocument } from '#kernel/definition/document.ts'
import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import {
  type Direction,
  isDirection,
  partnerTypesByRelation,
  systemType,
  VENDOR_BUYS,
} from '#kernel/values/organisation-type.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { unknownFiles } from '#server/files/save.ts'
import { checkDirections } from '#server/documents/repository/directions.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * The table of a reference's row, and whether it must be the caller's own. Rows of others answer like rows that do
 * not exist.
 */
const homes: Readonly<Record<string, { table: string; own: boolean }>> = {
  organisation: { table: 'organisation', own: false },
  specification: { table: 'specification', own: false },
  product: { table: 'product', own: false },
  unitTree: { table: 'unit_tree', own: false },
  warehouse: { table: 'warehouse', own: true },
  department: { table: 'department', own: true },
  employee: { table: 'employee', own: true },
}

type Found = Map<string, Set<string>>

/** Collects ids by target and checks that each exists, one statement per target. */
async function existing(tx: Tx, org: string, wanted: Map<string, Set<string>>): Promise<Found> {
  const found: Found = new Map()
  await Promise.all(
    [...wanted].map(async ([target, ids]) => {
      const home = homes[target]
      if (!home) return
      const rows = await tx<{ id: string }[]>`
      select id from ${tx(home.table)}
        where id = any(${[...ids]}::bigint[]) ${home.own ? tx`and org_id = ${org}` : tx``}`
      found.set(target, new Set(rows.map(row => row.id)))
    }),
  )
  return found
}

/**
 * Checks that everything the document references exists and may be referenced; the counterparty must have an active
 * relation, unless the document only carries something on to a partner of another organisation (`relayed`).
 */
export async function checkReferences(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: Readonly<Record<string, unknown>>,
  lines: readonly LineInput[],
  last = 0,
  relayed = false,
): Promise<void> {
  const numbers = lineNumbers(lines, last)
  const wanted = new Map<string, Set<string>>()
  const uses: { target: string; id: string; problem: Problem }[] = []
  const note = (target: string | undefined, id: unknown, problem: Problem) => {
    if (!target || typeof id !== 'string') return
    uses.push({ target, id, problem })
    wanted.set(target, (wanted.get(target) ?? new Set()).add(id))
  }
  for (const [name, field] of Object.entries({ ...commonFields, ...definition.header }))
    if (field.as === 'ref')
      note(field.target, header[name], { field: name, msg: `【${field.label}】不存在，请重新选择` })
  lines.forEach((line, at) => {
    for (const [name, field] of Object.entries({ ...commonLineFields, ...definition.lines }))
      if (field.as === 'ref')
        note(field.target, line[name], {
          field: name,
          line: numbers[at]!,
          msg: `第${numbers[at]}行：【${field.label}】不存在，请重新选择`,
        })
  })
  const found = await existing(tx, session.org.id, wanted)
  const problems = [
    ...uses.filter(use => found.has(use.target) && !found.get(use.target)!.has(use.id)).map(use => use.problem),
    ...(await unknownFiles(tx, { ...commonFields, ...definition.header }, [{ values: header }])),
    ...(await unknownFiles(
      tx,
      definition.lines,
      lines.map((values, at) => ({ line: numbers[at]!, values })),
    )),
  ]
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
  if (relayed) return
  await checkDirections(tx, session, definition, header, lines)
  const isFollowUp = Boolean(header.source_sn) || lines.some(line => Boolean(line.source_sn))
  const relation = definition.header.counterparty_sn?.optionsFilter?.relation
  const direction = isDirection(relation) ? relation : null
  await checkCounterparty(tx, session, { id: header.counterparty_sn as string | null, direction, isFollowUp })
}

type Partner = {
  readonly id: string | null | undefined
  readonly direction: Direction | null
  readonly isFollowUp: boolean
}
type Standing = {
  name: string
  system_type: number
  is_live: boolean
  was_live: boolean
  org_status: string
  status: string | null
}

/** A disabled partner gets no new document; what was started with it can be finished: executed, settled and paid. */
async function checkCounterparty(
  tx: Tx,
  session: Session,
  { id: counterparty, direction, isFollowUp }: Partner,
): Promise<void> {
  if (!counterparty || counterparty === session.org.id) return
  // A separate relation (VENDOR_BUYS) may reverse the trade; then each direction is valid and ends separately.
  const turned = direction ? [...partnerTypesByRelation(direction, session.org.type)] : []
  const [standing] = await tx<Standing[]>`
    select o.name, o.system_type, o.status as org_status,
      coalesce(bool_or(r.status = 'enabled') filter (where r.org_id = ${session.org.id}),
      bool_or(r.status = 'enabled'), false) as is_live,
           coalesce(bool_or(r.status in ('enabled', 'disabled', 'ended')), false) as was_live,
             min(r.status) filter (where r.org_id = ${session.org.id} and r.status in ('disabled', 'ended')) as status
      from organisation o
      left join org_relation r on ((r.org_id = ${session.org.id} and r.partner_id = o.id)
        or (r.partner_id = ${session.org.id} and r.org_id = o.id))
        and (${direction === null} or (r.relation = ${VENDOR_BUYS}) = (o.system_type = any(${turned}::int[])))
     where o.id = ${counterparty} group by o.id`
  if (standing && isFollowUp && standing.was_live) return
  // The platform and the organisations on it deal with each other without a relation of trade.
  const isWithPlatform = session.org.type === 'P' || standing?.system_type === systemType.P
  if (direction === null && isFollowUp && isWithPlatform && standing?.org_status === 'enabled') return
  if (standing?.is_live && standing.org_status === 'enabled') return
  const msg = sentenceOf(standing)
  throw new BusinessError('rule', msg, [{ field: 'counterparty_sn', msg }])
}

function sentenceOf(standing: Standing | undefined): string {
  if (standing && standing.org_status !== 'enabled') return `【${standing.name}】机构已停用，不能新增业务单据`
  if (standing?.status === 'ended') return `与【${standing.name}】的合作已终止`
  if (standing?.status === 'disabled') return `相关机构【${standing.name}】已停用`
  return `与【${standing?.name ?? ''}】没有有效的往来关系，请先在相关机构中建立`
}
