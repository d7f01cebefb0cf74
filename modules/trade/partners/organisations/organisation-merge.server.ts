import type { Sql } from 'postgres'
import { type Question, BusinessError } from '#kernel/rules/errors.ts'
import {
  hasBooked,
  createCopies,
  type Merge,
  mergeInto,
} from '#modules/trade/partners/organisations/merge-into.server.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { RecordAction, RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const restoreType = ['', 'RESTOREHOSPITAL', 'RESTOREDEALER', 'RESTOREVENDER'] as const

async function targetOf(
  tx: Tx,
  row: Readonly<RecordRow>,
  answers: Readonly<RecordRow>,
): Promise<{ id: string; name: string }> {
  const [target] = await tx<{ id: string; name: string; system_type: number }[]>`
    select id, name, system_type from organisation where id = ${String(answers.target_sn)} and status = 'enabled'`
  if (!target)
    throw new BusinessError('invalid', undefined, [{ field: 'target_sn', msg: '被编辑过的相关机构名称不存在。' }])
  if (target.id === String(row.org_sn)) throw new BusinessError('rule', '不能与自己合并，请选择另一个机构')
  if (target.system_type !== parseInteger(row.system_type))
    throw new BusinessError('rule', `【${target.name}】的机构类型不同，不能合并`)
  return target
}

/** Announces the effects of a merge before it runs. */
export async function asksOfMerge(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  answers: Readonly<RecordRow>,
): Promise<Question[]> {
  const target = await targetOf(tx, row, answers)
  const source = String(row.org_sn)
  if ((await hasBooked(tx, session, source)) && (await hasBooked(tx, session, target.id)))
    throw new BusinessError('blocked', '两个机构均已发生业务，不能合并')
  const [counted] = await tx<{ users: number; relations: number }[]>`
    select (select count(*)::int from app_user where org_id = ${source}) as users,
           (select count(*)::int from org_relation where org_id = ${source} or partner_id = ${source}) as relations`
  const msg =
    `【${String(row.name)}】的${counted!.users}个用户、${counted!.relations}条交易关系以及证照和产品目录将并入【${target.name}】，随后停用；` +
    '业务单据和账簿留在原机构'
  return [{ rule: 'merge', msg }]
}

/**
 * 合并机构: the source's users, relations, licences and catalogue go to the target; the source is stopped and can be
 * restored.
 */
export const merge: RecordAction = async (tx, session, row, reason, answers) => {
  if (row.status !== 'enabled') throw new BusinessError('wrongState', '机构已停用，不能合并')
  const target = await targetOf(tx, row, answers)
  const moved = await mergeInto(tx, session, String(row.org_sn), target.id)
  await tx`
    insert into recycle_bin (restore_type, kind, object_id, name, code, holder_id, operation, content, related_count,
      deleted_by, delete_reason)
    values (${restoreType[parseInteger(row.system_type)] ?? ''}, 'organisation', ${String(row.org_sn)},
      ${String(row.name)}, ${String(row.code)}, ${target.id}, 'merge',
            ${tx.json(moved)}, ${moved.users.length + moved.relations.length},
              ${session.userName}, ${reason})`
  return { status: 'disabled' }
}

/** Inserts waiting copies at their target; an interrupted process leaves them to the next hourly run. */
export async function createMerged(sql: Sql): Promise<number> {
  const waiting = await sql<{ id: string; content: Merge }[]>`
    select id, content from recycle_bin where operation = 'merge' and state = 'waiting' and not children ? 'laid'
      order by id limit 20`
  for (const { id, content } of waiting) {
    await createCopies(sql, content)
    await sql`update recycle_bin set children = children || '{"laid":[]}' where id = ${id}`
  }
  return waiting.length
}
