import { BusinessError } from '#kernel/rules/errors.ts'
import { hospitalProduct } from '#modules/trade/catalogue/assortment/hospital-product.entity.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { editRecord, type RecordAction, type RecordRow, type RecordRules } from '#server/public/records.ts'
import { readCell } from '#server/public/files.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/**
 * The fields of a hospital's catalogue row that a supplier may propose to change; all others come from the platform.
 */
const writable = [
  'tax_rate',
  'listing_code',
  'listed_price',
  'insurance_code',
  'collective_batch',
  'open_vial_days',
  'tests_per_kit',
] as const
const byLabel: ReadonlyMap<string, string> = new Map([
  ...writable.map(name => [hospitalProduct.fields[name].label, name] as const),
  ['国家医保编码', 'insurance_code'],
])

/**
 * Writes the change into the catalogue as the user who adopts it, under the catalogue's own rules; returns the
 * result.
 */
async function runAction(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<string> {
  const [good] = await tx<{ id: string; version: number }[]>`
    select id, version from hospital_product
      where org_id = ${session.org.id} and specification_id = ${String(row.specification_sn)}`
  if (!good) throw new BusinessError('rule', '该规格不在医院产品目录中，请先准入或从平台目录引入')
  const edit = (values: RecordRow) =>
    editRecord(tx, session, hospitalProduct, { sn: good.id, version: good.version, ...values })
  if (row.proposal_type === 'consign') {
    await edit({ regime: 'consigned' })
    return '已改为寄售'
  }
  const field = byLabel.get(String(row.changed_field ?? '').trim())
  if (field === undefined) return '已记录：该字段由平台目录维护，厂商变更并经平台审核后自动更新'
  const spec = hospitalProduct.fields[field as (typeof writable)[number]]
  const read = readCell(spec, String(row.new_value ?? ''))
  if ('msg' in read) throw new BusinessError('rule', `【${spec.label}】${read.msg}`)
  await edit({ [field]: read.value })
  return `已写入目录：${spec.label}`
}

const review: RecordAction = async (tx, session, row) => ({
  state: 'passed',
  effect: await runAction(tx, session, row),
  decided_by: session.userName,
  decided_at: new Date().toISOString(),
})

export const catalogueProposalRules: RecordRules = {
  kind: 'catalogueProposal',
  readFlag: 'page:/hospital/hProductDetails',
  columns: tx => ({
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
  }),
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('forbidden', '变更建议由供应商申请审核后生成')
    if (row && row.state !== 'pending') throw new BusinessError('wrongState', '该建议已处理，请刷新列表')
  },
  actions: {
    review,
    reject: async (_tx, session, _row, reason) => ({
      state: 'refused',
      effect: '未采纳',
      reason,
      decided_by: session.userName,
      decided_at: new Date().toISOString(),
    }),
  },
  /** The supplier is notified of the result of the request. */
  async afterwards(sql, session, action, row) {
    const to = String(row.supplier_sn)
    const what =
      `【${String(row.product_name)} ${String(row.specification_name)}】的` +
      `${row.proposal_type === 'consign' ? '寄售申请' : `信息变更（${String(row.changed_field)}）`}`
    await inOrganisation(sql, to, '0', tx =>
      sendMessage(tx, to, {
        title: '申请处理结果',
        body: action === 'review' ? `${what}医院已采纳` : `${what}医院未采纳：${String(row.reason ?? '')}`,
        uri: '/commonView/applicationManage',
        objectId: String(row.application_sn),
        kind: 'supplierApplication',
        type: 'audit',
        extra: { org_name: session.org.name },
      }),
    )
  },
}
