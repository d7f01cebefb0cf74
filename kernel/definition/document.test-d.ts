import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, postingLifecycle } from '#kernel/definition/lifecycle.ts'

/** Compiled and never run: each wrong definition is one that the compiler refuses, at the line that is marked. */
const identity = {
  kind: 'x',
  title: 'x',
  numberPrefix: 'X',
  category: 'stockOut',
  ownerTypes: 'H',
  header: { note: f.text('说明') },
  screens: [],
} as const
const goods = { specification_sn: f.ref('规格型号', 'specification'), quantity: f.quantity('数量') } as const
const priced = { ...goods, price: f.price('含税单价') } as const
const boxes = { box: f.text('箱号') } as const
const none = { stockDirection: 'none' } as const
const named = { stockDirection: 'named' } as const
const postings = () => ({})

export const sound = [
  defineDocument({ ...identity, lines: boxes, posting: none, actions: lifecycle() }),
  defineDocument({
    ...identity,
    lines: priced,
    posting: { stockDirection: 'out', postings },
    actions: { ...postingLifecycle(), wake: { label: '唤醒', from: ['draft'], to: null } },
    pricing: { costing: 'leaving' },
    compliance: { party: 'customer', verb: '出库' },
    intercompany: { copies: [{ on: 'review' }], onProgress: { receive: postings } },
  }),
]

// @ts-expect-error an action posts, and nothing says what
defineDocument({ ...identity, lines: goods, posting: named, actions: postingLifecycle() })

// @ts-expect-error postings are written by no action
defineDocument({ ...identity, lines: goods, posting: { ...named, postings }, actions: lifecycle() })

const { review, submit } = postingLifecycle()
// @ts-expect-error what was posted can never be taken back
defineDocument({ ...identity, lines: goods, posting: { ...named, postings }, actions: { submit, review } })

// @ts-expect-error only lines that name goods move them
defineDocument({ ...identity, lines: boxes, posting: named, actions: lifecycle() })

// @ts-expect-error without goods there is nothing to scan
defineDocument({ ...identity, lines: boxes, posting: none, actions: lifecycle(), lineRules: { scanning: {} } })

const onGoods = { ...identity, lines: goods, posting: named, actions: lifecycle() } as const
// @ts-expect-error lines without a price cannot be priced at cost
defineDocument({ ...onGoods, pricing: { costing: 'leaving' } })

// @ts-expect-error lines with a price do not keep one unseen
defineDocument({ ...onGoods, lines: priced, pricing: { keepsPrices: true } })

// @ts-expect-error whose licences are checked, and not what they stand in the way of
defineDocument({ ...onGoods, compliance: { party: 'supplier' } })

// @ts-expect-error only a document that sends copies is answered
defineDocument({ ...onGoods, intercompany: { onProgress: { receive: postings } } })

// @ts-expect-error only a checklist is counted in several sessions
defineDocument({ ...onGoods, lineRules: { scanning: { openCount: true } } })

const screen = { route: '/x', title: 'x', orgs: 'H', menu: 'x', purpose: 'x', filters: [] } as const
// @ts-expect-error a list shows the fields that the kind has
defineDocument({ ...onGoods, screens: [{ ...screen, columns: ['ghost'] }] })

// @ts-expect-error a page offers the actions that the kind has
defineDocument({ ...onGoods, screens: [{ ...screen, columns: ['note'], actions: ['fly'] }] })

const unnamed = { label: '确认', from: ['submitted'], to: 'reviewed', effect: 'review' } as const
// @ts-expect-error the engine reviews a document in the action review, and in no other
defineDocument({ ...onGoods, actions: { ...lifecycle(), confirm: unnamed } })

const silent = { label: '审核', from: ['submitted'], to: 'reviewed' } as const
// @ts-expect-error an action review that brings nothing into force
defineDocument({ ...onGoods, actions: { ...lifecycle(), review: silent } })
