import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { licencesChanged } from '#modules/trade/licensing/licences-changed.server.ts'
import { fitGiven } from '#modules/trade/licensing/authorisation-sync.server.ts'
import {
  authorisedIn,
  divisionOf,
  heldFor,
  isCovered,
  problemsOfGoods,
} from '#modules/trade/licensing/authorisation-coverage.server.ts'
import { authorising } from '#modules/trade/licensing/licence-types.ts'
import { deliverLines, passLinesOn } from '#modules/trade/licences/sharing/granted-lines.server.ts'
import { isWithin, parseDivisions } from '#server/public/organisations.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import { requirePermission, type Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type LicenceRow = {
  readonly holder_id: string
  readonly grantor_id: string
  readonly grantor_type: number
  readonly licence_type: string
  readonly origin: string
  readonly status: string
  readonly audit_state: string
  readonly valid_from: string
  readonly valid_to: string | null
  /** Its lines are given to a dealer one by one, elsewhere. */
  readonly is_given: boolean
}

async function licenceOf(tx: Tx, session: Session, licence: unknown): Promise<LicenceRow | undefined> {
  const [authorisation] = await tx<LicenceRow[]>`
    select l.holder_id, g.id as grantor_id, g.system_type as grantor_type, l.licence_type, l.origin, l.status,
      l.audit_state, l.valid_from, case when not l.long_term then l.valid_to end as valid_to,
           exists (select 1 from dealer_authorisation a where a.org_id = l.org_id and a.licence_id = l.id) as is_given
      from licence l join organisation g on g.id = coalesce(l.grantor_id, l.holder_id)
     where l.org_id = ${session.org.id} and l.id = ${String(licence)}`
  return authorisation
}

/**
 * The reason why the lines of an authorisation may not be edited in its current state, or null; once it is approved,
 * users who may renew it may edit them, and it is reviewed again.
 */
function lockedBy(session: Session, authorisation: LicenceRow): string | null {
  if (!authorising.includes(authorisation.licence_type)) return '只有授权书有授权明细'
  if (authorisation.origin === 'granted') return '对方授权的证照由对方维护，不能修改'
  if (authorisation.status !== 'enabled') return '证照已停用或已换证，不能修改授权明细'
  if (authorisation.is_given) return '给经销商的授权请在【证照授权】的【产品授权书】中填写'
  if (authorisation.holder_id === session.org.id) return null
  if (authorisation.audit_state === 'pending') return '证照待审核，请先撤回提交再修改授权明细'
  if (authorisation.audit_state === 'passed') requirePermission(session, 'licence.renew')
  return null
}

/** A line must fit its authorisation: its dates, and a hospital inside the area. */
async function problemsOf(tx: Tx, { after }: Change, authorisation: LicenceRow) {
  const day = (name: string) => (after[name] ?? null) as string | null
  const beyond = [day('valid_from'), day('valid_to')].some(
    each =>
      each !== null &&
      (each < authorisation.valid_from || (authorisation.valid_to !== null && each > authorisation.valid_to)),
  )
  if (beyond) {
    const until = authorisation.valid_to === null ? '长期' : `至${authorisation.valid_to}`
    return [{ field: 'valid_to', msg: `授权期限不能超出授权书的有效期（${authorisation.valid_from}起${until}）` }]
  }
  const area = parseDivisions(String(after.area ?? ''))
  if (area.unknown.length > 0)
    return [{ field: 'area', msg: `没有找到行政区划【${area.unknown[0]}】，请填写省、市或县的全称` }]
  after.area = area.names.length > 0 ? area.names.join('、') : null
  const hospital = day('hospital_sn')
  if (hospital !== null) {
    const [found] = await tx`select 1 from organisation where id = ${hospital} and system_type = 1`
    if (!found) return [{ field: 'hospital_sn', msg: '授权医院应为医院' }]
    if (!isWithin(await divisionOf(tx, hospital), area.stems)) return [{ field: 'area', msg: '授权医院不在授权区域内' }]
  }
  // A manufacturer's authorisation without goods covers everything it makes.
  if (!after.product_sn && !after.manufacturer_sn && authorisation.grantor_type === 3)
    after.manufacturer_sn = authorisation.grantor_id
  return problemsOfGoods(tx, after)
}

/** 转授权: an authorisation given by a dealer must stay within the dealer's own authorisations, if it has any. */
async function beyondOurs(tx: Tx, session: Session, { after }: Change, authorisation: LicenceRow) {
  if (session.org.type !== 'D' || authorisation.grantor_id !== session.org.id) return []
  const asked = authorisedIn({
    after: {
      ...after,
      valid_from: after.valid_from ?? authorisation.valid_from,
      valid_to: after.valid_to ?? authorisation.valid_to ?? '9999-12-31',
    },
  })
  const held = await heldFor(tx, session.org.id, asked)
  return held.length === 0 || (await isCovered(tx, held, asked))
    ? []
    : [{ field: 'product_sn', msg: '授权范围超出本机构获得的授权' }]
}

/**
 * Sets a partner's authorisation back to draft when its lines change, because they were reviewed with it: it must be
 * submitted and reviewed again.
 */
const judgeAgain = (tx: Tx, session: Session, licence: unknown) => tx`
  update licence set audit_state = 'draft', version = version + 1
   where org_id = ${session.org.id} and id = ${String(licence)} and audit_state = 'passed'
     and holder_id <> ${session.org.id}`

/**
 * The lines of an authorisation decide what may be given on, and the licence checks of its goods, here and at whom it
 * was granted to.
 */
async function follow(sql: Sql, session: Session, row: Readonly<RecordRow>): Promise<void> {
  await fitGiven(sql, session.org.id)
  await licencesChanged(sql, session.org.id)
  await deliverLines(sql, session.org.id, String(row.licence_sn))
}

/** What a line that is gone authorised is told once it is gone. */
async function followDeleted(sql: Sql, session: Session, row: Readonly<RecordRow>): Promise<void> {
  await inOrganisation(sql, session.org.id, '0', tx => passLinesOn(tx, session.org.id, String(row.licence_sn)))
  await follow(sql, session, row)
}

export const authorisationLineRules: RecordRules = {
  kind: 'authorisationLine',
  table: 'licence_line',
  mayWrite(_session, action, row) {
    if (action === 'add' || !row) return
    if (row.line_origin === 'given')
      throw new BusinessError('wrongState', '给经销商的授权请在【证照授权】的【产品授权书】中修改')
    if (row.line_origin === 'received') throw new BusinessError('wrongState', '由授权方发来的授权明细不能修改')
  },
  async check(tx, session, change) {
    const { after, before } = change
    if (before && before.licence_sn !== after.licence_sn) return [{ field: 'licence_sn', msg: '授权书不能修改' }]
    const authorisation = await licenceOf(tx, session, after.licence_sn)
    if (!authorisation) return [{ field: 'licence_sn', msg: '请选择授权书' }]
    const locked = lockedBy(session, authorisation)
    if (locked !== null) return [{ field: 'licence_sn', msg: locked }]
    const problems = await problemsOf(tx, change, authorisation)
    return problems.length > 0 ? problems : beyondOurs(tx, session, change, authorisation)
  },
  async mayLeave(tx, session, _action, row) {
    const authorisation = await licenceOf(tx, session, row.licence_sn)
    const locked = authorisation ? lockedBy(session, authorisation) : null
    if (locked) throw new BusinessError('wrongState', locked)
    await judgeAgain(tx, session, row.licence_sn)
  },
  async saved(tx, session, _id, { after }) {
    await judgeAgain(tx, session, after.licence_sn)
    await passLinesOn(tx, session.org.id, String(after.licence_sn))
  },
  // The driver writes arrays as they are; the type of the additionally written columns has plain values only.
  alsoWrites: async (_tx, _session, { after }) => ({
    area_codes: parseDivisions(String(after.area ?? '')).stems as unknown as string,
  }),
  afterwards: (sql, session, _action, row) => follow(sql, session, row),
  afterDeletion: followDeleted,
}
