import { entityOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { addRecord, deleteRecord, editRecord } from '#server/public/records.ts'
import { requirePermission, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The approvers of each level where 审核设置 names none yet; at the last level those responsible for the goods. */
const signers = [['护士长', '科室护士'], ['科主任'], ['设备科', '库管员']] as const

type Setting = { id: string; version: number; needs_review: boolean }
type Level = { id: string; version: number; level_no: number }

/** The effective 审核设置 for requisitions of the whole organisation, and its levels. */
async function standing(tx: Tx, org: string): Promise<{ setting: Setting | null; levels: readonly Level[] }> {
  const [setting] = await tx<Setting[]>`
    select id, version, needs_review from audit_setting
     where org_id = ${org} and document_kind = 'requisition' and warehouse_id is null and department_id is null
       and status = 'enabled' limit 1`
  const levels = setting
    ? await tx<Level[]>`
        select id, version, level_no from audit_level where org_id = ${org} and audit_setting_id = ${setting.id}
          order by level_no`
    : []
  return { setting: setting ?? null, levels }
}

const definition = (kind: string) => entityOf(kind)!

/**
 * 申领审批级数: sets the number of levels in 审核设置 for requisitions, through the same records, rights and log as there.
 * Existing levels are kept from the first on; a new one is approved by the role of its name, and is refused if no
 * user has that role.
 */
export async function setClaimLevels(tx: Tx, session: Session, wanted: number): Promise<void> {
  const { setting, levels } = await standing(tx, session.org.id)
  const now = setting === null ? 1 : setting.needs_review ? Math.max(1, levels.length) : 0
  if (wanted === now) return
  requirePermission(session, `auditSetting.${setting ? 'edit' : 'add'}`)
  const needs_review = wanted > 0
  const sn = setting
    ? setting.id
    : (await addRecord(tx, session, definition('auditSetting'), { document_kind: 'requisition', needs_review })).sn
  if (setting && setting.needs_review !== needs_review)
    await editRecord(tx, session, definition('auditSetting'), { sn, version: setting.version, needs_review })
  if (wanted === 0) return
  for (const level of levels.slice(wanted))
    await deleteRecord(tx, session, definition('auditLevel'), { sn: level.id, version: level.version })
  // A single level without a named approver is any user with the right; with several, each has its approver.
  if (wanted === 1 && levels.length === 0) return
  for (let at = levels.length; at < wanted; at++)
    await addLevel(tx, session, String(sn), at, levels.at(-1)?.level_no ?? 0)
}

async function addLevel(tx: Tx, session: Session, setting: string, at: number, last: number): Promise<void> {
  const names = [...signers[at]!]
  const [role] = await tx<{ id: string; name: string }[]>`
    select r.id, r.name from role r
     where r.org_id = ${session.org.id} and r.status = 'enabled' and r.name = any(${names})
       and exists (select 1 from user_role g join app_user u on u.id = g.user_id and u.status = 'enabled'
         where g.role_id = r.id)
     order by array_position(${names}, r.name) limit 1`
  if (!role) {
    const msg = `第${at + 1}级没有审核人：请先给角色【${names[0]}】指派人员，或在审核设置中为物资申领单增加级次`
    throw new BusinessError('rule', msg, [{ field: 'figure', msg }])
  }
  await addRecord(tx, session, definition('auditLevel'), {
    audit_setting_sn: setting,
    level_no: Math.max(at, last) + 1,
    name: `${role.name}审核`,
    roles: [role.id],
  })
}
