/** Understood but not allowed: the attempt is recorded and the device is answered, so that it does not retry. */
export class NotAllowed extends Error {}
