import { readRecorder, type RecorderFile } from '#modules/transport/cold-chain/recorder-file.ts'
import { parseCells } from '#server/public/file-reading.ts'

/** Reads a file of a temperature recorder. */
export default (bytes: Buffer): RecorderFile => readRecorder(parseCells(bytes))
