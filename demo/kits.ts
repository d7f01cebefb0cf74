import { addDays, today } from '#kernel/values/date.ts'
import { loosePieces } from '#modules/goods/packs/loose-stock.server.ts'
import { recordOf } from '#demo/records.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { submitAndReview } from '#server/documents/action/automatic.ts'
import { listDocuments } from '#server/documents/list/list.ts'
import { createDraft } from '#server/documents/draft/draft.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { listRecords } from '#server/records/read.ts'
import { actOnRecord, addRecord, editRecord } from '#server/records/write.ts'
import { makeCall } from '#server/records/ticked-rows.ts'

/** The store that makes kits up, the one of consigned pieces, the theatre that draws kits, and how many there are. */
const HOSPITAL = { org: 'H01', store: 'H01-W01', valuables: 'H01-W04', theatre: 'H01-W11' } as const
const KITS = 3
const PRODUCTS = 4
const PIECES = 4

/** A kit for an operation: some are ready, one was issued and settled. */
export async function makeKits({ owner, app }: DemoDatabase): Promise<void> {
  const [place] = await owner<{ org: string; store: string; theatre: string; department: string }[]>`
    select o.id as org, w.id as store, t.id as theatre, t.department_id as department
      from organisation o
      join warehouse w on w.org_id = o.id and w.code = ${HOSPITAL.store}
      join warehouse t on t.org_id = o.id and t.code = ${HOSPITAL.theatre}
     where o.code = ${HOSPITAL.org}`
  const goods = await owner<{ id: string }[]>`
    select b.specification_id as id from stock_on_hand b
      join specification s on s.id = b.specification_id join product p on p.id = s.product_id
      left join hospital_product h on h.org_id = b.org_id and h.specification_id = s.id
     where b.org_id = ${place!.org} and b.warehouse_id = ${place!.store} and b.quality_state = 'qualified'
       and not coalesce(h.is_unit_coded, p.is_unit_coded) and not p.is_high_value and not p.is_implant
       and not p.is_cold_chain and b.expiry_date > ${addDays(today(), 60)}::date
     group by 1, p.name having sum(b.available) >= 40
     order by p.name ~ '手术|缝|引流|纱布|手套|敷料|刀片' desc, 1 limit ${PRODUCTS}`
  if (goods.length < PRODUCTS) return
  const who = { ...(await systemSessionOf(owner, place!.org)), userName: '手术室护士长' }
  await inOrganisation(app, place!.org, '0', async tx => {
    const kit = await addRecord(tx, who, recordOf('operationKit'), {
      code: 'KIT-01',
      name: '腹腔镜胆囊切除套包',
      surgery_name: '腹腔镜胆囊切除术',
      surgery_code: '51.23',
      department_inner_sn: place!.department,
    })
    for (const [at, { id }] of goods.entries())
      await addRecord(tx, who, recordOf('operationKitLine'), {
        operation_kit_sn: kit.sn,
        specification_sn: id,
        quantity: String(at + 1),
        is_required: at < PRODUCTS - 1,
        sort_no: at,
      })
    const header = { warehouse_model_inner_sn: place!.store, kit_count: KITS }
    const { said } = await makeCall(tx, who, recordOf('operationKit'), 'makeUp', header, [kit.sn])
    for (const sn of said.match(/ZB\d+/g) ?? []) await submitAndReview(tx, who, 'pack', sn)
    await drawOne(tx, who, place!)
    await packPieces(tx, who)
  })
}

/** Pieces with codes of their own: four of a lot in packs of two, and one in each of two kits. */
async function packPieces(tx: Tx, who: Session): Promise<void> {
  const [store] = await tx<{ id: string; specifications: string[] }[]>`
    select w.id, array_agg(distinct u.specification_id::text) as specifications from warehouse w
      join unit u on u.holder_org_id = w.org_id and u.warehouse_id = w.id and u.status = 'in_stock' and u.id > 0
     where w.org_id = ${who.org.id} and w.code = ${HOSPITAL.valuables} group by 1`
  const loose = store ? await loosePieces(tx, who.org.id, store.id, store.specifications) : []
  // The lot that expires first of each specification: to pack from a later one is asked about.
  const earliest = [...Map.groupBy(loose, row => row.specification_id).values()].map(([first]) => first!)
  const [most] = earliest
    .filter(row => row.codes.length >= PIECES + 2)
    .toSorted((a, b) => b.codes.length - a.codes.length)
  if (!store || !most) return
  const template = await addRecord(tx, who, recordOf('packTemplate'), {
    code: 'GZB-01',
    name: `${most.product_name}2件装`,
    specification_sn: most.specification_id,
    size: '2',
  })
  const { sn } = await createDraft(tx, who, definitionOf('pack'), {
    warehouse_model_inner_sn: store.id,
    pack_template_sn: template.sn,
    lines: [{ unit_codes: most.codes.slice(0, PIECES) }],
  })
  await submitAndReview(tx, who, 'pack', sn)
  const kit = await addRecord(tx, who, recordOf('operationKit'), {
    code: 'KIT-02',
    name: `${most.product_name}专用包`,
    kit_type: 'special',
    surgery_name: '经皮冠状动脉介入治疗',
  })
  await addRecord(tx, who, recordOf('operationKitLine'), {
    operation_kit_sn: kit.sn,
    specification_sn: most.specification_id,
    quantity: '1',
  })
  const asked = { warehouse_model_inner_sn: store.id, kit_count: 2 }
  const { said } = await makeCall(tx, who, recordOf('operationKit'), 'makeUp', asked, [kit.sn])
  for (const made of said.match(/ZB\d+/g) ?? []) await submitAndReview(tx, who, 'pack', made)
}

/** One kit goes to the theatre, and comes out of the operation with part of it used. */
async function drawOne(tx: Tx, who: Session, place: { theatre: string; department: string }): Promise<void> {
  const { list } = await listRecords(tx, who, recordOf('madeKit'), { pageSize: '1' })
  const [kit] = list
  if (!kit) return
  const asked = { to_warehouse_model_inner_sn: place.theatre, department_inner_sn: place.department }
  const { said } = await makeCall(tx, who, recordOf('madeKit'), 'issue', asked, [String(kit.made_kit_sn)])
  const grant = said.match(/FF\d+/)![0]
  await submitAndReview(tx, who, 'grantOdo', grant)
  const receipts = await listDocuments(tx, who, definitionOf('wardReceipt'), { source_sn: grant })
  for (const receipt of receipts.list) await submitAndReview(tx, who, 'wardReceipt', String(receipt.sn))
  const lines = await listRecords(tx, who, recordOf('madeKitLine'), { made_kit_sn: String(kit.made_kit_sn) })
  for (const [at, line] of lines.list.entries())
    await editRecord(tx, who, recordOf('madeKitLine'), {
      sn: line.made_kit_line_sn,
      version: line.version,
      used_quantity: at === 0 ? line.quantity : '0',
      returned_quantity: at === 0 ? '0' : line.quantity,
    })
  const [now] = (await listRecords(tx, who, recordOf('madeKit'), { code: String(kit.code) })).list
  await actOnRecord(tx, who, recordOf('madeKit'), 'settleKit', {
    sn: now!.made_kit_sn,
    version: now!.version,
    patient_name: '简知秋',
    admission_no: 'ZY2611088',
  })
}
