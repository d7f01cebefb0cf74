import type { AnyDocument } from '#kernel/definition/document.ts'

/** Kinds whose lines give lots their dates: goods come in, or a correction says how they should have. */
export const typesLotDates = ({ posting, lines, lineRules }: AnyDocument): boolean =>
  'lot_no' in lines && (posting.stockDirection === 'in' || ('new_expiry_date' in lines && !!lineRules.correctedValues))
