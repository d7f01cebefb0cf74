import type { AnyDocument } from '#kernel/definition/document.ts'

type Judged = Pick<AnyDocument, 'posting' | 'compliance'>

/**
 * Kinds by which goods are issued and sold take no recalled, stopped, frozen or expired goods, whatever the document
 * says; a use may be recorded late, and is judged by its day.
 */
export const issuesOnlyFit = ({ posting, compliance }: Judged): boolean =>
  posting.stockDirection === 'out' && !compliance.takesUnfit && compliance.happenedAt === undefined

/** Kinds that take no recalled goods in or out, whatever the document says. */
export const refusesRecalled = (definition: Judged): boolean =>
  issuesOnlyFit(definition) ||
  (definition.posting.stockDirection === 'in' &&
    !definition.compliance.takesUnfit &&
    (definition.compliance.allowsExpired ?? false) === false)
