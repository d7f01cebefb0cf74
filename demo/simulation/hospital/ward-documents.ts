import { sourceTypes } from '#kernel/definition/source-type.ts'
import { subtract, wholePieces } from '#kernel/values/decimal.ts'
import { idOf } from '#demo/rows.ts'
import type { Good } from '#demo/simulation/goods.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'
import { demoTable } from '#demo/tables.ts'
import { fits } from '#demo/trades.ts'
import type { Session } from '#server/access/session.ts'

export type Want = { readonly good: Good; readonly quantity: number; readonly isUnitCoded: boolean }
export type Ward = {
  readonly code: string
  readonly org: string
  readonly department: string
  readonly manager: string | null
}

const stores = new Map(
  demoTable('warehouses').map(row => [
    row.warehouse_code ?? '',
    { department: row.department_code ?? null, manager: row.manager_code ?? null },
  ]),
)
export const managerOf = (store: string): string | null => stores.get(store)?.manager ?? null
/** True if the department of a store has use for the goods. */
export const fitsStore = (store: string, good: Good): boolean => fits(stores.get(store)?.department ?? '', good.product)
export const wardOf = (world: World, code: string): Ward => ({
  code,
  org: code.slice(0, 3),
  department: idOf(world.masters.departments, stores.get(code)?.department),
  manager: managerOf(code),
})

export type How = {
  readonly isDispatched?: boolean
  readonly isShort?: boolean
  readonly stopAt?: 'requisition' | 'dispatch' | 'grant' | 'receipt'
  readonly type?: string
  readonly isUrgent?: boolean
}

/** 申领、(配送)、发放、收货; stops early where it should stay open. */
export async function supplyWard(
  world: World,
  ward: Ward,
  supply: string,
  wants: readonly Want[],
  how: How,
): Promise<void> {
  const { hands } = world
  const org = orgId(world, ward.org)
  const from = storeId(world, supply)
  const wanted = wants.filter(want => want.quantity > 0)
  if (wanted.length === 0) return
  const [shelf, pieces] = await Promise.all([
    hands.shelf(org, from),
    hands.pieces(
      org,
      from,
      wanted.filter(want => want.isUnitCoded).map(want => want.good.id),
    ),
  ])
  const met = wanted
    .map(want => ({ ...want, given: Math.min(want.quantity, shelf.get(want.good.id) ?? 0) }))
    .filter(want => want.given > 0)
  if (met.length === 0) return
  const [nurse, head] = [world.people(ward.org, 'ward', ward.manager), someone(world, ward.org, 'head')]
  const keeper = world.people(ward.org, 'keeper', managerOf(supply))
  const requisition = await hands.add(nurse, 'requisition', {
    warehouse_model_inner_sn: from,
    to_warehouse_model_inner_sn: storeId(world, ward.code),
    department_inner_sn: ward.department,
    claim_type: how.type ?? (met.some(want => want.isUnitCoded) ? 'high_value' : 'refill'),
    is_urgent: how.isUrgent ?? false,
    ...(how.isUrgent ? { urgent_reason: '次日手术使用' } : {}),
    lines: met.map(want => ({ specification_sn: want.good.id, quantity: String(want.given) })),
  })
  await hands.act(nurse, 'requisition', 'submit', requisition)
  if (how.stopAt === 'requisition') return
  await hands.act(head, 'requisition', 'review', requisition)
  const lines = met.map((want, at) => ({
    source_line_no: at + 1,
    quantity: String(want.given),
    ...(want.isUnitCoded ? { unit_codes: (pieces.get(want.good.id) ?? []).slice(0, want.given) } : {}),
  }))
  const grant =
    how.isDispatched || how.stopAt === 'dispatch'
      ? await dispatched(world, ward, requisition, lines, keeper, how.stopAt === 'dispatch')
      : await hands.add(keeper, 'grantOdo', { source_type: sourceTypes.REQUISITION, source_sn: requisition, lines })
  if (!grant) return
  await hands.act(keeper, 'grantOdo', 'submit', grant)
  if (how.stopAt === 'grant') return picking(world, org, keeper, grant)
  await hands.act(head, 'grantOdo', 'review', grant)
  if (how.stopAt !== 'receipt') await receiveAtWard(world, org, grant, nurse, how.isShort ?? false)
}

/** The storekeeper has begun to pick: goods without codes are in the box, the rest is still being picked. */
async function picking(world: World, org: string, keeper: Session, grant: string): Promise<void> {
  await world.hands.act(keeper, 'grantOdo', 'pick', grant)
  const [first] = (await world.hands.lines(org, grant)).filter(line => line.unit_codes.length === 0)
  if (first)
    await world.hands.edit(keeper, 'grantOdo', grant, {
      lines: [{ line_no: first.line_no, picked_quantity: first.base_quantity }],
    })
}

async function dispatched(
  world: World,
  ward: Ward,
  requisition: string,
  lines: readonly object[],
  keeper: Session,
  stays: boolean,
): Promise<string | null> {
  const sn = await world.hands.add(keeper, 'dispatch', {
    source_type: sourceTypes.REQUISITION,
    source_sn: requisition,
    wave_no: `BC${requisition.slice(2, 8)}`,
    route_name: ward.org === 'H01' ? '一号线' : '院内线',
    box_no: `ZZX-${requisition.slice(-4)}`,
    lines,
  })
  await world.hands.act(keeper, 'dispatch', 'submit', sn)
  if (stays) return null
  await world.hands.act(someone(world, ward.org, 'head'), 'dispatch', 'review', sn)
  return world.hands.created(orgId(world, ward.org), 'grantOdo', sn)
}

async function receiveAtWard(
  world: World,
  org: string,
  grant: string,
  nurse: Session,
  isShort: boolean,
): Promise<void> {
  const receipt = await world.hands.created(org, 'wardReceipt', grant)
  if (!receipt) return
  if (isShort) {
    const line = (await world.hands.lines(org, receipt)).find(
      candidate => candidate.unit_codes.length === 0 && wholePieces(candidate.base_quantity) > 1,
    )
    if (line)
      await world.hands.edit(nurse, 'wardReceipt', receipt, {
        difference_note: '少一件，已告知库房',
        lines: [
          {
            line_no: line.line_no,
            received_quantity: subtract(line.base_quantity, '1', 3),
            difference_reason: 'short',
          },
        ],
      })
  }
  await world.hands.act(nurse, 'wardReceipt', 'review', receipt)
}

export type UseHeader = Readonly<Record<string, unknown>>

/** Uses whatever of the wanted goods is on hand. Returns the document, or null when nothing was on hand. */
export async function use(
  world: World,
  org: string,
  store: string,
  wants: readonly Want[],
  who: Session,
  header: UseHeader,
  stop: 'draft' | 'submitted' | null = null,
  kind: 'departmentUse' | 'surgeryUse' = 'departmentUse',
): Promise<string | null> {
  const { hands } = world
  const id = orgId(world, org)
  const [shelf, pieces] = await Promise.all([
    hands.shelf(id, storeId(world, store)),
    hands.pieces(
      id,
      storeId(world, store),
      wants.filter(want => want.isUnitCoded).map(want => want.good.id),
    ),
  ])
  const lines = wants.flatMap(want => {
    const quantity = Math.min(want.quantity, shelf.get(want.good.id) ?? 0)
    const codes = want.isUnitCoded ? (pieces.get(want.good.id) ?? []).slice(0, quantity) : null
    if (codes)
      return codes.length > 0
        ? [{ specification_sn: want.good.id, unit_codes: codes, quantity: String(codes.length) }]
        : []
    return quantity > 0 ? [{ specification_sn: want.good.id, quantity: String(quantity) }] : []
  })
  if (lines.length === 0) return null
  const sn = await hands.add(who, kind, {
    warehouse_model_inner_sn: storeId(world, store),
    ...header,
    lines,
  })
  if (stop === 'draft') return sn
  const signs = header.form_type === 'report'
  const sign = async (by: Session, signer: 'nurse' | 'surgeon') => {
    const employee = String(signer === 'nurse' ? header.nurse_inner_sn : header.doctor_inner_sn)
    const signature_sn = await hands.sign(by, { kind, sn }, signer, employee)
    await hands.act(by, kind, 'sign', sn, { signer, signature_sn })
  }
  if (signs) await sign(who, 'nurse')
  await hands.act(who, kind, 'submit', sn)
  if (stop) return sn
  if (signs) await sign(someone(world, org, 'head'), 'surgeon')
  await hands.act(someone(world, org, 'head'), kind, 'review', sn)
  return sn
}
