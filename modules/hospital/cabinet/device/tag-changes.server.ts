import { kindsAdding, kindsTakingBack } from '#kernel/measure/feeding.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { notify } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { transferHome } from '#modules/hospital/cabinet/stock-check/transfer-into-cabinet.server.ts'
import { receiveArrived } from '#modules/hospital/cabinet/replenishment/replenishment-receipts.server.ts'
import { giveBack } from '#modules/hospital/cabinet/transactions/return-to-store.server.ts'
import type { Done } from '#modules/hospital/cabinet/transactions/transaction-log.server.ts'
import { type OpenSession, incident, type Working } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { type KnownUnit, serialsByCode } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

const goodsOf = (unit: KnownUnit, code: string) => ({
  specification_id: unit.specification_id,
  lot_id: unit.lot_id,
  lot_no: unit.lot_no,
  unit_code: code,
  owner_id: unit.owner_id,
  quantity: '1',
})

/**
 * Tags that were present when the door opened and are gone: each take waits until its patient or department is known,
 * up to the hospital's limit.
 */
export async function takenUnits(working: Working, open: OpenSession, codes: readonly string[]): Promise<Done[]> {
  const { device, cabinet, event, tx } = working
  const known = await serialsByCode(tx, device.org.id, codes)
  const operation = open.purpose === 'withdraw' ? 'withdraw' : 'take'
  const done: Done[] = []
  for (const code of codes) {
    const unit = known.get(code)
    const common = { operation, closed_at: event.at } as const
    if (!unit || unit.holder_org_id !== device.org.id) {
      await incident(working, 'unmatched', '取出的标签未绑定本院产品', code, open.operator_name)
      done.push({ ...common, state: 'abnormal', unit_code: code, quantity: '1', note: '标签未绑定本院产品' })
    } else if (unit.warehouse_id !== cabinet.warehouse_id || unit.status !== 'in_stock')
      done.push({ ...common, ...goodsOf(unit, code), lot_id: null, state: 'abnormal', note: '账面不在本柜，请核对' })
    else
      done.push({
        ...common,
        ...goodsOf(unit, code),
        state: open.is_remote ? 'abnormal' : 'pending',
        note: open.is_remote ? '远程开门后取出，请说明' : null,
      })
  }
  // Pieces that the ledger has in another place, or that were taken at a remote opening, are checked as well: somebody
  // holds them now.
  const ours = [...known.values()].filter(unit => unit.holder_org_id === device.org.id)
  if (operation === 'take') await raiseUnfit(working, open, ours)
  return operation === 'withdraw' ? withdrawn(working, open, done) : done
}

type Unfit = { readonly lot_id: string; readonly why: string }

/**
 * A recalled, frozen or expired piece that the device reports as taken is out of the cabinet, even if the ledger would
 * not allow it. The keeper is notified at once, so that nobody uses it.
 */
async function raiseUnfit(working: Working, open: OpenSession, units: readonly KnownUnit[]): Promise<void> {
  const { tx, device, cabinet } = working
  const org = device.org.id
  const lots = await tx<Unfit[]>`
    select t.id as lot_id, case when lot_is_recalled(${org}, t.id) then '已召回'
        when lot_is_frozen(${org}, t.id) then '已冻结' else '已过期' end as why
      from lot t where t.id = any(${[...new Set(units.map(unit => unit.lot_id))]}::bigint[])
       and not lot_is_good(${org}, t.id)`
  for (const unit of units) {
    const unfit = lots.find(({ lot_id }) => lot_id === unit.lot_id)
    if (!unfit) continue
    const body =
      `【${cabinet.name}】取出的院内码${unit.bare}批号${unit.lot_no}${unfit.why}（${open.operator_name}），` +
      '禁止使用，请立即追回'
    await incident(working, 'unfit', body, unit.bare, open.operator_name, 'serious')
    await notify(tx, org, cabinet, {
      title: `取出${unfit.why}产品`,
      body,
      uri: '/commonView/consumableCabinetManagement/cabinetTransactionRecords',
      kind: 'cabinetTransaction',
      objectId: unit.bare,
    })
  }
}

/**
 * Pieces going back to the warehouse are put on a draft ward return, or on a transfer if they did not come by an
 * issue.
 */
async function withdrawn(working: Working, open: OpenSession, done: readonly Done[]): Promise<Done[]> {
  const mine = done.filter(one => one.state === 'pending')
  const goods = mine.map(one => ({
    specification_id: one.specification_id!,
    lot_no: one.lot_no ?? null,
    unit_code: one.unit_code!,
    quantity: '1' as const,
  }))
  const answers = await giveBack(working, open, goods)
  return done.map(one => {
    const answer = answers[mine.indexOf(one)]
    if (answer === undefined) return one
    return 'sn' in answer
      ? { ...one, state: 'linked', document_kind: answer.kind, document_sn: answer.sn }
      : { ...one, note: answer.why.slice(0, 300) }
  })
}

type OpenTake = { id: string; warehouse_id: string; cabinet_name: string; unit_code: string }

/** Takes of these pieces that no document has settled yet. */
const openTakes = (tx: Tx, org: string, codes: readonly string[]) => tx<OpenTake[]>`
  select t.id, t.warehouse_id, c.name as cabinet_name, t.unit_code from cabinet_transaction t
    join cabinet c on c.org_id = t.org_id and c.id = t.cabinet_id
   where t.org_id = ${org} and t.unit_code = any(${codes as string[]}) and t.operation in ('take', 'withdraw')
     and t.state in ('pending', 'abnormal') and t.document_sn is null order by t.id`

const settleTake = (tx: Tx, org: string, take: string, wrong: boolean) => tx`
  update cabinet_transaction set state = 'returned', is_wrong_cabinet = is_wrong_cabinet or ${wrong},
    note = case when ${wrong} then '错柜归还' else '已归还' end, version = version + 1
   where org_id = ${org} and id = ${take}`

/**
 * Tags that were not there before: brought back, put into the wrong cabinet, or new goods. Pieces that the ledger
 * cannot follow wait for a person.
 */
export async function putUnits(working: Working, open: OpenSession, codes: readonly string[]): Promise<Done[]> {
  if (codes.length === 0) return []
  const { tx, device, event, cabinet } = working
  const known = await serialsByCode(tx, device.org.id, codes)
  const takes = new Map((await openTakes(tx, device.org.id, codes)).map(take => [take.unit_code, take]))
  const done: Done[] = []
  const arriving: string[] = []
  for (const code of codes) {
    const [unit, take] = [known.get(code), takes.get(code)]
    if (!unit || (unit.holder_org_id !== device.org.id && unit.status !== 'in_transit')) {
      await incident(working, 'unmatched', '放入的标签未绑定本院产品', code, open.operator_name)
      done.push({
        operation: 'refill',
        state: 'abnormal',
        closed_at: event.at,
        unit_code: code,
        quantity: '1',
        note: '标签未绑定本院产品',
      })
    } else if (unit.status === 'in_transit') arriving.push(code)
    else if (take) done.push(await broughtBack(working, unit, code, take))
    else done.push(await foundHere(working, unit, code))
  }
  const arrived = await receiveArrived({ ...working, warehouse: cabinet.warehouse_id }, { codes: arriving, counts: [] })
  return [
    ...done,
    ...arriving.map(code => {
      const doc = arrived.byCode.get(code)
      const note = doc ? null : `没有发往【${cabinet.name}】的待收货单，或已有人在处理，请在科室收货入库中处理`
      const goods = { operation: 'refill', closed_at: event.at, ...goodsOf(known.get(code)!, code) } as const
      return doc
        ? { ...goods, state: 'settled' as const, note, document_kind: 'wardReceipt', document_sn: doc }
        : { ...goods, state: 'abnormal' as const, note }
    }),
  ]
}

/** The piece was taken and is back. In a cabinet other than its own it is booked there by a transfer. */
async function broughtBack(working: Working, unit: KnownUnit, code: string, take: OpenTake): Promise<Done> {
  const { tx, device, cabinet, event } = working
  const common = { operation: 'return', closed_at: event.at, ...goodsOf(unit, code) } as const
  const isWrong = unit.warehouse_id !== cabinet.warehouse_id
  if (!isWrong) {
    await settleTake(tx, device.org.id, take.id, false)
    return { ...common, state: 'returned' }
  }
  const moved = await transferHome(working, unit, code)
  if ('why' in moved) return { ...common, state: 'abnormal', is_wrong_cabinet: true, note: `错柜归还：${moved.why}` }
  await settleTake(tx, device.org.id, take.id, true)
  return {
    ...common,
    state: 'returned',
    is_wrong_cabinet: true,
    note: '错柜归还',
    document_kind: 'transfer',
    document_sn: moved.done,
  }
}

/** The number of the draft return or transfer that was created for a piece and not submitted. */
async function draftOf(tx: Tx, org: string, code: string): Promise<string | null> {
  const moving = kindsAdding('moved')
  const [draft] = await tx<{ kind: string; sn: string }[]>`
    select d.kind, d.sn from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = any(${[...moving, ...kindsTakingBack('granted')]}) and d.role = 'own'
       and d.state in ('draft', 'rejected') and l.unit_codes && ${[code]} limit 1`
  return draft ? `${moving.includes(draft.kind) ? '调拨单' : '退库单'}${draft.sn}` : null
}

/** There is no recorded take of the piece. */
async function foundHere(working: Working, unit: KnownUnit, code: string): Promise<Done> {
  const { cabinet, event, tx, device } = working
  const common = { operation: 'return', closed_at: event.at, ...goodsOf(unit, code) } as const
  if (unit.status !== 'in_stock')
    return { ...common, state: 'abnormal', note: '该件已登记使用或已出库，请红冲原单据后再归还' }
  if (unit.warehouse_id === cabinet.warehouse_id) {
    const draft = await draftOf(tx, device.org.id, code)
    return {
      ...common,
      state: 'returned',
      note: draft ? `已放回柜内，请在${draft}中删除该件` : '账面已在本柜',
    }
  }
  const [store] = await tx<{ name: string; model: string }[]>`
    select name, model from warehouse where org_id = ${device.org.id} and id = ${unit.warehouse_id}`
  if (store?.model !== 'cabinet')
    return {
      ...common,
      operation: 'refill',
      state: 'abnormal',
      note: `账面在【${store?.name ?? '其他仓库'}】，请办理发放或调拨`,
    }
  const moved = await transferHome(working, unit, code)
  if ('why' in moved) return { ...common, state: 'abnormal', is_wrong_cabinet: true, note: `错柜：${moved.why}` }
  return {
    ...common,
    state: 'returned',
    is_wrong_cabinet: true,
    note: '错柜归还',
    document_kind: 'transfer',
    document_sn: moved.done,
  }
}

/** Within one session a piece is either taken or put in. */
export function refuseBoth(taken: readonly string[], put: readonly string[]): void {
  const both = taken.find(code => put.includes(code))
  if (both) throw new BusinessError('invalid', `标签${both}同时在取出和放入中`)
}
