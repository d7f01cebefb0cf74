import { entityOf } from '#kernel/registry.ts'
import { nameKeyOf } from '#kernel/definition/field.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** The way in which rows of a reference's target are found and distinguished. */
export type Target = {
  readonly path: string
  readonly key: string
  readonly display: string
  readonly title: string
  readonly whole: boolean
}

export function targetOf(kind: string): Target {
  const entity = entityOf(kind)
  return {
    path: `/v1/business/${kind}/list`,
    key: entity?.key ?? `${kind}_sn`,
    display: entity?.display ?? 'name',
    title: entity?.title ?? '',
    whole: entity?.whole === true,
  }
}

/** The readable name sent beside a reference. */
export const nameBeside = (name: string, row: Row): string => {
  const beside = row[nameKeyOf(name)]
  return typeof beside === 'string' ? beside : ''
}
