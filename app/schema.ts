import { belongsToMonth } from '#kernel/rules/month.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Fact, type Facts, facts } from '#kernel/measure/facts.ts'
import { documents } from '#kernel/registry.ts'
import { registerModules } from '#app/composition.ts'
import { type MigrateOptions, migrate as applyMigrations } from '#server/plugins/migrate.ts'
import type { Sql } from '#server/plugins/database.ts'

/**
 * Brings a database's schema up to this program's: tables by migrations, views and functions with what the
 * definitions say.
 */
export function migrate(owner: Sql, options: Omit<MigrateOptions, 'fragments'> = {}): Promise<string[]> {
  registerModules()
  return applyMigrations(owner, { ...options, fragments: schemaFragments(documents()) })
}

/**
 * The fragments of SQL that `migrations/repeatable/0100-definitions.sql` takes from the definitions: a new kind is part
 * of the functions of that file, and so of the views that use them, at the next start.
 */
export function schemaFragments(all: readonly AnyDocument[]): Record<string, string> {
  return {
    stock_card_columns: cases(all, ({ posting: { stockCard } }) => stockCard && columnSql(stockCard)),
    gate_steps: cases(
      all,
      ({ compliance: { party: gate }, compliance: { checkpoint: gateStep = 'order' } }) => gate && quoted(gateStep),
    ),
    supplier_gated: list(all, ({ compliance: { party: gate } }) => gate === 'supplier'),
    customer_gated: list(all, ({ compliance: { party: gate } }) => gate === 'customer'),
    delivery_kinds: list(all, ({ posting: { incoming } }) => incoming === 'delivery'),
    unshelved_kinds: list(all, ({ posting: { incoming } }) => typeof incoming === 'object'),
    shelved_by: cases(
      all,
      ({ posting: { incoming } }) => typeof incoming === 'object' && `array[${incoming.until.map(quoted).join(', ')}]`,
    ),
    trading_kinds: list(all, definition => tradesOf(definition).length > 0),
    adding_kinds: addingCases(all),
    titled_kinds: list(all, ({ facts }) => facts?.titled !== undefined),
    trade_facts: tradeCases(all, ({ fact }) => quoted(fact)),
    trade_signs: tradeCases(all, ({ sign }) => sign),
    refusable_kinds: list(all, ({ intercompany: { onProgress } }) => onProgress?.refuse !== undefined),
    month_kinds: list(all, belongsToMonth),
    account_movements: cases(all, ({ posting: { accountMovement } }) => accountMovement && quoted(accountMovement)),
    invoice_signs: invoiceSigns(all),
    invoiced_kinds: invoicedKinds(all),
    correcting_kinds: list(all, ({ lineRules }) => lineRules.correctedValues !== undefined),
    document_titles: cases(all, ({ title }) => quoted(title)),
    overseen_kinds: list(all, ({ overseen }) => overseen === true),
    kept_from_platform: cases(all, definition => {
      const kept = definition.overseen ? keptFromPlatform(definition) : []
      return kept.length > 0 && `array[${kept.map(quoted).join(', ')}]`
    }),
  }
}

/**
 * The parts of a kind in trade between organisations: something bought, or something sold, to its owner or as a copy.
 */
const tradesOf = ({ facts = {}, copyFacts = {} }: AnyDocument) =>
  [
    ['own', facts],
    ['counterparty', copyFacts],
  ].flatMap(([role, said]) =>
    (['purchased', 'sold'] as const).flatMap(fact => {
      const sign = (said as Facts)[fact]
      return sign === undefined ? [] : [{ role, fact, sign }]
    }),
  )

/** Branches of a CASE over facts: the kinds whose own documents add to each. */
const addingCases = (all: readonly AnyDocument[]): string =>
  Object.keys(facts)
    .flatMap(fact => {
      const kinds = all.filter(({ facts: said }) => said?.[fact as Fact] === 1).map(({ kind }) => quoted(kind))
      return kinds.length > 0 ? [`when ${quoted(fact)} then array[${kinds.join(', ')}]`] : []
    })
    .join('\n  ')

type Trade = ReturnType<typeof tradesOf>[number]

/** Branches of a CASE over `kind` and `role`. */
const tradeCases = (all: readonly AnyDocument[], valueOf: (trade: Trade) => string | number): string =>
  all
    .flatMap(definition =>
      tradesOf(definition).map(
        trade => `when kind = ${quoted(definition.kind)} and role = '${trade.role}' then ${valueOf(trade)}`,
      ),
    )
    .join('\n  ')

/** The rules by which an invoice of goods is made from lines of other documents. */
const goodsInvoiced = ({ sourcing: { sources = [] } }: AnyDocument) =>
  sources.filter(({ purpose, basis }) => purpose === 'invoice' && basis !== 'amount')

const invoiceSigns = (all: readonly AnyDocument[]): string =>
  all
    .flatMap(definition =>
      goodsInvoiced(definition).map(({ from, fromCounterparty, regime, negates }) => {
        const said = [
          `invoice_kind = ${quoted(definition.kind)}`,
          `kind = ${quoted(from)}`,
          `role = ${quoted(fromCounterparty ? 'counterparty' : 'own')}`,
          ...(regime ? [`regime = ${quoted(regime)}`] : []),
        ]
        return `when ${said.join(' and ')} then ${negates ? -1 : 1}`
      }),
    )
    .join('\n  ')

const invoicedKinds = (all: readonly AnyDocument[]): string =>
  all
    .flatMap(definition => {
      const kinds = goodsInvoiced(definition).map(({ from }) => quoted(from))
      return kinds.length > 0 ? [`when invoice_kind = ${quoted(definition.kind)} then array[${kinds.join(', ')}]`] : []
    })
    .join('\n  ')

/** Own fields that say something of a patient or of money, in the header or in lines. */
const keptFromPlatform = ({ header, lines }: AnyDocument): string[] => [
  ...new Set(
    [...Object.entries(header), ...Object.entries(lines)]
      .filter(([, { patient, as }]) => patient || as === 'price' || as === 'amount' || as === 'files')
      .map(([name]) => name),
  ),
]

/** Quotes words of the program (kinds, columns and purposes), which contain no quote. */
const quoted = (word: string): string => `'${word}'`

const list = (all: readonly AnyDocument[], holds: (definition: AnyDocument) => boolean): string =>
  all
    .filter(holds)
    .map(({ kind }) => quoted(kind))
    .join(', ')

/** Branches of a CASE over `kind`: one for each value, with the kinds of which it is said. */
function cases(all: readonly AnyDocument[], valueOf: (definition: AnyDocument) => string | false | undefined): string {
  const said = all.flatMap(definition => {
    const value = valueOf(definition)
    return value ? [{ kind: definition.kind, value }] : []
  })
  return [...Map.groupBy(said, ({ value }) => value)]
    .map(([value, kinds]) => `when kind in (${kinds.map(({ kind }) => quoted(kind)).join(', ')}) then ${value}`)
    .join('\n  ')
}

function columnSql(column: NonNullable<AnyDocument['posting']['stockCard']>): string {
  if (column === 'none') return 'null'
  if (typeof column === 'string') return quoted(column)
  return `case when (quantity < 0) <> undone then ${quoted(column.out)} else ${quoted(column.in)} end`
}
