/**
 * Records: their hooks, reading and writing them. Modules import the engine through files like this one and no
 * other.
 */

/** Hooks of records and what they are given. */
export type {
  Change,
  Fragment,
  PackedFiles,
  RecordAction,
  CallContext,
  ListActionHandler,
  RecordRow,
  RecordRules,
  Sign,
} from '#server/records/hooks.ts'

/** Actions that ask another system, between two transactions. */
export { remoteAction } from '#server/records/hooks.ts'

/** Listing records. */
export { listRecords } from '#server/records/read.ts'

/** Adding, changing and deleting records. */
export { addRecord, deleteRecord, editRecord } from '#server/records/write.ts'

/** Readable names of records by their keys. */
export { displayNames, type DisplayNames } from '#server/records/display-names.ts'

/** True if anything names a record. */
export { everUsed } from '#server/records/in-use.ts'

/** The platform looking into other organisations. */
export { isPlatformReading } from '#server/records/platform.ts'

/** Bringing deleted records back. */
export { comeBack } from '#server/records/recycle.ts'

/** Parses list parameters: filters, paging, sort, search. */
export { likePattern, type Condition } from '#server/lists/query.ts'
