import type { AnyDocument } from '#kernel/document.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { AnyReport } from '#kernel/report.ts'
import { purchaseOrder } from '#modules/purchasing/purchase-order.doc.ts'
import { saleOdo } from '#modules/sales/sale-odo.doc.ts'
import { salesOrder } from '#modules/sales/sales-order.doc.ts'
import { openingStock } from '#modules/stock/opening-stock.doc.ts'
import { otherGrn } from '#modules/stock/other-grn.doc.ts'
import { purchaseGrn } from '#modules/stock/purchase-grn.doc.ts'

/** Every definition of the house. Whatever is derived - routes, pages, menu, flags, tests - is derived from these three lists. */
export const documents: readonly AnyDocument[] = [
  purchaseOrder, salesOrder, saleOdo, purchaseGrn, otherGrn, openingStock,
]
export const entities: readonly AnyEntity[] = []
export const reports: readonly AnyReport[] = []

const byKind = <D extends { readonly kind: string }>(list: readonly D[]) => new Map(list.map(definition => [definition.kind, definition]))
const documentMap = byKind(documents)
const entityMap = byKind(entities)
const reportMap = byKind(reports)
export const documentOf = (kind: string): AnyDocument | undefined => documentMap.get(kind)
export const entityOf = (kind: string): AnyEntity | undefined => entityMap.get(kind)
export const reportOf = (kind: string): AnyReport | undefined => reportMap.get(kind)
