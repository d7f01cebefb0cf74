/** Records: their hooks, reading and writing them. Modules import the engine through files like this one and no other. */

/** Hooks of records and what they are given. */
export type {
  Change,
  Fragment,
  PackedFiles,
  RecordAction,
  RecordDeed,
  RecordRow,
  RecordRules,
} from '#server/engine/records/rules.ts'

/** Listing records. */
export { listRecords } from '#server/engine/records/read.ts'

/** Adding, changing and deleting records. */
export { addRecord, deleteRecord, editRecord } from '#server/engine/records/write.ts'

/** Whether anything names a record. */
export { everUsed } from '#server/engine/records/in-use.ts'

/** The platform looking into other organisations. */
export { isPlatformReading } from '#server/engine/records/platform.ts'

/** Bringing deleted records back. */
export { comeBack } from '#server/engine/records/recycle.ts'

/** Parses list parameters: filters, paging, sort, search. */
export { patternOf, type Condition } from '#server/engine/query.ts'
