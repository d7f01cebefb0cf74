import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '#kernel/refusal.ts'
import { parseSheet } from '#server/engine/sheet-parse.ts'
import type { ToldBeside } from '#server/engine/sheet-reader.ts'

/** Reads one workbook in a thread of its own; whatever it costs, the server goes on. */
function told(): ToldBeside {
  try {
    return { sheet: parseSheet(workerData as Uint8Array) }
  } catch (error) {
    return { refused: error instanceof Refusal ? error.message : '文件无法识别，请使用 .xls 或 .xlsx 格式' }
  }
}

parentPort?.postMessage(told())
