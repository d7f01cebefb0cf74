import { idOrNull } from '#demo/rows.ts'
import { instantOf, rounds } from '#demo/simulation/calendar.ts'
import { chance } from '#demo/simulation/random.ts'
import type { Good } from '#demo/simulation/goods.ts'
import { use, type UseHeader, wardOf } from '#demo/simulation/hospital/ward-documents.ts'
import type { World } from '#demo/simulation/world.ts'

/** The store that serves each operating department. */
export const theatreStores: Readonly<Record<string, string>> = {
  'H01-K29': 'H01-W11',
  'H01-K31': 'H01-W12',
  'H02-K08': 'H02-W11',
}

/** 高值: what was used in each operation, on whom and by whom. Kits brought along are used from where they are stored. */
export function planSurgeries(world: World): void {
  for (const [at, surgery] of world.catalogue.surgeries.filter(item => item.done).entries())
    world.plan(surgery.day, 16, `${surgery.hospital} theatre`, async () => {
      const { row } = surgery
      const store = theatreStores[row.operating_department ?? ''] ?? ''
      const ward = wardOf(world, store)
      const header = surgeryHeader(world, surgery, ward.department)
      const nurse = world.people(surgery.hospital, 'ward', row.circulating_nurse_code)
      const coded = (good: Good) =>
        world.catalogue.stocked.find(item => item.hospital === surgery.hospital && item.good === good)
      const wants = surgery.items.map(item => ({
        good: item.good,
        quantity: item.quantity,
        isUnitCoded: coded(item.good)?.isUnitCoded ?? false,
        from:
          item.way === '跟台' || (surgery.hospital === 'H02' && item.way === '寄售')
            ? (coded(item.good)?.store ?? store)
            : store,
      }))
      // Every third operation is recorded as such, some of them as a signed report; the others as uses of the ward.
      const isWritten = at % 3 === 0
      const { use_type: _type, visit_type: _visit, ...common } = header
      const written = {
        ...common,
        surgery_no: row.his_surgery_no,
        theatre: row.operating_room,
        nurse_inner_sn: idOrNull(world.masters.employees, row.circulating_nurse_code),
      }
      for (const [nth, [from, parts]] of [...Map.groupBy(wants, want => want.from)].entries()) {
        const form = { ...written, form_type: at % 2 === 0 && nth === 0 ? 'report' : 'record' }
        if (isWritten) await use(world, surgery.hospital, from, parts, nurse, form, null, 'surgeryUse')
        else await use(world, surgery.hospital, from, parts, nurse, header)
      }
    })
  planPatientUses(world)
  planTestsInTheatre(world)
}

/** Tests during operations use a maker's own consigned reagents from the laboratory. */
function planTestsInTheatre(world: World): void {
  const lab = wardOf(world, 'H01-W17')
  const reagents = world.catalogue.stocked.filter(
    item => item.hospital === 'H01' && item.supplier.startsWith('V') && item.regime === 'consigned',
  )
  const patient = world.catalogue.patients.find(row => row.hospital_code === 'H01')
  for (const daysAgo of [152, 121, 91, 60, 30, 17, 9, 3])
    world.plan(world.calendar.ago(daysAgo), 18, 'H01 H01-W03', async () => {
      const wants = reagents.map(item => ({ good: item.good, quantity: 1, isUnitCoded: item.isUnitCoded }))
      const header = {
        department_inner_sn: lab.department,
        surgery_name: '术中快速检测',
        theatre: '5号手术间',
        patient_name: patient?.name,
        admission_no: patient?.admission_no,
        doctor_inner_sn: idOrNull(world.masters.employees, 'H01-E22'),
      }
      await use(world, 'H01', 'H01-W17', wants, world.people('H01', 'ward', lab.manager), header, null, 'surgeryUse')
    })
}

const sexes: Readonly<Record<string, string>> = { 男: 'male', 女: 'female' }

export function surgeryHeader(
  world: World,
  { row, patient, day }: World['catalogue']['surgeries'][number],
  department: string,
): UseHeader {
  return {
    department_inner_sn: department,
    use_type: 'patient',
    visit_type: 'inpatient',
    used_at: instantOf(day, row.start_time ?? '10:00'),
    patient_no: patient?.patient_id ?? null,
    patient_name: patient?.name ?? null,
    admission_no: row.admission_no ?? null,
    patient_sex: sexes[patient?.sex ?? ''] ?? 'unknown',
    patient_age: patient?.age ?? null,
    bed_no: patient?.bed ?? null,
    surgery_name: row.procedure_name ?? null,
    implant_site: row.body_side ? `${row.body_side}侧` : (row.procedure_name ?? '').slice(0, 12),
    doctor_inner_sn: idOrNull(world.masters.employees, row.surgeon_code),
    handler_inner_sn: idOrNull(world.masters.employees, row.circulating_nurse_code),
  }
}

/** Consigned, and taken from the store: its owner has a use to settle in every month, however the operations fall. */
const CATHETER = { code: 'P055-01', store: 'H01-W04' } as const

/** Angiographies and similar uses between the planned operations. */
function planPatientUses(world: World): void {
  const uses = world.catalogue.wards.filter(use => use.ward === 'H01-W12' && use.byPatient)
  const catheters = world.catalogue.stocked
    .filter(item => item.store === CATHETER.store && item.good.code === CATHETER.code)
    .map(item => ({ good: item.good, quantity: 1, isUnitCoded: item.isUnitCoded }))
  const patients = world.catalogue.patients.filter(row => row.hospital_code === 'H01')
  const doctor =
    world.catalogue.surgeries.find(surgery => surgery.row.operating_department === 'H01-K31')?.row.surgeon_code ?? null
  const mood = chance('patient uses')
  for (const { daysAgo } of rounds(171, 12, 2)) {
    const patient = patients[mood.between(0, patients.length - 1)]!
    const picked = uses
      .filter(() => mood.next() < 0.55)
      .map(item => ({ good: item.good, quantity: 1, isUnitCoded: item.isUnitCoded }))
    const day = world.calendar.ago(daysAgo)
    world.plan(day, 15, 'H01 theatre', async () => {
      const ward = wardOf(world, 'H01-W12')
      // Every third is recorded as an operation; the makers of its goods see it as such.
      const isOperation = daysAgo % 36 === 3
      const operation = {
        department_inner_sn: ward.department,
        used_at: instantOf(day, '10:20'),
        patient_no: patient.patient_id,
        patient_name: patient.name,
        admission_no: patient.admission_no,
        patient_sex: sexes[patient.sex ?? ''] ?? 'unknown',
        patient_age: patient.age,
        bed_no: patient.bed,
        surgery_name: '冠状动脉造影术',
        doctor_inner_sn: idOrNull(world.masters.employees, doctor),
        handler_inner_sn: idOrNull(world.masters.employees, ward.manager),
      }
      const ofWard = { ...operation, use_type: 'patient', visit_type: 'inpatient' }
      const inTheatre = { ...operation, theatre: '介入1号间' }
      const nurse = world.people('H01', 'ward', ward.manager)
      if (isOperation) await use(world, 'H01', 'H01-W12', picked, nurse, inTheatre, null, 'surgeryUse')
      else await use(world, 'H01', 'H01-W12', picked, nurse, ofWard)
      await use(world, 'H01', CATHETER.store, catheters, nurse, ofWard)
    })
  }
}
