import { expect } from 'vitest'
import { lotOf, type Scene } from './fixture.ts'
import { day, type Person } from './story.ts'

/** Service fees of a hospital: each bill is over two pieces that were used and settled, 336.00 at 2%: 6.72. */
export async function openFees(scene: Scene, prefix: string, channels: readonly Person[]) {
  const { hospital, dealer, ward, department, d } = scene
  let nth = 0
  const code = () => `${prefix}-${++nth}`
  const unit_codes = Array.from({ length: 60 }, (_, at) => `${prefix}-${at + 1}`)
  await scene.shelve(hospital, ward, [lotOf(scene.balloon, prefix, { unit_codes, owner_org_sn: d })])
  const channel = { channel: 'standin', drawer: '王开票', fee_tax_code: '3040802990000000000' }
  for (const who of channels) expect((await who.client.post('/v1/business/eInvoiceChannel/add', channel)).msg).toBe('')
  const rate = { supplier_sn: d, fee_class: 'dear', fee_base: 'settled', valid_from: day(-60), rate: '0.02' }
  const { info: added } = await hospital.client.post('/v1/business/supplierRate/add', rate)
  await hospital.client.post('/v1/business/supplierRate/review', { sn: added.sn, version: 1 })
  /** A bill that the hospital reviewed. */
  async function bill(more: object = {}): Promise<string> {
    const use = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      patient_name: '苏听松',
      admission_no: 'ZY02',
      lines: [{ unit_codes: [code(), code()] }],
    })
    await hospital.pass('departmentUse', use)
    const period = { counterparty_sn: d, begin_date: day(-30), end_date: day() }
    const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
    await hospital.done('settlement', 'submit', info.sn)
    await dealer.done('settlement', 'confirm', info.sn)
    await hospital.done('settlement', 'review', info.sn)
    const made = await hospital.client.post('/v1/business/serviceCharge/generate', { ...period, ...more })
    expect(made.msg).toBe('')
    await hospital.pass('serviceCharge', made.info.sn)
    return made.info.sn
  }
  /** The draft of the invoice over a bill, by who collects it. */
  async function drafted(who: Person, sn: string): Promise<string> {
    await who.done('serviceCharge', 'toInvoice', sn)
    const [draft] = await who.list('chargeInvoice', { charge_nos: sn, state: 'draft' })
    return draft.sn
  }
  /** The same, reviewed and asked for at the provider. */
  async function asked(who: Person, sn: string): Promise<string> {
    const invoice = await drafted(who, sn)
    await who.pass('chargeInvoice', invoice)
    await who.done('chargeInvoice', 'issue', invoice)
    return invoice
  }
  const row = async (who: Person, sn: string) => (await who.list('eInvoice', { document_sn: sn }))[0]
  return { bill, drafted, asked, row }
}
export type Fees = Awaited<ReturnType<typeof openFees>>
