import { previewReturn, readReturn } from '#modules/finance/payments/bank/return-file.ts'
import { returnTable } from '#modules/finance/payments/bank/return-table.ts'
import { foreignTableReader } from '#server/public/file-reading.ts'

/** Reads the file in which a bank answers. */
export default foreignTableReader(returnTable, { read: readReturn, preview: previewReturn })
