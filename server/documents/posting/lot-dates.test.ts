import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Question } from '#kernel/rules/errors.ts'
import { documents } from '#kernel/registry.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { checkLotDates } from '#server/documents/posting/lot-dates.ts'
import { typesLotDates } from '#kernel/rules/types-lot-dates.ts'
import { createLots } from '#server/documents/posting/lots-and-serials.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** Every kind whose lines give a lot its dates. */
let scene: Scene
const [MADE, OURS, NEW] = ['XQ-MADE', 'XQ-OURS', 'XQ-NEW']
const dates = { production_date: day(-60), expiry_date: day(700) }
beforeAll(async () => {
  scene = await openScene()
  const { vendor, hospital, central, inflator, server } = scene
  const works = await scene.store('V01', 'central')
  const made = await vendor.add('otherGrn', {
    warehouse_model_inner_sn: works,
    grn_type: 'produce',
    release_no: 'FX1',
    lines: [lotOf(inflator, MADE!, { quantity: '5' })],
  })
  await vendor.pass('otherGrn', made)
  await scene.shelve(hospital, central, [lotOf(inflator, OURS!, { quantity: '5' })])
  await createLots(server.database.app, [{ specification_sn: inflator, lot_no: NEW! }])
})
afterAll(() => scene?.close())

const kinds = documents().filter(typesLotDates)
const corrects = ({ lineRules }: AnyDocument) => Boolean(lineRules.correctedValues)

/** A document of the kind that says this of a lot: in its own words where it corrects. */
function documentOf(definition: AnyDocument, lot_no: string, typed: Partial<typeof dates>, more: object = {}) {
  const said = { ...dates, ...typed }
  const line = {
    line_no: 1,
    specification_sn: scene.inflator,
    product_name: '压力泵',
    lot_no,
    lot_id: null,
    base_quantity: '4.000',
    quantity: '4.000',
    unit_codes: [],
    price: '1.0000',
    source_document_id: null,
    source_line_no: null,
    ...(corrects(definition)
      ? { lot_no: 'XQ-WRONG', new_lot_no: lot_no, ...dates, new_price: null, new_rate: null }
      : said),
    ...(corrects(definition) ? { new_expiry_date: said.expiry_date, new_production_date: said.production_date } : {}),
  }
  return { business_date: day(-1), change_type: 'lot', lines: [{ ...line, ...more }] }
}

/** The questions that a user of the hospital is asked; a refusal is thrown. */
async function asked(definition: AnyDocument, doc: object): Promise<readonly Question[]> {
  const warnings: Question[] = []
  await inOrganisation(scene.server.database.app, scene.h, '0', tx => {
    const session = { org: { id: scene.h, type: 'H' }, userId: '1' }
    const ctx = { tx, session, definition, doc, action: 'submit', warnings } as unknown as ActionContext
    return checkLotDates(ctx)
  })
  return warnings
}

test('goods that come in and corrections of lots are among them', () => {
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([
    'arrivalOrder',
    'inspectionOrder',
    'leaseNoticeIn',
    'openingStock',
    'otherGrn',
    'overflow',
    'purchaseGrn',
    'stockCorrection',
    'transferArrival',
  ])
})

describe.each(kinds.map(each => [each.title, each] as const))('%s', (_title, definition) => {
  test('asks where a lot is typed first with another expiry or day of production than its maker has', async () => {
    proves('stock.lotDatesAgree')
    const [question, ...more] = await asked(definition, documentOf(definition, MADE!, { expiry_date: day(500) }))
    expect(more).toEqual([])
    expect(question).toMatchObject({
      rule: 'otherLotDates',
      line: 1,
      msg: expect.stringMatching(
        new RegExp(
          `^批号${MADE}填写为有效期至${day(500)}，生产厂家【.+】于${day()}登记为有效期至${day(700)}，请核对实物标签`,
        ),
      ),
    })
    const [other] = await asked(definition, documentOf(definition, MADE!, { production_date: day(-50) }))
    expect(other!.msg).toContain(`填写为生产日期${day(-50)}，`)
    expect(await asked(definition, documentOf(definition, MADE!, {}))).toEqual([])
    expect(await asked(definition, documentOf(definition, NEW!, { expiry_date: day(500) }))).toEqual([])
  })

  test('refuses other dates than the organisation has, or asks where goods may still be refused', async () => {
    proves('stock.lotDatesAgree')
    const other = asked(definition, documentOf(definition, OURS!, { expiry_date: day(500) }))
    const sentence = new RegExp(`批号${OURS}.*有效期至.*${day(700)}.*于${day()}在期初库存QC\\d+中登记.*批号效期核对`)
    if (['arrivalOrder', 'inspectionOrder'].includes(definition.kind))
      expect((await other).map(({ msg }) => msg)).toEqual([expect.stringMatching(sentence)])
    else
      await expect(other).rejects.toMatchObject({
        reason: 'rule',
        message: expect.stringMatching(sentence),
        problems: [{ field: 'expiry_date', line: 1 }],
      })
    expect(await asked(definition, documentOf(definition, OURS!, {}))).toEqual([])
    // Dates of goods that are refused at the door, or did not come, are not checked.
    expect(
      await asked(definition, documentOf(definition, OURS!, { expiry_date: day(500) }, { base_quantity: '0.000' })),
    ).toEqual([])
  })

  test('refuses dates that no lot can have', () => {
    proves('stock.lotDatesPossible')
    const wrong = (typed: Partial<typeof dates>) => {
      const doc = documentOf(definition, NEW!, typed)
      return (definition.actions.submit?.guards ?? []).map(guard => guard({ ...doc, attachments: [] } as never))
    }
    expect(wrong({ production_date: day(1) })).toContain(`第1行：生产日期${day(1)}晚于今天，请核对标签后修改`)
    expect(wrong({ expiry_date: day(-60) })).toContain('第1行：有效期至必须晚于生产日期')
    // For a correction, the document that it corrects checks whether the goods came before they were made.
    if (!corrects(definition))
      expect(wrong({ production_date: day() })).toContainEqual(
        expect.stringMatching(`^第1行：生产日期${day()}晚于.*日期${day(-1)}，请核对标签后修改$`),
      )
  })
})
