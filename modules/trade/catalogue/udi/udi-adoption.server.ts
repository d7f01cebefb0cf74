import { BusinessError } from '#kernel/rules/errors.ts'
import { adoptPacks } from '#modules/trade/catalogue/udi/udi-packaging.server.ts'
import { noteStep } from '#modules/trade/catalogue/release/product-step.server.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordAction, ListActionHandler, RecordRules } from '#server/public/records.ts'
import { inOrganisation } from '#server/public/database.ts'

type Different = {
  id: string
  product_id: string
  primary_di: string
  said: string
  udi_device_id: string
  mine: boolean
}

/**
 * 采纳UDI数据: the selected differences wait for another person at the platform; a manufacturer requests it for its own
 * goods.
 */
export const takeOver: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const rows = await tx<Different[]>`
    select x.id, x.product_id, x.primary_di, x.said, x.udi_device_id,
      ${session.org.type === 'P'} or p.manufacturer_id = ${session.org.id} as mine
      from udi_difference x join product p on p.id = x.product_id where x.id = any(${ids as string[]}::bigint[])`
  if (rows.length === 0) throw new BusinessError('rule', '所选差异已经不存在，请刷新列表')
  const foreign = rows.find(row => !row.mine)
  if (foreign) throw new BusinessError('forbidden', '只能采纳本厂产品的UDI数据')
  // A device that left the market is withdrawn by a person, from a given day; adopting fields does not do that.
  const gone = rows.find(row => /^已退市：[^；]*$/.test(row.said))
  if (gone) throw new BusinessError('rule', `UDI-DI ${gone.primary_di} 已退市，请在产品上使用“停用”`)
  const made = await tx`
    insert into udi_adoption (product_id, specification_id, udi_device_id, primary_di, said, note, org_id, applied_by,
      applied_by_id)
    select k.product_id, k.id, k.udi_device_id, k.primary_di, k.said, ${(asked.note as string | null) ?? null},
      ${session.org.id}, ${session.userName}, ${session.userId}
      from jsonb_to_recordset(${tx.json(rows)}) as k(id bigint, product_id bigint, udi_device_id bigint,
        primary_di text, said text)
    on conflict (specification_id) where state = 'pending' do nothing returning id`
  if (made.length === 0) throw new BusinessError('duplicate', '所选差异已有待审核的采纳申请')
  return { said: `已提交${made.length}条采纳申请，由平台另一人审核后写入目录` }
}

/**
 * Copies name, label, certificate and packs that the regulator published to the size; the approver may not be the
 * requester.
 */
const review: RecordAction = async (tx, session, row) => {
  const id = String(row.udi_adoption_sn)
  const [mine] = await tx`select 1 from udi_adoption where id = ${id} and applied_by_id = ${session.userId}`
  if (mine) throw new BusinessError('forbidden', '提交人与审核人不能为同一人，请由平台的其他审核人审核')
  const [said] = await tx<
    {
      specification: string | null
      certificate_no: string | null
      lot: boolean
      serial: boolean
      expiry: boolean
      is_current: boolean
      device: string
    }[]
  >`
    select u.specification, u.certificate_no, u.lot_on_label as lot, u.serial_on_label as serial,
      u.expiry_on_label as expiry, u.is_current, u.id as device
      from udi_adoption a join udi_device u on u.id = a.udi_device_id where a.id = ${id}`
  if (!said?.is_current) throw new BusinessError('wrongState', 'UDI数据已有新版本，请驳回后按新版本重新采纳')
  const size = String(row.specification_sn)
  const [duplicate] = await tx`
    select 1 from specification s join specification o on o.product_id = s.product_id and o.id <> s.id
      and o.mapped_to_id is null where s.id = ${size} and o.name = ${said.specification} limit 1`
  if (duplicate) throw new BusinessError('duplicate', `规格型号【${said.specification}】已存在，请先合并重复的规格`)
  const [certificate] = await tx<{ id: string | null; differs: boolean }[]>`
    select (select c.id from registration_certificate c
      where position(c.certificate_no in ${said.certificate_no ?? ''}) > 0 order by c.valid_to desc limit 1) as id,
           coalesce(position(o.certificate_no in ${said.certificate_no ?? ''}) = 0, false)
             and ${said.certificate_no !== null} as differs
      from specification s left join registration_certificate o on o.id = s.registration_certificate_id
        where s.id = ${size}`
  if (certificate?.differs && certificate.id === null)
    throw new BusinessError('rule', `注册证${said.certificate_no}尚未登记，请先在产品注册证登记`)
  await tx`
    update specification set name = coalesce(${said.specification}, name),
      lot_required = coalesce(${said.lot}, lot_required), serial_required = coalesce(${said.serial}, serial_required),
           expiry_required = coalesce(${said.expiry}, expiry_required),
             registration_certificate_id = case when ${certificate?.differs === true} then ${certificate?.id ?? null}
             else registration_certificate_id end, version = version + 1
     where id = ${size}`
  await adoptPacks(tx, size, said.device)
  await noteStep(tx, session, String(row.product_sn), {
    action: '采纳UDI数据',
    from: 'released',
    to: 'released',
    note: String(row.said),
  })
  return { state: 'passed', decided_by: session.userName, decided_at: new Date().toISOString() }
}

export const udiAdoptionRules: RecordRules = {
  kind: 'udiAdoption',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`true`
      : tx`exists (select 1 from product p where p.id = t.product_id and p.manufacturer_id = ${session.org.id})`,
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('forbidden', '请在UDI差异上使用“采纳UDI数据”')
    if (row && row.state !== 'pending') throw new BusinessError('wrongState', '该申请已审核，请刷新列表')
  },
  actions: {
    review,
    reject: async (_tx, session, _row, reason) => ({
      state: 'refused',
      decided_by: session.userName,
      decided_at: new Date().toISOString(),
      reason,
    }),
  },
  /** The manufacturer that asked is notified of the answer. */
  async afterwards(sql, session, action, row) {
    const [asker] = await sql<
      { org_id: string }[]
    >`select org_id from udi_adoption where id = ${String(row.udi_adoption_sn)}`
    const to = asker?.org_id
    if (!to || to === session.org.id) return
    await inOrganisation(sql, to, '0', tx =>
      sendMessage(tx, to, {
        title: 'UDI采纳审核结果',
        body:
          action === 'review'
            ? `UDI-DI ${String(row.primary_di)}的内容已写入目录`
            : `UDI-DI ${String(row.primary_di)}的采纳被驳回：${String(row.reason ?? '')}`,
        uri: '/ptm/productReleased',
        objectId: String(row.product_sn),
        kind: 'product',
        type: 'audit',
        extra: { org_name: session.org.name },
      }),
    )
  },
}
