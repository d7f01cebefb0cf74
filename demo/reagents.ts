import { addDays, today } from '#kernel/values/date.ts'
import { recordOf } from '#demo/records.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { listRecords } from '#server/records/read.ts'
import { actOnRecord, addRecord } from '#server/records/write.ts'
import { makeCall } from '#server/records/ticked-rows.ts'
import type { Session } from '#server/access/session.ts'

/** The laboratory that follows its bottles, and how many of a lot it took in. */
const LABORATORY = { org: 'H01', store: 'H01-W17' } as const
const LOTS = 4
const BOTTLES = 3

/** A laboratory with refrigerators and analysers, and bottles in every state. */
export async function fillLaboratory({ owner, app }: DemoDatabase): Promise<void> {
  const [store] = await owner<{ org: string; id: string; department: string | null }[]>`
    select w.org_id as org, w.id, w.department_id as department from warehouse w join organisation o on o.id = w.org_id
     where o.code = ${LABORATORY.org} and w.code = ${LABORATORY.store}`
  const goods = await owner<{ specification: string; lot: string }[]>`
    select b.specification_id as specification, b.lot_no as lot
      from stock_on_hand b join specification s on s.id = b.specification_id join product p on p.id = s.product_id
     where b.org_id = ${store!.org} and b.warehouse_id = ${store!.id} and b.quality_state = 'qualified'
       and p.is_reagent and b.owner_org_id = b.org_id and b.quantity >= ${BOTTLES}
       and coalesce(p.temperature_low, 2) > 0 and b.expiry_date > ${addDays(today(), 30)}::date
     order by b.specification_id, b.expiry_date, b.lot_id limit ${LOTS}`
  // One kit keeps for two days only once it is open: the list of what ends soon is not empty.
  await owner`
    update hospital_product set open_vial_days = 2
     where org_id = ${store!.org} and specification_id = ${goods.at(-1)?.specification ?? null}`
  const who = { ...(await systemSessionOf(owner, store!.org)), userName: '检验科试剂管理员' }
  await inOrganisation(app, store!.org, '0', async tx => {
    const places = await equip(tx, who, store!)
    for (const { specification, lot } of goods)
      await makeCall(tx, who, recordOf('reagentTrace'), 'receiveLot', {
        warehouse_model_inner_sn: store!.id,
        specification_sn: specification,
        lot_no: lot,
        count: BOTTLES,
        refrigerator_sn: places.refrigerator,
        temperature: '4.2',
      })
    await work(tx, who, places.analyser)
  })
}

/** Two analysers and a refrigerator with its readings. */
async function equip(tx: Tx, who: Session, store: { id: string; department: string | null }) {
  const analyser = { manufacturer: '沐砚（演示）', department_inner_sn: store.department }
  const first = await addRecord(tx, who, recordOf('analyser'), {
    code: 'SH-01',
    name: '生化分析仪1号',
    model: 'MY-5800',
    lis_code: 'AU01',
    ...analyser,
  })
  await addRecord(tx, who, recordOf('analyser'), {
    code: 'FG-01',
    name: '化学发光仪1号',
    model: 'MY-2000i',
    lis_code: 'CL01',
    ...analyser,
  })
  const cold = { code: 'BX-01', name: '试剂冰箱1号', warehouse_model_inner_sn: store.id, location: '生化室' }
  const refrigerator = await addRecord(tx, who, recordOf('refrigerator'), cold)
  for (const reading of [
    { temperature: '3.8' },
    { temperature: '8.6', opinion: '补货时开门时间较长，10分钟后复测5.1℃' },
  ])
    await addRecord(tx, who, recordOf('refrigeratorReading'), { refrigerator_sn: refrigerator.sn, ...reading })
  return { analyser: first.sn, refrigerator: refrigerator.sn }
}

/** The work with each bottle of a lot: one stays closed, one runs, the third of some lots is empty. */
async function work(tx: Tx, who: Session, analyser: string): Promise<void> {
  const { list } = await listRecords(tx, who, recordOf('reagentTrace'), { sort: 'reagent_sn', pageSize: '50' })
  const remark = '演示'
  const proved = { analyser_sn: analyser, calibration_lot: 'CAL2611', control_result: 'pass', remark }
  const ways: readonly (readonly [string, object][])[] = [
    [],
    [
      ['open', { remark }],
      ['load', { ...proved, channel: 'R1-07' }],
      ['noteTests', { tests: 120 }],
    ],
    [
      ['open', { remark }],
      ['load', proved],
      ['unload', { tests: 40 }],
    ],
    [],
    [['open', { remark }]],
    [
      ['open', { remark }],
      ['load', proved],
      ['finish', { tests: 55 }],
    ],
  ]
  for (const [at, row] of list.entries())
    for (const [action, answers] of ways[at % ways.length] ?? []) {
      const definition = recordOf('reagentTrace')
      const [now] = (await listRecords(tx, who, definition, { code: String(row.code) })).list
      await actOnRecord(tx, who, definition, action, { sn: row.reagent_sn, version: now!.version, ...answers })
    }
}
