import { readReturn } from '#modules/payments/bank/return-file.ts'
import { parseCells } from '#server/public/file-reading.ts'

/** All that `readReturn` is given beside the rows of the file. */
type Given = Parameters<typeof readReturn> extends [unknown, ...infer Rest] ? Rest : never

/** Reads the file in which a bank answers. */
export default (bytes: Buffer, given: Given): ReturnType<typeof readReturn> => readReturn(parseCells(bytes), ...given)
