import { parseInteger } from '#kernel/values/integer.ts'
import { figureFace } from '#web/fields/kinds/number-input.tsx'

const face = figureFace({ places: 0, shown: value => value, width: 80 })

/** A whole number; the only figure that is a JavaScript number on the wire. */
export const countFace = {
  ...face,
  parse: (text: string, field: Parameters<NonNullable<typeof face.parse>>[1]) => {
    const read = face.parse?.(text, field) ?? { value: null }
    return 'value' in read && read.value !== null ? { value: parseInteger(read.value) } : read
  },
}
