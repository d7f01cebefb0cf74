import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { type ActionContext, documentHooks } from '#server/documents/action/context.ts'
import { byName } from '#server/documents/repository/document.ts'

/** Compiled and never run: each wrong hook is one that the compiler refuses, at the line that is marked. */
const letter = defineDocument({
  kind: 'letter',
  title: '函件',
  numberPrefix: 'L',
  category: 'stockOut',
  ownerTypes: 'H',
  header: { note: f.text('说明') },
  lines: { box: f.text('箱号') },
  screens: [],
  posting: { stockDirection: 'none' },
  actions: lifecycle(),
})
const ofAnyKind = async ({ doc }: ActionContext): Promise<void> => void [doc.sn, byName(doc).note]

export const sound = documentHooks(letter, {
  validate: { submit: [({ doc }) => void [doc.note, doc.sn, doc.lines[0]?.box, doc.lines[0]?.line_no], ofAnyKind] },
  afterAction: { review: ofAnyKind },
})

// @ts-expect-error the kind has no such field
documentHooks(letter, { validate: { submit: ({ doc }) => void doc.notes } })

// @ts-expect-error its lines have no such field
documentHooks(letter, { validate: { submit: ({ doc }) => void doc.lines[0]?.boxes } })

// @ts-expect-error the kind has no such action
documentHooks(letter, { validate: { sumbit: ofAnyKind } })

// @ts-expect-error fields of single kinds are not read of any kind
export const wrong = async ({ doc }: ActionContext): Promise<void> => void doc.note
