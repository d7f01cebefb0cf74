/** Calls to other systems. Modules import the engine through files like this one and no other. */

/** Calls to other systems, tried until they succeed. */
export { askOutbound, performOutbound } from '#server/outbound/calls.ts'

/** A carrier of calls to another system. */
export type { Carrier } from '#server/outbound/carriers.ts'

/** The laboratory's system. */
export type { LisBottle, LisClient } from '#server/outbound/lis.ts'

/** The way of a parcel, as its carrier knows it. */
export type { WaybillClient, WaybillTrack } from '#server/outbound/waybills.ts'

/** The national feed of UDI data. */
export type { UdiFeed } from '#server/outbound/udi-feed.ts'

/** Electronic invoices: the providers behind one interface, and the keys of their accounts. */
export {
  INVOICE_SYSTEM,
  invoiceProvider,
  type EInvoiceChannel,
  type EInvoiceKeys,
} from '#server/outbound/einvoice/open.ts'
export { opened, sealed } from '#server/outbound/einvoice/sealed.ts'
export {
  type InvoiceFiles,
  type InvoiceOrderLine,
  type InvoiceProvider,
  type InvoiceQuota,
  type InvoiceResult,
  type IssuedInvoice,
  ProviderError,
  type RedConfirmation,
  type RedReason,
} from '#server/outbound/einvoice/contract.ts'

/** The connections of this installation. */
export { carrierOf } from '#server/registry/connections.ts'

/** The interface to a HIS, in the program's own words. */
export type {
  His,
  HisCharge,
  HisChargeItem,
  HisChargeOrder,
  HisDepartment,
  HisItemOrder,
  HisIncome,
  HisOperation,
  HisPages,
  HisPatient,
  HisReceipt,
  HisReceiptKind,
  HisReceiptLine,
  HisReceiptOrder,
  HisRefundOrder,
  HisReversalOrder,
  HisStaff,
  HisVisit,
} from '#server/outbound/his/contract.ts'

/** Why a call to a HIS did not succeed; all pages of a read. */
export { allRows, HisError } from '#server/outbound/his/contract.ts'

/** The HIS of a hospital; null where it has none, or the platform switched it off. */
export { connectedHis } from '#server/outbound/his/connected.ts'

/** Writes to the HIS, sent by the outbox. */
export { askHis, hisSender, type HisSender } from '#server/outbound/his/ask.ts'

/** Why a try of such a write failed. */
export type { Failure as HisFailure } from '#server/outbound/carriers.ts'

/** The parts of the contract that a hospital may map where its HIS speaks plain JSON. */
export {
  HIS_ADDRESS,
  HIS_ENVELOPE,
  type MappedField,
  wrongCodes,
  wrongPath,
} from '#server/outbound/his/json/field-map.ts'

/** The fields of the interface, with their presets. */
export { hisEnvelope, hisResources } from '#server/outbound/his/json/shapes.ts'

/** The messages that a HIS sends by itself. */
export type { ClearedOfVisit, KeptOfVisit, HisReceived, VisitSaid } from '#server/outbound/his/hl7/read-message.ts'
