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
