import { BusinessError } from '#kernel/rules/errors.ts'

type Row = Readonly<Record<string, unknown>> | null

/** What has been published stands as it is: it is taken back before it is changed. */
export const unpublishedOnly =
  (sentence: string) =>
  (_session: unknown, action: string, row: Row): void => {
    if (row?.state === 'published' && ['edit', 'del', 'publish'].includes(action))
      throw new BusinessError('wrongState', sentence)
  }
