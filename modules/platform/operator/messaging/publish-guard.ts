import { BusinessError } from '#kernel/rules/errors.ts'

type Row = Readonly<Record<string, unknown>> | null

/** Published content cannot be changed: it has to be withdrawn first. */
export const unpublishedOnly =
  (sentence: string) =>
  (_session: unknown, action: string, row: Row): void => {
    if (row?.state === 'published' && ['edit', 'del', 'publish'].includes(action))
      throw new BusinessError('wrongState', sentence)
  }
