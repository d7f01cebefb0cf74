import { expect } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { allFigures } from '#app/operations/figures.ts'
import type { Sql } from '#server/plugins/database.ts'
import type { Reply } from './test-server.ts'
import { isThorough } from './thorough.ts'
import { setRule } from './rules.ts'
import { createPlaces } from './locations.ts'
import { whenFinished } from './steps.ts'
import { day, openStage, type Person, type Stage } from './story.ts'

/** The stage with its users and the goods they trade: the starting point of every document test. */
export interface Scene extends Stage {
  readonly vendor: Person
  readonly dealer: Person
  /** The dealer's second user. */
  readonly dealer2: Person
  readonly hospital: Person
  readonly finance: Person
  /** Ids of the hospital, the dealer and the manufacturer. */
  readonly h: string
  readonly d: string
  readonly v: string
  /** An implant, managed by serial, consigned at the hospital. */
  readonly stent: string
  /** Managed by serial and high-value, no implant, consigned at the hospital. */
  readonly balloon: string
  /** Managed by lot, bought by the hospital. */
  readonly inflator: string
  /** The dealer's central warehouse, the hospital's high-value warehouse and one of its wards. */
  readonly shop: string
  readonly central: string
  readonly ward: string
  readonly department: string
  readonly surgeon: string
  /** Sets a rule of an organisation; within a test until its end. */
  rule(org: string, name: string, value: unknown): Promise<void>
  /** Another administrator of the same organisation, who approves what this one wrote. */
  colleague(login: string): Promise<Person>
  /** Another user of the same organisation, who has these rights and no others. */
  clerk(login: string, name: string, flags: readonly string[]): Promise<Person>
  /** Lets the registration certificate of goods expire yesterday; within a test until its end. */
  expire(specification: string): Promise<void>
  /** Creates locations of a warehouse, on their own shelf. */
  places(warehouse: string, codes: readonly string[]): Promise<void>
  /** Reviewed opening stock for a user, on locations created for it; returns its number. */
  shelve(who: Person, warehouse: string, lines: readonly object[], header?: object): Promise<string>
}

/** `figures`: the scene ends with a comparison of every place that shows a measure, for all who took part. */
export async function openScene({ figures = false }: { readonly figures?: boolean } = {}): Promise<Scene> {
  const stage = await openStage()
  const { close } = stage
  const [vendor, dealer, dealer2, hospital, finance] = (await Promise.all(
    ['vendor', 'dealer', 'dealer2', 'hospital', 'finance'].map(stage.person),
  )) as [Person, Person, Person, Person, Person]
  const [h, d, v] = (await Promise.all(['H01', 'D01', 'V01'].map(stage.org))) as [string, string, string]
  const [stent, balloon, inflator] = (await Promise.all(
    ['P001-01', 'P002-01', 'P009-01'].map(stage.specification),
  )) as [string, string, string]
  const ward = await stage.one(
    "select w.id, w.department_id from warehouse w where w.org_id = $1 and w.model = 'ward' order by w.id limit 1",
    h,
  )
  const surgeon = await stage.one('select id from employee where org_id = $1 and is_surgeon limit 1', h)
  const places: Scene['places'] = (warehouse, codes) => createPlaces(stage, warehouse, codes)
  const shelve: Scene['shelve'] = async (who, warehouse, lines, header = {}) => {
    await places(
      warehouse,
      lines.flatMap(line => ('location' in line && line.location ? [String(line.location)] : [])),
    )
    const sn = await who.add('openingStock', { warehouse_model_inner_sn: warehouse, ...header, lines })
    await who.pass('openingStock', sn)
    return sn
  }
  return Object.assign(stage, {
    vendor,
    dealer,
    dealer2,
    hospital,
    finance,
    h,
    d,
    v,
    stent,
    balloon,
    inflator,
    shop: await stage.store('D01', 'central'),
    central: await stage.warehouse('H01-W02'),
    ward: ward.id as string,
    department: ward.department_id as string,
    surgeon: surgeon.id as string,
    rule: async (org: string, name: string, value: unknown) => {
      afterThisTest(await setRule(stage.server.database.owner, org, name, value))
    },
    clerk: async (login: string, name: string, flags: readonly string[]) => {
      await stage.one(
        `with role as (
           insert into role (org_id, name, flags) select org_id, $2, $3::text[] from app_user where login = $1
           returning org_id, id),
         fresh as (
           insert into app_user (org_id, login, password_hash, name, is_administrator)
             select org_id, $2, password_hash, $2, false from app_user where login = $1 returning org_id, id)
         insert into user_role (org_id, user_id, role_id) select f.org_id, f.id, r.id from fresh f, role r
           returning 1`,
        login,
        name,
        `{${flags.map(flag => `"${flag}"`).join(',')}}`,
      )
      return stage.person(name)
    },
    expire: async (specification: string) => {
      const { id, valid_to } = await stage.one(
        'select c.id, c.valid_to::text from registration_certificate c' +
          ' join specification s on s.registration_certificate_id = c.id where s.id = $1',
        specification,
      )
      const set = (to: string | null) =>
        stage.one('update registration_certificate set valid_to = $1 where id = $2 returning 1', to, id)
      await set(day(-1))
      afterThisTest(() => set(valid_to))
    },
    colleague: async (login: string) => {
      const other = `${login}.colleague`
      await stage.one(
        `insert into app_user (org_id, login, password_hash, name, is_administrator)
           select org_id, $2, password_hash, name || '二', true from app_user where login = $1
           on conflict (login) do nothing returning 1`,
        login,
        other,
      )
      return stage.person(other)
    },
    places,
    shelve,
    // Every test ends with a ledger check, and with nothing that was answered and then failed behind the answer.
    close: async () => {
      const { owner } = stage.server.database
      const findings = await checkLedgers(owner)
      const wrong = figures ? await wrongFigures(owner) : []
      const failed = await owner`select kind, action, last_error from record_outbox where last_error is not null`
      await close()
      expect(findings.map(finding => finding.msg)).toEqual([])
      expect(wrong).toEqual([])
      expect([...failed]).toEqual([])
    },
  })
}

/**
 * Places that show a measure otherwise than its fact, of all organisations that have a document: in `npm test` totals
 * of the running month, in `npm run thorough` groups, workbooks and the months before as well.
 */
async function wrongFigures(owner: Sql): Promise<unknown[]> {
  const traders = await owner<{ id: string }[]>`select distinct org_id::text as id from document`
  const wrong: unknown[] = []
  for await (const each of allFigures(owner, { only: traders.map(({ id }) => id), brief: !isThorough }))
    wrong.push(...each.differences.map(difference => ({ organisation: each.organisation, ...difference })))
  return wrong
}

/** Undoes a change when the test that made it is over, so that others begin without it; for hooks it stays. */
export function afterThisTest(undo: () => Promise<unknown>): void {
  try {
    whenFinished(undo)
  } catch {
    // Set up for the whole file.
  }
}

/** A lot on hand, as opening stock posts it. */
export const lotOf = (specification: string, lot_no: string, more: object = {}) => ({
  specification_sn: specification,
  lot_no,
  production_date: day(-60),
  expiry_date: day(700),
  price: '100',
  ...more,
})

/** Expects a refusal with exactly this message (or one matching the pattern). */
export function expectMessage(reply: Reply, sentence: string | RegExp): void {
  expect(reply.code).not.toBe(0)
  if (typeof sentence === 'string') expect(reply.msg).toBe(sentence)
  else expect(reply.msg).toMatch(sentence)
}

/** Stock on hand in a warehouse by lot, as users read it. */
export async function shelf(who: Person, warehouse: string, specification: string): Promise<Record<string, string>> {
  const rows = await who.list('stockBalance', { warehouse_model_inner_sn: warehouse, specification_sn: specification })
  return Object.fromEntries(rows.map(row => [row.lot_no, row.quantity]))
}

/** Payables and receivables between the caller and a partner. */
export async function owed(who: Person, counterparty: string): Promise<typeof nothingOwed> {
  const [row] = await who.list('accountBalance', { counterparty_sn: counterparty })
  return row ?? nothingOwed
}
const nothingOwed = {
  receivable: '0.00',
  receivable_invoiced: '0.00',
  payable: '0.00',
  payable_invoiced: '0.00',
  prepaid: '0.00',
  prereceived: '0.00',
}

/** Tries to take a new document as far as `to`; returns the first refusal on the way, or the last reply. */
export async function attempt(
  who: Person,
  kind: string,
  body: object,
  to: 'submit' | 'review' = 'submit',
): Promise<Reply> {
  const added = await who.client.post(`/v1/business/${kind}/add`, body as Record<string, unknown>)
  if (added.code !== 0) return added
  const submitted = await who.do(kind, 'submit', added.info.sn)
  return submitted.code !== 0 || to === 'submit' ? submitted : who.do(kind, 'review', added.info.sn)
}
