/** Devices that sign their requests. Modules import the engine through files like this one and no other. */

/** What a module answers to devices. */
export type { Device, DeviceDesk, DeviceEvent, EventReply } from '#server/engine/device/desk.ts'

/** Keys of devices. */
export { newKeyId, secretOf } from '#server/engine/device/key.ts'
