import type { AnyEntity } from '#kernel/definition/entity.ts'
import { customRowLink } from '#web/engine/customisation.ts'
import { visibleLinks } from '#web/records/RecordLinks.tsx'

/** The width of what is shown beside a list of a kind, with the gap to it. */
export const ASIDE = 220
/** Width of a link of four characters. */
const LINK_WIDTH = 68
/** Width of the button that opens further links. */
const MORE_WIDTH = 32
/** The actions that are shown in the rows of the list. */
export const handyOf = ({ actions = {} }: AnyEntity) => Object.entries(actions).filter(([, spec]) => spec.handy)

/** Width of the column of actions in pixels. */
export const roomForActions = (definition: AnyEntity): number => {
  const { shown, more } = visibleLinks(definition.links?.length ?? 0)
  const handy = handyOf(definition).reduce((sum, [, { label }]) => sum + 12 + 13 * label.length, 0)
  const own = customRowLink(definition.kind) === undefined ? 0 : LINK_WIDTH
  return 112 + own + handy + LINK_WIDTH * shown + (more ? MORE_WIDTH : 0)
}
