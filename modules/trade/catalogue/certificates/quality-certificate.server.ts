import { BusinessError } from '#kernel/rules/errors.ts'
import { catalogueOf } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import { packedLicences, packLicences } from '#modules/trade/catalogue/certificates/certificate-archive.server.ts'
import type { Change, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A manufacturer uploads for what it makes, a dealer for what it imports. */
async function mustBeTheirs(
  tx: Tx,
  session: Session,
  change: Change,
): Promise<readonly { field: string; msg: string }[]> {
  const specification = String(change.after.specification_sn)
  if (session.org.type === 'P') return []
  const [found] =
    session.org.type === 'V'
      ? await tx`select 1 from specification s join product p on p.id = s.product_id
        where s.id = ${specification} and p.manufacturer_id = ${session.org.id}`
      : await tx`select 1 where ${specification}::bigint in (${catalogueOf(tx, session)})`
  if (found) return []
  return [
    {
      field: 'specification_sn',
      msg: session.org.type === 'V' ? '只能上传本企业产品的合格证明' : '只能上传本企业经营产品的合格证明',
    },
  ]
}

export const qualityCertificateRules: RecordRules = {
  kind: 'qualityCertificate',
  /** Visible to organisations that hold or ever held the lot, and to those that were sent a document with it. */
  visible(tx, session) {
    if (session.org.type === 'P') return tx`true`
    const org = session.org.id
    const made =
      session.org.type === 'V'
        ? tx`or exists (select 1 from specification s join product p on p.id = s.product_id
          where s.id = t.specification_id and p.manufacturer_id = ${org})`
        : tx``
    return tx`(t.uploader_id = ${org} ${made} or (t.state <> 'refused' and (
      exists (select 1 from lot l join stock_lot k on k.org_id = ${org} and k.lot_id = l.id
        where l.specification_id = t.specification_id and l.lot_no = t.lot_no)
      or exists (select 1 from document_line d where d.org_id = ${org} and d.specification_id = t.specification_id
        and d.lot_no = t.lot_no))))`
  },
  columns: tx => ({
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = ${tx('to_specification_sn.product_id')})`,
    registration_no: tx`(select c.certificate_no from registration_certificate c
      where c.id = ${tx('to_specification_sn.registration_certificate_id')})`,
  }),
  mayWrite(session, action, row) {
    if (action === 'add' || !row) return
    if (action === 'review' || action === 'reject') {
      if (session.org.type !== 'P') throw new BusinessError('forbidden')
      if (row.state !== 'pending') throw new BusinessError('wrongState', '该证明已审核')
      return
    }
    if (session.org.type !== 'P' && row.uploader_sn !== session.org.id)
      throw new BusinessError('forbidden', '只能维护本机构上传的证明')
    if (row.state === 'passed') throw new BusinessError('wrongState', '证明已审核通过，请上传新的版本')
  },
  async check(tx, session, change) {
    if (!change.before) {
      change.after.uploader_sn = session.org.id
      change.after.uploaded_by = session.userName
    } else change.after.state = 'pending'
    return mustBeTheirs(tx, session, change)
  },
  /** The newest certificate of a kind is the lot's current one; earlier ones stay readable. */
  async saved(tx, session, id, change) {
    if (change.before) return
    await tx`
      update quality_certificate set is_current = false, version = version + 1
       where specification_id = ${String(change.after.specification_sn)} and lot_no = ${String(change.after.lot_no)}
         and certificate_type = ${String(change.after.certificate_type)}
         and uploader_id = ${session.org.id} and id <> ${id} and is_current`
  },
  calls: { batchDownload: packLicences },
  packs: { call: 'batchDownload', of: packedLicences },
  actions: {
    review: async (_tx, session) => ({
      state: 'passed',
      audited_by: session.userName,
      audited_at: new Date().toISOString(),
      reason: null,
    }),
    reject: async (_tx, session, _row, reason) => ({
      state: 'refused',
      audited_by: session.userName,
      audited_at: new Date().toISOString(),
      reason,
    }),
  },
}
