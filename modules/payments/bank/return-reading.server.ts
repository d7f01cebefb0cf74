import { previewReturn, readReturn } from '#modules/payments/bank/return-file.ts'
import { returnTable } from '#modules/payments/bank/return-table.ts'
import { foreignTableReader } from '#server/public/file-reading.ts'

/** Reads the file in which a bank answers. */
export default foreignTableReader(returnTable, { read: readReturn, preview: previewReturn })
