import { parentPort, workerData } from 'node:worker_threads'
import { BusinessError } from '#kernel/rules/errors.ts'
import { readWhole, type WorkerReply, type WorkerTask } from '#server/sheets/read.ts'

/** Reads one workbook in its own thread; whatever the load, the server keeps working. */
function notified(): WorkerReply {
  try {
    return { read: readWhole(workerData as WorkerTask) }
  } catch (error) {
    return { refused: error instanceof BusinessError ? error.message : '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式' }
  }
}

parentPort?.postMessage(notified())
