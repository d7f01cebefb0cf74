/** Calls to other systems. Modules import the engine through files like this one and no other. */

/** Calls to other systems, tried until they succeed. */
export { askOutbound, performDue, performOutbound } from '#server/outbound/calls.ts'

/** Who carries a call to another system. */
export type { Carrier } from '#server/outbound/carriers.ts'

/** The laboratory's system. */
export type { LisBottle, LisClient } from '#server/outbound/lis.ts'

/** The national feed of UDI data. */
export type { UdiFeed } from '#server/outbound/udi-feed.ts'

/** What this installation is connected with. */
export { carrierOf } from '#server/registry/connections.ts'

/** What is asked of a HIS, in the program's own words. */
export type {
  His,
  HisBooked,
  HisCharge,
  HisChargeItem,
  HisChargeOrder,
  HisChargeOrderLine,
  HisDepartment,
  HisErrorKind,
  HisItemOrder,
  HisOperation,
  HisOperationState,
  HisOrders,
  HisPages,
  HisPatient,
  HisReads,
  HisReceipt,
  HisReceiptKind,
  HisReceiptLine,
  HisReceiptOrder,
  HisRefundOrder,
  HisReversalOrder,
  HisSex,
  HisStaff,
  HisStaffKind,
  HisVisit,
  HisVisitClass,
  HisVisitState,
  HisWrite,
  HisWrites,
  Moment,
} from '#server/outbound/his/contract.ts'

/** Why a call to a HIS did not succeed. */
export { HisError } from '#server/outbound/his/contract.ts'

/** The HIS of a hospital; null where it has none, or the platform switched it off. */
export { connectedHis } from '#server/outbound/his/connected.ts'

/** Writes to the HIS, sent by the outbox. */
export { askHis, hisSender, type HisRequest, type HisSender } from '#server/outbound/his/ask.ts'

/** What a hospital may map where its HIS speaks plain JSON. */
export { HIS_ADDRESS, HIS_ENVELOPE, type MappedField, wrongMapping } from '#server/outbound/his/json/field-map.ts'

/** The fields of the interface, with their presets. */
export { hisEnvelope, hisResources } from '#server/outbound/his/json/shapes.ts'

/** What a HIS tells by itself. */
export type { HisReceived } from '#server/outbound/his/hl7/read-message.ts'
