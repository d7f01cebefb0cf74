import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryRow } from '#kernel/checks/arbitrary-values.ts'
import { checkDefinitions } from '#kernel/checks/check-definitions.ts'
import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { documents, entities, reports, tools } from '#app/modules.ts'

const registry = { documents, entities, reports, tools }

test('every definition is sound, so the program may boot', () => {
  expect(checkDefinitions(registry)).toEqual([])
})

describe('a wrong definition does not boot, and says why', () => {
  const sound = {
    kind: 'x',
    title: 'x',
    numberPrefix: 'X',
    category: 'ward',
    ownerTypes: 'H',
    posting: { stockDirection: 'none' },
    header: { a: f.text('a') },
    lines: {},
    actions: lifecycle(),
    screens: [],
  } as const
  const wrong = (change: object) =>
    checkDefinitions({ documents: [{ ...defineDocument(sound), ...change } as never], entities: [], reports: [] })
  test('the sound one has no problem', () => expect(wrong({})).toEqual([]))
  test('a reference to nothing', () =>
    expect(wrong({ header: { a: f.ref('a', 'ghost') } })).toEqual(['x.a refers to ghost, which is not registered']))
  test('a source that is not registered', () =>
    expect(wrong({ sourcing: { sources: [{ from: 'ghost', for: 'g', sourceType: 0, purpose: 'ship' }] } })).toEqual([
      'x is made from ghost, which is not registered',
    ]))
  test('accounts that are booked without saying what that does to the balance', () => {
    const posting = {
      stockDirection: 'none',
      postings: () => ({ entries: [{ line_no: 1, account: 'payable_invoiced', amount: '1.00' }] }),
    }
    const actions = postingLifecycle()
    expect(wrong({ actions, posting })).toEqual([
      'x books accounts and does not say what that does to the balance (posting.accountMovement)',
    ])
    expect(wrong({ actions, posting: { ...posting, accountMovement: 'fee' } })).toEqual([])
  })
  test('postings that no action reverses, and a reversal of what posts nothing', () => {
    const posting = { stockDirection: 'named', postings: () => ({}) } as const
    const lasting = { ...posting, comesHomeBy: 'y' }
    const says = 'reversal (posting.comesHomeBy, lineRules.correctedValues)'
    expect(wrong({ posting })).toEqual([`x posts and has no ${says}`])
    expect(wrong({ actions: postingLifecycle() })).toEqual([`x has a ${says}`])
    expect(wrong({ posting: lasting })).toEqual(['x comes home by y, which is not registered'])
    expect(wrong({ posting, lineRules: { correctedValues: [] } as never })).toEqual([])
  })
  test('figures over the whole organisation where nobody withholds them', () => {
    const figure = f.amount('余额', { wholeOnly: true })
    const says = (name: string) => [`x.${name} is wholeOnly, where nobody reads that`]
    const report = { kind: 'x', columns: {}, parameters: {}, screens: [] }
    const record = { kind: 'x', fields: {}, screens: [] }
    const also = (given: object) =>
      checkDefinitions({ documents: [], entities: [], reports: [], ...(given as object) } as never)
    expect(wrong({ header: { a: figure } })).toEqual(says('a'))
    expect(also({ reports: [{ ...report, columns: { b: figure } }] })).toEqual(says('b'))
    expect(also({ reports: [{ ...report, calls: { c: { label: 'c', asks: { c: figure } } } }] })).toEqual(says('c'))
    expect(also({ entities: [{ ...record, fields: { d: figure } }] })).toEqual(says('d'))
    expect(also({ entities: [{ ...record, fields: { d: { ...figure, readOnly: true } } }] })).toEqual([])
    expect(also({ entities: [{ ...record, extras: { d: figure } }] })).toEqual([])
  })
  test('an action that can never start', () =>
    expect(wrong({ actions: { ...sound.actions, wake: { label: '唤醒', from: ['stopped'], to: 'draft' } } })).toEqual([
      'x.wake starts in states that are never reached',
    ]))
  test('a patient field that would be sent', () =>
    expect(
      wrong({
        header: { who: f.text('患者', { patient: true }) },
        intercompany: { copies: [{ on: 'review', header: ['who'] }] },
      }),
    ).toEqual(['x would send the patient field who']))
  test('a view without its instant, its lanes and what moves its cards', () => {
    const view = {
      name: 'board',
      label: '看板',
      at: 'a',
      shows: [],
      lanes: { by: 'a', of: { kind: 'g' }, moves: ['submit'] },
    }
    const screen = {
      route: '/x',
      title: 'x',
      orgs: 'H',
      menu: 'x',
      purpose: '',
      columns: [],
      filters: [],
      views: [view],
    }
    expect(wrong({ screens: [screen] })).toEqual([
      'x is seen as board by a, which is no instant',
      'x is seen as board in lanes of g, which is not registered',
      'x.submit moves a card of board and does not ask for a',
    ])
  })
  test('two definitions with the same name', () => {
    const one = defineDocument(sound) as never
    expect(checkDefinitions({ documents: [one, one], entities: [], reports: [] })).toEqual([
      'x is defined twice',
      'prefix X is given twice',
    ])
  })
})

describe.each(documents.map(definition => [definition.kind, definition] as const))(
  '%s at the door',
  (_kind, definition) => {
    test('takes every row that its fields allow', () => {
      fc.assert(
        fc.property(arbitraryRow(definition.header), arbitraryRow(definition.lines), (header, line) => {
          expect(
            parseFields(definition.header, header).problems.filter(
              problem => !/不能大于|必须大于|不能小于/.test(problem.msg),
            ),
          ).toEqual([])
          expect(
            parseFields(definition.lines, line).problems.filter(
              problem => !/不能大于|必须大于|不能小于/.test(problem.msg),
            ),
          ).toEqual([])
        }),
        { numRuns: 25 },
      )
    })
    test('answers any other value with a Chinese sentence, never with an error', () => {
      fc.assert(
        fc.property(
          fc.dictionary(
            fc.constantFrom(...Object.keys(definition.header), ...Object.keys(definition.lines), 'outsider'),
            fc.anything(),
          ),
          row => {
            for (const problem of parseFields({ ...definition.header, ...definition.lines }, row).problems)
              expect(problem.msg).toMatch(/[\u4e00-\u9fa5]/)
          },
        ),
        { numRuns: 50 },
      )
    })
  },
)
