import { cabinetDevice, type CabinetDevice, signed } from './device.ts'
import { newKey, type Web } from './web.ts'

const MINUTE = 60_000
const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE)

/** What the day needs from the organisation: two cabinets for serials, one that works by keys and weight. */
type Stage = {
  readonly url: string
  readonly web: Web
  readonly main: CabinetDevice
  readonly second: CabinetDevice
  readonly low: CabinetDevice
  readonly cabinet: string
  readonly store: string
  /** Codes of serials in the main cabinet, usable ones first. */
  readonly codes: readonly string[]
  readonly nurse: string
  readonly doctor: string
  readonly doctorCode: string
  readonly slot: string
  readonly plate: { readonly code: string; readonly grams: number; readonly piece: number } | null
  readonly say: (line: string) => void
}

/** What was planted, and what the comparison must show of it, and nothing else. */
export type Played = {
  readonly vanished: string
  readonly unknown: string
  readonly wrongCabinet: string
  readonly pending: string
  readonly refusals: Readonly<Record<string, string>>
}

type Piece = { readonly code: string; readonly expiry_date: string | null; readonly lot_no: string | null }

/** Serials in a cabinet according to the ledger. */
const piecesIn = async (web: Web, store: string): Promise<Piece[]> =>
  (await web.list('unitLabel', { warehouse_model_inner_sn: store, status: 'in_stock' })) as Piece[]

/** Serials of a cabinet usable today: not expired, no recalled lot. */
async function usableIn(web: Web, store: string): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10)
  const recalled = new Set((await web.list('recallFeedback')).map(row => row.lot_no))
  return (await piecesIn(web, store))
    .filter(piece => (!piece.expiry_date || piece.expiry_date > today) && !recalled.has(piece.lot_no))
    .map(piece => piece.code)
}

/** Finds the demo's cabinets in the organisation and creates a key for each. */
export async function setStage(url: string, web: Web, say: Stage['say']): Promise<Stage> {
  const [main, second, low] = [await newKey(web, 'GZ-31'), await newKey(web, 'GZ-32'), await newKey(web, 'DZ-33')]
  const codes = await usableIn(web, main.store)
  if (codes.length < 7) throw new Error(`导管室高值柜只有${codes.length}件在库，至少需要7件`)
  const [nurse] = await web.list('user', { login: 'nurse' })
  const [doctor] = await web.list('employee', { is_surgeon: 'true' })
  const doors = await web.list('cupboard', { cabinet_sn: low.cabinet })
  const slots = (await Promise.all(doors.map(door => web.list('cabinetSlot', { door_sn: door.cupboard_sn })))).flat()
  const slot = slots.find(row => row.measure === 'key' && Number(row.quantity) >= 8)
  if (!slot) throw new Error('ICU低值称重柜没有按键计量且库存不少于8的货格')
  const plates = await web.list('weighingPlate', { warehouse_model_inner_sn: low.store })
  const plate = plates.find(row => row.pieces !== null && Number(row.pieces) >= 3)
  // The day starts the comparison itself, independent of the time of day.
  for (const { cabinet } of [main, second, low]) await web.done('cabinetComparison/auto', { cabinet_sn: cabinet })
  return {
    url,
    web,
    main: cabinetDevice(url, main),
    second: cabinetDevice(url, second),
    low: cabinetDevice(url, low),
    cabinet: main.cabinet,
    store: main.store,
    codes,
    nurse: nurse.user_inner_sn,
    doctor: doctor.employee_inner_sn,
    doctorCode: doctor.code,
    slot: slot.location,
    plate: plate ? { code: plate.code, grams: Number(plate.weight_g), piece: Number(plate.piece_g) } : null,
    say,
  }
}

type Moved = Readonly<Record<string, unknown>>
/** Opens a door, does something, closes it. Returns the server's response to the closing. */
async function visit(
  device: CabinetDevice,
  door: string,
  person: Moved,
  moved: Moved,
  purpose = 'take',
  at = new Date(),
): Promise<Moved | null> {
  const session = device.nextSession()
  await device.report('open', { session, door, purpose, auth: '刷卡', ...person }, at)
  return device.report('close', { session, ...moved }, new Date(Math.min(at.getTime() + MINUTE / 2, Date.now())))
}

/** Morning: what every ward does with its cabinet. */
async function morning({ main, second, low, codes, nurse, doctorCode, slot, plate, say }: Stage): Promise<void> {
  const person = { person: nurse }
  const patient = {
    patient_no: 'P2026001',
    patient_name: '演示患者甲',
    admission_no: 'ZY2026001',
    surgery_name: '冠脉介入',
    implant_site: '左前降支',
    doctor_code: doctorCode,
  }
  for (const device of [main, second, low]) await device.beat()
  const used = await visit(main, 'A', person, { taken_codes: [codes[0]], patient })
  say(`07:40 取用1件并选择患者：${String(used?.msg)}`)
  const taken = await visit(main, 'A', person, { taken_codes: [codes[1], codes[2]] })
  say(`08:10 取用2件未选患者：${String(taken?.msg)}`)
  const back = await visit(main, 'A', person, { put_codes: [codes[2]] })
  say(`09:00 放回1件：${String(back?.msg)}`)
  await visit(main, 'B', person, { taken_codes: [codes[3]] })
  const wrong = await visit(second, 'A', person, { put_codes: [codes[3]] })
  say(`09:30 从一号柜取出的1件放进了二号柜：${String(wrong?.msg)}`)
  const low5 = await visit(low, '1', person, { counts: [{ slot, taken: '5', put: '0' }] })
  say(`10:00 按键取用低值耗材5件：${String(low5?.msg)}`)
  if (plate === null) return
  const grams = (plate.grams - 2 * plate.piece).toFixed(3)
  const weighed = await visit(low, '2', person, { weights: [{ plate: plate.code, grams, steady_seconds: 6 }] })
  say(`10:05 称重抽屉少了2件：${String(weighed?.msg)}`)
}

/** Noon: forbidden things are refused. Returns each refusal as the server words it. */
async function attacks({ main, url, say }: Stage): Promise<Record<string, string>> {
  const outsider = await main.report('open', { session: main.nextSession(), door: 'A', card: '0000' })
  const first = main.request('done', { command: '0' })
  await main.send(first)
  const replayed = await main.send(first)
  const forged = await main.send(main.request('done', { command: '0' }, { secret: 'nobody' }))
  const stale = await main.send(main.request('done', { command: '0' }, { time: Math.floor(Date.now() / 1000) - 3600 }))
  const wrongKey = await fetch(`${url}/v1/device/plan`, {
    headers: signed(
      { id: `${main.key.id.slice(0, -1)}${main.key.id.endsWith('0') ? '1' : '0'}`, secret: main.key.secret },
      'GET',
      '/v1/device/plan',
      undefined,
    ).headers,
  })
  const refusals = {
    outsider: String(outsider?.msg),
    replayed: `${replayed.status} ${replayed.msg}`,
    forged: `${forged.status} ${forged.msg}`,
    stale: `${stale.status} ${stale.msg}`,
    wrongKey: `${wrongKey.status} ${((await wrongKey.json()) as { msg: string }).msg}`,
  }
  for (const [what, msg] of Object.entries(refusals)) say(`12:00 ${what}：${msg}`)
  return refusals
}

/**
 * Afternoon: an hour offline; a door is left open; the queued events arrive in order. Returns the opening that is
 * not closed yet.
 */
async function afternoon({ main, codes, nurse, doctorCode, say }: Stage): Promise<string> {
  const person = { person: nurse }
  main.cut()
  await visit(
    main,
    'A',
    person,
    {
      taken_codes: [codes[4]],
      patient: { patient_no: 'P2026002', patient_name: '演示患者乙', implant_site: '右冠', doctor_code: doctorCode },
    },
    'take',
    ago(55),
  )
  await visit(main, 'B', person, { taken_codes: [codes[5]] }, 'take', ago(40))
  await visit(main, 'B', person, { put_codes: [codes[5]] }, 'take', ago(25))
  const uploaded = await main.back()
  say(`15:00 断网一小时后补传${uploaded.length}个事件：${uploaded.map(each => String(each.state)).join(' ')}`)
  const session = main.nextSession()
  await main.report('open', { session, door: 'B', ...person, auth: '刷卡' }, ago(10))
  say('15:30 柜门B打开后忘了关')
  return session
}

/** Evening: the head nurse links the morning's take, everything is read, and only the planted differences are found. */
async function evening(stage: Stage): Promise<Pick<Played, 'vanished' | 'unknown'>> {
  const { main, web, codes, doctor, cabinet, say } = stage
  const [pending] = await web.list('cabinetTransaction', { unit_code: codes[1]!, state: 'pending' })
  const linked = await web.done('cabinetTransaction/link', {
    sns: [pending.cabinet_transaction_sn],
    use: 'patient',
    patient_name: '演示患者丙',
    admission_no: 'ZY2026003',
    implant_site: '回旋支',
    doctor_inner_sn: doctor,
  })
  say(`18:00 护士长关联患者：${linked.said}`)
  const open = (await web.list('cupboard', { cabinet_sn: cabinet })).find(door => door.door_state !== 'closed')
  if (open) throw new Error(`柜门${open.door_no}未关`)
  const asked = await web.done('cabinetComparison/compare', { cabinet_sn: cabinet })
  say(`19:00 ${asked.said}`)
  const { info } = await main.beat()
  const command = info.commands.find((each: { kind: string }) => each.kind === 'read').command
  const [vanished, unknown] = [codes[6]!, `EPC-${Date.now().toString(16).toUpperCase()}`]
  const inside = (await piecesIn(web, stage.store)).map(piece => piece.code).filter(code => code !== vanished)
  const read = await main.report('inventory', { command, codes: [...inside, unknown] })
  say(`19:01 ${String(read?.msg)}（埋下：1件失踪、1张未知标签）`)
  return { vanished, unknown }
}

/** `between` runs while a door stays open too long, so that the server's watch gets its turn. */
export async function playDay(stage: Stage, between: () => Promise<void>): Promise<Played> {
  await morning(stage)
  const refusals = await attacks(stage)
  const late = await afternoon(stage)
  await between()
  await stage.main.report('close', { session: late })
  stage.say('15:45 柜门B已关')
  const found = await evening(stage)
  return { ...found, refusals, wrongCabinet: stage.codes[3]!, pending: stage.codes[1]! }
}
