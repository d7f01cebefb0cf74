/** Understood and not allowed: what was tried stands on record, the device is told and does not try again. */
export class NotAllowed extends Error {}
