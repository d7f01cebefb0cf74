import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { documentOf, documents } from '#kernel/registry.ts'
import { withDefaults } from '#kernel/values/defaults.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { progressEntries, recordProgress } from '#server/documents/progress/progress.ts'
import { checkSecondaryTargets } from '#server/documents/progress/secondary-target.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { systemSession } from '#server/access/session.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'

/** Lines that use up another document besides their source, over all kinds whose definition says so. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const kinds = (): readonly AnyDocument[] => documents().filter(({ sourcing }) => sourcing.secondaryTarget)

class Over extends Error {}
/** Runs `work` as the hospital and keeps nothing. */
async function tried(work: (tx: Tx) => Promise<void>): Promise<void> {
  const { server, h } = scene
  await inOrganisation(server.database.app, h, '0', async tx => {
    await work(tx)
    throw new Over()
  }).catch(error => {
    if (!(error instanceof Over)) throw error
  })
}

/** A document in effect that a kind uses up, with one line of 5 pieces and 100.00. */
async function target(tx: Tx, { sourcing }: AnyDocument, sn: string, partner: string): Promise<void> {
  const { h } = scene
  const { kind, fromCounterparty } = sourcing.secondaryTarget!
  const role = fromCounterparty ? 'counterparty' : 'own'
  const from = fromCounterparty ? partner : h
  const [row] = await tx<{ id: string }[]>`
    insert into document (org_id, kind, sn, role, from_org_id, counterparty_id, state, business_date, taxed_amount,
      total_quantity, line_count)
    values (${h}, ${kind}, ${sn}, ${role}, ${from}, ${partner}, 'reviewed', current_date, 100, 5, 1) returning id`
  await tx`
    insert into document_line (org_id, document_id, line_no, quantity, base_quantity, taxed_amount)
    values (${h}, ${row!.id}, 1, 5, 5, 100)`
}

/** A document of the kind whose only line names a target as `values` says. */
function naming(definition: AnyDocument, values: object): StoredDocument {
  const line = { line_no: 1, base_quantity: '5.000', taxed_amount: '100.00', source_document_id: null, ...values }
  return { counterparty_sn: scene.d, lines: [withDefaults(definition.lines, line)] } as unknown as StoredDocument
}

const refusal = async (tx: Tx, definition: AnyDocument, values: object): Promise<string> =>
  checkSecondaryTargets(tx, scene.h, definition, naming(definition, values)).then(
    () => '',
    (error: Error) => error.message,
  )

test('there are kinds that use up a second document', () => {
  expect(kinds().map(({ kind }) => kind)).toContain('prepaymentOffset')
})

describe.each(documents().flatMap(each => (each.sourcing.secondaryTarget ? [[each.title, each] as const] : [])))(
  '%s',
  (_title, definition) => {
    const { sn, line, kind } = definition.sourcing.secondaryTarget!
    const count = async (tx: Tx, values: object): Promise<void> => {
      const session = systemSession({ id: scene.h, type: 'H' } as never)
      const doc = naming(definition, values)
      await checkSecondaryTargets(tx, scene.h, definition, doc)
      await recordProgress(tx, session, await progressEntries(tx, scene.h, definition, doc, 'review'))
    }

    test('counts on the line that it names, and refuses more than is left of it', () =>
      tried(async tx => {
        await target(tx, definition, 'ZB-1', scene.d)
        await count(tx, { [sn]: 'ZB-1', [line]: 1 })
        await expect(count(tx, { [sn]: 'ZB-1', [line]: 1 })).rejects.toMatchObject({ reason: 'sourceExceeded' })
      }))

    test('is refused in part: a document without its line, where no default says it, or a line without document', () =>
      tried(async tx => {
        await target(tx, definition, 'ZB-2', scene.d)
        if (definition.lines[line]?.default === undefined)
          expect(await refusal(tx, definition, { [sn]: 'ZB-2' })).toMatch(/^第1行：请填写【.+】，写明.+ZB-2的行号$/)
        else {
          await count(tx, { [sn]: 'ZB-2' })
          await expect(count(tx, { [sn]: 'ZB-2' })).rejects.toMatchObject({ reason: 'sourceExceeded' })
        }
        expect(await refusal(tx, definition, { [line]: 1 })).toMatch(/^第1行：请填写【.+】$/)
      }))

    test('is refused with a line or a document that is not there', () =>
      tried(async tx => {
        await target(tx, definition, 'ZB-3', scene.d)
        const title = documentOf(kind)!.title
        expect(await refusal(tx, definition, { [sn]: 'ZB-3', [line]: 9 })).toBe(
          `第1行：${title}ZB-3没有第9行，请核对【${definition.lines[line]!.label}】`,
        )
        expect(await refusal(tx, definition, { [sn]: 'ZB-9', [line]: 1 })).toMatch(/^第1行：没有该往来单位的单据ZB-9/)
      }))

    test('is refused with a document that is not in effect', () =>
      tried(async tx => {
        await target(tx, definition, 'ZB-5', scene.d)
        for (const state of ['draft', 'submitted', 'stopped', 'cancelled', 'deleted']) {
          await tx`update document set state = ${state} where org_id = ${scene.h} and sn = 'ZB-5'`
          await expect(count(tx, { [sn]: 'ZB-5', [line]: 1 })).rejects.toMatchObject({ reason: 'wrongState' })
        }
      }))

    test('is refused with the document of another partner', () =>
      tried(async tx => {
        await target(tx, definition, 'ZB-4', scene.v)
        expect(await refusal(tx, definition, { [sn]: 'ZB-4', [line]: 1 })).toMatch(/^第1行：没有该往来单位的单据ZB-4/)
      }))
  },
)
