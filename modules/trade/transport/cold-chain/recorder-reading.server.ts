import { previewRecorder, readRecorder, readTag } from '#modules/trade/transport/cold-chain/recorder-file.ts'
import { recorderTable } from '#modules/trade/transport/cold-chain/recorder-table.ts'
import { foreignTableReader } from '#server/public/file-reading.ts'

/** Reads a file of a temperature recorder. */
export default foreignTableReader(recorderTable, {
  read: (rows, columns, _given: null) => readRecorder(rows, columns),
  preview: previewRecorder,
  otherwise: readTag,
})
