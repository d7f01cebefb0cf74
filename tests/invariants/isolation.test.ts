import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { documents, entities } from '#app/modules.ts'
import type { Client, Reply } from '../support/test-server.ts'
import { inTurn } from '../support/thorough.ts'
import { proves } from '#tests/support/proves.ts'
import { bring, type Market, newCodes, openMarket, useOf } from './cases/fuzz-world.ts'

/**
 * No one sees, changes or guesses a row of another organisation: the reply is the same as for a row that never
 * existed.
 */
let market: Market
const outsiders = new Map<OrgType, Client>()
const known = new Set<string>()
const org = new Map<string, string>()
const keepers: Partial<Record<OrgType, string>> = { H: 'H01', D: 'D01', V: 'V01' }
const others: Partial<Record<OrgType, string>> = { H: 'H02', D: 'D02', V: 'V02' }

beforeAll(async () => {
  market = await openMarket()
  for (const call of market.stage.server.app.callTable) known.add(call.url)
  const { owner } = market.stage.server.database
  const codes = newCodes(2)
  await bring(market, { specification: market.coded, lot: 'ISO', quantity: 2, codes }, 'consigned')
  const use = await market.hospital.add('departmentUse', {
    ...useOf(market, [{ unit_codes: codes.slice(0, 1) }]),
    warehouse_model_inner_sn: market.shelf.H01,
  })
  await market.hospital.pass('departmentUse', use)
  for (const row of await owner<{ code: string; id: string }[]>`select code, id from organisation`)
    org.set(row.code, row.id)
  for (const [type, code] of Object.entries(others) as [OrgType, string][]) {
    const login = `outsider-${code}`
    await owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator) select ${org.get(code)!}, ${login},
        password_hash, ${login}, true from app_user where login = 'hospital'`
    outsiders.set(type, await market.stage.server.as(login))
  }
})
afterAll(() => market?.close())

/** A reply with the name of what was requested removed. */
const anonymous = (reply: Reply, name: string) => JSON.parse(JSON.stringify(reply).replaceAll(name, '*'))

async function alike(
  ask: (name: string) => Promise<Reply>,
  foreign: string,
  missing: string,
  what: string,
): Promise<void> {
  const [theirs, none] = [await ask(foreign), await ask(missing)]
  expect(anonymous(theirs, foreign), what).toEqual(anonymous(none, missing))
  expect(theirs.status, what).toBe(200)
  expect(JSON.stringify(theirs), what).not.toContain('SECRET')
}

const typesOf = (owners: string) => (['H', 'D', 'V'] as const).filter(type => owners === '' || owners.includes(type))
/** One kind of organisation per document kind, in turn among those that keep it; EVERYBODY=1: all of them. */
const turnOf = ({ kind, ownerTypes }: { kind: string; ownerTypes: string }) => {
  const types = typesOf(ownerTypes)
  return process.env.EVERYBODY ? types : types.filter((_, at) => at === kind.length % types.length)
}

describe.each(documents.map(definition => [definition.kind, definition] as const))(
  'documents: %s',
  (kind, definition) => {
    const path = (call: string) => `/v1/business/${kind}/${call}`

    it('of another organisation answer like documents that do not exist', async () => {
      proves('document.otherOrganisations')
      for (const type of turnOf(definition)) {
        const [mine, client] = [org.get(keepers[type]!)!, outsiders.get(type)!]
        const [foreign, missing] = [`SEC-${kind}-${type}`, `NON-${kind}-${type}`]
        await market.stage.server.database.owner`
        insert into document (org_id, kind, sn, from_org_id, state, business_date, remark, created_by)
          values (${mine}, ${kind}, ${foreign}, ${mine}, 'submitted', '2026-01-01', 'SECRET', 0)`
        for (const call of ['info', 'print'])
          await alike(sn => client.get(path(call), { sn }), foreign, missing, `${call} by ${type}`)
        for (const role of ['own', 'counterparty'])
          await alike(
            sn => client.get(path('info'), { sn, role, source_org_sn: mine }),
            foreign,
            missing,
            `info ${role}`,
          )
        for (const query of ['sn', 'q', 'source_sn']) {
          const reply = await client.get(path('list'), { [query]: foreign })
          expect([reply.code, reply.total, JSON.stringify(reply).includes('SECRET')], `list by ${query}`).toEqual([
            0,
            0,
            false,
          ])
        }
        const more = ['offers', 'copy', 'printed'].filter(call => known.has(path(call)))
        const calls = ['edit', 'del', 'rehearse', ...more, ...Object.keys(definition.actions)]
        for (const call of inTurn(calls, 3, documents.indexOf(definition)))
          await alike(
            sn =>
              client.post(path(call), {
                sn,
                version: 1,
                ...(call === 'edit' || call === 'del' ? {} : { reason: '试' }),
              }),
            foreign,
            missing,
            call,
          )
        await alike(
          sn => client.post(path('batch'), { action: Object.keys(definition.actions)[0], items: [{ sn, version: 1 }] }),
          foreign,
          missing,
          'batch',
        )
        await alike(sn => client.post(path('add'), { source_sn: sn, source_org_sn: mine }), foreign, missing, 'add')
        for (const call of Object.keys(documentRulesOf(kind).calls ?? {}))
          await alike(sn => client.post(path(call), { sn }), foreign, missing, call)
      }
    })

    it('are no source for documents of another organisation', async () => {
      proves('document.otherOrganisations')
      for (const take of definition.sourcing.sources ?? [])
        for (const type of turnOf(definition)) {
          const reply = await outsiders.get(type)!.get(path('sources'), { for: take.for })
          expect([reply.code, reply.total], take.for).toEqual([0, 0])
        }
    })
  },
)

describe.each(
  entities
    .filter(definition => definition.scope === 'organisation')
    .map(definition => [definition.kind, definition] as const),
)('records: %s', (kind, definition) => {
  const path = (call: string) => `/v1/business/${kind}/${call}`

  it('of another organisation are not listed and answer like rows that do not exist', async () => {
    const asked: OrgType[] = []
    for (const type of ['H', 'D', 'V'] as const) {
      const [mine, theirs, client] = [org.get(others[type]!)!, org.get(keepers[type]!)!, outsiders.get(type)!]
      const rows = await market.stage.server.database.owner.unsafe(
        `select id::text from ${definition.table} where org_id = $1 order by id limit 400`,
        [theirs],
      )
      const listed = await client.get(path('list'), { pageNum: '1', pageSize: '500' })
      const foreign = new Set(rows.map(row => String(row.id)))
      const own = new Set(
        (
          await market.stage.server.database.owner.unsafe(
            `select id::text from ${definition.table} where org_id = $1`,
            [mine],
          )
        ).map(row => String(row.id)),
      )
      if (listed.code === 0)
        expect(
          listed.list.filter(row => foreign.has(row[definition.key]) && !own.has(row[definition.key])),
          type,
        ).toEqual([])
      const one = [...foreign].find(id => !own.has(id))
      if (!one || (asked.length > 0 && !process.env.EVERYBODY)) continue
      asked.push(type)
      const missing = one.replace(/\d+/, digits => String(parseInteger(digits.slice(0, 9)) + 7_000_000))
      await alike(sn => client.get(path('info'), { sn }), one, missing, `info by ${type}`)
      for (const call of Object.keys(definition.calls ?? {}))
        await alike(sn => client.post(path(call), { sns: [sn] }), one, missing, `${call} by ${type}`)
      if (definition.readOnly) continue
      for (const call of ['edit', 'del', 'enable', 'disable', ...Object.keys(definition.actions ?? {})]) {
        const ask = (sn: string) => client.post(path(call), { sn, version: 1 })
        if ((await ask(missing)).status === 404) continue
        await alike(ask, one, missing, `${call} by ${type}`)
      }
    }
  })
})

describe('the database itself', () => {
  const guarded = async () =>
    (
      await market.stage.server.database.owner<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relrowsecurity
      and c.relname not in ('sign_in_failure', 'organisation', 'dictionary_item', 'certificate_change', 'open_request',
        'maker_lot')
     order by 1`
    ).map(row => row.name)
  /** The column that says whose a row is, where it has another name. */
  const ownerColumns: Readonly<Record<string, string>> = {
    vip_grant: 'granted_org_id',
    org_change: 'organisation_id',
    licence_audit: 'organisation_id',
  }

  it('shows the platform the accounts, roles and grants of everybody, and nobody else those of two', async () => {
    const { app, owner } = market.stage.server.database
    const [{ n: all } = { n: 0 }] = await owner<{ n: number }[]>`select count(*)::int as n from app_user`
    const seenBy = (who: string) =>
      app.begin(async tx => {
        await tx`select act_as(${who}, 0)`
        return (await tx<{ n: number }[]>`select count(*)::int as n from app_user`)[0]!.n
      })
    expect(await seenBy(org.get('P01')!)).toBe(all)
    for (const code of ['H01', 'D01', 'V01']) expect(await seenBy(org.get(code)!)).toBeLessThan(all)
    // An organisation that acts after the platform on the same connection does not reach further for that.
    await app.begin(async tx => {
      await tx`select act_as(${org.get('P01')!}, 0)`
      await tx`select act_as(${org.get('D01')!}, 0)`
      expect((await tx`select 1 from app_user where org_id <> ${org.get('D01')!}`).length).toBe(0)
    })
  })

  it('finds what a stranger asked for by the token of his request alone', async () => {
    const { app, owner } = market.stage.server.database
    await owner`insert into open_request (token_hash, fingerprint) values ('one', 'x'), ('two', 'y')`
    const seen = await app.begin(async tx => {
      await tx`select act_for_request('one')`
      return tx<{ token_hash: string }[]>`select token_hash from open_request`
    })
    expect(seen.map(row => row.token_hash)).toEqual(['one'])
    await expect(app`select 1 from open_request`).rejects.toMatchObject({ code: '42704' })
  })

  it('keeps who noted the change of a certificate to himself, and the history as it is', async () => {
    const { app } = market.stage.server.database
    const write = (as: string, of: string) =>
      app.begin(async tx => {
        await tx`select act_as(${as}, 0)`
        await tx`insert into certificate_change (registration_certificate_id, changed_on, document_no, item, after_text,
            by_name, org_id)
          select id, '2026-01-01', ${`B${as}${of}`}, '地址', '新地址', '某人', ${of} from registration_certificate limit 1`
      })
    await write(org.get('V01')!, org.get('V01')!)
    await expect(write(org.get('V01')!, org.get('D01')!)).rejects.toMatchObject({ code: '42501' })
  })

  it("shows an organisation's own dictionary entries to that organisation only", async () => {
    const { app, owner } = market.stage.server.database
    const [mine, theirs] = [org.get('D02')!, org.get('D01')!]
    await owner`
      insert into dictionary_item (dictionary_id, code, name, kept_by_id) select id, 'own', '我们的词', ${theirs}
        from dictionary order by id limit 1`
    const seen = (as: string) =>
      app.begin(async tx => {
        await tx`select act_as(${as}, 0)`
        const changed = await tx`update dictionary_item set sort_no = 1 where kept_by_id = ${theirs} returning 1`
        return [(await tx`select 1 from dictionary_item where kept_by_id = ${theirs}`).length, changed.length]
      })
    expect(await seen(mine)).toEqual([0, 0])
    expect(await seen(theirs)).toEqual([1, 1])
    expect((await app`select 1 from dictionary_item where kept_by_id is not null`).length).toBe(0)
  })

  it('shows nothing to a connection that sets no organisation', async () => {
    const { app } = market.stage.server.database
    for (const table of await guarded()) {
      const rows = await app.unsafe(`select 1 from ${table} limit 1`).catch(() => [])
      expect(rows.length, table).toBe(0)
    }
  })

  it('shows one organisation no row of another, and lets it change none', async () => {
    const { app } = market.stage.server.database
    const [mine, theirs] = [org.get('D02')!, org.get('D01')!]
    const tables = await guarded()
    expect(tables).toEqual(
      expect.arrayContaining(['app_user', 'role', 'user_role', 'org_config', ...Object.keys(ownerColumns)]),
    )
    for (const table of tables)
      await app.begin(async tx => {
        const its = ownerColumns[table] ?? 'org_id'
        await tx`select act_as(${mine}, 0)`
        expect((await tx.unsafe(`select 1 from ${table} where ${its} <> ${mine} limit 1`)).length, table).toBe(0)
        if ((await tx`select has_table_privilege(${table}, 'update') as may`)[0]!.may)
          expect((await tx.unsafe(`update ${table} set ${its} = ${its} where ${its} = ${theirs}`)).count, table).toBe(0)
      })
    const outsider = app.begin(async tx => {
      await tx`select act_as(${mine}, 0)`
      await tx`insert into setting (org_id, name, value) values (${theirs}, 'allow_self_review', 'true')`
    })
    await expect(outsider).rejects.toMatchObject({ code: '42501' })
  })

  it('shows an unregistered partner only to the organisation that recorded it; no one records for others', async () => {
    const { app, owner } = market.stage.server.database
    const [mine, theirs] = [org.get('D02')!, org.get('D01')!]
    await owner`
      insert into organisation (code, name, system_type, social_credit_code, kept_by_id)
        values ('W0900', 'SECRET', 2, '91320594MA1SECRET0', ${theirs})`
    const seenBy = (who: string) =>
      app.begin(async tx => {
        await tx`select act_as(${who}, 0)`
        const updated = await tx`update organisation set address = address where name = 'SECRET'`
        return [(await tx`select 1 from organisation where name = 'SECRET'`).length, updated.count]
      })
    expect(await seenBy(mine)).toEqual([0, 0])
    expect(await seenBy(theirs)).toEqual([1, 1])
    expect(await app`select 1 from organisation where kept_by_id is not null`).toHaveLength(0)
    const forged = app.begin(async tx => {
      await tx`select act_as(${mine}, 0)`
      await tx`insert into organisation (code, name, system_type, social_credit_code, kept_by_id)
        values ('W1', 'x', 2, '1', ${theirs})`
    })
    await expect(forged).rejects.toMatchObject({ code: '42501' })
  })

  it.each(['stock_move', 'account_entry', 'consigned_move', 'trace_event', 'operation_log', 'document_history'])(
    '%s only grows',
    async ledger => {
      const { app } = market.stage.server.database
      for (const change of [`update ${ledger} set at = at`, `delete from ${ledger}`, `truncate ${ledger}`]) {
        const attempt = app.begin(async tx => {
          await tx`select act_as(${org.get('D01')!}, 0)`
          await tx.unsafe(change)
        })
        await expect(attempt, change).rejects.toMatchObject({ code: '42501' })
      }
    },
  )

  it.each([
    'app_user',
    'organisation',
    'specification',
    'unit',
    'unit_code',
    'lot',
    'lot_org',
    'intercompany_message',
    'intercompany_message_received',
    'document',
  ])('%s loses no row', async table => {
    const attempt = market.stage.server.database.app.begin(async tx => {
      await tx`select act_as(${org.get('D01')!}, 0)`
      await tx.unsafe(`delete from ${table}`)
    })
    await expect(attempt).rejects.toMatchObject({ code: '42501' })
  })
})
