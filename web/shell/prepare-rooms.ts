import { customisations } from '#modules/registry.web.ts'
import { takeCustomisations } from '#web/engine/customise.ts'

/** Hands the rooms' own drawings to the engines, before the first page is drawn. */
export const prepareRooms = (): void => takeCustomisations(customisations)
