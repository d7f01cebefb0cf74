import type { TransactionSql } from 'postgres'
import type { Organisations } from '#demo/masters/organisations.ts'
import { idOf, insertRows, newIds } from '#demo/rows.ts'

type Device = {
  readonly code: string
  readonly name: string
  readonly store: string
  readonly type: 'main' | 'weighing' | 'cold'
  readonly identify: 'rfid' | 'weight' | 'scan'
  readonly doorKind: 'sliding' | 'drawer' | 'cold'
  readonly doors: readonly (readonly [no: string, name: string])[]
  readonly range: readonly [low: string | null, high: string | null]
}

/** The demo hospital's cabinets, each at its own store. */
const devices: readonly Device[] = [
  {
    code: 'GZ-31',
    name: '导管室高值柜',
    store: 'H01-W31',
    type: 'main',
    identify: 'rfid',
    doorKind: 'sliding',
    doors: [
      ['A', '支架与球囊'],
      ['B', '导丝与导管'],
    ],
    range: [null, null],
  },
  {
    code: 'GZ-32',
    name: '手术室高值柜',
    store: 'H01-W32',
    type: 'main',
    identify: 'rfid',
    doorKind: 'sliding',
    doors: [['A', '吻合器与补片']],
    range: [null, null],
  },
  {
    code: 'DZ-33',
    name: 'ICU低值称重柜',
    store: 'H01-W33',
    type: 'weighing',
    identify: 'weight',
    doorKind: 'drawer',
    doors: [
      ['1', '上抽屉'],
      ['2', '下抽屉'],
    ],
    range: [null, null],
  },
  {
    code: 'LC-34',
    name: '检验科冷藏柜',
    store: 'H01-W34',
    type: 'cold',
    identify: 'scan',
    doorKind: 'cold',
    doors: [['A', '试剂']],
    range: ['2', '8'],
  },
]

/** The devices, their doors and who may open them; their contents follow from the stock. */
export async function loadCabinets(
  tx: TransactionSql,
  { organisations, warehouses }: Organisations,
  users: ReadonlyMap<string, string>,
): Promise<void> {
  const org_id = idOf(organisations, 'H01')
  const ids = await newIds(
    tx,
    devices.map(device => device.code),
  )
  await insertRows(
    tx,
    'cabinet',
    devices.map(device => ({
      org_id,
      id: idOf(ids, device.code),
      code: device.code,
      name: device.name,
      cabinet_type: device.type,
      maker: '智柜演示科技',
      serial_no: `SN-${device.code}`,
      warehouse_id: idOf(warehouses, device.store),
      identify: device.identify,
      temperature_min: device.range[0],
      temperature_max: device.range[1],
      compare_hours: '7,19',
      place: device.name.slice(0, 3),
      installed_on: '2026-01-08',
    })),
  )
  await insertRows(
    tx,
    'cabinet_door',
    devices.flatMap(device =>
      device.doors.map(([door_no, name]) => ({
        org_id,
        cabinet_id: idOf(ids, device.code),
        door_no,
        name,
        door_kind: device.doorKind,
        layers: 6,
      })),
    ),
  )
  await insertRows(
    tx,
    'cabinet_permission',
    ['hospital', 'nurse'].flatMap(login =>
      devices.map(device => ({
        org_id,
        user_id: idOf(users, login),
        warehouse_id: idOf(warehouses, device.store),
        may_count: login === 'hospital',
        may_manage: login === 'hospital',
        credential: 'card',
        credential_no: login === 'hospital' ? '9001' : '9028',
      })),
    ),
  )
}
