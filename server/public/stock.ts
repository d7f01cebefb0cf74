/**
 * Stock: availability, allocation, serial codes. Modules import the engine through files like this one and no other.
 */

/** Reads on-hand less reserved per balance. */
export { availableStock } from '#server/documents/allocation/availability.ts'

/** Pure FEFO allocation of demands over stock balances. */
export { allocate, type AvailableBalance, matchesItem } from '#server/documents/allocation/fefo.ts'

/** The dates that an organisation keeps for its lots, and other dates for them. */
export { dateNames, differences, keepLotDates, keptDates, setLotDates } from '#server/ledger/lot-dates.ts'

/** Serial registry by code; trace event writing. */
export { codeKey, serialsByCode, type KnownUnit } from '#server/ledger/trace.ts'

/** The codes that a scanned or typed text means, as SQL and by the piece in stock. */
export { codesNamedSql, storedCodes } from '#server/ledger/named-codes.ts'

/** The parts of packs whose parts have codes of their own, and the pack in which a coded piece is. */
export { packedPieces, partsOfPacks } from '#server/ledger/combined-packs.ts'

/** Binds another code (RFID) to a serial. */
export { bindCode } from '#server/ledger/serial-codes.ts'

/** The next codes of packs. */
export { nextPackCodes } from '#server/ledger/serial-numbers.ts'
