import { clock, today } from '#kernel/values/date.ts'
import { fillCabinets } from '#demo/cabinet-day.ts'
import { seedMasters } from '#demo/masters/masters.ts'
import { openCalendar } from '#demo/simulation/calendar.ts'
import { planEndings } from '#demo/simulation/endings.ts'
import { loadCatalogue } from '#demo/simulation/goods.ts'
import { type DemoDatabase, openHands } from '#demo/simulation/actions.ts'
import { planAcross } from '#demo/simulation/trade/inter-organisation.ts'
import { planPacks } from '#demo/simulation/hospital/packs.ts'
import { planIndoors } from '#demo/simulation/hospital/internal-movements.ts'
import { planWardReturns } from '#demo/simulation/hospital/ward-returns.ts'
import { planLicenceGrants } from '#demo/simulation/people/licence-grants.ts'
import { planApplications } from '#demo/simulation/people/applications.ts'
import { planAdmissions } from '#demo/simulation/people/admissions.ts'
import { planApprovals } from '#demo/simulation/people/approvals.ts'
import { planIssues } from '#demo/simulation/trade/issues.ts'
import { planLotDates } from '#demo/simulation/trade/lot-dates.ts'
import { planCorrections } from '#demo/simulation/finance/corrections.ts'
import { planLosses } from '#demo/simulation/finance/losses.ts'
import { planReturns } from '#demo/simulation/trade/returns.ts'
import { recallSomething } from '#demo/recalls.ts'
import { publishInsuranceCodes } from '#demo/insurance.ts'
import { fillCatalogue, createShelves } from '#demo/catalogue.ts'
import { decide } from '#demo/deciding.ts'
import { lookAtGrants, renewLicences, writeRenewals } from '#demo/licences.ts'
import { fillLaboratory } from '#demo/reagents.ts'
import { followPatientsUp } from '#demo/follow-ups.ts'
import { fillImplantForms } from '#demo/implant-forms.ts'
import { bringTransport } from '#demo/transport.ts'
import { batchPayments, chargeServices, closeMonths, sendStatements } from '#demo/simulation/finance/bookkeeping.ts'
import { advanceMoney } from '#demo/simulation/finance/advances.ts'
import { requestInvoices } from '#demo/simulation/finance/e-invoices.ts'
import { makeKits } from '#demo/kits.ts'
import { lendForOperations, lendKit } from '#demo/surgery/loans.ts'
import { prepareOperations } from '#demo/surgery/preparations.ts'
import { setLimits } from '#demo/limits.ts'
import { seedTemplates } from '#demo/templates.ts'
import { planMoney } from '#demo/simulation/finance/payments.ts'
import { planAdvanceSales } from '#demo/simulation/trade/advance-sales.ts'
import { planPriceAdjustments, planTraderPrices } from '#demo/simulation/trade/pricing.ts'
import { noteDemoScans } from '#demo/scans.ts'
import { sendIncomes } from '#demo/his.ts'
import { planContracts } from '#demo/simulation/trade/contracts.ts'
import { planEnquiries } from '#demo/simulation/trade/enquiries.ts'
import { planOpening, slowGoods } from '#demo/simulation/opening.ts'
import { openPeople } from '#demo/simulation/people/people.ts'
import { planMakerConsignment, planSuppliers } from '#demo/simulation/trade/suppliers.ts'
import { planSettlements } from '#demo/simulation/finance/settlements.ts'
import { planOpenPlans } from '#demo/simulation/trade/ordering.ts'
import {
  planDealerOrders,
  planHospitalOrders,
  planProduction,
  planSideOrders,
} from '#demo/simulation/hospital/ward-rounds.ts'
import { planSurgeries } from '#demo/simulation/hospital/theatre.ts'
import { planWards } from '#demo/simulation/hospital/wards.ts'
import { openTimeline, type World } from '#demo/simulation/world.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { closeMonths as sealMonths } from '#server/ledger/month-close.ts'

/** Days before the load day on which the database runs `analyze`. */
const LOOKS = [363, 349, 319, 250, 150]

/** The trade of the year, in the order in which it is planned: later plans take from what earlier ones made. */
const PLANS: readonly ((world: World) => void)[] = [
  world => planOpening(world, slowGoods(world)),
  planProduction,
  planDealerOrders,
  planHospitalOrders,
  planSideOrders,
  planWards,
  planSurgeries,
  world => planMoney(world, planSettlements(world)),
  planEndings,
  planLosses,
  planCorrections,
  planIndoors,
  planPacks,
  planAcross,
  planReturns,
  planIssues,
  planLotDates,
  planApprovals,
  planAdmissions,
  planApplications,
  planOpenPlans,
  planContracts,
  planEnquiries,
  planPriceAdjustments,
  planTraderPrices,
  planLicenceGrants,
  planAdvanceSales,
  planWardReturns,
  planSuppliers,
  planMakerConsignment,
]

/** The number of actions that ran, and those that were refused. */
export type Seeded = { readonly actions: number; readonly refused: readonly string[] }

/**
 * Fills an empty database with the demo: its organisations, people, stores and goods, and a year of their trade
 * up to today, written through the engine as users would.
 */
export async function seedDemo(database: DemoDatabase): Promise<Seeded> {
  const before = clock.at
  const calendar = openCalendar(today(), before ?? new Date())
  const masters = await seedMasters(database.owner)
  await createShelves(database.owner)
  const people = await openPeople(database.owner, masters)
  await database.owner`analyze`
  const hands = openHands(database)
  const timeline = openTimeline(calendar.loadDay)
  const world: World = { masters, catalogue: loadCatalogue(masters), people, hands, calendar, plan: timeline.plan }
  for (const plan of PLANS) plan(world)
  // The tables have no statistics yet when the first thousand documents are written.
  for (const daysAgo of LOOKS)
    timeline.plan(calendar.ago(daysAgo), 6, 'analyze', async () => void (await database.owner`analyze`))
  const release = await takeAside(database)
  try {
    const refused = await timeline.live(calendar)
    clock.at = before
    await recallSomething(database, world, hands)
    return { refused: [...refused, ...(await undelivered(database))], actions: hands.count() }
  } finally {
    clock.at = before
    await release()
    await seedBesides(database)
    await sendIncomes(database, masters)
    await noteDemoScans(database.owner)
    await sealMonths(database.owner)
    // The owner's commit waits for the disk, and with it everything written before.
    await database.owner`analyze`
  }
}

/** Seeds the data beside documents: codes, limits, licences and their renewals, templates, cabinets. */
async function seedBesides(database: DemoDatabase): Promise<void> {
  await publishInsuranceCodes(database.owner)
  await setLimits(database.owner)
  await fillCatalogue(database.owner)
  await decide(database)
  await renewLicences(database.owner)
  await lookAtGrants(database.owner)
  await writeRenewals(database.owner)
  await seedTemplates(database.owner)
  await fillCabinets(database)
  await fillLaboratory(database)
  await makeKits(database)
  await lendForOperations(database)
  await fillImplantForms(database)
  await followPatientsUp(database)
  await prepareOperations(database)
  await lendKit(database)
  await bringTransport(database)
  await advanceMoney(database)
  await chargeServices(database)
  await requestInvoices(database)
  await sendStatements(database)
  await batchPayments(database)
  await closeMonths(database)
  // The owners of goods that were used get their messages.
  await deliverPending(database.app, database.owner)
}

/** Each connection plans statements again for itself, and the demo writes almost one document after the other. */
const WRITERS = 2
/**
 * No users are served while the demo is written, so commits need not wait for the disk and plans need not be made
 * per value.
 */
const IN_A_HURRY = ['synchronous_commit = off', 'plan_cache_mode = force_generic_plan']

/** Limits the demo to a few fast connections; returns the function that undoes this. */
async function takeAside({ app }: DemoDatabase): Promise<() => Promise<void>> {
  const held = await Promise.all(Array.from({ length: app.options.max }, () => app.reserve()))
  for (const connection of held) for (const setting of IN_A_HURRY) await connection.unsafe(`set ${setting}`)
  for (const connection of held.slice(0, WRITERS)) connection.release()
  return async () => {
    const writers = await Promise.all(held.slice(0, WRITERS).map(() => app.reserve()))
    const all = [...held.slice(WRITERS), ...writers]
    for (const connection of all) {
      for (const setting of IN_A_HURRY) await connection.unsafe(`reset ${setting.split(' ')[0]}`)
      connection.release()
    }
  }
}

/** Messages that did not reach the other side, after one more try. */
async function undelivered({ owner, app }: DemoDatabase): Promise<string[]> {
  await owner`update intercompany_message set next_at = now() where delivered_at is null`
  await deliverPending(app, owner)
  const rows = await owner<{ sn: string; last_error: string | null }[]>`
    select d.sn, h.last_error from intercompany_message h join document d on d.org_id = h.org_id
      and d.id = h.document_id where h.delivered_at is null order by h.id`
  return rows.map(row => `${row.sn} was not delivered: ${row.last_error ?? ''}`)
}
