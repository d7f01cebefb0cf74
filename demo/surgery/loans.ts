import { addDays, today } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { recordOf } from '#demo/records.ts'
import { type Case, CASES, order, PACING, roomOf, type Stage } from '#demo/surgery/cases.ts'
import { productsOf, type Trade } from '#demo/trades.ts'
import { type DemoDatabase, type Hands, openHands } from '#demo/simulation/actions.ts'
import type { Session } from '#server/access/session.ts'
import { loanStore } from '#server/documents/posting/locations.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { addRecord } from '#server/records/write.ts'

/** How many sizes are lent for an operation, some pieces of each. */
const GOODS = 2
const KIT = 'TB-JR-01'
type Operation = Pick<Case, 'procedure' | 'site' | 'patient' | 'admission'>
/** The operation that the numbered kit goes to. */
const WITH_KIT: Operation = {
  procedure: '急诊冠状动脉支架置入术',
  site: '左前降支',
  patient: '南宫望舒',
  admission: 'ZY2611207',
}

type Piece = {
  readonly specification: string
  readonly lot: string
  readonly location: string
  readonly codes: string[]
}
type Side = { readonly session: Session; readonly store: string; readonly technician: string; readonly name: string }
type Place = {
  readonly department: string
  readonly surgeon: string
  readonly session: Session
  /** The store for loans; it exists once the first goods came. */
  readonly loans: string
}

/** The organisation that brings goods to the theatre, with a technician who attends. */
async function sideOf(owner: DemoDatabase['owner'], code: string): Promise<Side | null> {
  const [row] = await owner<{ org: string; store: string; technician: string; name: string }[]>`
    select o.id as org, w.id as store, e.id as technician, e.name from organisation o
      join warehouse w on w.org_id = o.id and w.model = 'central' and w.status = 'enabled'
      join employee e on e.org_id = o.id and e.status = 'enabled'
     where o.code = ${code} order by w.id, e.id limit 1`
  if (!row) return null
  const session = { ...(await systemSessionOf(owner, row.org)), userName: '跟台主管' }
  return { session, store: row.store, technician: row.technician, name: row.name }
}

type Wanted = { readonly trade: Trade; readonly goods: string; readonly but?: readonly string[] }

/**
 * Goods of a supplier that the hospital admitted, piece by piece where they have codes; those first whose names say
 * what is wanted.
 */
async function goodsOf(
  owner: DemoDatabase['owner'],
  side: Side,
  hospital: string,
  { trade, goods, but = [] }: Wanted,
): Promise<Piece[]> {
  return owner<Piece[]>`
    select b.specification_id as specification, t.lot_no as lot, b.location,
           coalesce((select array_agg(c.bare order by c.bare) from (
             select distinct on (u.id) c.bare from unit u join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id
               and c.ended is null and c.kind <> 'rfid'
              where u.lot_id = b.lot_id and u.status = 'in_stock' and u.warehouse_id = b.warehouse_id
                and coalesce(u.place, '') = b.location
              order by u.id, c.kind = 'inhouse' desc limit 4) c), '{}') as codes
      from stock_balance b join lot t on t.id = b.lot_id
      join stock_lot y on y.org_id = b.org_id and y.lot_id = b.lot_id
      join specification s on s.id = b.specification_id join product p on p.id = s.product_id
      join hospital_product h on h.org_id = ${hospital} and h.specification_id = s.id and h.status = 'enabled'
        and h.admission_state = 'admitted'
     where b.org_id = ${side.session.org.id} and b.warehouse_id = ${side.store} and b.owner_id = b.org_id
       and b.quality_state = 'qualified' and b.quantity >= 4 and y.expiry_date > ${addDays(today(), 90)}::date
       and not exists (select 1 from reservation r where r.org_id = b.org_id and r.lot_id = b.lot_id)
       and p.code = any(${productsOf(trade)}) and b.specification_id <> all(${but as string[]}::bigint[])
     order by p.name ~ ${goods} desc, p.is_implant desc, b.specification_id, b.lot_id limit ${GOODS}`
}

const lineOf = ({ specification, lot, location, codes }: Piece, quantity: number) =>
  codes.length > 0
    ? { unit_codes: codes.slice(0, quantity) }
    : { specification_sn: specification, lot_no: lot, location, quantity: String(quantity) }

/**
 * Operations on goods that suppliers lend, each at another stage: asked for, accepted, counted at the door, in the
 * theatre, used, sold and booked.
 */
export async function lendForOperations(database: DemoDatabase): Promise<void> {
  const { owner, app } = database
  const hands = openHands(database)
  for (const [code, trade, cases] of [
    ['D01', '骨科', CASES],
    ['V01', '介入', PACING],
  ] as const) {
    const place = await theatreOf(owner, trade)
    const side = await sideOf(owner, code)
    if (!place || !side) continue
    const { session } = place
    // The supplier's letter for its technician, in its own archive and on file at the hospital.
    for (const keeper of [side.session, session])
      await inOrganisation(app, keeper.org.id, '0', tx =>
        addRecord(tx, keeper, recordOf('licence'), {
          holder_sn: side.session.org.id,
          licence_type: '法人授权委托书（跟台人员）',
          licence_no: `GT-${code}-01`,
          valid_from: addDays(today(), -30),
          valid_to: addDays(today(), 335),
          person_name: side.name,
          grantee_sn: session.org.id,
        }),
      )
    const lent: string[] = []
    for (const each of cases) {
      const pieces = await goodsOf(owner, side, session.org.id, { trade, goods: each.goods, but: lent })
      lent.push(...pieces.map(piece => piece.specification))
      if (pieces.length > 0) await lend(hands, place, side, each, pieces)
    }
  }
  await hands.round()
}

/** The department that operates with goods of a trade, and its surgeon. */
const theatres = { 骨科: ['H01-K13', 'H01-E17'], 介入: ['H01-K31', 'H01-E16'] } as const

/** The place where a hospital operates with goods of a trade, and its store for loans. */
async function theatreOf(owner: DemoDatabase['owner'], trade: keyof typeof theatres): Promise<Place | null> {
  const [department, surgeon] = theatres[trade]
  const [hospital] = await owner<{ org: string; department: string; surgeon: string }[]>`
    select o.id as org, x.id as department, e.id as surgeon from organisation o
      join department x on x.org_id = o.id and x.code = ${department}
      join employee e on e.org_id = o.id and e.code = ${surgeon}
     where o.code = 'H01'`
  if (!hospital) return null
  const session = { ...(await systemSessionOf(owner, hospital.org)), userName: '手术室护士长' }
  const { code: store, name, model } = loanStore
  await owner`insert into warehouse (org_id, code, name, model, type, pinyin)
    values (${hospital.org}, ${store}, ${name}, ${model}, 3, ${pinyinInitials(name)})
    on conflict (org_id, code) do nothing`
  const [loans] = await owner<{ id: string }[]>`
    select id from warehouse where org_id = ${hospital.org} and model = 'loan'`
  return { ...hospital, session, loans: loans!.id }
}

/** An urgent operation yesterday for which a numbered kit went out: part of it was used, the rest came home. */
export async function lendKit(database: DemoDatabase): Promise<void> {
  const { owner, app } = database
  const hands = openHands(database)
  const place = await theatreOf(owner, '介入')
  const side = await sideOf(owner, 'D01')
  if (!place || !side) return
  const [who, supplier] = [place.session, side.session]
  const goods = await goodsOf(owner, side, who.org.id, { trade: '介入', goods: '支架' })
  if (goods.length === 0) return
  await inOrganisation(app, supplier.org.id, '0', async tx => {
    const list = await addRecord(tx, supplier, recordOf('operationKit'), {
      code: 'TBM-JR',
      name: '心脏介入急诊套包',
      surgery_name: WITH_KIT.procedure,
      surgery_code: '36.07',
      body_site: '冠状动脉',
    })
    for (const [at, { specification }] of goods.entries())
      await addRecord(tx, supplier, recordOf('operationKitLine'), {
        operation_kit_sn: list.sn,
        specification_sn: specification,
        quantity: '2',
        sort_no: at,
      })
    await addRecord(tx, supplier, recordOf('implantKit'), {
      code: KIT,
      operation_kit_sn: list.sn,
      packed_by: 'list',
      warehouse_model_inner_sn: side.store,
    })
  })
  const plan = await hands.add(who, 'bonePlan', {
    counterparty_sn: supplier.org.id,
    department_inner_sn: place.department,
    doctor_inner_sn: place.surgeon,
    surgery_at: `${addDays(today(), -1)}T08:00:00.000Z`,
    surgery_type: 'emergency',
    procedure_name: WITH_KIT.procedure,
    site: WITH_KIT.site,
    patient_name: WITH_KIT.patient,
    admission_no: WITH_KIT.admission,
    lines: [{ item_name: '心脏介入急诊套包', category: 'kit', quantity: '1' }],
  })
  await hands.pass(who, who, 'bonePlan', plan)
  await hands.act(supplier, 'bonePlan', 'accept', plan, { technician_inner_sn: side.technician })
  await hands.act(supplier, 'bonePlan', 'prepare', plan, { kit_codes: [KIT] })
  await hands.act(supplier, 'bonePlan', 'toPresale', plan)
  const presale = (await hands.created(supplier.org.id, 'bonePresale', plan, who.org.id))!
  await hands.pass(supplier, supplier, 'bonePresale', presale)
  const [sent] = await owner<{ lot: string; specification: string; codes: string[] }[]>`
    select t.lot_no as lot, l.specification_id as specification, l.unit_codes as codes from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
      join lot t on t.id = l.lot_id
     where d.org_id = ${supplier.org.id} and d.kind = 'bonePresale' and d.sn = ${presale} order by l.line_no limit 1`
  const use = await hands.add(who, 'surgeryUse', {
    ...recordOfUse(place, WITH_KIT),
    lines: [{ ...lineOf({ ...sent!, location: presale }, 1), location: presale }],
  })
  await hands.pass(who, who, 'surgeryUse', use)
  await hands.act(supplier, 'bonePlan', 'toBack', plan)
  await hands.pass(supplier, supplier, 'boneBack', (await hands.created(supplier.org.id, 'boneBack', presale))!)
  await hands.round()
}

async function lend(hands: Hands, place: Place, side: Side, each: Case, pieces: readonly Piece[]): Promise<void> {
  const until = (stage: Stage) => order.indexOf(each.stage) >= order.indexOf(stage)
  const who = place.session
  const supplier = side.session
  const hour = String(each.hour).padStart(2, '0')
  const surgery = await hands.add(who, 'surgeryPlan', {
    department_inner_sn: place.department,
    doctor_inner_sn: place.surgeon,
    surgery_at: `${addDays(today(), each.days)}T${hour}:00:00.000Z`,
    surgery_type: each.days < 0 ? 'emergency' : 'elective',
    procedure_name: each.procedure,
    site: each.site,
    theatre: roomOf(each),
    patient_name: each.patient,
    admission_no: each.admission,
    lines: pieces.map(({ specification }) => ({
      category: 'goods',
      specification_sn: specification,
      quantity: '3',
      supplier_sn: supplier.org.id,
    })),
  })
  await hands.pass(who, who, 'surgeryPlan', surgery)
  await hands.act(who, 'surgeryPlan', 'toBonePlan', surgery)
  const plan = (await hands.created(who.org.id, 'bonePlan', surgery))!
  await hands.pass(who, who, 'bonePlan', plan)
  if (!until('accepted')) return
  await hands.act(supplier, 'bonePlan', 'accept', plan, { technician_inner_sn: side.technician })
  const presale = await hands.add(supplier, 'bonePresale', {
    source_sn: plan,
    source_org_sn: who.org.id,
    source_type: sourceTypes.BONE_PLAN,
    warehouse_model_inner_sn: side.store,
    lines: pieces.map(piece => ({ ...lineOf(piece, 3), goods_kind: 'implant' })),
  })
  await hands.act(supplier, 'bonePresale', 'submit', presale)
  await hands.act(who, 'bonePlan', 'toPreAcceptance', plan)
  const acceptance = (await hands.created(who.org.id, 'bonePreAcceptance', plan))!
  if (!until('counted')) return
  const listed = await hands.lines(who.org.id, acceptance)
  await hands.edit(who, 'bonePreAcceptance', acceptance, {
    run_no: `MJ${today().replaceAll('-', '')}`,
    biological: 'passed',
    lines: listed.map(line => ({
      line_no: line.line_no,
      specification_sn: line.specification_id,
      unit_codes: [...line.unit_codes],
      goods_kind: 'implant',
      listed_quantity: '3',
      quantity: '3',
    })),
  })
  await hands.pass(who, who, 'bonePreAcceptance', acceptance)
  if (!until('sent')) return
  await hands.act(supplier, 'bonePresale', 'review', presale)
  if (until('used')) await finish(hands, place, side, each, pieces, { plan, presale })
}

/** The head of a record of use, out of the store for loans. */
const recordOfUse = (place: Place, { procedure, site, patient, admission }: Operation) => ({
  warehouse_model_inner_sn: place.loans,
  department_inner_sn: place.department,
  doctor_inner_sn: place.surgeon,
  surgery_name: procedure,
  implant_site: site,
  patient_name: patient,
  admission_no: admission,
})

/** Books the used goods, and goes on from there to the hospital's receipt. */
async function finish(
  hands: Hands,
  place: Place,
  side: Side,
  each: Case,
  pieces: readonly Piece[],
  { plan, presale }: { readonly plan: string; readonly presale: string },
): Promise<void> {
  const who = place.session
  const use = await hands.add(who, 'surgeryUse', {
    ...recordOfUse(place, each),
    theatre: roomOf(each),
    lines: pieces.map(piece => ({ ...lineOf(piece, 1), location: presale })),
  })
  await hands.pass(who, who, 'surgeryUse', use)
  await hands.act(side.session, 'bonePlan', 'toBack', plan)
  const back = (await hands.created(side.session.org.id, 'boneBack', presale))!
  if (each.stage === 'used') return
  await hands.pass(side.session, side.session, 'boneBack', back)
  await hands.act(side.session, 'bonePlan', 'toSale', plan)
  const sale = await hands.created(side.session.org.id, 'boneSale', use, who.org.id)
  await hands.pass(side.session, side.session, 'boneSale', sale!)
  const receipt = await hands.created(who.org.id, 'purchaseGrn', sale!, side.session.org.id)
  await hands.pass(who, who, 'purchaseGrn', receipt!)
}
