import { screenKey } from '#kernel/definition/screen.ts'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { AnyDocument, Book } from '#kernel/definition/document.ts'
import { commonFields, headerField } from '#kernel/definition/common-fields.ts'
import { everyLineFilter, ownLineFilters } from '#kernel/definition/line-filters.ts'
import {
  add,
  type Decimal,
  isZero,
  negate,
  subtract,
  sum,
  isPositive,
  multiply,
  wholePieces,
} from '#kernel/values/decimal.ts'
import { reachableStates } from '#kernel/checks/reachable-states.ts'
import { columnOf, type Fields } from '#kernel/definition/field.ts'
import type { Move, Posting } from '#kernel/ledger/posting.ts'
import { splitTax, taxRates } from '#kernel/values/tax-amounts.ts'
import { menuGroups } from '#app/menu-groups.ts'
import { documentOf, entityOf, statesOfCopies } from '#kernel/registry.ts'
import { documents, entities, reports, tools } from '#app/modules.ts'
import { hooks } from '#app/modules.server.ts'
import { checkReportSql } from '#server/reports/report-sql.ts'

/** Actions that each record has. */
const standardActions = ['add', 'edit', 'del']

/** Master data named by documents; each is a record definition of its own module. */
const masters = new Set([
  ...entities.map(entity => entity.kind),
  'organisation',
  'warehouse',
  'department',
  'employee',
  'specification',
  'unitTree',
])
const each = documents.map(definition => [definition.kind, definition] as const)
const reachable = (definition: AnyDocument) => reachableStates({ documents }, definition)

describe('the words of pages and hints', () => {
  /** What a page is for and what a field wants is stated, in the terms of the trade; it is not asked or told. */
  const talk = /谁|什么|怎样|怎么|哪些|哪个|哪张|哪天|哪家|哪一|多少|这么|此刻|一段时间|手上|等得|写了|数起/
  const fieldsOf = (given: Fields) => Object.entries(given).flatMap(([name, { hint }]) => [[name, hint ?? '']])

  it('say 各仓库当前库存 and 按等待时长降序, never 谁开了哪扇门 or 怎样由进价得出', () => {
    const screens = [...documents, ...entities, ...reports].flatMap(definition => definition.screens)
    const hints = [
      ...documents.flatMap(definition => [...fieldsOf(definition.header), ...fieldsOf(definition.lines)]),
      ...entities.flatMap(definition => fieldsOf(definition.fields)),
      ...reports.flatMap(definition => fieldsOf(definition.parameters)),
    ]
    const texts = [...screens.map(screen => [screen.route, screen.purpose]), ...hints]
    expect(texts.length).toBeGreaterThan(1000)
    expect(texts.filter(([, text]) => talk.test(text!))).toEqual([])
  })
})

describe('the menu', () => {
  it('leads to losses and to issues by one page each; their other addresses stay reachable', () => {
    const screens = [...documents, ...reports].flatMap(definition => definition.screens)
    const listed = (kinds: readonly string[]) =>
      new Set(screens.filter(({ route, hidden }) => kinds.includes(route) && !hidden).map(({ route }) => route))
    const losses = ['/commonView/frmLoss', '/commonView/frmLossCheck', '/commonView/reportingLoss']
    const issues = ['/commonView/grantOdo', '/commonView/grantOdoWarehouse', '/hospital/hospitalgrantOdo']
    expect([...listed(losses)]).toEqual(['/commonView/frmLoss'])
    expect([...listed(issues)]).toEqual(['/commonView/grantOdo'])
    for (const route of [...losses, ...issues]) expect(screens.map(screen => screen.route)).toContain(route)
    const tabs = (route: string) => screens.filter(screen => screen.route === route).map(screen => screen.tab)
    expect(tabs('/commonView/frmLoss')).toEqual(['报损单', '待审核', '已处理', '损耗统计'])
    expect(tabs('/commonView/grantOdo')).toEqual(['发放单', '仓库发放'])
  })
})

describe('the words of choices', () => {
  /** Names of the trade that are no codes of ours. */
  const known = new Set([
    'iOS',
    'PDA',
    'QR',
    'HIS',
    'LIS',
    'GTIN',
    'MA',
    'HIBC',
    'AHM',
    'RFID',
    'Android',
    'DataMatrix',
  ])

  it('are words: 医院-经销商 and never HD, 资质预警 and never CERTIFICATIONEARLY', () => {
    const fields = [
      ...documents.flatMap(({ kind, header, lines }) => [header, lines].map(part => [kind, part] as const)),
      ...entities.flatMap(({ kind, fields: own, extras = {} }) => [own, extras].map(part => [kind, part] as const)),
      ...reports.flatMap(({ kind, parameters, columns }) => [parameters, columns].map(part => [kind, part] as const)),
    ]
    const labels = fields.flatMap(([kind, part]) =>
      Object.entries(part as Fields).flatMap(([name, { choices = {} }]) =>
        Object.values(choices).map(label => ({ kind, name, label: String(label) })),
      ),
    )
    expect(labels.length).toBeGreaterThan(1000)
    // Digits and their units are read as they are: 13%, 60×40mm.
    const codes = labels.filter(
      ({ name, label }) => /^[A-Za-z_/]+$/.test(label) && !known.has(label) && name !== 'icon',
    )
    expect(codes).toEqual([])
  })
})

test('the menu lists every page that belongs to a group, and no other', () => {
  const shown = [...[...documents, ...entities, ...reports].flatMap(({ screens }) => screens), ...tools]
    .filter(({ menu, hidden }) => !hidden && menuGroups.some(group => group.title === menu))
    .map(({ menu, title }) => `${menu}/${title}`)
  const listed = menuGroups.flatMap(({ title, pages }) => pages.map(page => `${title}/${page}`))
  expect(listed.toSorted()).toEqual([...new Set(shown)].toSorted())
})

describe('the register of document kinds', () => {
  it('gives every kind a unique name and prefix', () => {
    expect(new Set(documents.map(definition => definition.kind)).size).toBe(documents.length)
    expect(new Set(documents.map(definition => definition.numberPrefix)).size).toBe(documents.length)
    for (const definition of documents) expect(definition.numberPrefix).toMatch(/^[A-Z]{1,5}$/)
  })

  it('shows every route once, in an existing menu group, to owners of the document or its copy', () => {
    const screens = documents.flatMap(definition => definition.screens.map(screen => ({ ...screen, definition })))
    expect(new Set(screens.map(screenKey)).size).toBe(screens.length)
    for (const screen of screens) {
      expect(menuGroups.map(group => group.title)).toContain(screen.menu)
      expect(screen.purpose.length, screen.route).toBeGreaterThan(5)
      const { ownerTypes, intercompany, overseen } = screen.definition
      const readers = intercompany.copies?.length ? `PHDV${ownerTypes}` : `${ownerTypes}${overseen ? 'P' : ''}`
      for (const org of screen.orgs) expect(readers, `${screen.route} for ${org}`).toContain(org)
    }
  })

  it('has no own field by the name of a column that the program computes: it would be kept nowhere', () => {
    const lost = documents.flatMap(({ kind, header }) =>
      Object.keys(header)
        .filter(name => name in commonFields && name in hooks.listColumns)
        .map(name => `${kind}.${name}`),
    )
    expect(lost).toEqual([])
  })

  it('says whose rows it shows where the platform reads one organisation at a time', () => {
    const reading = entities.flatMap(({ kind, screens }) =>
      screens.filter(({ filters }) => filters.includes('of_org_sn')).map(screen => [kind, screen] as const),
    )
    const namesIn = (kind: string) =>
      Object.entries(entityOf(kind)?.extras ?? {}).flatMap(([name, field]) => (field.ofReadOrganisation ? [name] : []))
    expect(reading.length).toBeGreaterThan(5)
    const silent = reading
      .filter(([kind, { columns }]) => !namesIn(kind).some(name => columns.includes(name)))
      .map(([kind]) => kind)
    expect(silent).toEqual([])
  })

  it('opens pages from another menu group by filters they have', () => {
    for (const { also, filters } of entities.flatMap(({ screens }) => screens.filter(screen => screen.also)))
      expect(JSON.stringify([menuGroups, filters])).toMatch(RegExp(`"${also!.menu}".*"${Object.keys(also!.with)[0]}"`))
  })

  it('asks for a call of a report either a right of its own or one of another tab of the same page', () => {
    const shared = reports.flatMap(({ kind, calls = {}, screens }) =>
      Object.values(calls).flatMap(({ right }) => (right === undefined ? [] : [{ kind, right, screens }])),
    )
    expect(shared.length).toBeGreaterThan(0)
    for (const { kind, right, screens } of shared) {
      const [of = '', action = ''] = right.split('.')
      const tab = entities.find(entity => entity.kind === of)
      expect([...standardActions, ...Object.keys(tab?.actions ?? {})], kind).toContain(action)
      for (const { route } of screens) expect(tab?.screens.map(screen => screen.route)).toContain(route)
    }
  })

  it('offers exactly the calls the server answers', () => {
    for (const definition of documents)
      expect(Object.keys(definition.lifecycle.listActions ?? {}), definition.kind).toEqual(
        Object.keys(hooks.documents.find(({ kind }) => kind === definition.kind)?.calls ?? {}),
      )
  })

  it('creates documents and drafts only of registered kinds', () => {
    for (const definition of documents) {
      for (const take of definition.sourcing.sources ?? [])
        expect(documentOf(take.from), `${definition.kind} from ${take.from}`).toBeDefined()
      for (const creates of (definition.intercompany.copies ?? []).flatMap(send =>
        send.creates ? [send.creates.kind, ...(send.creates.alternative ? [send.creates.alternative.kind] : [])] : [],
      ))
        expect(documentOf(creates), creates).toBeDefined()
      for (const make of definition.sourcing.followUps ?? [])
        expect(
          (documentOf(make.kind)?.sourcing.sources ?? []).map(take => take.from),
          `${make.kind} made from ${definition.kind}`,
        ).toContain(definition.kind)
    }
  })

  it('counts every main purpose and every derived state by some follow-up document', () => {
    const counted = new Map<string, Set<string>>()
    const count = (kind: string, purpose: string) => counted.set(kind, (counted.get(kind) ?? new Set()).add(purpose))
    for (const definition of documents)
      for (const take of definition.sourcing.sources ?? []) {
        for (const purpose of [take.purpose, ...(take.alsoCounts ?? [])]) count(take.from, purpose)
        for (const step of take.rollup ?? [])
          for (const above of documentOf(take.from)?.sourcing.sources ?? []) {
            count(above.from, step.purpose)
            // The delivery is the source of the returned document.
            if (step.via === 'delivery')
              for (const delivery of documentOf(above.from)?.sourcing.sources ?? []) count(delivery.from, step.purpose)
          }
        for (const step of take.rollup ?? [])
          if (step.via !== 'source')
            for (const order of ['purchaseOrder', 'requisition', 'salesOrder']) count(order, step.purpose)
      }
    for (const definition of documents)
      for (const send of definition.intercompany.copies ?? []) if (send.countsAs) count('purchaseOrder', send.countsAs)
    // 终止行 counts on the document itself.
    for (const { kind, progress } of documents) if (progress.underWay) count(kind, 'stop')
    for (const { sourcing } of documents)
      if (sourcing.secondaryTarget) count(sourcing.secondaryTarget.kind, sourcing.secondaryTarget.purpose)
    for (const definition of documents)
      for (const purpose of [
        ...(definition.progress.main ? [definition.progress.main] : []),
        ...Object.values(definition.progress.statuses ?? {}),
        ...Object.values(definition.progress.startedBy ?? {}),
        ...Object.values(definition.progress.columns ?? {}).map(figure => figure.purpose),
      ])
        expect(counted.get(definition.kind) ?? new Set(), `${definition.kind} ${purpose}`).toContain(purpose)
  })
})

describe.each(each)('%s', (_kind, definition) => {
  it('has every state it names reachable, and every reached state either left or final on purpose', () => {
    const states = reachable(definition)
    for (const [name, action] of Object.entries(definition.actions))
      expect(
        action.from.some(state => states.has(state)),
        `${name} starts nowhere`,
      ).toBe(true)
    for (const state of Object.keys(definition.lifecycle.stateLabels ?? {})) expect(states, state).toContain(state)
    for (const state of definition.screens.flatMap(screen => screen.states ?? []))
      expect(states, state).toContain(state)
    expect(states).toContain('reviewed')
  })

  it('undoes whatever it posts', () => {
    const effects = Object.values(definition.actions).map(action => action.effect)
    // The boot asks for a reversal, or why there is none.
    const wanted = definition.posting.postings ? ['post', 'unpost'] : []
    for (const effect of ['post', 'unpost'] as const)
      expect(effects.includes(effect), effect).toBe(wanted.includes(effect))
    if (definition.intercompany.onProgress) expect(definition.intercompany.copies?.length).toBeGreaterThan(0)
  })

  it('refers only to existing master data', () => {
    for (const [name, field] of Object.entries({ ...definition.header, ...definition.lines } as Fields)) {
      if (field.as !== 'ref') continue
      expect(masters, name).toContain(field.target)
      expect(columnOf(name, field)).toMatch(/_id$/)
    }
  })

  it('shows only fields it has', () => {
    const derived = [
      ...Object.keys(definition.progress.statuses ?? {}),
      ...Object.keys(definition.progress.columns ?? {}),
      ...(definition.lifecycle.dueDate ? ['overdue'] : []),
      'state',
      'role',
      'mine',
      'source_type',
      'q',
      ...everyLineFilter,
      ...ownLineFilters(definition),
    ]
    for (const name of definition.screens.flatMap(screen => [
      ...screen.columns,
      ...screen.filters,
      ...Object.keys(screen.where ?? {}).map(name => name.replace(/^(begin|end)_/, '')),
    ]))
      expect(headerField(definition, name) !== undefined || derived.includes(name), name).toBe(true)
    // What only finds documents through their lines is not a column.
    for (const name of definition.screens.flatMap(screen => screen.columns))
      expect(ownLineFilters(definition), name).not.toContain(name)
    for (const action of definition.screens.flatMap(screen => screen.actions ?? []))
      expect(['add', 'edit', 'del', ...Object.keys(definition.actions)]).toContain(action)
  })

  it('requires, sets, corrects and sends only its own fields, and never sends patient data', () => {
    for (const action of Object.values(definition.actions))
      for (const name of [...(action.inputs ?? []), ...Object.keys(action.sets ?? {})]) {
        expect(definition.header, name).toHaveProperty(name)
        expect(commonFields, name).not.toHaveProperty(name)
      }
    for (const action of Object.values(definition.actions))
      for (const name of action.inputs ?? []) expect(definition.header[name]!.readOnly ?? false, name).toBe(false)
    for (const name of Object.values(definition.actions).flatMap(({ unavailableWhen: unless }) =>
      Object.keys(unless ?? {}),
    ))
      expect(definition.header, name).toHaveProperty(name)
    for (const name of definition.lineRules.quantityCorrection
      ? [definition.lineRules.quantityCorrection.field, definition.lineRules.quantityCorrection.keeps]
      : [])
      expect(definition.lines).toHaveProperty(name)
    for (const name of Array.isArray(definition.lifecycle.editableWhenSubmitted)
      ? (definition.lifecycle.editableWhenSubmitted as string[])
      : [])
      expect({ ...definition.header, ...definition.lines }).toHaveProperty(name)
    // A field of the reviewer can be written while the document waits, and nobody has to fill it in before.
    const { editableWhenSubmitted: open = false } = definition.lifecycle
    for (const [name, field] of Object.entries({ ...definition.header, ...definition.lines }))
      if (field.byReviewer) {
        expect(definition.actions).toHaveProperty('review')
        expect([name, open === true || (Array.isArray(open) && open.includes(name))]).toEqual([name, true])
        expect([name, field.required, field.default]).toEqual([name, false, undefined])
      }
    for (const send of definition.intercompany.copies ?? []) {
      for (const name of send.header ?? []) expect(definition.header[name], name).toBeDefined()
      for (const name of send.lines ?? []) expect(definition.lines[name], name).toBeDefined()
      for (const name of [...(send.header ?? []), ...(send.lines ?? [])])
        expect((definition.header[name] ?? definition.lines[name])!.patient ?? false, name).toBe(false)
    }
    for (const [name, field] of Object.entries({ ...definition.header, ...definition.lines }))
      if (/patient|admission|bed_no|implant/.test(name)) expect(field.patient, name).toBe(true)
  })
})

const quantity = fc.integer({ min: 1, max: 9_999 }).map(n => `${n}.000` as Decimal)
const aLine = fc
  .record({
    quantity,
    bad: fc.integer({ min: 0, max: 100 }),
    pieces: fc.constantFrom('1', '10'),
    amount: fc.integer({ min: 0, max: 9_999_999 }),
    rate: fc.constantFrom(...taxRates),
    disposition: fc.constantFrom('return', 'exchange', 'destroy', 'hold', null),
    owner: fc.constantFrom('3', '7', null),
    sourced: fc.boolean(),
  })
  .map(({ quantity, bad, pieces, amount, rate, disposition, owner, sourced }) => ({
    quantity,
    base_quantity: multiply(quantity, pieces, 3),
    ...splitTax(`${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`, rate),
    price: '1.0000',
    tax_rate: rate,
    unqualified_quantity: `${Math.floor((wholePieces(quantity) * bad) / 100)}.000`,
    disposition,
    owner_org_sn: owner,
    unit_codes: [],
    quality_state: null,
    location: null,
    source_sn: sourced ? 'S1' : null,
    source_line_no: sourced ? 1 : null,
    source_org_sn: null,
    lot_no: 'L1',
    expiry_date: null,
    production_date: null,
    product_name: null,
  }))
const docs = fc
  .record({
    lines: fc.array(aLine, { minLength: 1, maxLength: 6 }),
    regime: fc.constantFrom('purchased', 'consigned'),
    type: fc.constantFrom('H', 'D', 'V'),
    cents: fc.integer({ min: -5, max: 5 }),
    source_type: fc.constantFrom(0, 12, 115),
  })
  .map(({ lines, regime, type, cents, source_type }) => {
    const total = sum(
      lines.map(line => line.taxed_amount),
      2,
    )
    const doc = {
      sn: 'X1',
      org_sn: '1',
      counterparty_sn: '9',
      warehouse_model_inner_sn: '5',
      to_warehouse_model_inner_sn: '6',
      regime,
      source_sn: 'S1',
      source_type,
      grn_type: null,
      business_date: '2026-01-01',
      taxed_amount: total,
      invoice_amount: cents === 0 ? null : add(total, `${cents < 0 ? '-' : ''}0.0${Math.abs(cents)}`, 2),
      lines: lines.map((line, at) => ({ ...line, line_no: at + 1 })),
    }
    return { doc, book: { org: '1', type } as Book }
  })
type Generated = typeof docs extends fc.Arbitrary<infer T> ? T : never

const total = (posting: Posting, ...accounts: string[]): Decimal =>
  sum(
    (posting.entries ?? []).filter(entry => accounts.includes(entry.account)).map(entry => entry.amount),
    2,
  )
const ofLine = (posting: Posting, line_no: number): Move[] =>
  (posting.moves ?? []).filter(move => move.line_no === line_no)
const holds = (kind: string, check: (posting: Posting, doc: Generated) => void) =>
  fc.assert(
    fc.property(docs, doc => {
      check(documentOf(kind)!.posting.postings!(doc.doc, doc.book), doc)
    }),
  )

describe('postings', () => {
  it.each(
    documents
      .filter(
        definition =>
          definition.posting.postings &&
          definition.posting.stockDirection !== 'none' &&
          !definition.lineRules.correctedValues &&
          definition.category !== 'finance' &&
          !['settlementGrn', 'boneSale'].includes(definition.kind),
      )
      .map(definition => definition.kind),
  )('%s moves exactly the goods of each line, all in one direction', kind =>
    holds(kind, (posting, { doc }) => {
      for (const line of doc.lines) {
        const moves = ofLine(posting, line.line_no)
        expect(
          sum(
            moves.map(move => move.quantity),
            3,
          ),
        ).toBe(line.base_quantity)
        for (const move of moves) expect(isPositive(move.quantity)).toBe(true)
        expect(new Set(moves.map(move => `${move.from.at}>${move.to.at}`)).size).toBe(1)
      }
    }),
  )

  it('purchaseGrn receives the value of its lines, and nothing for consigned goods', () =>
    holds('purchaseGrn', (posting, { doc, book }) => {
      const value = sum(
        (posting.moves ?? []).map(move => move.value ?? '0'),
        2,
      )
      const amount = sum(
        doc.lines.map(line => (book.type === 'H' ? line.taxed_amount : line.untaxed_amount)),
        2,
      )
      expect(value).toBe(doc.regime === 'consigned' ? '0.00' : amount)
      expect(total(posting, 'payable_estimated')).toBe(doc.regime === 'consigned' ? '0.00' : doc.taxed_amount)
    }))

  it('settlementGrn leaves stock unchanged, and its payable equals the supplier’s receivable', () =>
    holds('settlementGrn', (posting, { doc, book }) => {
      for (const line of doc.lines) {
        const [into, out] = ofLine(posting, line.line_no)
        expect([into!.to.at, out!.from.at]).toEqual(['consumed', 'consumed'])
        expect([into!.quantity, into!.value]).toEqual([out!.quantity, out!.value])
      }
      const theirs = documentOf('settlementGrn')!.intercompany.copies![0]!.receiverPosts!(doc, book)
      expect(total(posting, 'payable_estimated')).toBe(total(theirs, 'receivable_unbilled'))
    }))

  it('boneSale books what is owed; it moves goods only where the hospital keeps no books of them', () =>
    holds('boneSale', (posting, { doc, book }) => {
      expect(total(posting, 'receivable_unbilled')).toBe(doc.taxed_amount)
      expect(posting.moves).toEqual([])
      const sold = documentOf('boneSale')!.posting.postings!({ ...doc, source_type: 119 }, book).moves!
      expect(sold.map(move => [move.line_no, move.quantity])).toEqual(
        doc.lines.map(line => [line.line_no, line.base_quantity]),
      )
    }))

  it('what a presale brings to a hospital is what it takes from the dealer, and a return takes back as much', () =>
    fc.assert(
      fc.property(docs, ({ doc, book }) => {
        const presale = documentOf('bonePresale')!
        const [copy] = presale.intercompany.copies!
        const sent = presale.posting.postings!({ ...doc, to_warehouse_model_inner_sn: null }, book).moves!
        const brought = copy!.reviewed!.posts(doc, book).moves!
        const quantities = (moves: readonly Move[]) => moves.map(move => [move.line_no, move.quantity])
        expect(quantities(brought)).toEqual(quantities(sent))
        for (const move of brought) expect(move.to).toEqual({ at: 'loan', under: doc.sn })
        const back = documentOf('boneBack')!.intercompany.copies![0]!
        const given = back.receiverPosts!(doc, book).moves!
        const gone = back.reviewed!.posts(doc, book).moves!
        expect(gone.map(move => [move.line_no, move.from, move.quantity])).toEqual(
          given.map(move => [move.line_no, move.to, move.quantity]),
        )
      }),
    ))

  it('saleOdo posts a receivable when sold, not when consigned; the reply clears exactly the transit stock', () => {
    holds('saleOdo', (posting, { doc }) =>
      expect(total(posting, 'receivable_unbilled')).toBe(doc.regime === 'consigned' ? '0.00' : doc.taxed_amount),
    )
    fc.assert(
      fc.property(docs, ({ doc, book }) => {
        const saleOdo = documentOf('saleOdo')!
        const shipped = saleOdo.posting.postings!(doc, book).moves!
        const answered = saleOdo.intercompany.onProgress!.receive!(doc, book).moves!
        expect(answered.map(move => [move.line_no, move.from, move.owner, move.quantity])).toEqual(
          shipped.map(move => [move.line_no, move.to, move.toOwner, move.quantity]),
        )
        for (const move of answered) expect(move.traced).toBe(false)
      }),
    )
  })

  it('a ward receives from exactly the transit the issue created', () =>
    fc.assert(
      fc.property(docs, ({ doc, book }) => {
        const granted = documentOf('grantOdo')!.posting.postings!({ ...doc, sn: doc.source_sn }, book).moves!
        const received = documentOf('wardReceipt')!.posting.postings!(doc, book).moves!
        expect(received.map(move => [move.from, move.owner, move.quantity])).toEqual(
          granted.map(move => [move.to, move.owner, move.quantity]),
        )
      }),
    ))

  it('invoices move the amount from one account to the other; only the 尾差 changes the sum', () => {
    holds('inboundInvoice', (posting, { doc }) => {
      expect(total(posting, 'payable_estimated')).toBe(negateZero(doc.taxed_amount))
      expect(total(posting, 'payable_invoiced')).toBe(doc.invoice_amount ?? doc.taxed_amount)
      expect(total(posting, 'payable_estimated', 'payable_invoiced')).toBe(total(posting, 'rounding'))
    })
    holds('outboundInvoice', (posting, { doc }) => {
      expect(total(posting, 'receivable_invoiced')).toBe(doc.invoice_amount ?? doc.taxed_amount)
      expect(isZero(total(posting, 'receivable_unbilled', 'receivable_invoiced', 'rounding'))).toBe(true)
    })
  })

  it('payments lower the debt by the amount paid, advances raise the prepaid balance', () => {
    holds('payment', (posting, { doc }) => {
      const paid = subtract(total(posting, 'prepaid'), total(posting, 'payable_invoiced'), 2)
      expect(paid).toBe(doc.taxed_amount)
      expect(isZero(total(posting, doc.source_type === 12 ? 'payable_invoiced' : 'prepaid'))).toBe(true)
    })
    holds('receipt', (posting, { doc }) =>
      expect(subtract(total(posting, 'prereceived'), total(posting, 'receivable_invoiced'), 2)).toBe(doc.taxed_amount),
    )
  })
})

/** Of no store and no department: documents of partners and products are everybody's. */
const ofTheOrganisation = (kind: string): boolean =>
  kind.startsWith('licence') ||
  kind.startsWith('receivablePayable') ||
  kind.startsWith('creditInvoice') ||
  kind.startsWith('compared') ||
  [
    'bankTransfer',
    'centralizedUsed',
    'consignedOutside',
    'customerUse',
    'contractExecution',
    'goodsFlow',
    'goodsFlowSummary',
    'monthEnd',
    'grnInvoices',
    'kitUse',
    'lotDates',
    'monthVoucher',
    'odoInvoices',
    'productReleaseStatus',
    'purchaseUse',
    'supplierFigures',
    'supplierSettlementSummary',
    'supplierStatistic',
    'usedLines',
  ].includes(kind)

describe('reports', () => {
  it.each(reports.map(definition => [definition.kind, definition] as const))(
    '%s counts only what its reader may see, by SQL that reads what its definition gives',
    (kind, definition) => {
      expect((definition.unscoped ?? definition.wholeOnly) !== undefined).toBe(ofTheOrganisation(kind))
      expect(checkReportSql([definition])).toEqual([])
    },
  )
})

const negateZero = (value: Decimal): Decimal => (isZero(value) ? '0.00' : negate(value))

test('of a copy have tabs only for states the copy can be in', () => {
  expect(statesOfCopies(documentOf('departmentUse')!)).toEqual(['reviewed'])
  expect(statesOfCopies(documentOf('settlement')!)).toContain('submitted')
  for (const { kind } of documents) expect(statesOfCopies(documentOf(kind)!), kind).not.toContain('draft')
})
