import { expect, test } from 'vitest'
import { documents } from '#app/modules.ts'
import { at, type Source, sources } from './sources.ts'

const migrations = sources(/^server\/migrations\/.*\.sql$/)
const places = (from: readonly Source[], pattern: RegExp) =>
  from.flatMap(source => [...source.text.matchAll(pattern)].map(match => at(source, match.index)))

/** Text of SQL without its comments and its strings, at the same places. */
const bare = ({ file, text }: Source): Source => ({
  file,
  text: text.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, words => words.replaceAll(/[^\n]/g, ' ')),
})

test('the schema is written small, in lines that a page holds', () => {
  expect(migrations.length).toBeGreaterThan(10)
  expect(places([...migrations, ...sources(/^deploy\/.*\.sql$/)], /^.{121,}$/gm)).toEqual([])
  expect(places(migrations.map(bare), /\b(SELECT|CREATE|FROM|WHERE|AND|NOT|NULL|INSERT|UPDATE)\b/g)).toEqual([])
})

test('tables stand in migrations, views and functions in the files that are replaced', () => {
  const isReplaced = ({ file }: Source) => file.includes('/repeatable/')
  expect(places(migrations.filter(isReplaced).map(bare), /\b(create|alter) table\b|\binsert into\b(?=.*;$)/g)).toEqual(
    [],
  )
  const once = migrations.filter(source => !isReplaced(source) && !source.file.endsWith('0100-foundation.sql'))
  // A function that a constraint, a policy, an index or a trigger of the file needs, or by which a transaction says
  // who acts, stands there. `keep_names_apart` makes indexes and triggers of names from the names of these functions.
  const needed = (text: string, name: string) =>
    name.startsWith('act_') ||
    ['same_name', 'same_place', 'refuse_same_name', 'entry_item'].includes(name) ||
    new RegExp(`\\bexecute function ${name}\\(`).test(text) ||
    new RegExp(`\\bcreate (unique )?index\\b[^;]*\\b${name}\\(`).test(text) ||
    new RegExp(`\\b(check|using|with check|exclude)\\b[^;]*\\b${name}\\(`).test(text)
  const stray = once
    .map(bare)
    .flatMap(source =>
      [...source.text.matchAll(/\bcreate (?:or replace )?(view|function) (\w+)/g)]
        .filter(([, what, name]) => what === 'view' || !needed(source.text, name!))
        .map(match => at(source, match.index)),
    )
  expect(stray).toEqual([])
})

test('what passes by the row policies is named where somebody must know more than his organisation', () => {
  const views = [
    'account_at_door',
    'right_at_door',
    'organisation_in_use',
    'published_(licence|authorisation)',
    'wall_amount_grant',
    'traded_(document|line|under)',
  ]
  const passes = new RegExp(`\\b(${[...views, 'published_implant_(form|card)'].join('|')})\\b`)
  const named = sources(/^(app|server|modules)\/.*\.(ts|sql)$/)
    .filter(({ file, text }) => passes.test(text) && !file.includes('/migrations/') && !file.endsWith('.test.ts'))
    .map(({ file }) => file)
  expect(named.sort()).toEqual([
    'modules/base/identity/user.server.ts',
    'modules/hospital/ward/implants/implant-card-routes.server.ts',
    'modules/hospital/ward/implants/implant-form-overview.entity.ts',
    'modules/platform/reports/trade/parts/compared.sql',
    'modules/trade/catalogue/admission/admission.server.ts',
    'modules/trade/compliance/proposed-licences.server.ts',
    'modules/trade/partners/organisations/organisation.server.ts',
    'modules/trade/partners/registration/dealer-invitation.server.ts',
    'modules/trade/purchasing/rfq/enquiry.server.ts',
    'server/documents/intercompany/outbox.ts',
    'server/identity/by-phone.ts',
    'server/identity/new-password.ts',
    'server/identity/register.ts',
    'server/identity/sessions.ts',
    'server/identity/sign-in.ts',
    'server/identity/sms/first-password.ts',
    'server/plugins/log.ts',
    'server/realtime/audience.ts',
    'server/walls/who-looks.ts',
  ])
})

test('the sizes that stand for one are asked once, not for every row that is looked at', () => {
  const asking = sources(/^(app|server|modules)\/.*\.(sql|ts)$/)
  // In a subquery of its own the function is called once; as a filter it is called for each row of the ledger.
  expect(places(asking, /any\s*\(same_sizes\s*\((?!\$)/g)).toEqual([])
})

/** Kinds of labels, device commands and certificates, which SQL compares as well. */
const others = new Set(['rfid', 'inhouse', 'pack', 'udi', 'remote_open', 'conformity'])

test('SQL names no kind of document that has no definition', () => {
  const known = new Set(documents.map(({ kind }) => kind as string))
  const compared = /\bkind\s*(?:=|<>|(?:not\s+)?in)\s*\(?\s*('\w+'(?:\s*,\s*'\w+')*)/g
  const unknown = sources(/^(app|server|modules)\/.*\.(sql|ts)$/)
    .filter(({ file }) => !file.endsWith('.test.ts'))
    .flatMap(source =>
      [...source.text.matchAll(compared)].flatMap(match =>
        [...match[1]!.matchAll(/'(\w+)'/g)]
          .map(word => word[1]!)
          .filter(word => !known.has(word) && !others.has(word))
          .map(word => `${at(source, match.index)} ${word}`),
      ),
    )
  expect(unknown).toEqual([])
})
