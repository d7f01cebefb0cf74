import { randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { addDays, today } from '#kernel/values/date.ts'
import type { Organisations } from '#demo/masters/organisations.ts'
import { idOf, insertRows, newIds } from '#demo/rows.ts'
import { divisionPath } from '#server/reference/divisions.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'

/** Partners that are not on the platform yet, each known to the organisation it trades with. */
const partners = [
  {
    keeper: 'H01',
    relation: 'HD',
    type: 2,
    name: '溪桥演示医疗器械经营部',
    credit: '92320506DEM000911A',
    division: '320506',
    person: '甄望舒',
    phone: '13900000911',
  },
  {
    keeper: 'D01',
    relation: 'DH',
    type: 1,
    name: '蘅塘演示社区卫生服务中心',
    credit: '12320507DEM000912C',
    division: '320507',
    person: '叶听澜',
    phone: '13900000912',
  },
  {
    keeper: 'V01',
    relation: 'DV',
    type: 2,
    name: '青筠演示医疗科技有限公司',
    credit: '91330108DEM000913E',
    division: '330108',
    person: '简攸宁',
    phone: '13900000913',
  },
] as const

export async function loadLocalPartners(tx: TransactionSql, { organisations }: Organisations): Promise<void> {
  const ids = await newIds(
    tx,
    partners.map(partner => partner.credit),
  )
  await insertRows(
    tx,
    'organisation',
    partners.map(partner => ({
      id: idOf(ids, partner.credit),
      code: 'W0001',
      name: partner.name,
      system_type: partner.type,
      social_credit_code: partner.credit,
      administrative_division_sn: partner.division,
      division_name: divisionPath(partner.division),
      registrant: partner.person,
      registrant_phone: partner.phone,
      pinyin: pinyinInitials(partner.name),
      uses_system: false,
      kept_by_id: idOf(organisations, partner.keeper),
    })),
  )
  await insertRows(
    tx,
    'org_relation',
    partners.map(partner => ({
      org_id: idOf(organisations, partner.keeper),
      partner_id: idOf(ids, partner.credit),
      relation: partner.relation,
      contact: partner.person,
      phone: partner.phone,
    })),
  )
}

const authorisations = [
  { from: 'V01', to: 'D01', relation: 'DV', no: 'SQ2026-V01-D01-01', until: '2028-12-31' },
  { from: 'D01', to: 'D02', relation: 'DD', no: 'SQ2026-D01-D02-01', until: '2027-12-31' },
] as const

/** A maker's product in one province, and the part of it that its dealer passed on; each as granted and as received. */
export async function loadAuthorisations(
  tx: TransactionSql,
  { organisations }: Organisations,
  products: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { from, to, relation, no, until } of authorisations) {
    const [org, dealer] = [idOf(organisations, from), idOf(organisations, to)]
    const what = {
      product_id: idOf(products, 'P004'),
      area: '江苏省',
      area_codes: ['32'],
      authorisation_no: no,
      valid_from: '2025-01-01',
      valid_to: until,
    }
    const [above] = await tx<{ id: string }[]>`
      select id from org_relation where org_id = ${org} and partner_id = ${dealer} and relation = ${relation}`
    const { authorisation_no, ...line } = what
    const doc = (keeper: string, kind: string) => tx<{ id: string }[]>`
      select authorisation_licence(${keeper}, ${kind}, ${org}, ${dealer}, ${authorisation_no}, ${what.valid_from},
        ${what.valid_to}) as id`
    const [[own], [held]] = [await doc(org, '产品授权书'), await doc(dealer, '授权书')]
    const [given] = await tx<{ id: string }[]>`
      insert into dealer_authorisation
        ${tx({ org_id: org, sent_version: 1, dealer_id: above!.id, licence_id: own!.id, ...what })} returning id`
    await insertRows(tx, 'licence_line', [
      { org_id: dealer, licence_id: held!.id, from_org_id: org, of_id: given!.id, ...line },
    ])
  }
  // All of a maker's products, granted to a dealer that is not on the platform and is sent nothing.
  await tx`
    insert into dealer_authorisation (org_id, dealer_id, manufacturer_id, area, area_codes, authorisation_no,
      valid_from, valid_to, licence_id)
    select r.org_id, r.id, r.org_id, '浙江省', '{33}', v.no, v.since, v.until,
      authorisation_licence(r.org_id, '产品授权书', r.org_id, r.partner_id, v.no, v.since, v.until)
      from org_relation r join organisation o on o.id = r.partner_id and o.kept_by_id = r.org_id
     cross join (values ('SQ2026-V01-QY-01', date '2026-01-01', date '2027-12-31')) v(no, since, until)
     where r.org_id = ${idOf(organisations, 'V01')} and r.relation = 'DV'`
}

/** A dealer that each leading dealer has invited and that has not registered yet. */
export async function loadInvitations(tx: TransactionSql, { organisations }: Organisations): Promise<void> {
  await insertRows(
    tx,
    'dealer_invitation',
    [...organisations]
      .filter(([code]) => /^[DV]/.test(code))
      .map(([code, org_id]) => ({
        org_id,
        token: randomBytes(24).toString('base64url'),
        name: `霜桥演示医疗器械有限公司（${code}邀请）`,
        registrant: '祁望',
        registrant_phone: '13900000921',
        expires_on: addDays(today(), 7),
        invited_by: '演示',
      })),
  )
}
