/** Devices that sign their requests. Modules import the engine through files like this one and no other. */

/** The handler by which a module serves devices. */
export type { Device, DeviceHandler, DeviceEvent, EventReply } from '#server/devices/device-handler.ts'

/** Keys of devices. */
export { newKeyId, secretOf } from '#server/devices/key.ts'
