import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import type { Person } from '#tests/support/story.ts'

/**
 * The author of a document, or anybody who edited it, cannot approve it where the organisation requires another person.
 */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const REFUSED = '制单人与审核人不能为同一人，请由他人审核'

interface Draft {
  readonly kind: string
  readonly login: 'hospital' | 'dealer' | 'vendor'
  readonly org: () => string
  readonly body: () => Promise<Record<string, unknown>>
}

const goods = (lot: string) => lotOf(scene.inflator, lot, { quantity: '2' })
const shelfOf = async (org: string, model: string) => ({ warehouse_model_inner_sn: await scene.store(org, model) })

const drafts: readonly Draft[] = [
  {
    kind: 'purchaseOrder',
    login: 'hospital',
    org: () => scene.h,
    body: async () => ({
      counterparty_sn: scene.d,
      lines: [{ specification_sn: scene.inflator, quantity: '2' }],
    }),
  },
  {
    kind: 'openingStock',
    login: 'dealer',
    org: () => scene.d,
    body: async () => ({ ...(await shelfOf('D01', 'central')), lines: [goods('EYES-1')] }),
  },
  {
    kind: 'saleOdo',
    login: 'dealer',
    org: () => scene.d,
    body: async () => {
      await scene.shelve(scene.dealer, scene.shop, [goods('EYES-2')])
      return {
        counterparty_sn: scene.h,
        warehouse_model_inner_sn: scene.shop,
        lines: [{ specification_sn: scene.inflator, lot_no: 'EYES-2', quantity: '1' }],
      }
    },
  },
]

async function writtenByTwo({ kind, login, org, body }: Draft) {
  const [author, editor] = [await scene.person(login), await scene.colleague(login)]
  const sn = await author.add(kind, await body())
  await scene.rule(org(), 'allow_self_review', false)
  await editor.done(kind, 'edit', sn, { remark: '数量改过' })
  await author.done(kind, 'submit', sn)
  return { sn, author, editor }
}
const refusal = async (who: Person, kind: string, sn: string) => (await who.do(kind, 'review', sn)).msg

describe.each(drafts)('$kind', draft => {
  it('who edited a draft of another may not approve it, nor may who wrote or submitted it', async () => {
    proves('document.otherPerson')
    const { sn, author, editor } = await writtenByTwo(draft)
    expect(await refusal(editor, draft.kind, sn)).toBe(REFUSED)
    expect(await refusal(author, draft.kind, sn)).toBe(REFUSED)
  })

  it('an edit stays one, also after the document was withdrawn, edited and submitted by another', async () => {
    const { sn, author, editor } = await writtenByTwo(draft)
    await author.done(draft.kind, 'unsubmit', sn)
    await author.done(draft.kind, 'edit', sn, { remark: '又改回来' })
    await author.done(draft.kind, 'submit', sn)
    expect(await refusal(editor, draft.kind, sn)).toBe(REFUSED)
  })

  it('where authors may approve, who edited may too', async () => {
    proves('document.otherPerson')
    const { sn, editor } = await writtenByTwo(draft)
    await scene.rule(draft.org(), 'allow_self_review', true)
    await editor.done(draft.kind, 'review', sn)
  })
})

it('a quantity that the reviewer decides on does not make him an author', async () => {
  await scene.rule(scene.h, 'allow_self_review', false)
  const nurse = await scene.colleague('hospital')
  const sn = await nurse.add('requisition', {
    warehouse_model_inner_sn: scene.central,
    to_warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
    lines: [{ specification_sn: scene.inflator, quantity: '2' }],
  })
  await nurse.done('requisition', 'submit', sn)
  await scene.hospital.done('requisition', 'edit', sn, { lines: [{ line_no: 1, approved_quantity: '1' }] })
  await scene.hospital.done('requisition', 'review', sn)
})
