/** Stock as it lies: availability, allocation, serial codes. Modules import the engine through files like this one and no other. */

/** Reads on-hand less reserved per balance. */
export { availableStock } from '#server/engine/documents/available.ts'

/** Pure FEFO allocation of demands over stock balances. */
export { isSame } from '#server/engine/documents/allocate.ts'

/** Stock moves, average-cost balances, shortage; lot dates. */
export { keepLotDates } from '#server/ledger/stock.ts'

/** Serial registry by code; trace event writing. */
export { codeKey, houseCode, unitsByCode, type KnownUnit } from '#server/ledger/trace.ts'

/** Binds another code (RFID) to a serial. */
export { bindCode } from '#server/ledger/bind-code.ts'
